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

/* The problem of the records that were gathered. What persons show is in memory already. */
static kith_status make_problem(problem *to, const problem *p, const gathered *g,
                                const kith_study *study, arena *memory, kith_error *error)
{
    problem plain = *p;
    attribute *attributes;
    sensitive_attribute *sensitive;
    plain.unit = NULL;
    plain.n_sensitive = g->n_sensitive;
    TRY(problem_with(to, &attributes, &sensitive, &plain, g->columns, g->n, memory, error));
    to->weight = g->weight;
    if (p->unit != NULL) {
        to->unit = p->unit;
        to->sensitive = p->sensitive;
        to->n_sensitive = p->n_sensitive;
    }
    return prepare_sensitive_costs(to, attributes, study, memory, error);
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

/* The codes live in `memory`, which is given back. */
static kith_status store_codes_search_codes(store_codes *s, explanation *e, risk *before,
                                            const algorithm *a, const store_values *values,
                                            const record_scan *scan, context *c, arena *memory,
                                            kith_error *error)
{
    context codes = *c;
    problem p = values->prepared.problem;
    const search_spec *spec = &values->prepared.study->search;
    gathered g = {.n_attributes = p.n_attributes, .n_sensitive = p.n_sensitive};
    prepared all = values->prepared;
    if (p.unit != NULL)
        p.sensitive = values->units.rows.sensitive;
    if (p.unit != NULL || (s->distinct && !looks_at_values(&p)))
        g.n_sensitive = 0;
    codes.memory = memory;
    TRY(gather(&g, scan, s->distinct, values->whole.n_rows, memory, error));
    TRY(make_problem(&all.problem, &p, &g, all.study, memory, error));
    all.n_rows = g.n;
    TRY(add_risks(before, &all, &codes, error));
    TRY(s->distinct ? search_run_weighted(&s->found, a, &all.problem, spec, c, error)
                    : search_run(&s->found, a, &all.problem, spec, c, error));
    TRY(explain_add(e, &all.problem, &s->found, NULL, &codes, error));
    return s->distinct ? index_cells(s, &all.problem, error) : KITH_OK;
}

kith_status store_codes_search(store_codes **result, search_result *found, explanation *e,
                               risk *before, const algorithm *a, const store_values *values,
                               const record_scan *scan, context *c, kith_error *error)
{
    const uint32_t n = values->prepared.problem.n_attributes;
    store_codes *s = TRY_ZEROS(s, c->memory, 1, error);
    s->n_attributes = n;
    s->distinct = prepare_needs(values->prepared.study, false) == NEEDS_COMBINATIONS;
    s->row = TRY_ARRAY(s->row, c->memory, n, error);
    tuple_index_init(&s->cells, n, c->memory);
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    const kith_status status =
        store_codes_search_codes(s, e, before, a, values, scan, c, memory, error);
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
