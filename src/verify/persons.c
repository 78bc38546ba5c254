#include "verify/persons.h"

#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "core/group_by_part.h"
#include "table/rows/code_numbers.h"
#include "verify/classes.h"

/* The values of the columns in the order of the release; lacks[row]: one of them is missing. */
static kith_status read_columns(kith_table *own, bool *lacks, const persons_source *from,
                                arena *memory, kith_error *error)
{
    *own = (kith_table){.n_rows = from->n_rows, .n_columns = from->n_columns};
    own->columns = TRY_ZEROS(own->columns, memory, from->n_columns, error);
    for (uint32_t i = 0; i < from->n_columns; i++) {
        verify_values values;
        TRY(values_make(&values, memory, from->data, from->columns[i], &from->reading[i], error));
        uint32_t *codes = TRY_ARRAY(codes, memory, from->n_rows, error);
        for (uint32_t row = 0; row < from->n_rows; row++) {
            codes[row] = values.of_row[from->row[row]];
            lacks[row] = lacks[row] || codes[row] == values.texts->count;
        }
        own->columns[i].codes = codes;
    }
    return KITH_OK;
}

static kith_status number_rows(verify_persons *persons, const persons_source *from, arena *memory,
                               arena *scratch, kith_error *error)
{
    kith_table own;
    classes same = {.count = 0};
    bool *lacks = TRY_ZEROS(lacks, scratch, from->n_rows, error);
    uint32_t *all = TRY_ARRAY(all, scratch, from->n_columns, error);
    for (uint32_t i = 0; i < from->n_columns; i++)
        all[i] = i;
    TRY(read_columns(&own, lacks, from, scratch, error));
    if (from->n_columns > 1) {
        TRY(classes_make(&same, scratch, &own, all, from->n_columns, error));
    } else { /* the values of one column are numbers already */
        same.class_of = own.columns[0].codes;
        for (uint32_t row = 0; row < from->n_rows; row++)
            same.count = same.class_of[row] < same.count ? same.count : same.class_of[row] + 1;
    }
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

/* Where this rank's rows begin among those of all ranks, and how many these are. */
static kith_status persons_find_place(uint64_t *first, uint64_t *n_all, uint32_t n_rows, context *c,
                                      arena *scratch, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks);
    uint64_t *rows = TRY_ZEROS(rows, scratch, n_ranks, error);
    rows[ranks_self(c->ranks)] = n_rows;
    TRY(ranks_sum(c->ranks, rows, n_ranks, error));
    *first = *n_all = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        *first += r < ranks_self(c->ranks) ? rows[r] : 0;
        *n_all += rows[r];
    }
    return KITH_OK;
}

/* Rows whose person is not known are told apart by their places. */
static kith_status number_all(verify_persons *persons, const persons_source *from, context *c,
                              arena *memory, arena *scratch, kith_error *error)
{
    const uint32_t n = from->n_columns;
    kith_table own;
    uint64_t first = 0, n_all = 0;
    bool *lacks = TRY_ZEROS(lacks, scratch, from->n_rows, error);
    uint32_t **codes = TRY_ARRAY(codes, scratch, n + (size_t)1, error);
    uint32_t *n_codes = TRY_ARRAY(n_codes, scratch, n + (size_t)1, error);
    TRY(read_columns(&own, lacks, from, scratch, error));
    TRY(persons_find_place(&first, &n_all, from->n_rows, c, scratch, error));
    for (uint32_t i = 0; i < n; i++) {
        codes[i] = own.columns[i].codes;
        n_codes[i] = from->data->columns[from->columns[i]].values.count + 1;
    }
    codes[n] = TRY_ARRAY(codes[n], scratch, from->n_rows, error);
    n_codes[n] = (uint32_t)n_all + 1;
    for (uint32_t row = 0; row < from->n_rows; row++)
        codes[n][row] = lacks[row] ? (uint32_t)first + row + 1 : 0;
    const code_rows rows = {
        .n_rows = from->n_rows, .n_columns = n + 1, .n_codes = n_codes, .codes = codes};
    code_numbers numbers;
    TRY(code_numbers_make(&numbers, &rows, c, memory, error));
    *persons = (verify_persons){.count = numbers.count, .of_row = numbers.of};
    return KITH_OK;
}

kith_status persons_make(verify_persons *persons, const persons_source *from, context *c,
                         arena *memory, kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    return ranks_count(c->ranks) > 1 ? number_all(persons, from, c, memory, scratch, error)
                                     : number_rows(persons, from, memory, scratch, error);
}

kith_status persons_with_values(uint64_t *count, const verify_persons *persons,
                                const uint32_t *value_of_row, uint32_t n_rows, arena *memory,
                                kith_error *error)
{
    uint32_t n_values = 0, *start, *last;
    arena *own ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    uint32_t *row = TRY_ARRAY(row, own, n_rows, error);
    for (uint32_t i = 0; i < n_rows; i++)
        n_values = value_of_row[i] < n_values ? n_values : value_of_row[i] + 1;
    start = TRY_ARRAY(start, own, n_values + (size_t)2, error);
    group_by_part(row, start, value_of_row, n_values, NULL, n_rows);
    last = TRY_ARRAY(last, own, persons->count, error);
    memset(last, 0xff, persons->count * sizeof *last);
    for (uint32_t value = 0; value < n_values; value++)
        for (uint32_t i = start[value]; i < start[value + 1]; i++) {
            uint32_t *seen = &last[persons->of_row[row[i]]];
            count[value] += *seen != value;
            *seen = value;
        }
    return KITH_OK;
}
