#include "protocol/options.h"

const char *options_partition_name(partition_kind kind)
{
    static const char *const names[] = {
        [PARTITION_NONE] = "none",
        [PARTITION_HORIZONTAL] = "horizontal",
        [PARTITION_VERTICAL] = "vertical",
        [PARTITION_HYBRID] = "hybrid",
    };
    return names[kind];
}

const char *options_protocol_name(protocol_id id)
{
    static const char *const names[] = {
        [PROTOCOL_WEAVE] = "weave",
        [PROTOCOL_CLUSTERING] = "clustering",
        [PROTOCOL_ENCRYPTED_VIEW] = "encrypted-view",
        [PROTOCOL_MONDRIAN] = "mondrian",
        [PROTOCOL_ID_BASED] = "id-based",
    };
    return names[id];
}
