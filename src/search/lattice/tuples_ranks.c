/* The distinct tuples of all ranks, on every rank.
 *
 * A message has the number of tuples and, for each sensitive attribute, that of list entries (4
 * bytes each); the leaves, attribute by attribute, packed; the weights (4 bytes each); and for each
 * sensitive attribute the ends of the lists (4), the values, packed, and the times (4). */
#include <stdlib.h>

#include "core/error.h"
#include "search/group_by_part.h"
#include "search/lattice/tuples_internal.h"
#include "search/packed.h"

enum { NUMBER_BYTES = 4 };

static uint32_t leaf_width(const problem *p, uint32_t j)
{
    return packed_width((uint64_t)p->attributes[j].tree->n_leaves + 1);
}

static uint32_t value_width(const problem *p, uint32_t s)
{
    return packed_width(p->sensitive[s].count);
}

static size_t message_bytes(const tuples *t, const problem *p)
{
    size_t bytes = ((size_t)1 + p->n_sensitive + t->count) * NUMBER_BYTES;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        bytes += (size_t)t->count * leaf_width(p, j);
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        bytes += (size_t)t->count * NUMBER_BYTES +
                 (size_t)t->first[s][t->count] * (value_width(p, s) + NUMBER_BYTES);
    return bytes;
}

/* Every `step`-th of some numbers, `n` of them. Returns what is behind them. */
static uint8_t *put_numbers(uint8_t *at, uint32_t width, const uint32_t *from, size_t n,
                            size_t step)
{
    for (size_t i = 0; i < n; i++)
        packed_put(at, width, i, from[i * step]);
    return at + n * width;
}

static const uint8_t *get_numbers(const uint8_t *at, uint32_t width, uint32_t *to, size_t n,
                                  size_t step)
{
    for (size_t i = 0; i < n; i++)
        to[i * step] = packed_get(at, width, i);
    return at + n * width;
}

static void pack(uint8_t *at, const tuples *t, const problem *p)
{
    at = put_numbers(at, NUMBER_BYTES, &t->count, 1, 1);
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        at = put_numbers(at, NUMBER_BYTES, &t->first[s][t->count], 1, 1);
    for (uint32_t j = 0; j < p->n_attributes; j++)
        at = put_numbers(at, leaf_width(p, j), t->leaf + j, t->count, p->n_attributes);
    at = put_numbers(at, NUMBER_BYTES, t->weight, t->count, 1);
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        const uint32_t n_entries = t->first[s][t->count];
        at = put_numbers(at, NUMBER_BYTES, t->first[s] + 1, t->count, 1);
        at = put_numbers(at, value_width(p, s), t->value[s], n_entries, 1);
        at = put_numbers(at, NUMBER_BYTES, t->times[s], n_entries, 1);
    }
}

/* Appends the tuples of one rank. */
static void unpack(tuples *all, const uint8_t *at, const problem *p)
{
    const uint8_t *counts = at;
    const uint32_t n = packed_get(counts, NUMBER_BYTES, 0), before = all->count;
    at += ((size_t)1 + p->n_sensitive) * NUMBER_BYTES;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        at = get_numbers(at, leaf_width(p, j), all->leaf + (size_t)before * p->n_attributes + j, n,
                         p->n_attributes);
    at = get_numbers(at, NUMBER_BYTES, all->weight + before, n, 1);
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        const uint32_t n_entries = packed_get(counts, NUMBER_BYTES, (size_t)s + 1);
        uint32_t *ends = all->first[s] + before + 1;
        const uint32_t offset = all->first[s][before];
        at = get_numbers(at, NUMBER_BYTES, ends, n, 1);
        for (uint32_t i = 0; i < n; i++)
            ends[i] += offset;
        at = get_numbers(at, value_width(p, s), all->value[s] + offset, n_entries, 1);
        at = get_numbers(at, NUMBER_BYTES, all->times[s] + offset, n_entries, 1);
    }
    all->count += n;
}

static kith_status make_lists(tuples *t, uint32_t s, size_t n_tuples, size_t n_entries,
                              arena *memory, kith_error *error)
{
    t->first[s] = TRY_ALLOC(arena_array(memory, n_tuples + 1, sizeof **t->first), error);
    t->value[s] = TRY_ALLOC(arena_array(memory, n_entries, sizeof **t->value), error);
    t->times[s] = TRY_ALLOC(arena_array(memory, n_entries, sizeof **t->times), error);
    t->first[s][0] = 0;
    return KITH_OK;
}

static kith_status make_all_lists(tuples *t, arena *memory, kith_error *error)
{
    t->first = TRY_ALLOC(arena_array(memory, t->n_sensitive, sizeof *t->first), error);
    t->value = TRY_ALLOC(arena_array(memory, t->n_sensitive, sizeof *t->value), error);
    t->times = TRY_ALLOC(arena_array(memory, t->n_sensitive, sizeof *t->times), error);
    return KITH_OK;
}

/* The tuples of all ranks, one rank after the other: what two ranks have is there twice. *before
 * becomes the number of those of lower ranks. */
static kith_status gather(tuples *all, uint32_t *before, const tuples *own, const problem *p,
                          crew *ranks, arena *memory, kith_error *error)
{
    const uint32_t n_ranks = crew_size(ranks);
    const size_t n_bytes = message_bytes(own, p);
    uint8_t *bytes = TRY_ALLOC(arena_array(memory, n_bytes, 1), error);
    crew_bytes *from = TRY_ALLOC(arena_array(memory, n_ranks, sizeof *from), error);
    pack(bytes, own, p);
    TRY(crew_gather(ranks, bytes, n_bytes, from, memory, error));
    size_t n = 0;
    for (uint32_t r = 0; r < n_ranks; r++)
        n += packed_get(from[r].bytes, NUMBER_BYTES, 0);
    *all = (tuples){.n_attributes = p->n_attributes, .n_sensitive = p->n_sensitive};
    all->leaf = TRY_ALLOC(arena_array(memory, n * p->n_attributes, sizeof *all->leaf), error);
    all->weight = TRY_ALLOC(arena_array(memory, n, sizeof *all->weight), error);
    TRY(make_all_lists(all, memory, error));
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        size_t n_entries = 0;
        for (uint32_t r = 0; r < n_ranks; r++)
            n_entries += packed_get(from[r].bytes, NUMBER_BYTES, (size_t)s + 1);
        TRY(make_lists(all, s, n, n_entries, memory, error));
    }
    for (uint32_t r = 0; r < n_ranks; r++) {
        if (r == crew_rank(ranks))
            *before = all->count;
        unpack(all, from[r].bytes, p);
    }
    return KITH_OK;
}

/* Which of the gathered tuples are the same one: those of u are member[start[u] … start[u+1]-1]. */
typedef struct same_tuples {
    uint32_t *start, *member;
} same_tuples;

/* Adds up the lists of one sensitive attribute. */
static kith_status unite_lists(tuples *t, uint32_t s, const tuples *all, const same_tuples *same,
                               uint32_t n_values, arena *scratch, arena *memory, kith_error *error)
{
    uint32_t *count = TRY_ALLOC(arena_zalloc(scratch, n_values, sizeof *count), error);
    TRY(make_lists(t, s, t->count, all->first[s][all->count], memory, error));
    for (uint32_t u = 0; u < t->count; u++) {
        const uint32_t first = t->first[s][u];
        uint32_t end = first;
        for (uint32_t i = same->start[u]; i < same->start[u + 1]; i++) {
            const uint32_t g = same->member[i];
            for (uint32_t e = all->first[s][g]; e < all->first[s][g + 1]; e++) {
                const uint32_t value = all->value[s][e];
                if (count[value] == 0)
                    t->value[s][end++] = value;
                count[value] += all->times[s][e];
            }
        }
        qsort(t->value[s] + first, end - first, sizeof **t->value, tuples_by_value);
        for (uint32_t e = first; e < end; e++) {
            t->times[s][e] = count[t->value[s][e]];
            count[t->value[s][e]] = 0;
        }
        t->first[s][u + 1] = end;
    }
    return KITH_OK;
}

kith_status tuples_unite(tuples *t, const tuples *own, const problem *p, crew *ranks,
                         arena *scratch, arena *memory, kith_error *error)
{
    tuples all;
    tuple_numbers numbers;
    same_tuples same;
    uint32_t before = 0;
    TRY(gather(&all, &before, own, p, ranks, scratch, error));
    TRY(tuples_number_rows(&numbers, all.leaf, all.count, p->n_attributes, scratch, error));
    TRY(tuples_take_rows(t, all.leaf, &numbers, memory, error));
    for (uint32_t g = 0; g < all.count; g++)
        t->weight[numbers.of[g]] += all.weight[g];
    t->of = TRY_ALLOC(arena_array(memory, p->n_records, sizeof *t->of), error);
    for (uint32_t i = 0; i < p->n_records; i++)
        t->of[i] = numbers.of[before + own->of[i]];
    same.start = TRY_ALLOC(arena_array(scratch, (size_t)t->count + 2, sizeof *same.start), error);
    same.member = TRY_ALLOC(arena_array(scratch, all.count, sizeof *same.member), error);
    group_by_part(same.member, same.start, numbers.of, t->count, NULL, all.count);
    TRY(make_all_lists(t, memory, error));
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        TRY(unite_lists(t, s, &all, &same, p->sensitive[s].count, scratch, memory, error));
    return KITH_OK;
}
