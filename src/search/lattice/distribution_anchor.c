/* By which attributes tuples are distributed to ranks. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "search/lattice/distribution.h"

/* A sample of the tuples is looked at: as many of each rank. Buckets are enough for an even
 * distribution of many small ones. */
enum { SAMPLE = 8192, BUCKETS_PER_RANK = 64, MIN_BUCKETS = 256, MAX_BUCKETS = 65536 };

/* One attribute more by which tuples could be distributed, at a level. */
typedef struct candidate {
    uint32_t axis;
    uint8_t level;
    double reach; /* share of the attribute's levels from `low` on that are not above `level` */
} candidate;

/* A choice that is being made. */
typedef struct choice {
    const tuples *tuples;
    const problem *problem;
    const uint8_t *low;
    distribution_anchor *anchor;
    uint32_t n_ranks;
    uint32_t *rank;     /* [n_buckets] of the candidate looked at last */
    uint32_t *order;    /* [n_buckets] scratch */
    uint64_t *load;     /* [n_ranks] scratch */
    candidate *list;    /* [all levels of all attributes] */
    uint32_t n_list;    /* candidates now */
    uint64_t *count;    /* [all levels of all attributes][n_buckets] */
    uint64_t n_sampled; /* tuples for which the counts stand */
} choice;

static uint64_t distribution_anchor_mix(uint64_t word)
{
    word *= 0x9e3779b97f4a7c15U;
    word = (word ^ (word >> 32)) * 0xd6e8feb86659fd93U;
    return word ^ (word >> 32);
}

/* What one cell adds to the hash of a row: attributes may be added in any order. */
static uint64_t hash_cell(const tuple_attribute *attributes, uint32_t axis, uint32_t level,
                          const uint32_t *row)
{
    return distribution_anchor_mix(attributes[axis].code[level][row[axis]] +
                                   ((uint64_t)(axis + 1) << 32));
}

static uint64_t hash_row(const distribution_anchor *a, const tuple_attribute *attributes,
                         uint32_t n_attributes, const uint32_t *row)
{
    uint64_t hash = 0;
    for (uint32_t j = 0; j < n_attributes; j++)
        if (attributes[j].bits[a->high[j]] > 0)
            hash += hash_cell(attributes, j, a->high[j], row);
    return hash;
}

static uint32_t bucket_of(const distribution_anchor *a, uint64_t hash)
{
    return (uint32_t)(distribution_anchor_mix(hash) % a->n_buckets);
}

uint32_t distribution_anchor_rank(const distribution_anchor *a, const tuple_attribute *attributes,
                                  uint32_t n_attributes, const uint32_t *row)
{
    return a->rank[bucket_of(a, hash_row(a, attributes, n_attributes, row))];
}

/* Counts how many tuples of all ranks come into each bucket, for each candidate. */
static kith_status count_buckets(choice *c, kith_ranks *ranks, kith_error *error)
{
    const tuples *t = c->tuples;
    const uint32_t step = t->count / SAMPLE + 1, n_buckets = c->anchor->n_buckets;
    memset(c->count, 0, (size_t)c->n_list * n_buckets * sizeof *c->count);
    for (uint32_t u = 0; u < t->count; u += step) {
        const uint32_t *row = tuples_row(t, u);
        const uint64_t hash = hash_row(c->anchor, t->attributes, t->n_attributes, row);
        for (uint32_t i = 0; i < c->n_list; i++) {
            const candidate *k = &c->list[i];
            const uint64_t with = hash + hash_cell(t->attributes, k->axis, k->level, row);
            c->count[(size_t)i * n_buckets + bucket_of(c->anchor, with)] += step;
        }
    }
    return ranks_sum(ranks, c->count, (size_t)c->n_list * n_buckets, error);
}

static int by_count(const void *a, const void *b, void *user)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint64_t *count = user;
    return count[x] != count[y] ? (count[x] < count[y] ? 1 : -1) : (x > y) - (x < y);
}

/* Distributes the buckets, the largest first, always to the rank that has least. Returns what the
 * fullest one has, and fills in c->rank. */
static uint64_t distribute_buckets(choice *c, uint64_t *count)
{
    const uint32_t n_buckets = c->anchor->n_buckets;
    uint64_t most = 0;
    for (uint32_t b = 0; b < n_buckets; b++)
        c->order[b] = b;
    qsort_r(c->order, n_buckets, sizeof *c->order, by_count, count);
    memset(c->load, 0, c->n_ranks * sizeof *c->load);
    for (uint32_t i = 0; i < n_buckets; i++) {
        uint32_t least = i % c->n_ranks; /* empty buckets: tuples that the sample does not show */
        for (uint32_t r = 0; r < c->n_ranks && count[c->order[i]] > 0; r++)
            least = c->load[r] < c->load[least] ? r : least;
        c->rank[c->order[i]] = least;
        c->load[least] += count[c->order[i]];
        most = c->load[least] > most ? c->load[least] : most;
    }
    return most;
}

/* Looks at all candidates: the one that reaches furthest of those that keep to `share`, the largest
 * share of the tuples that a rank may have; if none does, the most even one. */
static const candidate *best_candidate(choice *c, double share, bool *even)
{
    const uint32_t n_buckets = c->anchor->n_buckets;
    const candidate *best = NULL;
    double least = 0;
    c->n_sampled = 0;
    for (uint32_t b = 0; b < n_buckets; b++)
        c->n_sampled += c->count[b];
    *even = false;
    for (uint32_t i = 0; i < c->n_list; i++) {
        const candidate *k = &c->list[i];
        const double load = (double)distribute_buckets(c, c->count + (size_t)i * n_buckets);
        const bool good = load <= share * (double)c->n_sampled;
        const bool better = good != *even ? good
                            : good        ? k->reach > best->reach
                                          : best == NULL || load < least;
        if (!better)
            continue;
        best = k;
        least = load;
        *even = good;
    }
    return best;
}

static kith_status make_choice(choice *c, arena *scratch, kith_error *error)
{
    const uint32_t n_buckets = c->anchor->n_buckets;
    size_t n_levels = 0;
    for (uint32_t j = 0; j < c->problem->n_attributes; j++)
        n_levels += c->problem->attributes[j].tree->n_levels;
    c->order = TRY_ALLOC(arena_array(scratch, n_buckets, sizeof *c->order), error);
    c->load = TRY_ALLOC(arena_array(scratch, c->n_ranks, sizeof *c->load), error);
    c->list = TRY_ALLOC(arena_array(scratch, n_levels, sizeof *c->list), error);
    c->count = TRY_ALLOC(arena_array(scratch, n_levels * n_buckets, sizeof *c->count), error);
    return KITH_OK;
}

kith_status distribution_anchor_choose(distribution_anchor *a, const tuples *t, const uint8_t *low,
                                       uint64_t n_whole, uint64_t most, const problem *p,
                                       kith_ranks *ranks, arena *memory, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(ranks);
    uint32_t n_buckets = MIN_BUCKETS;
    while (n_buckets < MAX_BUCKETS && n_buckets < BUCKETS_PER_RANK * n_ranks)
        n_buckets *= 2;
    uint32_t *rank = TRY_ALLOC(arena_zalloc(memory, n_buckets, sizeof *rank), error);
    *a = (distribution_anchor){.n_buckets = n_buckets, .rank = rank};
    for (uint32_t j = 0; j < p->n_attributes; j++)
        a->high[j] = (uint8_t)(p->attributes[j].tree->n_levels - 1);
    choice c = {
        .tuples = t, .problem = p, .low = low, .anchor = a, .n_ranks = n_ranks, .rank = rank};
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    TRY(make_choice(&c, scratch, error));
    /* Takes one attribute after the other until the ranks get about as many tuples. */
    const double share = (double)most / (double)n_whole;
    for (bool even = false; !even;) {
        /* Lists every level of the attributes by which the anchor does not distribute yet. */
        c.n_list = 0;
        for (uint32_t j = 0; j < c.problem->n_attributes; j++) {
            const tuple_attribute *column = &c.tuples->attributes[j];
            const attribute *of = &c.problem->attributes[j];
            const uint32_t first = c.low[j] > of->min_level ? c.low[j] : of->min_level;
            const uint32_t top = of->tree->n_levels - 1 - of->n_forbidden; /* that nodes show */
            if (column->bits[c.anchor->high[j]] > 0)
                continue;
            for (uint32_t level = first; level <= top && column->bits[level] > 0; level++)
                c.list[c.n_list++] = (candidate){
                    j, (uint8_t)level, (double)(level + 1 - first) / (double)(top + 1 - first)};
        }
        if (c.n_list == 0)
            return KITH_OK;
        TRY(count_buckets(&c, ranks, error));
        const candidate *best = best_candidate(&c, share, &even);
        (void)distribute_buckets(&c, c.count + (size_t)(best - c.list) * c.anchor->n_buckets);
        c.anchor->high[best->axis] = best->level;
    }
    return KITH_OK;
}
