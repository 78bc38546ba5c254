/* Sampling weights, from a column of the data that the study need not list. */
#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "job/analysis/sample_risk.h"
#include "job/slice/slice_align.h"
#include "job/slice/slice_input.h"
#include "table/table_unite.h"

/* Weights have the lines of the data that they are in. */
static kith_status take_weights(sample_weights *weights, const column *from, const prepared *p,
                                context *c, kith_error *error)
{
    weights->of = TRY_ARRAY(weights->of, c->memory, p->n_rows, error);
    weights->count = from->values.count;
    weights->numbers = from->values.decimal;
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const uint32_t row = p->rows[i], code = from->codes[row];
        const char *file = table_file(p->table, row);
        if (code == TABLE_MISSING)
            return error_at(error, KITH_DATA, file, table_line(p->table, row), 0,
                            "missing weight in column %s", from->name);
        if (!(weights->numbers[code] > 0))
            return error_at(error, KITH_DATA, file, table_line(p->table, row), 0,
                            "expected a weight above 0 in column %s, found '%s'", from->name,
                            dictionary_text(&from->values, code));
        weights->of[i] = code;
    }
    return KITH_OK;
}

kith_status sample_weights_read(sample_weights *weights, const kith_input *data,
                                const kith_table_options *like, const char *name, const prepared *p,
                                context *c, kith_error *error)
{
    const kith_column_spec wanted = {.name = name, .type = KITH_TYPE_DECIMAL};
    kith_table_options options = *like;
    const kith_table *table = NULL;
    slice at, records;
    *weights = (sample_weights){.name = name};
    if (data->uri != NULL && strcmp(data->uri, "-") == 0)
        return error_set(error, KITH_INVALID,
                         "weights need a second look at the data, which standard input does not "
                         "allow: give a file");
    options.columns = &wanted;
    options.n_columns = 1;
    TRY(slice_input_read(&table, &at, data, &options, c, error));
    TRY(slice_place(&records, p->table->n_rows, c, error));
    if (at.n_rows != records.n_rows)
        return error_set(error, KITH_DATA, "%s has changed while it was read", table->source);
    if (ranks_count(c->ranks) > 1) {
        /* Ranks may have read other rows than the first time, as a server gives them: rows move to
         * those that have their records. */
        kith_table *moved = TRY_ZEROS(moved, c->memory, 1, error);
        const kith_table *united;
        TRY(table_unite(&united, table, NULL, c, error));
        TRY(slice_align(moved, united, &at, p->table->n_rows, c, error));
        table = moved;
    }
    return take_weights(weights, &table->columns[0], p, c, error);
}
