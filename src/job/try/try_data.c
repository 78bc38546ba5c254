#include "job/try/try_data.h"

#include <string.h>

#include "core/error.h"

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Does a table that was read for `a` have the cells that `b` asks for? */
static bool reads_alike(const kith_study *a, const kith_study *b)
{
    if (a->trim != b->trim || a->n_read != b->n_read || a->n_missing_values != b->n_missing_values)
        return false;
    for (uint32_t i = 0; i < a->n_read; i++)
        if (strcmp(a->read[i].name, b->read[i].name) != 0 || a->read[i].type != b->read[i].type ||
            !same_text(a->read[i].date_format, b->read[i].date_format))
            return false;
    for (uint32_t i = 0; i < a->n_missing_values; i++)
        if (strcmp(a->missing_values[i], b->missing_values[i]) != 0)
            return false;
    return true;
}

/* Standard input cannot be read twice. */
static kith_status read_table(try_data *data, try_reading *r, kith_error *error)
{
    const kith_table_options options = study_table_options(r->reader);
    const char *uri = data->input.uri;
    if (data->count > 0 && uri != NULL && strcmp(uri, "-") == 0)
        return error_set(error, KITH_INVALID,
                         "the studies read the data in different ways: it cannot come from "
                         "standard input");
    return table_input_read(&r->table, &data->input, &options, data->context->run,
                            data->context->memory, error);
}

kith_status try_data_table(const kith_table **table, try_data *data, const kith_study *study,
                           kith_error *error)
{
    size_t i = 0;
    while (i < data->count && !reads_alike(data->readings[i].reader, study))
        i++;
    if (i == data->count) {
        TRY_GROW(data->readings, data->capacity, i + 1, data->context->memory, error);
        data->readings[i] = (try_reading){.reader = study};
        data->readings[i].why.status = read_table(data, &data->readings[i], &data->readings[i].why);
        data->count++;
    }
    const try_reading *r = &data->readings[i];
    *table = r->table;
    if (r->why.status != KITH_OK && error != NULL)
        *error = r->why;
    return r->why.status;
}
