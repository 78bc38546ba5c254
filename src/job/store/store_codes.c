#include "job/store/store_codes.h"

#include <string.h>

#include "core/error.h"
#include "search/records/tuple_index.h"

struct store_codes {
    uint32_t n_attributes;
    bool distinct;
    tuple_index cells;   /* distinct: combinations of quasi-identifying values */
    search_result found; /* class_of[combinations], or [rows] */
    uint32_t *row;       /* [n_attributes] scratch */
};

static bool looks_at_values(const problem *p)
{
    for (uint32_t m = 0; m < p->n_models; m++)
        if (model_looks_at_values(&p->models[m]))
            return true;
    return false;
}

/* The records of a scan: all of them, or each different one once. */
typedef struct gathered {
    uint32_t n_attributes, n_sensitive;
    uint32_t **columns; /* [n_attributes + n_sensitive][n] */
    uint32_t n;
    tuple_index index; /* distinct: the same before they are complete */
    uint32_t *weight;  /* [n] how many records each stands for; NULL: itself */
    size_t weight_room;
    uint32_t *row; /* [n_attributes + n_sensitive] scratch */
} gathered;

static kith_status add_block(void *to, const record_block *block, kith_error *error)
{
    gathered *g = to;
    (void)error;
    for (uint32_t j = 0; j < g->n_attributes + g->n_sensitive; j++)
        memcpy(g->columns[j] + g->n,
               j < g->n_attributes ? block->cells[j] : block->sensitive[j - g->n_attributes],
               block->n * sizeof **g->columns);
    g->n += block->n;
    return KITH_OK;
}

static kith_status add_distinct(void *to, const record_block *block, kith_error *error)
{
    gathered *g = to;
    for (uint32_t i = 0; i < block->n; i++) {
        const uint32_t before = g->index.count;
        uint32_t at;
        for (uint32_t j = 0; j < g->n_attributes; j++)
            g->row[j] = block->cells[j][i];
        for (uint32_t s = 0; s < g->n_sensitive; s++)
            g->row[g->n_attributes + s] = block->sensitive[s][i];
        TRY(tuple_index_add(&g->index, g->row, &at, error));
        if (g->index.count > g->weight_room) {
            const size_t room = arena_capacity(g->weight_room, g->index.count);
            TRY_RESIZE(g->weight, g->index.memory, g->weight_room, room, error);
            g->weight_room = room;
        }
        g->weight[at] = at < before ? g->weight[at] + 1 : 1;
    }
    return KITH_OK;
}

static kith_status make_room(gathered *g, uint64_t n, arena *memory, kith_error *error)
{
    const uint32_t width = g->n_attributes + g->n_sensitive;
    g->columns = TRY_ARRAY(g->columns, memory, width, error);
    for (uint32_t j = 0; j < width; j++)
        g->columns[j] = TRY_ALLOC(arena_array(memory, n, sizeof **g->columns), error);
    return KITH_OK;
}

static kith_status gather(gathered *g, const record_scan *scan, bool distinct, uint64_t n_rows,
                          arena *memory, kith_error *error)
{
    const uint32_t width = g->n_attributes + g->n_sensitive;
    if (!distinct) {
        TRY(make_room(g, n_rows, memory, error));
        return scan->run(scan->user, add_block, g, error);
    }
    g->row = TRY_ARRAY(g->row, memory, width, error);
    tuple_index_init(&g->index, width, memory);
    TRY(scan->run(scan->user, add_distinct, g, error));
    g->n = g->index.count;
    TRY(make_room(g, g->n, memory, error));
    for (uint32_t at = 0; at < g->n; at++)
        for (uint32_t j = 0; j < width; j++)
            g->columns[j][at] = tuple_index_row(&g->index, at)[j];
    tuple_index_release(&g->index);
    return KITH_OK;
}

/* The problem of the records that were gathered. */
static kith_status make_problem(problem *to, const problem *p, const gathered *g, arena *memory,
                                kith_error *error)
{
    attribute *attributes = TRY_ARRAY(attributes, memory, p->n_attributes, error);
    sensitive_attribute *sensitive = TRY_ARRAY(sensitive, memory, g->n_sensitive, error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        attributes[j] = p->attributes[j];
        attributes[j].cells = g->columns[j];
    }
    for (uint32_t s = 0; s < g->n_sensitive; s++)
        sensitive[s] = (sensitive_attribute){.values = g->columns[p->n_attributes + s],
                                             .count = p->sensitive[s].count};
    *to = *p;
    to->n_records = g->n;
    to->weight = g->weight;
    to->attributes = attributes;
    if (p->unit != NULL) /* what persons show is in memory */
        return KITH_OK;
    to->sensitive = sensitive;
    to->n_sensitive = g->n_sensitive;
    return KITH_OK;
}

/* An array of the arena of the search, for longer. */
static kith_status keep(void *list, size_t count, size_t size, arena *memory, kith_error *error)
{
    void *from, *kept;
    memcpy(&from, list, sizeof from);
    if (from == NULL)
        return KITH_OK;
    kept = TRY_ALLOC(arena_array(memory, count, size), error);
    memcpy(kept, from, count * size);
    memcpy(list, &kept, sizeof kept);
    return KITH_OK;
}

static kith_status keep_lattice(searched_lattice **lattice, arena *memory, kith_error *error)
{
    TRY(keep(lattice, 1, sizeof **lattice, memory, error));
    searched_lattice *l = *lattice;
    if (l == NULL)
        return KITH_OK;
    TRY(keep(&l->low, l->n_attributes, sizeof *l->low, memory, error));
    TRY(keep(&l->height, l->n_attributes, sizeof *l->height, memory, error));
    TRY(keep(&l->stride, l->n_attributes, sizeof *l->stride, memory, error));
    TRY(keep(&l->answer, l->n_nodes, sizeof *l->answer, memory, error));
    TRY(keep(&l->loss, l->n_nodes, sizeof *l->loss, memory, error));
    return keep(&l->smallest, l->n_nodes, sizeof *l->smallest, memory, error);
}

static kith_status keep_result(search_result *r, const problem *p, arena *memory, kith_error *error)
{
    const size_t n_nodes = (size_t)r->partition.n_classes * p->n_attributes,
                 size = sizeof(uint32_t);
    TRY(keep(&r->partition.class_of, p->n_records, size, memory, error));
    TRY(keep(&r->partition.closure, n_nodes, size, memory, error));
    TRY(keep(&r->low, n_nodes, size, memory, error));
    TRY(keep(&r->high, n_nodes, size, memory, error));
    TRY(keep(&r->levels, p->n_attributes, size, memory, error));
    r->recoded = NULL;
    return keep_lattice(&r->lattice, memory, error);
}

/* Finds combinations by their values. Records that differ only in sensitive values are in the same
 * class. */
static kith_status index_cells(store_codes *s, const problem *p, kith_error *error)
{
    uint32_t *class_of = s->found.partition.class_of;
    for (uint32_t i = 0; i < p->n_records; i++) {
        uint32_t at;
        for (uint32_t j = 0; j < s->n_attributes; j++)
            s->row[j] = p->attributes[j].cells[i];
        TRY(tuple_index_add(&s->cells, s->row, &at, error));
        class_of[at] = class_of[i]; /* at <= i */
    }
    return KITH_OK;
}

static kith_status add_risks(risk *before, const prepared *all, context *c, kith_error *error)
{
    context own = *c;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    own.memory = memory;
    return risk_add_data(before, all, &own, error);
}

/* `c` has memory that is given back. */
static kith_status search(store_codes *s, explanation *e, risk *before, const algorithm *a,
                          const store_values *values, const record_scan *scan, context *c,
                          arena *memory, kith_error *error)
{
    problem p = values->prepared.problem;
    const search_spec *spec = &values->prepared.study->search;
    gathered g = {.n_attributes = p.n_attributes, .n_sensitive = p.n_sensitive};
    prepared all = values->prepared;
    if (p.unit != NULL)
        p.sensitive = values->units.rows.sensitive;
    if (p.unit != NULL || (s->distinct && !looks_at_values(&p)))
        g.n_sensitive = 0;
    TRY(gather(&g, scan, s->distinct, values->whole.n_rows, c->memory, error));
    TRY(make_problem(&all.problem, &p, &g, c->memory, error));
    all.n_rows = g.n;
    TRY(add_risks(before, &all, c, error));
    TRY(s->distinct ? search_run_weighted(&s->found, a, &all.problem, spec, c, error)
                    : search_run(&s->found, a, &all.problem, spec, c, error));
    TRY(explain_add(e, &all.problem, &s->found, NULL, c, error));
    TRY(keep_result(&s->found, &all.problem, memory, error));
    return s->distinct ? index_cells(s, &all.problem, error) : KITH_OK;
}

kith_status store_codes_search(store_codes **result, search_result *found, explanation *e,
                               risk *before, const algorithm *a, const store_values *values,
                               const record_scan *scan, context *c, kith_error *error)
{
    const uint32_t n = values->prepared.problem.n_attributes;
    store_codes *s = TRY_ZEROS(s, c->memory, 1, error);
    s->n_attributes = n;
    s->distinct = prepare_needs(values->prepared.study) == NEEDS_COMBINATIONS;
    s->row = TRY_ARRAY(s->row, c->memory, n, error);
    tuple_index_init(&s->cells, n, c->memory);
    context own = *c;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    own.memory = memory;
    const kith_status status = search(s, e, before, a, values, scan, &own, c->memory, error);
    c->cancelled = own.cancelled;
    *result = s;
    *found = s->found;
    if (status == KITH_NOMEM)
        error_hint(error, status,
                   "this search keeps the codes of %s in memory; weave without suppression and "
                   "max_level does not",
                   s->distinct ? "all distinct combinations of quasi-identifying values"
                               : "all records");
    return status;
}

kith_status store_codes_show(void *user, search_result *shown, const record_block *rows,
                             uint32_t first, arena *memory, kith_error *error)
{
    const store_codes *s = user;
    *shown = s->found;
    shown->partition.class_of += first;
    if (!s->distinct)
        return KITH_OK;
    uint32_t *class_of = TRY_ARRAY(class_of, memory, rows->n, error);
    for (uint32_t i = 0; i < rows->n; i++) {
        for (uint32_t j = 0; j < s->n_attributes; j++)
            s->row[j] = rows->cells[j][i];
        const uint32_t at = tuple_index_find(&s->cells, s->row);
        if (at == UINT32_MAX)
            return error_set(error, KITH_BUG, "a record was not there when the table was counted");
        class_of[i] = s->found.partition.class_of[at];
    }
    shown->partition.class_of = class_of;
    return KITH_OK;
}
