#include "protocol/module.h"

const protocol_module protocol_module_none = {.name = "none"};

const protocol_module *protocol_module_for(partition_kind kind)
{
    const protocol_module *const *m = protocol_modules;
    while (*m != NULL && ((*m)->partitions >> kind & 1) == 0)
        m++;
    return *m;
}
