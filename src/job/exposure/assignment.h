/* Linear assignment: gives every row a column of its own so that the sum of costs is the smallest.
 *
 * Shortest augmenting paths after Jonker and Volgenant, for rectangles: rows are added one by one,
 * each along the cheapest path of exchanges, found like Dijkstra's with reduced costs. At most
 * n_rows² n_columns steps. */
#ifndef JOB_EXPOSURE_ASSIGNMENT_H
#define JOB_EXPOSURE_ASSIGNMENT_H

#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"

/* cost[n_rows][n_columns], all finite; n_rows must not exceed n_columns. Fills column_of[n_rows].
 */
kith_status assignment_solve(uint32_t *column_of, const double *cost, uint32_t n_rows,
                             uint32_t n_columns, arena *memory, kith_error *error) KITH_MUST_USE;

#endif
