#include "job/prepare/equal_values.h"

#include "core/error.h"

/* Is the column one whose values are counted, and not released otherwise? */
static bool is_counted(const kith_study *study, const char *name)
{
    const uint32_t i = study_find_column(study, name);
    return i != UINT32_MAX && (study->columns[i].role == ROLE_SENSITIVE || study_in_unit(study, i));
}

/* A column of its own for a sensitive column with two texts of one value; unchanged otherwise. */
static kith_status merge_column(column *c, uint32_t n_rows, bool *changed, arena *memory,
                                kith_error *error)
{
    const dictionary *values = &c->values;
    uint32_t *value_of = TRY_ARRAY(value_of, memory, values->count + (size_t)1, error);
    const uint32_t n_values = dictionary_values(values, value_of);
    if (n_values == values->count)
        return KITH_OK;
    uint32_t *codes = TRY_ALLOC(arena_array(memory, n_rows, sizeof *codes), error);
    for (uint32_t row = 0; row < n_rows; row++)
        codes[row] = c->codes[row] == TABLE_MISSING ? TABLE_MISSING : value_of[c->codes[row]];
    /* Each value is written as its first text. */
    dictionary merged;
    dictionary_value *first = TRY_ARRAY(first, memory, n_values, error);
    for (uint32_t code = values->count; code-- > 0;)
        first[value_of[code]] = (dictionary_value){values, code};
    TRY(dictionary_of(&merged, values, first, n_values, memory, error));
    c->values = merged;
    c->codes = codes;
    *changed = true;
    return KITH_OK;
}

kith_status equal_values_table(const kith_table **merged, const kith_study *study,
                               const kith_table *table, arena *memory, kith_error *error)
{
    bool changed = false;
    kith_table *copy;
    TRY(table_copy(&copy, table, memory, error));
    for (uint32_t i = 0; i < copy->n_columns; i++)
        if (is_counted(study, copy->columns[i].name))
            TRY(merge_column(&copy->columns[i], copy->n_rows, &changed, memory, error));
    *merged = changed ? copy : table;
    CHECK(table_check(*merged));
    return KITH_OK;
}
