/* Brings the members of each part together: a counting sort. */
#ifndef CORE_GROUP_BY_PART_H
#define CORE_GROUP_BY_PART_H

#include <stdint.h>

/* Writes members[0 … size-1] to `order`, part by part, within a part in the order in which they
 * come. members[i] belongs to parts[i] < n_parts; members NULL stands for 0, 1, …, size-1. Part p
 * is then order[start[p] … start[p + 1]-1]. `start` has n_parts + 2 entries, the last of which is
 * scratch. */
void group_by_part(uint32_t *order, uint32_t *start, const uint32_t *parts, uint32_t n_parts,
                   const uint32_t *members, uint32_t size);

#endif
