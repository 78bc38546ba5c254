#include "search/lattice/distribution.h"

#include <string.h>

#include "core/error.h"
#include "search/lattice/tuples_internal.h"

/* So many tuples are given to every rank: a check of them costs less than a message. */
static const uint64_t small_table = 4096;

static void free_tuples(void *object)
{
    distribution *e = object;
    arena_free(e->memory);
    e->memory = NULL;
}

/* A distribution for nodes from `low` on, without tuples. */
static kith_status new_distribution(distribution **result, distributions *d, distribution *below,
                                    const uint8_t *low, kith_error *error)
{
    const uint32_t n_attributes = d->problem->n_attributes;
    distribution *e = TRY_ALLOC(arena_zalloc(d->memory, 1, sizeof *e), error);
    e->above = TRY_ALLOC(arena_zalloc(d->memory, n_attributes, sizeof *e->above), error);
    e->below = below;
    memcpy(e->low, low, n_attributes);
    TRY_ALLOC(arena_defer(d->memory, free_tuples, e), error);
    if (d->n_made == d->n_room) {
        const size_t room = arena_capacity(d->n_room, (size_t)d->n_room + 1);
        distribution **made = arena_resize_array(d->memory, d->made, d->n_room, room, sizeof *made);
        d->made = TRY_ALLOC(made, error);
        d->n_room = (uint32_t)room;
    }
    d->made[d->n_made++] = e;
    *result = e;
    return KITH_OK;
}

/* Decides how a distribution gives out its tuples, of which `t` are this rank's and `n_whole` those
 * of all ranks. A distribution of few tuples may be less even than the first one. */
static kith_status distribution_choose(distributions *d, distribution *e, const tuples *t,
                                       uint64_t n_whole, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(d->ranks);
    /* So many tuples of a distribution are given to every rank. */
    const uint64_t share = e == d->first ? 0 : d->first->n_whole / (8 * n_ranks);
    e->everywhere = n_whole <= (share > d->small ? share : d->small);
    if (e->everywhere) {
        for (uint32_t j = 0; j < d->problem->n_attributes; j++)
            e->anchor.high[j] = (uint8_t)(d->attributes[j].tree->n_levels - 1);
        return KITH_OK;
    }
    const uint64_t even = n_whole * 9 / 8 / n_ranks;
    const uint64_t half = e == d->first ? 0 : d->first->n_whole / n_ranks / 2;
    return distribution_anchor_choose(&e->anchor, t, e->low, n_whole, even > half ? even : half,
                                      d->problem, d->ranks, d->memory, error);
}

/* Gives out this rank's tuples, which may agree with those of other ranks, and takes those that the
 * distribution has for this rank. *of is the new tuple of each of this rank's if the distribution
 * is everywhere. */
static kith_status give_out(distributions *d, distribution *e, const tuples *own,
                            const uint32_t **of, arena *scratch, kith_error *error)
{
    uint32_t *to = NULL, before;
    tuples all;
    if (!e->everywhere) {
        to = TRY_ALLOC(arena_array(scratch, own->count, sizeof *to), error);
        for (uint32_t u = 0; u < own->count; u++)
            to[u] = distribution_anchor_rank(&e->anchor, d->attributes, own->n_attributes,
                                             tuples_row(own, u));
    }
    TRY(tuples_send(&all, &before, own, to, d->problem, d->ranks, scratch, error));
    TRY(tuples_combine(&e->tuples, of, &all, d->problem, scratch, e->memory, error));
    *of += before;
    e->n_whole = e->tuples.count;
    if (!e->everywhere)
        TRY(ranks_sum(d->ranks, &e->n_whole, 1, error));
    CHECK(tuples_check(&e->tuples, d->problem));
    return KITH_OK;
}

/* Fills a distribution with tuples, of which `own` are those of this rank. */
static kith_status distribution_fill(distributions *d, distribution *e, const tuples *own,
                                     const uint32_t **of, arena *scratch, kith_error *error)
{
    uint64_t n_whole = own->count;
    TRY(ranks_sum(d->ranks, &n_whole, 1, error));
    if (e->number == 0)
        TRY(distribution_choose(d, e, own, n_whole, error));
    e->memory = TRY_ALLOC(arena_new_like(d->memory), error);
    TRY(give_out(d, e, own, of, scratch, error));
    e->number = ++d->n_numbers;
    e->there = true;
    return KITH_OK;
}

/* The first distribution over ranks, from the tuples of this rank's records. */
static kith_status fill_first(distributions *d, tuples *own, arena *scratch, kith_error *error)
{
    const problem *p = d->problem;
    const uint32_t *of;
    uint64_t n_records = p->n_records;
    TRY(ranks_sum(d->ranks, &n_records, 1, error));
    own->n_records = (uint32_t)n_records;
    own->attributes = d->attributes;
    TRY(distribution_fill(d, d->first, own, &of, scratch, error));
    if (!d->first->everywhere)
        return KITH_OK;
    tuples *t = &d->first->tuples;
    t->of = TRY_ALLOC(arena_array(d->first->memory, p->n_records, sizeof *t->of), error);
    for (uint32_t i = 0; i < p->n_records; i++)
        t->of[i] = of[own->of[i]];
    return KITH_OK;
}

static kith_status make_first(distributions *d, bool values, kith_error *error)
{
    distribution *e = d->first;
    if (ranks_count(d->ranks) > 1) {
        tuples own;
        TRY(tuples_attributes(&d->attributes, d->problem, d->memory, error));
        arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(d->memory), error);
        TRY(tuples_build(&own, d->problem, values, scratch, error));
        return fill_first(d, &own, scratch, error);
    }
    e->memory = TRY_ALLOC(arena_new_like(d->memory), error);
    TRY(tuples_build(&e->tuples, d->problem, values, e->memory, error));
    d->attributes = e->tuples.attributes;
    e->n_whole = e->tuples.count;
    e->everywhere = e->there = true;
    for (uint32_t j = 0; j < d->problem->n_attributes; j++)
        e->anchor.high[j] = (uint8_t)(d->attributes[j].tree->n_levels - 1);
    return KITH_OK;
}

kith_status distributions_init(distributions *d, const problem *p, bool values, kith_ranks *ranks,
                               uint64_t small, arena *memory, kith_error *error)
{
    const uint8_t bottom[LATTICE_MAX_ATTRIBUTES] = {0};
    *d = (distributions){
        .problem = p, .ranks = ranks, .memory = memory, .small = small == 0 ? small_table : small};
    TRY(new_distribution(&d->first, d, NULL, bottom, error));
    d->n_made = 0; /* the first one is never dropped */
    return make_first(d, values, error);
}

void distributions_next(distributions *d)
{
    d->clock++;
}

/* For every leaf the first one that agrees with it at a level. */
static kith_status first_alike(uint32_t **result, const tuple_attribute *a, uint32_t level,
                               arena *memory, kith_error *error)
{
    const size_t n = (size_t)a->tree->n_leaves + 1;
    uint32_t *alike = TRY_ALLOC(arena_array(memory, n, sizeof *alike), error);
    uint32_t *first = TRY_ALLOC(arena_array(memory, n + 1, sizeof *first), error);
    memset(first, 0xff, (n + 1) * sizeof *first);
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        uint32_t *of_code = &first[a->code[level][leaf]];
        *of_code = *of_code == UINT32_MAX ? leaf : *of_code;
        alike[leaf] = *of_code;
    }
    *result = alike;
    return KITH_OK;
}

/* Lists of the one leaf that each tuple has in attribute j. */
static kith_status list_leaves(tuples *t, uint32_t j, const tuples *from, arena *memory,
                               kith_error *error)
{
    const uint32_t s = t->n_sensitive + j;
    TRY(tuples_make_list(t, s, from->count, from->count, memory, error));
    for (uint32_t u = 0; u < from->count; u++) {
        t->first[s][u + 1] = u + 1;
        t->value[s][u] = tuples_leaf(from, u, j);
        t->times[s][u] = from->weight[u];
    }
    return KITH_OK;
}

/* The tuples `from`, with those merged that agree from `low` on. */
static kith_status make_coarse(tuples *coarse, const distributions *d, const tuples *from,
                               const uint8_t *low, arena *memory, kith_error *error)
{
    const uint32_t n_attributes = from->n_attributes;
    const size_t n_cells = (size_t)from->count * n_attributes;
    const uint32_t *of;
    tuples t = *from;
    t.leaf = TRY_ALLOC(arena_array(memory, n_cells, sizeof *t.leaf), error);
    memcpy(t.leaf, from->leaf, n_cells * sizeof *t.leaf);
    TRY(tuples_make_lists(&t, memory, error));
    for (uint32_t s = 0; s < t.n_lists; s++) {
        t.first[s] = from->first[s];
        t.value[s] = from->value[s];
        t.times[s] = from->times[s];
    }
    for (uint32_t j = 0; j < n_attributes; j++) {
        uint32_t *alike = NULL;
        if (low[j] == 0)
            continue;
        TRY(first_alike(&alike, &d->attributes[j], low[j], memory, error));
        for (uint32_t u = 0; u < from->count; u++)
            t.leaf[(size_t)u * n_attributes + j] = alike[tuples_leaf(from, u, j)];
        if (d->leaves && t.first[t.n_sensitive + j] == NULL)
            TRY(list_leaves(&t, j, from, memory, error));
    }
    return tuples_combine(coarse, &of, &t, d->problem, memory, memory, error);
}

/* What the tuples of all distributions but the first take, in tuples of all ranks. */
static uint64_t count_tuples(const distributions *d)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < d->n_made; i++)
        if (d->made[i]->there)
            n += d->made[i]->n_whole * (d->made[i]->everywhere ? ranks_count(d->ranks) : 1);
    return n;
}

/* Drops the distributions that were not asked for lately if all take more than some times the first
 * one. */
static void drop_some(distributions *d)
{
    while (count_tuples(d) > 2 * d->first->n_whole) {
        distribution *oldest = NULL;
        for (uint32_t i = 0; i < d->n_made; i++) {
            distribution *e = d->made[i];
            if (e->there && e->used < d->clock && (oldest == NULL || e->used < oldest->used))
                oldest = e;
        }
        if (oldest == NULL)
            return;
        oldest->there = false;
        oldest->column = NULL;
        free_tuples(oldest);
    }
}

/* Makes the tuples of a distribution from those of one below. */
static kith_status distribution_make(distributions *d, distribution *e, kith_error *error)
{
    const distribution *from = e->below;
    const uint32_t *of;
    tuples coarse;
    while (!from->there)
        from = from->below;
    arena *scratch = TRY_ALLOC(arena_new_like(d->memory), error);
    kith_status status = make_coarse(&coarse, d, &from->tuples, e->low, scratch, error);
    if (status == KITH_OK)
        status = distribution_fill(d, e, &coarse, &of, scratch, error);
    arena_free(scratch);
    e->used = d->clock;
    drop_some(d);
    return status;
}

/* The first attribute in which a node is above what the distribution serves, or n_attributes. */
static uint32_t first_above(const distributions *d, const distribution *e, const uint8_t *levels)
{
    uint32_t j = 0;
    while (j < d->problem->n_attributes && levels[j] <= e->anchor.high[j])
        j++;
    return j;
}

kith_status distributions_find(distributions *d, const uint8_t *levels, distribution **found,
                               kith_error *error)
{
    distribution *e = d->first;
    for (uint32_t j; (j = first_above(d, e, levels)) < d->problem->n_attributes;) {
        if (e->above[j] == NULL) {
            uint8_t low[LATTICE_MAX_ATTRIBUTES];
            memcpy(low, e->low, d->problem->n_attributes);
            low[j] = (uint8_t)(e->anchor.high[j] + 1);
            TRY(new_distribution(&e->above[j], d, e, low, error));
        }
        e = e->above[j];
        if (e->number == 0)
            TRY(distribution_make(d, e, error));
    }
    e->used = d->clock;
    if (!e->there)
        TRY(distribution_make(d, e, error));
    *found = e;
    return KITH_OK;
}

kith_status distribution_columns(distribution *e, kith_error *error)
{
    const tuples *t = &e->tuples;
    if (e->column != NULL)
        return KITH_OK;
    const uint32_t **column = TRY_ARRAY(column, e->memory, t->n_attributes, error);
    for (uint32_t j = 0; j < t->n_attributes; j++) {
        uint32_t *leaves = TRY_ALLOC(arena_array(e->memory, t->count, sizeof *leaves), error);
        for (uint32_t u = 0; u < t->count; u++)
            leaves[u] = tuples_leaf(t, u, j);
        column[j] = leaves;
    }
    e->column = column;
    return KITH_OK;
}
