#include "job/exposure/assignment.h"

#include <math.h>

#include "core/check.h"
#include "core/error.h"

#define NONE UINT32_MAX

/* Invariants: for all rows and columns that have met, cost >= of_row + of_column, with equality
 * where they are assigned to each other. So no other assignment of these rows is cheaper. */
typedef struct solver {
    const double *cost;
    uint32_t n_rows, n_columns;
    double *of_row, *of_column; /* dual variables */
    uint32_t *column_of;        /* [n_rows] */
    uint32_t *row_of;           /* [n_columns], or NONE */
    /* of the search for one path: */
    double *distance; /* [n_columns] of the cheapest path so far */
    uint32_t *from;   /* [n_columns] the row before it on that path */
    uint32_t *open;   /* [n_open] columns whose distance is not final */
    uint32_t n_open;  /* columns open[n_open …] are final */
} solver;

/* Continues paths from `row`, which is reached at `length`, and closes the nearest column. */
static uint32_t advance(solver *s, uint32_t row, double *length)
{
    const double *cost = s->cost + (uint64_t)row * s->n_columns;
    double nearest = INFINITY;
    uint32_t at = 0;
    for (uint32_t i = 0; i < s->n_open; i++) {
        const uint32_t column = s->open[i];
        const double through = *length + cost[column] - s->of_row[row] - s->of_column[column];
        if (through < s->distance[column]) {
            s->distance[column] = through;
            s->from[column] = row;
        }
        /* Of equally near columns a free one ends the search. */
        if (s->distance[column] < nearest ||
            (s->distance[column] == nearest && s->row_of[column] == NONE)) {
            nearest = s->distance[column];
            at = i;
        }
    }
    const uint32_t column = s->open[at];
    s->open[at] = s->open[--s->n_open];
    s->open[s->n_open] = column;
    *length = nearest;
    return column;
}

static void add_row(solver *s, uint32_t row)
{
    double length = 0;
    for (uint32_t column = 0; column < s->n_columns; column++) {
        s->distance[column] = INFINITY;
        s->open[column] = column;
    }
    s->n_open = s->n_columns;
    uint32_t column = advance(s, row, &length);
    while (s->row_of[column] != NONE)
        column = advance(s, s->row_of[column], &length);
    /* Restores the invariants for the rows and columns that the search has closed. */
    s->of_row[row] += length;
    for (uint32_t i = s->n_open; i < s->n_columns; i++) {
        const uint32_t closed = s->open[i];
        if (s->row_of[closed] == NONE)
            continue; /* the end of the path */
        s->of_row[s->row_of[closed]] += length - s->distance[closed];
        s->of_column[closed] -= length - s->distance[closed];
    }
    for (uint32_t at = row + 1; at != row;) { /* exchanges along the path, from its end */
        at = s->from[column];
        const uint32_t before = s->column_of[at];
        s->row_of[column] = at;
        s->column_of[at] = column;
        column = before;
    }
}

kith_status assignment_solve(uint32_t *column_of, const double *cost, uint32_t n_rows,
                             uint32_t n_columns, arena *memory, kith_error *error)
{
    ASSERT(n_rows <= n_columns);
    solver s = {.cost = cost, .n_rows = n_rows, .n_columns = n_columns, .column_of = column_of};
    s.of_row = TRY_ZEROS(s.of_row, memory, n_rows, error);
    s.of_column = TRY_ZEROS(s.of_column, memory, n_columns, error);
    s.row_of = TRY_ARRAY(s.row_of, memory, n_columns, error);
    s.distance = TRY_ARRAY(s.distance, memory, n_columns, error);
    s.from = TRY_ARRAY(s.from, memory, n_columns, error);
    s.open = TRY_ARRAY(s.open, memory, n_columns, error);
    for (uint32_t column = 0; column < n_columns; column++)
        s.row_of[column] = NONE;
    for (uint32_t row = 0; row < n_rows; row++)
        column_of[row] = NONE;
    for (uint32_t row = 0; row < n_rows; row++)
        add_row(&s, row);
    return KITH_OK;
}
