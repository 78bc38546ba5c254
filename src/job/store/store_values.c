#include "job/store/store_values.h"

#include <string.h>

#include "core/error.h"
#include "search/level_bounds.h"

/* The table of all values: its row 0 is the first row of the store; further rows, column by column,
 * have one value each, and a missing cell if there is one, and are else like row 0. So the first
 * row of the list that has a value is where the value stands first in the source. */
typedef struct value_list {
    kith_table rows;
    uint32_t *source_rows;
    uint32_t
        *begin; /* [columns] the row of its first value; UINT32_MAX: the column is not listed */
    const uint64_t *const *counts;
} value_list;

static bool is_listed(const kith_study *study, const char *name)
{
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (strcmp(study->columns[i].name, name) == 0)
            return study->columns[i].role == ROLE_QUASI_IDENTIFYING ||
                   study->columns[i].role == ROLE_SENSITIVE;
    return false;
}

static bool has_missing(const value_list *list, uint32_t i)
{
    return list->counts[i][list->rows.columns[i].values.count] > 0;
}

/* The code that the first row of the store has in a column. */
static uint32_t first_code(const value_list *list, uint32_t i, const uint32_t *const *first,
                           uint32_t first_row)
{
    const uint32_t count = list->rows.columns[i].values.count;
    for (uint32_t code = 0; code < count; code++)
        if (first[i][code] == first_row)
            return code;
    return TABLE_MISSING;
}

static uint32_t first_row_of(const kith_table *table, const uint32_t *const *first)
{
    uint32_t row = UINT32_MAX;
    for (uint32_t i = 0; i < table->n_columns; i++)
        for (uint32_t code = 0; code < table->columns[i].values.count; code++)
            row = first[i][code] < row ? first[i][code] : row;
    return row == UINT32_MAX ? 0 : row;
}

/* Counts the rows of the list, and says which belong to which column. A table without rows has no
 * values. */
static uint32_t lay_out(value_list *list, const kith_study *study, const kith_table *table,
                        bool empty)
{
    uint32_t n_rows = empty ? 0 : 1;
    for (uint32_t i = 0; i < table->n_columns; i++) {
        list->begin[i] = is_listed(study, table->columns[i].name) ? n_rows : UINT32_MAX;
        if (list->begin[i] != UINT32_MAX && !empty)
            n_rows += table->columns[i].values.count + 1;
    }
    return n_rows;
}

static kith_status list_values(value_list *list, const kith_study *study, const kith_table *table,
                               const prepare_whole *whole, const uint32_t *const *first,
                               arena *memory, kith_error *error)
{
    list->counts = whole->counts;
    list->begin = TRY_ALLOC(arena_array(memory, table->n_columns, sizeof *list->begin), error);
    const uint32_t n_rows = lay_out(list, study, table, whole->n_rows == 0);
    const uint32_t top = first_row_of(table, first);
    TRY(table_room(&list->rows, table, n_rows, memory, error));
    list->source_rows = TRY_ALLOC(arena_array(memory, n_rows, sizeof *list->source_rows), error);
    for (uint32_t row = 0; row < n_rows; row++)
        list->source_rows[row] = top;
    for (uint32_t i = 0; i < table->n_columns; i++) {
        uint32_t *codes = list->rows.columns[i].codes;
        const uint32_t usual = first_code(list, i, first, top), begin = list->begin[i];
        const uint32_t count = table->columns[i].values.count;
        for (uint32_t row = 0; row < n_rows; row++)
            codes[row] = usual;
        for (uint32_t code = 0; begin != UINT32_MAX && code < count; code++) {
            codes[begin + code] = code;
            list->source_rows[begin + code] = first[i][code];
        }
        if (begin != UINT32_MAX && has_missing(list, i))
            codes[begin + count] = TABLE_MISSING;
    }
    list->rows.source_rows = list->source_rows;
    return KITH_OK;
}

kith_status store_values_make(store_values *v, const kith_study *study, const kith_table *table,
                              const uint32_t *const *first, bool cut, context *c, kith_error *error)
{
    value_list list;
    TRY(list_values(&list, study, table, &v->whole, first, c->memory, error));
    kith_table *rows = TRY_ALLOC(arena_alloc(c->memory, sizeof *rows), error);
    *rows = list.rows;
    TRY(prepare_share(&v->prepared, study, rows, &v->whole, c, error));
    v->problem = v->prepared.problem;
    if (cut)
        TRY(level_bounds_cut(&v->problem, &v->prepared.problem, c->memory, error));
    const prepared *p = &v->prepared;
    const uint32_t n_attributes = p->problem.n_attributes, n_sensitive = p->problem.n_sensitive;
    v->cells = TRY_ALLOC(arena_array(c->memory, n_attributes, sizeof *v->cells), error);
    v->sensitive = TRY_ALLOC(arena_array(c->memory, n_sensitive, sizeof *v->sensitive), error);
    v->block_cells = TRY_ZEROS(v->block_cells, c->memory, n_attributes, error);
    v->block_sensitive = TRY_ZEROS(v->block_sensitive, c->memory, n_sensitive, error);
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const prepared_column *col = &p->columns[i];
        if (col->attribute != PREPARE_NONE)
            v->cells[col->attribute] =
                v->problem.attributes[col->attribute].cells + list.begin[col->source];
        if (col->sensitive != PREPARE_NONE)
            v->sensitive[col->sensitive] =
                p->problem.sensitive[col->sensitive].values + list.begin[col->source];
    }
    return KITH_OK;
}

static void translate(uint32_t *to, const uint32_t *meaning, const column *from, uint32_t n)
{
    for (uint32_t r = 0; r < n; r++)
        to[r] = meaning[from->codes[r] == TABLE_MISSING ? from->values.count : from->codes[r]];
}

static kith_status make_room(store_values *v, uint32_t n, arena *memory, kith_error *error)
{
    const problem *p = &v->prepared.problem;
    if (n <= v->room)
        return KITH_OK;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        TRY_RESIZE(v->block_cells[j], memory, v->room, n, error);
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        TRY_RESIZE(v->block_sensitive[s], memory, v->room, n, error);
    v->room = n;
    return KITH_OK;
}

kith_status store_values_block(store_values *v, const kith_table *rows, record_block *to,
                               arena *memory, kith_error *error)
{
    const uint32_t n = rows->n_rows;
    TRY(make_room(v, n, memory, error));
    for (uint32_t i = 0; i < v->prepared.n_columns; i++) {
        const prepared_column *col = &v->prepared.columns[i];
        const column *codes = &rows->columns[col->source];
        if (col->attribute != PREPARE_NONE)
            translate(v->block_cells[col->attribute], v->cells[col->attribute], codes, n);
        if (col->sensitive != PREPARE_NONE)
            translate(v->block_sensitive[col->sensitive], v->sensitive[col->sensitive], codes, n);
    }
    *to = (record_block){.n = n,
                         .cells = (const uint32_t *const *)v->block_cells,
                         .sensitive = (const uint32_t *const *)v->block_sensitive};
    return KITH_OK;
}
