#include "job/store/store_values.h"

#include <string.h>

#include "core/error.h"
#include "job/prepare/equal_values.h"
#include "job/prepare/recode.h"
#include "job/prepare/units.h"
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

static kith_status store_values_list_values(value_list *list, const kith_study *study,
                                            const kith_table *table, const prepare_whole *whole,
                                            const uint32_t *const *first, arena *memory,
                                            kith_error *error)
{
    list->counts = whole->counts;
    list->begin = TRY_ARRAY(list->begin, memory, table->n_columns, error);
    const uint32_t n_rows = lay_out(list, study, table, whole->n_rows == 0);
    const uint32_t top = first_row_of(table, first);
    TRY(table_room(&list->rows, table, n_rows, memory, error));
    list->source_rows = TRY_ARRAY(list->source_rows, memory, n_rows, error);
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

static void translate(uint32_t *to, const uint32_t *meaning, const column *from, uint32_t n)
{
    for (uint32_t r = 0; r < n; r++)
        to[r] = meaning[from->codes[r] == TABLE_MISSING ? from->values.count : from->codes[r]];
}

/* Where the persons of all rows are numbered. */
typedef struct numbering {
    store_values *values;
    const value_list *list;
    row_spill *rows;
    kith_table *block;
} numbering;

/* Reads the columns of the unit, and the sensitive values of `p`, into memory. */
static kith_status gather_rows(const numbering *n, kith_table *of_units, uint32_t **values,
                               const prepared *p, kith_error *error)
{
    for (uint32_t i = 0; i < row_spill_blocks(n->rows); i++) {
        TRY(row_spill_block(n->rows, i, n->block, error));
        const uint32_t first = of_units->n_rows, count = n->block->n_rows;
        for (uint32_t k = 0; k < of_units->n_columns; k++)
            memcpy(of_units->columns[k].codes + first,
                   n->block->columns[table_find(n->block, of_units->columns[k].name)].codes,
                   count * sizeof(uint32_t));
        for (uint32_t k = 0; k < p->n_columns; k++) {
            const prepared_column *col = &p->columns[k];
            if (col->sensitive != PREPARE_NONE)
                translate(values[col->sensitive] + first,
                          p->problem.sensitive[col->sensitive].values + n->list->begin[col->source],
                          &n->block->columns[col->source], count);
        }
        of_units->n_rows += count;
    }
    return KITH_OK;
}

/* A prepare_units.number: as in memory, with the columns that it looks at. */
static kith_status number_persons(void *user, prepared *p, context *c, kith_error *error)
{
    const numbering *n = user;
    const kith_study *study = p->study;
    const uint32_t n_rows = (uint32_t)row_spill_rows(n->rows);
    const kith_table *table = row_spill_table(n->rows), *merged;
    prepare_units *u = &n->values->units;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    kith_table of_units = *table;
    of_units.n_columns = study->n_unit;
    of_units.columns = TRY_ARRAY(of_units.columns, scratch, study->n_unit, error);
    for (uint32_t i = 0; i < study->n_unit; i++) {
        column *own = &of_units.columns[i];
        *own = table->columns[table_find(table, study->columns[study->unit[i]].name)];
        own->codes = TRY_ARRAY(own->codes, scratch, n_rows, error);
    }
    uint32_t **values = TRY_ARRAY(values, scratch, p->problem.n_sensitive, error);
    for (uint32_t s = 0; s < p->problem.n_sensitive; s++)
        values[s] = TRY_ARRAY(values[s], c->memory, n_rows, error);
    TRY(gather_rows(n, &of_units, values, p, error));
    TRY(recode_table(&merged, study, &of_units, scratch, error));
    TRY(equal_values_table(&merged, study, merged, scratch, error));
    return units_number(u, p, merged, (const uint32_t *const *)values, c, error);
}

kith_status store_values_make(store_values *v, const kith_study *study, row_spill *data,
                              kith_table *block, bool cut, context *c, kith_error *error)
{
    value_list list;
    TRY(store_values_list_values(&list, study, row_spill_table(data), &v->whole,
                                 row_spill_first(data), c->memory, error));
    kith_table *rows = TRY_ALLOC(arena_alloc(c->memory, sizeof *rows), error);
    *rows = list.rows;
    numbering n = {v, &list, data, block};
    v->units = (prepare_units){.number = number_persons, .user = &n};
    v->whole.units = study->n_unit > 0 ? &v->units : NULL;
    TRY(prepare_slice(&v->prepared, study, rows, &v->whole, c, error));
    v->problem = v->prepared.problem;
    if (cut)
        TRY(level_bounds_cut(&v->problem, &v->prepared.problem, c->memory, error));
    if (v->problem.unit != NULL) { /* persons are counted row by row */
        v->problem.sensitive = v->units.rows.sensitive;
        v->problem.n_records = v->units.rows.n_records;
    }
    const prepared *p = &v->prepared;
    const uint32_t n_attributes = p->problem.n_attributes, n_sensitive = p->problem.n_sensitive;
    v->cells = TRY_ARRAY(v->cells, c->memory, n_attributes, error);
    v->sensitive = TRY_ARRAY(v->sensitive, c->memory, n_sensitive, error);
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
