#include "job/share/share_unions.h"

#include "core/run/ranks.h"
#include "core/error.h"
#include "search/partition.h"
#include "table/rows/code_rows.h"
#include "table/rows/row_groups.h"

/* The own records: what their classes show, by which they move, then unit and pairs. */
static kith_status name_records(code_rows *rows, const partition *own, const problem *p,
                                arena *memory, kith_error *error)
{
    const uint32_t n_keys = p->n_attributes, n = n_keys + 1 + p->n_sensitive;
    uint32_t *n_codes = TRY_ARRAY(n_codes, memory, n, error);
    *rows =
        (code_rows){.n_rows = p->n_records, .n_columns = n, .n_keys = n_keys, .n_codes = n_codes};
    rows->codes = TRY_ARRAY(rows->codes, memory, n, error);
    for (uint32_t j = 0; j < n_keys; j++) {
        n_codes[j] = p->attributes[j].tree->n_nodes;
        rows->codes[j] = TRY_ARRAY(rows->codes[j], memory, p->n_records, error);
        for (uint32_t i = 0; i < p->n_records; i++)
            rows->codes[j][i] = own->closure[(size_t)own->class_of[i] * n_keys + j];
    }
    n_codes[n_keys] = p->n_units;
    rows->codes[n_keys] = (uint32_t *)p->unit;
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        n_codes[n_keys + 1 + s] = p->sensitive[s].n_pairs;
        rows->codes[n_keys + 1 + s] = (uint32_t *)p->sensitive[s].pair;
    }
    return KITH_OK;
}

/* Records that have come with all others of their classes. */
static kith_status take_records(problem *to, partition *classes, const code_rows *rows,
                                const problem *p, arena *memory, kith_error *error)
{
    const uint32_t n_keys = rows->n_keys;
    row_groups groups;
    column *columns = TRY_ZEROS(columns, memory, n_keys, error);
    uint32_t *keys = TRY_ARRAY(keys, memory, n_keys, error);
    sensitive_attribute *sensitive = TRY_ARRAY(sensitive, memory, p->n_sensitive, error);
    for (uint32_t j = 0; j < n_keys; j++) {
        keys[j] = j;
        columns[j].codes = rows->codes[j];
        columns[j].values.count = rows->n_codes[j];
    }
    const kith_table table = {.n_rows = rows->n_rows, .n_columns = n_keys, .columns = columns};
    TRY(row_groups_by(&groups, memory, &table, keys, n_keys, error));
    *classes = (partition){.n_classes = groups.count, .class_of = groups.of};
    classes->closure = TRY_ALLOC(
        arena_array(memory, (size_t)groups.count * n_keys, sizeof *classes->closure), error);
    for (uint32_t i = 0; i < rows->n_rows; i++)
        for (uint32_t j = 0; j < n_keys; j++)
            classes->closure[(size_t)groups.of[i] * n_keys + j] = rows->codes[j][i];
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        uint32_t *values = TRY_ARRAY(values, memory, rows->n_rows, error);
        sensitive[s] = p->sensitive[s];
        sensitive[s].pair = rows->codes[n_keys + 1 + s];
        sensitive[s].values = values;
        for (uint32_t i = 0; i < rows->n_rows; i++)
            values[i] = sensitive[s].value_of_pair[sensitive[s].pair[i]];
    }
    *to = *p;
    to->n_records = rows->n_rows;
    to->unit = rows->codes[n_keys];
    to->sensitive = sensitive;
    return KITH_OK;
}

kith_status share_unions_break(bool *broken, search_result *result, const prepared *prepared_table,
                               context *c, kith_error *error)
{
    const problem *p = &prepared_table->problem;
    problem there;
    partition classes;
    code_rows own, come;
    uint32_t model = 0, class;
    *broken = false;
    if (models_closed(p->models, p->n_models) || result->levels != NULL)
        return KITH_OK;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    TRY(name_records(&own, &result->partition, p, memory, error));
    TRY(code_rows_exchange(&come, &own, c, memory, error));
    TRY(take_records(&there, &classes, &come, p, memory, error));
    const bool holds = partition_holds(&classes, &there, memory, &model, &class);
    if (!holds && model == UINT32_MAX)
        return error_nomem(error);
    uint64_t n_broken = !holds;
    TRY(ranks_sum(c->ranks, &n_broken, 1, error));
    *broken = n_broken > 0;
    result->partition.id = NULL;
    return KITH_OK;
}
