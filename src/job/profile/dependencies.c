#include "job/profile/dependencies.h"

#include "core/error.h"

/* Cells looked at, over all pairs: about a second. */
static const double BUDGET = 300e6;

/* Invariant: value[a] is the code of the other column that was seen with code a of this one, if
 * seen[a] is the number of the present pair. So nothing need be cleared between pairs. */
typedef struct pairs {
    const kith_table *table;
    uint32_t *seen, *value;
    uint32_t pair;
} pairs;

/* Stops at the first row that contradicts, which is an early one for most pairs. */
static kith_status determines(void *self, uint32_t from_column, uint32_t to_column, bool *yes,
                              double *n_cells, kith_error *error)
{
    pairs *p = self;
    const column *a = &p->table->columns[from_column], *b = &p->table->columns[to_column];
    uint32_t row = 0;
    (void)error;
    p->pair++;
    for (; row < p->table->n_rows; row++) {
        uint32_t from = a->codes[row] == TABLE_MISSING ? a->values.count : a->codes[row];
        if (p->seen[from] != p->pair) {
            p->seen[from] = p->pair;
            p->value[from] = b->codes[row];
        } else if (p->value[from] != b->codes[row]) {
            break;
        }
    }
    *n_cells += row;
    *yes = row == p->table->n_rows;
    return KITH_OK;
}

/* More than one value, missing cells included. */
static bool varies(const column_profile *p)
{
    return p->distinct + (p->missing > 0) > 1;
}

/* Adds what one column determines; the object is made with the first of them. */
static kith_status put_column(kith_document *d, document_node *list, const dependencies_data *data,
                              uint32_t index, double *n_cells, kith_error *error)
{
    const column_profile *profiles = data->profiles;
    document_node *others = NULL;
    if (!varies(&profiles[index]) || profiles[index].distinct > data->n_rows / 2)
        return KITH_OK;
    for (uint32_t i = 0; i < data->n_columns && *n_cells < BUDGET; i++) {
        bool yes = false;
        if (i == index || !varies(&profiles[i]))
            continue;
        TRY(data->determines(data->self, index, i, &yes, n_cells, error));
        if (!yes)
            continue;
        if (others == NULL) {
            document_node *node = document_object(d, list, NULL);
            document_put_text(d, node, "column", profiles[index].column->name);
            others = document_array(d, node, "determines");
        }
        document_put_text(d, others, NULL, profiles[i].column->name);
    }
    return KITH_OK;
}

kith_status dependencies_put_found(kith_document *d, const dependencies_data *data, context *c,
                                   kith_error *error)
{
    double n_cells = 0;
    document_node *list = document_array(d, document_root(d), "dependencies");
    for (uint32_t i = 0; i < data->n_columns && n_cells < BUDGET; i++) {
        TRY(put_column(d, list, data, i, &n_cells, error));
        if (!context_progress(c, "dependencies", (i + 1.0) / data->n_columns))
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    document_put_flag(d, document_root(d), "dependencies_complete", n_cells < BUDGET);
    return KITH_OK;
}

kith_status dependencies_put(kith_document *d, const kith_table *table,
                             const column_profile *profiles, context *c, kith_error *error)
{
    size_t most = 1;
    for (uint32_t i = 0; i < table->n_columns; i++)
        most = table->columns[i].values.count > most ? table->columns[i].values.count : most;
    pairs p = {.table = table};
    p.seen = TRY_ALLOC(arena_zalloc(c->memory, most + 1, sizeof *p.seen), error);
    p.value = TRY_ALLOC(arena_array(c->memory, most + 1, sizeof *p.value), error);
    const dependencies_data data = {.profiles = profiles,
                                    .n_columns = table->n_columns,
                                    .n_rows = table->n_rows,
                                    .determines = determines,
                                    .self = &p};
    return dependencies_put_found(d, &data, c, error);
}
