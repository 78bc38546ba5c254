#include "search/lattice/checker_internal.h"

#include <string.h>

#include "core/error.h"

static void free_snapshots(void *object)
{
    groups_snapshots_free(object);
}

/* Room for the lists of sensitive values of the groups that a check makes. */
static kith_status scratch_lists(checker_scratch *s, const checker *c, arena *memory,
                                 kith_error *error)
{
    const problem *p = c->problem;
    uint32_t n = c->tuples.count;
    s->count = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *s->count), error);
    s->first = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *s->first), error);
    s->value = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *s->value), error);
    s->times = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *s->times), error);
    s->histogram = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *s->histogram), error);
    for (uint32_t q = 0; q < p->n_sensitive; q++) {
        uint32_t n_entries = c->tuples.first[q][n];
        s->count[q] =
            TRY_ALLOC(arena_zalloc(memory, p->sensitive[q].count, sizeof **s->count), error);
        s->first[q] = TRY_ALLOC(arena_array(memory, (size_t)n + 1, sizeof **s->first), error);
        s->value[q] = TRY_ALLOC(arena_array(memory, n_entries, sizeof **s->value), error);
        s->times[q] = TRY_ALLOC(arena_array(memory, n_entries, sizeof **s->times), error);
        s->histogram[q] = (histogram){.counts = s->count[q], .n_values = p->sensitive[q].count};
    }
    return KITH_OK;
}

static kith_status scratch_init(checker_scratch *s, const checker *c, arena *memory,
                                kith_error *error)
{
    uint32_t n = c->tuples.count;
    TRY(groups_coarsen_init(&s->coarsen, &c->tuples, memory, error));
    s->closure = TRY_ALLOC(arena_array(memory, c->tuples.n_attributes, sizeof *s->closure), error);
    s->violates = TRY_ALLOC(arena_array(memory, n, sizeof *s->violates), error);
    s->offset = TRY_ALLOC(arena_array(memory, (size_t)n + 1, sizeof *s->offset), error);
    s->tuple = TRY_ALLOC(arena_array(memory, n, sizeof *s->tuple), error);
    s->cells = TRY_ALLOC(
        arena_array(memory, node_loss_count_entries(&c->node_loss), sizeof *s->cells), error);
    return c->problem->n_sensitive == 0 ? KITH_OK : scratch_lists(s, c, memory, error);
}

static bool sizes_only(const problem *p)
{
    for (uint32_t m = 0; m < p->n_models; m++)
        if (p->models[m].id != MODEL_K_ANONYMITY)
            return false;
    return true;
}

kith_status checker_new(checker **result, const problem *p, crew *ranks, unsigned n_workers,
                        arena *memory, kith_error *error)
{
    checker *c = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *c), error);
    c->problem = p;
    c->n_workers = n_workers;
    c->memory = memory;
    TRY(tuples_build(&c->tuples, p, ranks, memory, error));
    TRY(node_loss_init(&c->node_loss, p, &c->tuples, memory, error));
    TRY(monotone_models_init(&c->models, p, memory, error));
    c->min_class = p->k;
    for (uint32_t m = 0; m < p->n_models; m++) {
        uint32_t own = model_minimum_size(&p->models[m]);
        c->min_class = own > c->min_class ? own : c->min_class;
    }
    /* To a reader the class and the suppressed records are one class. A larger class does no harm
     * to models that look at the size alone. */
    c->blanks = !sizes_only(p) && p->may_suppress > 0 && tuples_have_wildcards(&c->tuples);
    c->base = (groups){.count = c->tuples.count,
                       .size = c->tuples.weight,
                       .first = c->tuples.first,
                       .value = c->tuples.value,
                       .times = c->tuples.times};
    c->snapshots =
        TRY_ALLOC(groups_snapshots_new(p->n_attributes, c->models.values ? p->n_sensitive : 0,
                                       arena_wipes(memory)),
                  error);
    if (!arena_defer(memory, free_snapshots, c->snapshots))
        return error_nomem(error);
    c->scratch = TRY_ALLOC(arena_zalloc(memory, n_workers, sizeof *c->scratch), error);
    for (unsigned w = 0; w < n_workers; w++)
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
    for (unsigned w = 0; w < c->n_workers; w++)
        TRY(sweep_init(&c->scratch[w].sweep, &c->tuples, c->min_class, axis, column, c->memory,
                       error));
    c->sweeping = true;
    return KITH_OK;
}

int checker_order(const checker *c, const uint8_t *a, const uint8_t *b)
{
    ASSERT(c->sweeping);
    const uint32_t *axis = c->scratch[0].sweep.axis;
    for (uint32_t d = 0; d < c->tuples.n_attributes; d++)
        if (a[axis[d]] != b[axis[d]])
            return a[axis[d]] < b[axis[d]] ? -1 : 1;
    return 0;
}

void checker_trim(checker *c)
{
    groups_snapshots_trim(c->snapshots);
}

double checker_estimate(const checker *c, const uint8_t *levels)
{
    return node_loss_estimate(&c->node_loss, levels);
}

double checker_bound(const checker *c, const uint8_t *levels)
{
    return node_loss_bound(&c->node_loss, levels);
}

bool checker_monotone(const checker *c)
{
    return c->models.monotone && !c->blanks;
}

bool checker_rising(const checker *c)
{
    return c->node_loss.rising;
}

bool checker_kept_bounds(const checker *c)
{
    return checker_monotone(c) && c->node_loss.rising;
}

const tuples *checker_tuples(const checker *c)
{
    return &c->tuples;
}

#if KITH_DEBUG
void checker_scratch_check(const checker *c, unsigned worker)
{
    for (uint32_t q = 0; q < c->problem->n_sensitive; q++)
        for (uint32_t v = 0; v < c->problem->sensitive[q].count; v++)
            ASSERT(c->scratch[worker].count[q][v] == 0);
}
#endif
