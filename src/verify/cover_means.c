#include "verify/cover_means.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "table/mean_form.h"
#include "verify/classes.h"
#include "verify/exact_number.h"

/* The number behind a value of the data, after the study's changes. */
static bool read_value(exact_number *number, const cover_cells *cells, const dictionary *values,
                       uint32_t code)
{
    const cover_recoding *r = cells->column->recoding;
    long double changed;
    if (r == NULL || !recoding_is_number(r->how))
        return exact_number_read(number, dictionary_text(values, code), values->mark);
    if (!recoded_number(&changed, r, dictionary_text(values, code)))
        return false;
    if (values->type == KITH_TYPE_DECIMAL)
        return exact_number_of(number, (double)changed);
    *number = (exact_number){(__int128)changed, 0};
    return true;
}

kith_status cover_means_init(cover_means *m, const cover_cells *cells, const cover_task *task,
                             uint32_t index, arena *memory, kith_error *error)
{
    const cover_column *c = &task->columns[index];
    const column *kept = &task->data->columns[c->data];
    const column *original = c->recoding != NULL ? c->recoding->original : kept;
    const dictionary *values = &original->values;
    exact_number *numbers = TRY_ARRAY(numbers, memory, values->count, error);
    /* Rows that the study drops have no code in the data's column, and do not count. */
    bool *used = TRY_ZEROS(used, memory, original->values.count, error);
    for (uint32_t row = 0; row < task->data->n_rows; row++)
        if (kept->codes[row] != TABLE_MISSING && original->codes[row] != TABLE_MISSING)
            used[original->codes[row]] = true;
    *m = (cover_means){.cells = cells,
                       .texts = &task->release->columns[c->release].values,
                       .known = true,
                       .mark = values->mark};
    m->units = TRY_ZEROS(m->units, memory, values->count, error);
    for (uint32_t code = 0; code < values->count; code++)
        if (used[code]) {
            m->known = m->known && read_value(&numbers[code], cells, values, code);
            if (m->known && numbers[code].decimals > m->decimals)
                m->decimals = numbers[code].decimals;
        }
    for (uint32_t code = 0; code < values->count; code++)
        if (used[code] && m->known)
            m->known = exact_number_units(&m->units[code], numbers[code], m->decimals);
    m->shown = m->decimals == 0 ? MEAN_FORM_WHOLE : m->decimals;
    return KITH_OK;
}

bool cover_means_is_label(const cover_cells *cells, uint32_t release_row)
{
    const kith_hierarchy *h = cells->column->hierarchy;
    const tree *t = &h->tree;
    const cell_set set = cover_cells_set(cells, release_row);
    if (set.kind != CELL_NODE)
        return set.kind == CELL_ALL;
    return strcmp(h->label[set.a], hierarchy_root_label(h)) == 0 ||
           (h->missing_leaf != UINT32_MAX && t->first[set.a] <= h->missing_leaf &&
            h->missing_leaf < t->end[set.a]);
}

/* The rows of each mean. Where the study bounds the level of the column, the rows of a mean share
 * their node at that level: each part of a class must have the mean that the class shows. */
static kith_status group_rows(classes *groups, const cover_means *m, const cover_task *task,
                              arena *memory, kith_error *error)
{
    const cover_column *own = m->cells->column;
    const tree *t = &own->hierarchy->tree;
    uint32_t n = 0, *at = arena_array(memory, task->n_columns + (size_t)1, sizeof *at);
    column *columns = TRY_ZEROS(columns, memory, task->n_columns + (size_t)1, error);
    uint32_t *nodes = TRY_ARRAY(nodes, memory, task->n_released, error);
    TRY_ALLOC(at, error);
    for (uint32_t i = 0; i < task->n_columns; i++)
        if (task->columns[i].hierarchy != NULL) {
            at[n] = n;
            columns[n++].codes = task->release->columns[task->columns[i].release].codes;
        }
    for (uint32_t row = 0; row < task->n_released; row++) {
        const uint32_t leaf = cover_cells_leaf(m->cells, task->rows[row]);
        nodes[row] = leaf < t->n_leaves ? tree_up(t, leaf, own->mean_level) : tree_root(t);
    }
    at[n] = n;
    columns[n++].codes = nodes;
    const kith_table shown = {.n_rows = task->n_released, .n_columns = n, .columns = columns};
    return classes_make(groups, memory, &shown, at, n, error);
}

/* The mean of `count` values, rounded half up to the decimals that are shown. */
static void write_mean(char text[EXACT_NUMBER_BYTES], const cover_means *m, __int128 sum,
                       uint32_t count)
{
    const __int128 twice = 2 * (__int128)count;
    for (long i = m->decimals; i < m->shown; i++)
        sum *= 10;
    const __int128 numerator = 2 * sum + count;
    __int128 rounded = numerator / twice;
    rounded -= numerator % twice < 0; /* division rounds towards zero */
    exact_number_write(text, rounded, m->shown, m->decimals, m->mark);
}

kith_status cover_means_check(bool *wrong, const cover_means *m, const cover_task *task,
                              arena *memory, kith_error *error)
{
    const uint32_t *codes = m->cells->release;
    classes groups;
    TRY(group_rows(&groups, m, task, memory, error));
    __int128 *sums = TRY_ZEROS(sums, memory, groups.count, error);
    bool *missing = TRY_ZEROS(missing, memory, groups.count, error);
    bool *right = TRY_ZEROS(right, memory, groups.count, error);
    for (uint32_t row = 0; row < task->n_released; row++) {
        const uint32_t code = m->cells->data[task->rows[row]], group = groups.class_of[row];
        if (code == TABLE_MISSING)
            missing[group] = true;
        else
            sums[group] += m->units[code];
    }
    for (uint32_t i = 0; i < groups.count; i++) {
        char text[EXACT_NUMBER_BYTES];
        const uint32_t code = codes[groups.first[i]];
        if (missing[i] || code == TABLE_MISSING || !m->known)
            continue;
        write_mean(text, m, sums[i], groups.size[i]);
        right[i] = strcmp(text, dictionary_text(m->texts, code)) == 0;
    }
    for (uint32_t row = 0; row < task->n_released; row++) {
        const bool label = cover_means_is_label(m->cells, row) &&
                           cover_cells_match(m->cells, row, task->rows[row]);
        wrong[row] = wrong[row] || (!right[groups.class_of[row]] && !label);
    }
    return KITH_OK;
}

/* A cell of the release, or a value of the data, in the decimals that are shown. */
typedef struct sized {
    __int128 units;
    uint32_t row;
} sized;

static int descending(const void *left, const void *right)
{
    const sized *a = left, *b = right;
    return (a->units < b->units) - (a->units > b->units);
}

/* The cells that are means. A text that is neither a mean in its form nor a label is *row. */
static void list_cells(sized *cells, uint32_t *count, uint32_t *row, const cover_means *m,
                       const cover_task *task)
{
    *count = 0;
    for (uint32_t i = 0; i < task->n_released && *row == UINT32_MAX; i++) {
        char form[EXACT_NUMBER_BYTES];
        exact_number number;
        sized *to = &cells[*count];
        const uint32_t code = m->cells->release[i];
        if (cover_means_is_label(m->cells, i))
            continue;
        *to = (sized){0, i};
        if (code == TABLE_MISSING ||
            !exact_number_read(&number, dictionary_text(m->texts, code), m->mark) ||
            !exact_number_units(&to->units, number, m->shown)) {
            *row = i;
            return;
        }
        exact_number_write(form, to->units, m->shown, m->decimals, m->mark);
        if (strcmp(form, dictionary_text(m->texts, code)) != 0)
            *row = i;
        ++*count;
    }
}

static uint32_t cover_means_list_values(sized *values, const cover_means *m, const cover_task *task)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < task->n_rows; i++) {
        const uint32_t code = m->cells->data[task->rows[i]];
        if (code == TABLE_MISSING)
            continue;
        values[count] = (sized){m->units[code], task->rows[i]};
        for (long k = m->decimals; k < m->shown; k++)
            values[count].units *= 10;
        count++;
    }
    return count;
}

/* Each cell is off by half a unit at most, since it is rounded. */
static uint32_t compare_sums(const sized *cells, uint32_t n_cells, const sized *values,
                             uint32_t n_values)
{
    __int128 above = 0, below = 0;
    for (uint32_t i = 0; i < n_cells; i++) {
        if (i >= n_values)
            return cells[i].row; /* more cells than values */
        above += 2 * (cells[i].units - values[i].units) - 1;
        if (above > 0)
            return cells[i].row;
        below += 2 * (cells[n_cells - 1 - i].units - values[n_values - 1 - i].units) + 1;
        if (below < 0)
            return cells[n_cells - 1 - i].row;
    }
    return UINT32_MAX;
}

kith_status cover_means_bound(uint32_t *row, const cover_means *m, const cover_task *task,
                              arena *memory, kith_error *error)
{
    uint32_t n_cells;
    sized *cells = TRY_ARRAY(cells, memory, task->n_released + (size_t)1, error);
    sized *values = TRY_ARRAY(values, memory, task->n_rows + (size_t)1, error);
    *row = m->known || task->n_released == 0 ? UINT32_MAX : 0;
    list_cells(cells, &n_cells, row, m, task);
    if (*row != UINT32_MAX)
        return KITH_OK;
    const uint32_t n_values = cover_means_list_values(values, m, task);
    if (n_cells > 0)
        qsort(cells, n_cells, sizeof *cells, descending);
    if (n_values > 0)
        qsort(values, n_values, sizeof *values, descending);
    *row = compare_sums(cells, n_cells, values, n_values);
    return KITH_OK;
}
