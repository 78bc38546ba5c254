/* What the kernel knows about a page of this process. */
#ifndef SUPPORT_MAPPINGS_H
#define SUPPORT_MAPPINGS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* True if the page is left out of core dumps ("dd" in /proc/self/smaps), as locked pages of
 * libsodium are. Whether it is locked depends on what the system allows; this does not. */
static inline bool mapping_is_secret(const void *address)
{
    char line[512];
    uintptr_t first, end, at = (uintptr_t)address;
    bool inside = false, secret = false;
    FILE *maps = fopen("/proc/self/smaps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &first, &end) == 2)
            inside = at >= first && at < end;
        else if (inside && strncmp(line, "VmFlags:", 8) == 0)
            secret = strstr(line, " dd") != NULL;
    }
    if (maps != NULL)
        fclose(maps);
    return secret;
}

#endif
