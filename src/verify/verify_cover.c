#include "verify/verify_cover.h"

#include "core/error.h"
#include "table/rows/code_rows.h"
#include "verify/cover_cells.h"
#include "verify/cover_match.h"
#include "verify/cover_means.h"

/* --- rows and records that lie on several ranks --- */

/* The columns that are compared. */
typedef struct both_sides {
    kith_table release, data;
    cover_column *columns; /* column i of each table */
} both_sides;

/* The rows that are here; what is compared of a record may be its original value. */
static kith_status take_sides(both_sides *s, const cover *c, const cover_task *task,
                              kith_error *error)
{
    s->columns = TRY_ARRAY(s->columns, c->memory, c->n_columns, error);
    s->release = (kith_table){.n_rows = c->count, .n_columns = c->n_columns};
    s->data = (kith_table){.n_rows = c->n_data, .n_columns = c->n_columns};
    s->release.columns = TRY_ALLOC(arena_array(c->memory, c->n_columns, sizeof(column)), error);
    s->data.columns = TRY_ALLOC(arena_array(c->memory, c->n_columns, sizeof(column)), error);
    for (uint32_t i = 0; i < c->n_columns; i++) {
        const cover_column *from = &task->columns[i];
        s->columns[i] = *from;
        s->columns[i].release = s->columns[i].data = i;
        s->release.columns[i] = task->release->columns[from->release];
        s->data.columns[i] =
            from->recoding != NULL ? *from->recoding->original : task->data->columns[from->data];
        uint32_t *codes = TRY_ARRAY(codes, c->memory, c->n_data, error);
        for (uint32_t r = 0; r < c->n_data; r++)
            codes[r] = s->data.columns[i].codes[c->rows[r]];
        s->data.columns[i].codes = codes;
    }
    return KITH_OK;
}

/* The rank of each row of the release, then of each record. */
static kith_status find_ranks(uint32_t **to, const cover *c, uint32_t n_ranks, kith_error *error)
{
    kith_table plain;
    TRY(cover_match_plain(&plain, c, error));
    uint32_t **codes = TRY_ARRAY(codes, c->memory, plain.n_columns, error);
    *to = TRY_ARRAY(*to, c->memory, plain.n_rows, error);
    for (uint32_t i = 0; i < plain.n_columns; i++)
        codes[i] = plain.columns[i].codes;
    const code_rows keys = {.n_rows = plain.n_rows, .n_keys = plain.n_columns, .codes = codes};
    code_rows_owners(*to, &keys, n_ranks);
    return KITH_OK;
}

/* What has come, ready to be matched. */
static kith_status open_cover(cover *c, both_sides *s, const cover *own, const cover_task *task,
                              kith_error *error)
{
    arena *memory = own->memory;
    uint32_t *rows = TRY_ARRAY(rows, memory, s->data.n_rows, error);
    for (uint32_t r = 0; r < s->data.n_rows; r++)
        rows[r] = r;
    *c = (cover){.memory = memory,
                 .release = &s->release,
                 .rows = rows,
                 .count = s->release.n_rows,
                 .n_data = s->data.n_rows,
                 .n_columns = own->n_columns,
                 .ranks = task->slice->context->ranks,
                 .report = own->report};
    c->cells = TRY_ARRAY(c->cells, memory, c->n_columns, error);
    for (uint32_t i = 0; i < c->n_columns; i++) {
        const cover_recoding *from = s->columns[i].recoding;
        if (from != NULL) {
            cover_recoding *r = TRY_ALLOC(arena_alloc(memory, sizeof *r), error);
            *r = *from;
            r->original = &s->data.columns[i];
            s->columns[i].recoding = r;
        }
        TRY(cover_cells_init(&c->cells[i], memory, &s->release, &s->data, &s->columns[i],
                             task->ranges, error));
    }
    return KITH_OK;
}

/* As cover_match_rows, for the rows and records of this rank that `c` is about: they meet where all
 * rows and records with the same cells in the columns that are not generalized are. task->slice is
 * there, and no column shows means. */
static kith_status cover_ranks_match(const cover *c, const cover_task *task, kith_error *error)
{
    both_sides here, there;
    cover whole;
    uint32_t *numbers;
    TRY(take_sides(&here, c, task, error));
    context *ranks = task->slice->context;
    uint32_t *to = NULL, *none = NULL;
    TRY(find_ranks(&to, c, ranks_count(ranks->ranks), error));
    numbers = TRY_ARRAY(numbers, c->memory, c->count, error);
    for (uint32_t row = 0; row < c->count; row++)
        numbers[row] = (uint32_t)task->slice->first_row + row;
    there.columns = here.columns;
    TRY(code_rows_send_table(&there.release, &numbers, &here.release, to, UINT32_MAX, ranks,
                             c->memory, error));
    TRY(code_rows_send_table(&there.data, &none, &here.data, to + c->count, 0, ranks, c->memory,
                             error));
    TRY(open_cover(&whole, &there, c, task, error));
    whole.number = numbers;
    return cover_match_rows(&whole, error);
}

/* --- rows and records in one place --- */

/* The usual case: row i of the release is row i of the data. One pass, and the exact place of an
 * error. */
static void check_in_order(cover *c)
{
    cover_report *r = c->report;
    r->check = COVER_IN_ORDER;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t wrong;
        if (cover_match_row(c, i, c->rows[i], &wrong))
            continue;
        if (r->n_wrong_rows++ == 0) {
            r->has_place = true;
            r->row = i;
            r->data_row = c->rows[i];
            r->column = wrong;
        }
    }
    r->holds = r->n_wrong_rows == 0;
}

/* Means of rows that are in order. */
static kith_status check_means(cover *c, const cover_task *task, kith_error *error)
{
    cover_report *r = c->report;
    for (uint32_t i = 0; i < c->n_columns; i++) {
        cover_means means;
        if (!c->cells[i].column->mean)
            continue;
        bool *wrong = TRY_ZEROS(wrong, c->memory, c->count, error);
        TRY(cover_means_init(&means, &c->cells[i], task, i, c->memory, error));
        TRY(cover_means_check(wrong, &means, task, c->memory, error));
        for (uint32_t row = c->count; row-- > 0;)
            if (wrong[row]) {
                r->n_wrong_rows++;
                cover_match_wrong(r, row, i);
                r->data_row = c->rows[row];
            }
        if (!r->holds)
            return KITH_OK; /* a row counts once: the other columns are skipped */
    }
    return KITH_OK;
}

/* Means of rows in another order. */
static kith_status bound_means(cover *c, const cover_task *task, kith_error *error)
{
    for (uint32_t i = 0; i < c->n_columns && c->report->holds; i++) {
        cover_means means;
        uint32_t row;
        if (!c->cells[i].column->mean)
            continue;
        TRY(cover_means_init(&means, &c->cells[i], task, i, c->memory, error));
        TRY(cover_means_bound(&row, &means, task, c->memory, error));
        if (c->report->check == COVER_MATCHED)
            c->report->check = COVER_BOUNDED;
        if (row != UINT32_MAX)
            cover_match_wrong(c->report, row, i);
    }
    return KITH_OK;
}

/* Is there a column by which the order of the rows can be seen? */
static bool shows_order(const cover *c)
{
    for (uint32_t i = 0; i < c->n_columns; i++)
        if (!c->cells[i].column->mean)
            return true;
    return false;
}

/* Hardly more wrong rows in order than in the best assignment. */
cover_report verify_cover_choose(const cover_report *in_order, const cover_report *matched)
{
    const uint64_t least = matched->n_wrong_rows > 0 ? matched->n_wrong_rows : 1;
    return !matched->holds && in_order->n_wrong_rows <= 2 * least ? *in_order : *matched;
}

kith_status verify_cover(cover_report *report, const cover_task *task, arena *memory,
                         kith_error *error)
{
    const uint32_t n_rows = task->release->n_rows;
    *report = (cover_report){.counts_differ = task->slice == NULL && n_rows != task->n_released};
    if (report->counts_differ)
        return KITH_OK;
    if (task->n_rows > UINT32_MAX / 2)
        return error_set(error, KITH_INVALID, "a cover check takes at most %u rows",
                         UINT32_MAX / 2);
    cover c = {.memory = memory,
               .release = task->release,
               .rows = task->rows,
               .count = n_rows,
               .n_data = task->n_rows,
               .n_columns = task->n_columns,
               .report = report};
    c.cells = TRY_ARRAY(c.cells, memory, c.n_columns, error);
    for (uint32_t i = 0; i < c.n_columns; i++)
        TRY(cover_cells_init(&c.cells[i], memory, task->release, task->data, &task->columns[i],
                             task->ranges, error));
    if (task->slice != NULL) {
        *report = (cover_report){.holds = true};
        return cover_ranks_match(&c, task, error);
    }
    if (c.count == c.n_data) {
        check_in_order(&c);
        const bool fits = report->holds && shows_order(&c);
        if (report->holds)
            TRY(check_means(&c, task, error));
        if (report->holds || fits || task->fixed_order)
            return KITH_OK;
    }
    const cover_report in_order = *report;
    *report = (cover_report){.holds = true};
    TRY(cover_match_rows(&c, error));
    if (report->holds)
        TRY(bound_means(&c, task, error));
    if (c.count == c.n_data)
        *report = verify_cover_choose(&in_order, report);
    return KITH_OK;
}
