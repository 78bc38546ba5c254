#include "search/lattice/checker_internal.h"

#include <math.h>

#include "core/error.h"

/* Lists of more units are not searched from end to end. */
enum { MAX_LISTED = 64 };

/* For snapshots, of all ranks together. */
static const size_t snapshot_bytes = (size_t)96 << 20, min_snapshot_bytes = (size_t)4 << 20;

static void free_snapshots(void *object)
{
    groups_snapshots_free(object);
}

static void free_scratch(void *object)
{
    checker *c = object;
    arena_free(c->scratch_memory);
}

/* Room for the lists of sensitive values of the groups that a check makes. */
static kith_status scratch_lists(checker_scratch *s, const checker *c, arena *memory,
                                 kith_error *error)
{
    const problem *p = c->problem;
    s->count = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *s->count), error);
    s->first = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *s->first), error);
    s->value = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *s->value), error);
    s->times = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *s->times), error);
    s->histogram = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *s->histogram), error);
    for (uint32_t q = 0; q < p->n_sensitive; q++) {
        uint32_t n_entries = c->list_room[q];
        s->count[q] =
            TRY_ALLOC(arena_zalloc(memory, p->sensitive[q].count, sizeof **s->count), error);
        s->first[q] = TRY_ALLOC(arena_array(memory, (size_t)c->room + 1, sizeof **s->first), error);
        s->value[q] = TRY_ALLOC(arena_array(memory, n_entries, sizeof **s->value), error);
        s->times[q] = TRY_ALLOC(arena_array(memory, n_entries, sizeof **s->times), error);
        s->histogram[q] = (histogram){.counts = s->count[q], .n_values = p->sensitive[q].count};
    }
    return KITH_OK;
}

static kith_status scratch_init(checker_scratch *s, const checker *c, arena *memory,
                                kith_error *error)
{
    const uint32_t n = c->room, n_attributes = c->problem->n_attributes;
    TRY(groups_coarsen_init(&s->coarsen, &c->distributions.first->tuples, n, memory, error));
    s->closure = TRY_ALLOC(arena_array(memory, n_attributes, sizeof *s->closure), error);
    s->violates = TRY_ALLOC(arena_array(memory, n, sizeof *s->violates), error);
    s->offset = TRY_ALLOC(arena_array(memory, (size_t)n + 1, sizeof *s->offset), error);
    s->tuple = TRY_ALLOC(arena_array(memory, c->tuple_room, sizeof *s->tuple), error);
    if (c->lists_units)
        s->n_units = TRY_ALLOC(arena_array(memory, n, sizeof *s->n_units), error);
    s->cells = TRY_ARRAY(s->cells, memory, node_loss_count_entries(&c->node_loss), error);
    if (c->sweeping)
        TRY(sweep_init(&s->sweep, n, n_attributes, c->min_class, c->axis, memory, error));
    if (c->by_units != NULL)
        TRY(unit_marks_init(&s->marks, c->by_units, memory, error));
    if (c->by_units != NULL && !c->models.only_units)
        TRY(unit_lists_init(&s->units, c->by_units, memory, error));
    if (c->tallies_units) {
        TRY(unit_tallies_init(&s->tallies, &c->order, c->by_units, memory, error));
        s->group_of = TRY_ARRAY(s->group_of, memory, n, error);
    }
    return c->lists_values ? scratch_lists(s, c, memory, error) : KITH_OK;
}

kith_status checker_fit(checker *c, const distribution *e, kith_error *error)
{
    const tuples *t = &e->tuples;
    const uint32_t listed = c->lists_units ? t->n_own : t->count;
    bool fits = c->scratch != NULL && t->count <= c->room && listed <= c->tuple_room;
    c->room = t->count > c->room ? t->count : c->room;
    c->tuple_room = listed > c->tuple_room ? listed : c->tuple_room;
    for (uint32_t q = 0; c->lists_values && q < t->n_sensitive; q++) {
        const uint32_t n_entries = t->first[q][t->count];
        fits = fits && n_entries <= c->list_room[q];
        c->list_room[q] = n_entries > c->list_room[q] ? n_entries : c->list_room[q];
    }
    if (fits)
        return KITH_OK;
    arena_free(c->scratch_memory);
    c->scratch_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    c->scratch = TRY_ZEROS(c->scratch, c->scratch_memory, c->n_workers, error);
    for (unsigned w = 0; w < c->n_workers; w++)
        TRY(scratch_init(&c->scratch[w], c, c->scratch_memory, error));
    return KITH_OK;
}

static bool sizes_only(const problem *p)
{
    for (uint32_t m = 0; m < p->n_models; m++)
        if (p->models[m].id != MODEL_K_ANONYMITY)
            return false;
    return true;
}

static bool has_wildcards(const checker *c)
{
    for (uint32_t j = 0; j < c->problem->n_attributes; j++)
        if (c->node_loss.count[j][0][c->problem->attributes[j].tree->n_leaves] > 0)
            return true;
    return false;
}

/* What the problem says of classes. */
static kith_status init_rules(checker *c, kith_error *error)
{
    const problem *p = c->problem;
    const distribution *first = c->distributions.first;
    TRY(node_loss_init(&c->node_loss, p, &first->tuples, first->everywhere ? NULL : c->ranks,
                       c->memory, error));
    c->distributions.leaves = c->node_loss.by_leaf;
    c->lists_units = c->by_units != NULL && c->models.only_units && !c->node_loss.by_leaf &&
                     p->weight == NULL && c->models.part_k <= MAX_LISTED;
    c->lists_tuples = c->node_loss.by_leaf || (c->by_units != NULL && !c->lists_units);
    c->tallies_units = c->by_units != NULL && !c->models.only_units && ranks_count(c->ranks) == 1;
    if (c->tallies_units)
        TRY(unit_order_make(&c->order, c->by_units, first->tuples.of, c->memory, error));
    c->min_class = p->k;
    for (uint32_t m = 0; m < p->n_models; m++) {
        uint32_t own = model_minimum_size(&p->models[m]);
        c->min_class = own > c->min_class ? own : c->min_class;
    }
    /* To a reader the class and the suppressed records are one class. A larger class does no harm
     * to models that look at the size alone. */
    c->blanks = !sizes_only(p) && p->may_suppress > 0 && has_wildcards(c);
    return KITH_OK;
}

static kith_status init_snapshots(checker *c, kith_error *error)
{
    const problem *p = c->problem;
    const size_t share = snapshot_bytes / ranks_count(c->ranks);
    c->snapshots =
        TRY_ALLOC(groups_snapshots_new(p->n_attributes, c->lists_values ? p->n_sensitive : 0,
                                       arena_wipes(c->memory),
                                       share > min_snapshot_bytes ? share : min_snapshot_bytes),
                  error);
    return arena_defer(c->memory, free_snapshots, c->snapshots) ? KITH_OK : error_nomem(error);
}

kith_status checker_new(checker **result, const problem *p, kith_ranks *ranks, uint64_t small,
                        threads *pool, arena *memory, kith_error *error)
{
    checker *c = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *c), error);
    TRY(monotone_models_init(&c->models, p, memory, error));
    TRY(unit_lists_problem(&c->problem, p, memory, error));
    c->by_units = p->unit == NULL ? NULL : p;
    c->lists_values = c->models.values && c->by_units == NULL;
    p = c->problem;
    c->ranks = ranks;
    c->pool = pool;
    c->n_workers = threads_count(pool);
    c->memory = memory;
    TRY_ALLOC(arena_defer(memory, free_scratch, c), error);
    c->list_room = TRY_ALLOC(arena_zalloc(memory, p->n_sensitive, sizeof *c->list_room), error);
    TRY(distributions_init(&c->distributions, p, c->models.values || c->by_units != NULL, ranks,
                           small, memory, error));
    TRY(init_rules(c, error));
    TRY(init_snapshots(c, error));
    TRY(checker_fit(c, c->distributions.first, error));
    *result = c;
    return KITH_OK;
}

kith_status checker_begin_sweep(checker *c, kith_error *error)
{
    if (c->sweeping)
        return KITH_OK;
    TRY(sweep_axes(&c->axis, &c->distributions.first->tuples, c->memory, error));
    for (unsigned w = 0; w < c->n_workers; w++)
        TRY(sweep_init(&c->scratch[w].sweep, c->room, c->problem->n_attributes, c->min_class,
                       c->axis, c->scratch_memory, error));
    c->sweeping = true;
    return KITH_OK;
}

int checker_order(const checker *c, const uint8_t *a, const uint8_t *b)
{
    ASSERT(c->sweeping);
    for (uint32_t d = 0; d < c->problem->n_attributes; d++)
        if (a[c->axis[d]] != b[c->axis[d]])
            return a[c->axis[d]] < b[c->axis[d]] ? -1 : 1;
    return 0;
}

uint32_t checker_n_codes(const checker *c, uint32_t axis, uint32_t level)
{
    const tree *t = c->problem->attributes[axis].tree;
    const uint32_t counted = c->node_loss.by_leaf ? 0 : level;
    return t->level_start[counted + 1] - t->level_start[counted] + 1;
}

void checker_settle(const checker *c, const uint8_t *levels, const node_part *whole,
                    uint32_t *cells, node_value *value)
{
    const uint32_t may_suppress = c->problem->may_suppress;
    *value = (node_value){.loss = INFINITY,
                          .possible = whole->part_violating <= may_suppress,
                          .satisfied = whole->suppressed <= may_suppress,
                          .suppressed = (uint32_t)whole->suppressed};
    if (!value->satisfied)
        return;
    value->smallest = whole->smallest;
    if (whole->suppressed > 0 && whole->cells_kept) {
        /* Turns the counts of the cells that are kept into the counts of those that are
         * suppressed. */
        for (uint32_t j = 0; j < c->problem->n_attributes; j++) {
            const uint32_t *all = node_loss_all_cells(&c->node_loss, j, levels[j]);
            const uint32_t n_codes = checker_n_codes(c, j, levels[j]);
            uint32_t *own = cells + c->node_loss.offset[j];
            for (uint32_t code = 0; code < n_codes; code++) {
                ASSERT(own[code] <= all[code]);
                own[code] = all[code] - own[code];
            }
        }
    }
    value->loss = node_loss_compute(&c->node_loss, levels, value->suppressed, cells, whole->squares,
                                    &value->kept);
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

uint32_t checker_n_records(const checker *c)
{
    return c->distributions.first->tuples.n_records;
}

uint64_t checker_n_tuples(const checker *c)
{
    return c->distributions.first->n_whole;
}

uint32_t checker_n_values(const checker *c, uint32_t axis, uint32_t level)
{
    return node_loss_distinct(&c->node_loss, axis, level);
}

#if KITH_DEBUG
void checker_scratch_check(const checker *c, unsigned worker)
{
    for (uint32_t q = 0; c->lists_values && q < c->problem->n_sensitive; q++)
        for (uint32_t v = 0; v < c->problem->sensitive[q].count; v++)
            ASSERT(c->scratch[worker].count[q][v] == 0);
}
#endif
