#include "protocol/options.h"

#include <stddef.h>

const char *const options_partitions[] = {
    [PARTITION_NONE] = "none",
    [PARTITION_HORIZONTAL] = "horizontal",
    [PARTITION_VERTICAL] = "vertical",
    [PARTITION_HYBRID] = "hybrid",
    NULL,
};

const char *const options_protocols[] = {
    [PROTOCOL_WEAVE] = "weave",
    [PROTOCOL_CLUSTERING] = "clustering",
    [PROTOCOL_ENCRYPTED_VIEW] = "encrypted-view",
    [PROTOCOL_MONDRIAN] = "mondrian",
    [PROTOCOL_ID_BASED] = "id-based",
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

const char *options_protocol_name(protocol_id id)
{
    return options_protocols[id];
}
