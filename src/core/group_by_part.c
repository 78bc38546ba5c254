#include "core/group_by_part.h"

#include <string.h>

#include "core/check.h"

void group_by_part(uint32_t *order, uint32_t *start, const uint32_t *parts, uint32_t n_parts,
                   const uint32_t *members, uint32_t size)
{
    memset(start, 0, ((size_t)n_parts + 2) * sizeof *start);
    for (uint32_t i = 0; i < size; i++) {
        ASSERT(parts[i] < n_parts);
        start[parts[i] + 2]++;
    }
    for (uint32_t p = 0; p < n_parts; p++)
        start[p + 2] += start[p + 1];
    /* start[p + 1] now says where part p begins, and grows until it says where it ends. */
    for (uint32_t i = 0; i < size; i++)
        order[start[parts[i] + 1]++] = members == NULL ? i : members[i];
    ASSERT(start[n_parts] == size);
}
