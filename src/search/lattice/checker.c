#include "search/lattice/checker_internal.h"

#include <string.h>

#include "core/error.h"

static void free_snapshots(void *object)
{
    snapshots_free(object);
}

static kith_status scratch_lists(checker_scratch *s, const checker *c, arena *memory,
                                 kith_error *error)
{
    const problem *p = c->problem;
    uint32_t n = c->tuples.count;
    s->count = TRY_ALLOC(arena_array(memory, p->secrets, sizeof *s->count), error);
    s->first = TRY_ALLOC(arena_array(memory, p->secrets, sizeof *s->first), error);
    s->value = TRY_ALLOC(arena_array(memory, p->secrets, sizeof *s->value), error);
    s->times = TRY_ALLOC(arena_array(memory, p->secrets, sizeof *s->times), error);
    s->histogram = TRY_ALLOC(arena_array(memory, p->secrets, sizeof *s->histogram), error);
    for (uint32_t q = 0; q < p->secrets; q++) {
        uint32_t entries = c->tuples.first[q][n];
        s->count[q] = TRY_ALLOC(arena_zalloc(memory, p->secret[q].count, sizeof **s->count), error);
        s->first[q] = TRY_ALLOC(arena_array(memory, (size_t)n + 1, sizeof **s->first), error);
        s->value[q] = TRY_ALLOC(arena_array(memory, entries, sizeof **s->value), error);
        s->times[q] = TRY_ALLOC(arena_array(memory, entries, sizeof **s->times), error);
        s->histogram[q] = (histogram){.counts = s->count[q], .values = p->secret[q].count};
    }
    return KITH_OK;
}

static kith_status scratch_init(checker_scratch *s, const checker *c, arena *memory,
                                kith_error *error)
{
    uint32_t n = c->tuples.count;
    TRY(regroup_init(&s->regrouping, &c->tuples, memory, error));
    s->closure = TRY_ALLOC(arena_array(memory, c->tuples.attributes, sizeof *s->closure), error);
    s->violates = TRY_ALLOC(arena_array(memory, n, sizeof *s->violates), error);
    s->offset = TRY_ALLOC(arena_array(memory, (size_t)n + 1, sizeof *s->offset), error);
    s->tuple = TRY_ALLOC(arena_array(memory, n, sizeof *s->tuple), error);
    s->gone = TRY_ALLOC(arena_array(memory, pricing_counts(&c->pricing), sizeof *s->gone), error);
    return c->problem->secrets == 0 ? KITH_OK : scratch_lists(s, c, memory, error);
}

static bool has_wildcards(const tuples *t)
{
    for (uint32_t u = 0; u < t->count; u++)
        for (uint32_t j = 0; j < t->attributes; j++)
            if (tuples_leaf(t, u, j) == t->attribute[j].tree->leaves)
                return true;
    return false;
}

static bool sizes_only(const problem *p)
{
    for (uint32_t m = 0; m < p->models; m++)
        if (p->model[m].id != MODEL_K_ANONYMITY)
            return false;
    return true;
}

kith_status checker_new(checker **result, const problem *p, unsigned workers, arena *memory,
                        kith_error *error)
{
    checker *c = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *c), error);
    c->problem = p;
    c->workers = workers;
    c->memory = memory;
    TRY(tuples_build(&c->tuples, p, memory, error));
    TRY(pricing_init(&c->pricing, p, &c->tuples, memory, error));
    TRY(judging_init(&c->judging, p, memory, error));
    c->least = p->k;
    for (uint32_t m = 0; m < p->models; m++)
        if (model_minimum_size(&p->model[m]) > c->least)
            c->least = model_minimum_size(&p->model[m]);
    /* Models that only ask for a size hold wherever it is reached, merged with what it may be. */
    c->blanks = !sizes_only(p) && p->may_suppress > 0 && has_wildcards(&c->tuples);
    c->base = (groups){.count = c->tuples.count,
                       .size = c->tuples.weight,
                       .first = c->tuples.first,
                       .value = c->tuples.value,
                       .times = c->tuples.times};
    c->snapshots =
        TRY_ALLOC(snapshots_new(p->attributes, c->judging.values ? p->secrets : 0), error);
    if (!arena_defer(memory, free_snapshots, c->snapshots))
        return error_nomem(error);
    c->scratch = TRY_ALLOC(arena_zalloc(memory, workers, sizeof *c->scratch), error);
    for (unsigned w = 0; w < workers; w++)
        TRY(scratch_init(&c->scratch[w], c, memory, error));
    *result = c;
    return KITH_OK;
}

kith_status checker_begin_sweep(checker *c, kith_error *error)
{
    if (c->sweeping)
        return KITH_OK;
    const uint32_t *axis, **column;
    TRY(sweep_axes(&axis, &column, &c->tuples, c->memory, error));
    for (unsigned w = 0; w < c->workers; w++)
        TRY(sweep_init(&c->scratch[w].sweep, &c->tuples, c->least, axis, column, c->memory, error));
    c->sweeping = true;
    return KITH_OK;
}

int checker_order(const checker *c, const uint8_t *a, const uint8_t *b)
{
    const uint32_t *axis = c->scratch[0].sweep.axis;
    for (uint32_t d = 0; d < c->tuples.attributes; d++)
        if (a[axis[d]] != b[axis[d]])
            return a[axis[d]] < b[axis[d]] ? -1 : 1;
    return 0;
}

void checker_trim(checker *c)
{
    snapshots_trim(c->snapshots);
}

double checker_estimate(const checker *c, const uint8_t *levels)
{
    return pricing_estimate(&c->pricing, levels);
}

double checker_bound(const checker *c, const uint8_t *levels)
{
    return pricing_bound(&c->pricing, levels);
}

bool checker_monotone(const checker *c)
{
    return c->judging.monotone && !c->blanks;
}

bool checker_rising(const checker *c)
{
    return c->pricing.rising;
}

bool checker_kept_bounds(const checker *c)
{
    return checker_monotone(c) && c->pricing.rising;
}

const tuples *checker_tuples(const checker *c)
{
    return &c->tuples;
}
