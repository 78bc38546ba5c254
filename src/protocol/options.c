#include "protocol/options.h"

#include <stddef.h>

#include "protocol/module.h"

const char *const options_partitions[] = {
    [PARTITION_NONE] = "none",
    [PARTITION_HORIZONTAL] = "horizontal",
    [PARTITION_VERTICAL] = "vertical",
    [PARTITION_HYBRID] = "hybrid",
    NULL,
};

const char *const options_overlaps[] = {
    [OVERLAP_UNKNOWN] = "unknown",
    [OVERLAP_NONE] = "none",
    [OVERLAP_MATCHED] = "matched",
    NULL,
};

const char *const options_matches[] = {
    [MATCH_TRIM] = "trim",
    [MATCH_CASE] = "case",
    [MATCH_DIGITS] = "digits",
    NULL,
};

const char *options_partition_name(partition_kind kind)
{
    return options_partitions[kind];
}

const char *options_protocol_name(const protocol_options *o)
{
    return o->protocol->name;
}

bool options_external_master(const protocol_options *o)
{
    return o->protocol->by_master && o->master == PROTOCOL_MASTER_EXTERNAL;
}

uint32_t options_holders(const protocol_options *o, uint32_t n_parties)
{
    return options_external_master(o) ? n_parties - o->n_replicas : n_parties;
}
