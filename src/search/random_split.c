#include "search/random_split.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/sort.h"

kith_status random_split_init(random_split *s, const sensitive_attribute *by, uint32_t n_records,
                              uint32_t n_parts, arena *memory, kith_error *error)
{
    *s = (random_split){.values = by == NULL ? NULL : by->values,
                        .distinct = by == NULL ? 0 : by->count};
    s->start = TRY_ARRAY(s->start, memory, (size_t)s->distinct + 1, error);
    s->order = TRY_ARRAY(s->order, memory, n_records, error);
    s->key = TRY_ARRAY(s->key, memory, n_records, error);
    s->permutation = TRY_ARRAY(s->permutation, memory, n_parts, error);
    return KITH_OK;
}

/* For few members: counting would go through all distinct values. */
static void sort_by_value(random_split *s, uint32_t *members, uint32_t size)
{
    for (uint32_t m = 0; m < size; m++) {
        s->order[m] = members[m];
        s->key[m] = (uint64_t)s->values[members[m]] << 32 | m;
    }
    qsort(s->key, size, sizeof *s->key, sort_uint64);
    for (uint32_t m = 0; m < size; m++)
        members[m] = s->order[(uint32_t)s->key[m]];
}

static void count_by_value(random_split *s, uint32_t *members, uint32_t size)
{
    memset(s->start, 0, ((size_t)s->distinct + 1) * sizeof *s->start);
    for (uint32_t m = 0; m < size; m++)
        s->start[s->values[members[m]] + 1]++;
    for (uint32_t v = 0; v < s->distinct; v++)
        s->start[v + 1] += s->start[v];
    for (uint32_t m = 0; m < size; m++)
        s->order[s->start[s->values[members[m]]]++] = members[m];
    memcpy(members, s->order, size * sizeof *members);
}

/* Distributes `count` records with one value (steps 2, 3 and 7): every part gets floor(count /
 * parts), and parts chosen at random get one more. Eqs. (24) and (25) do the same with a random
 * permutation of all parts; this draws only as much of it as the remainder needs. */
static void distribute_value(random_split *s, uint32_t *parts, uint32_t count, uint32_t n_parts,
                             rng *r)
{
    uint32_t even = count - count % n_parts;
    for (uint32_t m = 0; m < even; m++)
        parts[m] = m % n_parts;
    for (uint32_t m = even, drawn = 0; m < count; m++, drawn++) {
        uint32_t pick = drawn + rng_below(r, n_parts - drawn);
        uint32_t swap = s->permutation[drawn];
        s->permutation[drawn] = s->permutation[pick];
        s->permutation[pick] = swap;
        parts[m] = s->permutation[drawn];
    }
}

void random_split_assign(random_split *s, uint32_t *parts, uint32_t *members, uint32_t size,
                         uint32_t n_parts, rng *r)
{
    ASSERT(n_parts > 0);
    rng_shuffle(r, members, size);
    if (s->values == NULL) {
        for (uint32_t m = 0; m < size; m++)
            parts[m] = m % n_parts;
        return;
    }
    /* Step 1: order the shuffled members by their sensitive values. */
    if (size < s->distinct / 8)
        sort_by_value(s, members, size);
    else
        count_by_value(s, members, size);
    for (uint32_t i = 0; i < n_parts; i++)
        s->permutation[i] = i;
    for (uint32_t from = 0, to; from < size; from = to) {
        uint32_t value = s->values[members[from]];
        for (to = from + 1; to < size && s->values[members[to]] == value;)
            to++;
        distribute_value(s, parts + from, to - from, n_parts, r);
    }
}

void random_split_distribute(random_split *s, uint32_t *parts, uint32_t *members, uint32_t size,
                             uint32_t n_parts, rng *r)
{
    random_split_assign(s, parts, members, size, n_parts, r);
    if (s->values != NULL)
        return;
    uint32_t first = rng_below(r, n_parts);
    for (uint32_t m = 0; m < size; m++)
        parts[m] = (uint32_t)(((uint64_t)parts[m] + first) % n_parts);
}
