#include "verify/crossings.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/sort.h"

/* Pairs of numbers, each once, ascending. */
typedef struct pairs {
    uint64_t *pair;
    uint32_t count;
} pairs;

static uint32_t front(const pairs *p, uint32_t i)
{
    return (uint32_t)(p->pair[i] >> 32);
}

static uint32_t back(const pairs *p, uint32_t i)
{
    return (uint32_t)p->pair[i];
}

/* Those of (one[row], other[row]) for all rows that are not of the class `without`. */
static kith_status list_pairs(pairs *p, const uint32_t *one, const uint32_t *other,
                              const classes *grouping, uint32_t without, uint32_t n_rows,
                              arena *memory, kith_error *error)
{
    uint32_t n = 0;
    p->pair = TRY_ARRAY(p->pair, memory, n_rows, error);
    for (uint32_t row = 0; row < n_rows; row++)
        if (grouping->class_of[row] != without)
            p->pair[n++] = (uint64_t)one[row] << 32 | other[row];
    qsort(p->pair, n, sizeof *p->pair, sort_uint64);
    p->count = 0;
    for (uint32_t i = 0; i < n; i++)
        if (p->count == 0 || p->pair[i] != p->pair[p->count - 1])
            p->pair[p->count++] = p->pair[i];
    return KITH_OK;
}

static bool shows(const pairs *shown, uint32_t class, uint32_t value)
{
    const uint64_t wanted = (uint64_t) class << 32 | value;
    return bsearch(&wanted, shown->pair, shown->count, sizeof wanted, sort_uint64) != NULL;
}

/* How many values of the first of these classes all others show. */
static uint32_t count_common(const pairs *in, uint32_t from, uint32_t to, const pairs *shown,
                             const uint32_t *first_shown)
{
    uint32_t n_common = 0;
    for (uint32_t i = first_shown[back(in, from)]; i < first_shown[back(in, from) + 1]; i++) {
        uint32_t other = from + 1;
        while (other < to && shows(shown, back(in, other), back(shown, i)))
            other++;
        n_common += other == to;
    }
    return n_common;
}

kith_status crossings_count(uint32_t *n_persons, const verify_persons *persons,
                            const classes *grouping, uint32_t suppressed,
                            const verify_values *values, uint32_t n_rows, uint32_t needed,
                            arena *memory, kith_error *error)
{
    pairs has, in, shown;
    arena *own ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    uint32_t *first_shown = TRY_ZEROS(first_shown, own, grouping->count + (size_t)1, error);
    *n_persons = 0;
    TRY(list_pairs(&has, persons->of_row, values->of_row, grouping, UINT32_MAX, n_rows, own,
                   error));
    if (has.count != persons->count)
        return KITH_OK;
    TRY(list_pairs(&in, persons->of_row, grouping->class_of, grouping, suppressed, n_rows, own,
                   error));
    TRY(list_pairs(&shown, grouping->class_of, values->of_row, grouping, suppressed, n_rows, own,
                   error));
    for (uint32_t i = 0; i < shown.count; i++)
        first_shown[front(&shown, i) + 1] = i + 1;
    for (uint32_t c = 0; c < grouping->count;
         c++) /* classes that show nothing begin where the next does */
        if (first_shown[c + 1] < first_shown[c])
            first_shown[c + 1] = first_shown[c];
    for (uint32_t from = 0, to; from < in.count; from = to) {
        for (to = from + 1; to < in.count && front(&in, to) == front(&in, from);)
            to++;
        *n_persons += to - from > 1 && count_common(&in, from, to, &shown, first_shown) < needed;
    }
    return KITH_OK;
}
