#include "verify/verify_cover.h"

#include "core/error.h"
#include "verify/cover_cells.h"
#include "verify/cover_match.h"
#include "verify/cover_means.h"
#include "verify/cover_ranks.h"

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
            return KITH_OK; /* a row counts once: the other columns are not looked at */
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
    *report = (cover_report){.counts_differ = task->share == NULL && n_rows != task->n_released};
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
    if (task->share != NULL) {
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
