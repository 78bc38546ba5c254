#include "job/slice/slice_unions.h"

#include "core/run/ranks.h"
#include "core/error.h"
#include "search/partition.h"
#include "table/rows/code_rows.h"
#include "table/rows/row_groups.h"

/* This rank's records, with what their classes show as cells, which decide where a record moves. */
static kith_status list_records(code_rows *rows, const partition *own, const problem *p,
                                arena *memory, kith_error *error)
{
    const uint32_t n_keys = p->n_attributes, n = problem_n_columns(p);
    uint32_t *n_codes = TRY_ARRAY(n_codes, memory, n, error);
    *rows =
        (code_rows){.n_rows = p->n_records, .n_columns = n, .n_keys = n_keys, .n_codes = n_codes};
    rows->codes = TRY_ARRAY(rows->codes, memory, n, error);
    for (uint32_t j = 0; j < n; j++)
        rows->codes[j] = (uint32_t *)problem_column(p, j, &n_codes[j]);
    for (uint32_t j = 0; j < n_keys; j++) {
        rows->codes[j] = TRY_ARRAY(rows->codes[j], memory, p->n_records, error);
        for (uint32_t i = 0; i < p->n_records; i++)
            rows->codes[j][i] = own->closure[(size_t)own->class_of[i] * n_keys + j];
    }
    return KITH_OK;
}

/* Classes of records that have come with all others of theirs. */
static kith_status group_records(partition *classes, const code_rows *rows, arena *memory,
                                 kith_error *error)
{
    const uint32_t n_keys = rows->n_keys;
    row_groups groups;
    column *columns = TRY_ZEROS(columns, memory, n_keys, error);
    uint32_t *keys = TRY_ARRAY(keys, memory, n_keys, error);
    for (uint32_t j = 0; j < n_keys; j++) {
        keys[j] = j;
        columns[j].codes = rows->codes[j];
        columns[j].values.count = rows->n_codes[j];
    }
    const kith_table table = {.n_rows = rows->n_rows, .n_columns = n_keys, .columns = columns};
    TRY(row_groups_by(&groups, memory, &table, keys, n_keys, error));
    *classes = (partition){.n_classes = groups.count, .class_of = groups.of};
    classes->closure = TRY_ARRAY(classes->closure, memory, (size_t)groups.count * n_keys, error);
    for (uint32_t i = 0; i < rows->n_rows; i++)
        for (uint32_t j = 0; j < n_keys; j++)
            classes->closure[(size_t)groups.of[i] * n_keys + j] = rows->codes[j][i];
    return KITH_OK;
}

kith_status slice_unions_break(bool *broken, search_result *result, const prepared *prepared_table,
                               context *c, kith_error *error)
{
    const problem *p = &prepared_table->problem;
    problem there;
    partition classes;
    code_rows own, come;
    attribute *attributes;
    sensitive_attribute *sensitive;
    uint32_t model = 0, class;
    *broken = false;
    if (models_closed(p->models, p->n_models) || result->levels != NULL)
        return KITH_OK;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    TRY(list_records(&own, &result->partition, p, memory, error));
    TRY(code_rows_exchange(&come, &own, c, memory, error));
    TRY(group_records(&classes, &come, memory, error));
    TRY(problem_with(&there, &attributes, &sensitive, p, come.codes, come.n_rows, memory, error));
    const bool holds = partition_holds(&classes, &there, memory, &model, &class);
    if (!holds && model == UINT32_MAX)
        return error_nomem(error);
    uint64_t n_broken = !holds;
    TRY(ranks_sum(c->ranks, &n_broken, 1, error));
    *broken = n_broken > 0;
    result->partition.id = NULL;
    return KITH_OK;
}
