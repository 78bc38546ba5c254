/* Sampling weights, from a column of the data that the study need not list. */
#include <string.h>

#include "core/error.h"
#include "job/analysis/sample_risk.h"

static kith_status take_weights(double *weights, const kith_table *table, const prepared *p,
                                kith_error *error)
{
    const column *from = &table->columns[0];
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const uint32_t row = p->rows[i], code = from->codes[row];
        if (code == TABLE_MISSING)
            return error_at(error, KITH_DATA, table_file(table, row), table_line(table, row), 0,
                            "missing weight in column %s", from->name);
        weights[i] = from->values.decimal[code];
        if (!(weights[i] > 0))
            return error_at(error, KITH_DATA, table_file(table, row), table_line(table, row), 0,
                            "expected a weight above 0 in column %s, found '%s'", from->name,
                            dictionary_text(&from->values, code));
    }
    return KITH_OK;
}

kith_status sample_weights_read(double **weights, const table_input *data,
                                const kith_table_options *like, const char *name, const prepared *p,
                                context *c, kith_error *error)
{
    const kith_column_spec wanted = {.name = name, .type = KITH_TYPE_DECIMAL};
    kith_table_options options = *like;
    const kith_table *table = NULL;
    if (data->uri != NULL && strcmp(data->uri, "-") == 0)
        return error_set(error, KITH_INVALID,
                         "weights need a second look at the data, which standard input does not "
                         "allow: give a file");
    options.columns = &wanted;
    options.n_columns = 1;
    TRY(table_input_read(&table, data, &options, c->run, c->memory, error));
    if (table->n_rows != p->table->n_rows)
        return error_set(error, KITH_DATA, "%s has changed while it was read", table->source);
    *weights = TRY_ALLOC(arena_array(c->memory, p->n_rows, sizeof **weights), error);
    return take_weights(*weights, table, p, error);
}
