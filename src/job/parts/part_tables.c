#include "job/parts/part_tables.h"

#include "core/error.h"
#include "job/parts/part_rows.h"

/* The rows of a release that has the dictionaries of the whole as numbers: its codes, a missing
 * cell behind them; then the number that goes with the row. Takes the codes over. */
static kith_status rows_of(part_rows *rows, const part_texts *t, const kith_table *recoded,
                           const part_number *numbers, arena *memory, kith_error *error)
{
    const uint32_t n = t->n_columns + (numbers->of_row != NULL);
    uint32_t *n_codes = TRY_ALLOC(arena_array(memory, n, sizeof *n_codes), error);
    *rows = (part_rows){.n_rows = recoded->n_rows, .n_columns = n, .n_keys = t->n_quasi};
    rows->codes = TRY_ALLOC(arena_array(memory, n, sizeof *rows->codes), error);
    rows->n_codes = n_codes;
    for (uint32_t i = 0; i < t->n_columns; i++) {
        const column *from = &recoded->columns[table_find(recoded, t->columns[i].name)];
        n_codes[i] = from->values.count + 1;
        rows->codes[i] = from->codes;
        for (uint32_t row = 0; row < rows->n_rows; row++)
            if (from->codes[row] == TABLE_MISSING)
                from->codes[row] = from->values.count;
    }
    if (numbers->of_row != NULL) {
        rows->codes[t->n_columns] = numbers->of_row;
        n_codes[t->n_columns] = numbers->limit;
    }
    return KITH_OK;
}

/* A table of rows that have come. */
static kith_status table_of(kith_table *table, const part_rows *rows, const part_texts *t,
                            const char *source, arena *memory, kith_error *error)
{
    const uint32_t n = t->n_columns;
    *table =
        (kith_table){.memory = memory, .source = source, .n_rows = rows->n_rows, .n_columns = n};
    table->columns = TRY_ALLOC(arena_zalloc(memory, n, sizeof *table->columns), error);
    for (uint32_t i = 0; i < n; i++) {
        const part_texts_column *of = &t->columns[i];
        table->columns[i] =
            (column){.name = of->name, .values = of->values, .codes = rows->codes[i], .place = i};
        for (uint32_t row = 0; row < rows->n_rows; row++)
            if (rows->codes[i][row] == of->values.count)
                rows->codes[i][row] = TABLE_MISSING;
    }
    return KITH_OK;
}

static kith_status send_rows(part_rows *in, const part_number *numbers, const part_texts *t,
                             const kith_table *own, arena *sent, arena *memory, kith_error *error)
{
    kith_table recoded;
    part_rows out;
    TRY(part_texts_recode(t, &recoded, own, sent, error));
    TRY(rows_of(&out, t, &recoded, numbers, sent, error));
    return part_rows_exchange(in, &out, t->context, memory, error);
}

kith_status part_tables_exchange(kith_table *complete, part_number *numbers, const part_texts *t,
                                 const kith_table *own, arena *memory, kith_error *error)
{
    part_rows in;
    const bool alone = crew_size(t->context->crew) == 1; /* what comes is what was sent */
    arena *sent = alone ? memory : TRY_ALLOC(arena_new_like(memory), error);
    const kith_status status = send_rows(&in, numbers, t, own, sent, memory, error);
    if (!alone)
        arena_free(sent); /* before much more memory is needed */
    TRY(status);
    if (numbers->of_row != NULL)
        numbers->of_row = in.codes[t->n_columns];
    return table_of(complete, &in, t, own->source, memory, error);
}
