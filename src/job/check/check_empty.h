/* Rows without any value, which are never records (kept_rows.h), in data that was read as strings.
 */
#ifndef JOB_CHECK_CHECK_EMPTY_H
#define JOB_CHECK_CHECK_EMPTY_H

#include "study/study.h"
#include "table/table.h"

/* Marks the rows in which no column that the study reads has a value, and warns of them.
 * `in_order`: rows are joined with those of other parties by their order, and all of them count. */
kith_status check_empty(bool **row_empty, kith_findings *findings, const kith_study *study,
                        const kith_table *table, bool in_order, arena *memory,
                        kith_error *error) KITH_MUST_USE;

#endif
