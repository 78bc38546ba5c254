/* Which protocols this build has: tests that run several leave out the others. */
#ifndef SUPPORT_BUILT_H
#define SUPPORT_BUILT_H

#include <stdbool.h>
#include <string.h>

#include "protocol/module.h"

static inline bool built_all(void)
{
    return protocol_absent[0] == NULL;
}

/* Is the protocol built that a study with these keys runs, if its table is split like this? */
static inline bool built_protocol(const char *keys, const char *split)
{
    const char *line = strstr(keys, "protocol: ");
    const char *name = line != NULL                   ? line + strlen("protocol: ")
                       : strcmp(split, "hybrid") == 0 ? "encrypted-view"
                                                      : "weave";
    for (const protocol_module *const *m = protocol_modules; *m != NULL; m++)
        if (strncmp(name, (*m)->name, strlen((*m)->name)) == 0)
            return true;
    return false;
}

#endif
