#include "verify/persons.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "verify/classes.h"

static kith_status number_rows(verify_persons *persons, const persons_source *from, arena *memory,
                               arena *scratch, kith_error *error)
{
    kith_table own;
    classes same;
    bool *lacks = TRY_ZEROS(lacks, scratch, from->n_rows, error);
    uint32_t *all = TRY_ARRAY(all, scratch, from->n_columns, error);
    for (uint32_t i = 0; i < from->n_columns; i++)
        all[i] = i;
    /* The values of the columns in the order of the release; lacks[row]: one of them is missing. */
    own = (kith_table){.n_rows = from->n_rows, .n_columns = from->n_columns};
    own.columns = TRY_ZEROS(own.columns, scratch, from->n_columns, error);
    for (uint32_t i = 0; i < from->n_columns; i++) {
        verify_values values;
        TRY(values_make(&values, scratch, from->data, from->columns[i], &from->reading[i], error));
        uint32_t *codes = TRY_ARRAY(codes, scratch, from->n_rows, error);
        for (uint32_t row = 0; row < from->n_rows; row++) {
            codes[row] = values.of_row[from->row[row]];
            lacks[row] = lacks[row] || codes[row] == values.texts->count;
        }
        own.columns[i].codes = codes;
    }
    TRY(classes_make(&same, scratch, &own, all, from->n_columns, error));
    uint32_t *number = TRY_ARRAY(number, scratch, same.count, error);
    memset(number, 0xff, same.count * sizeof *number);
    persons->of_row = TRY_ARRAY(persons->of_row, memory, from->n_rows, error);
    persons->count = 0;
    for (uint32_t row = 0; row < from->n_rows; row++) {
        uint32_t *known = &number[same.class_of[row]];
        if (lacks[row] || *known == UINT32_MAX)
            *known = persons->count++;
        persons->of_row[row] = *known;
    }
    return KITH_OK;
}

kith_status persons_make(verify_persons *persons, const persons_source *from, arena *memory,
                         kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    return number_rows(persons, from, memory, scratch, error);
}

kith_status persons_with_values(uint64_t *count, const verify_persons *persons,
                                const uint32_t *value_of_row, uint32_t n_rows, arena *memory,
                                kith_error *error)
{
    uint64_t *pair = TRY_ARRAY(pair, memory, n_rows, error);
    for (uint32_t row = 0; row < n_rows; row++)
        pair[row] = (uint64_t)value_of_row[row] << 32 | persons->of_row[row];
    qsort(pair, n_rows, sizeof *pair, sort_uint64);
    for (uint32_t i = 0; i < n_rows; i++)
        count[pair[i] >> 32] += i == 0 || pair[i] != pair[i - 1];
    return KITH_OK;
}
