/* The rows that the study keeps, and a table that holds the values of no others.
 *
 * Rows without any value are never records: spreadsheets write them below a table (;;;;). With
 * `missing: drop` rows that lack a cell are left out. What only they hold must not reach a
 * dictionary: hierarchies are made from dictionaries, and the parties of a joint run unite them. */
#ifndef JOB_PREPARE_KEPT_ROWS_H
#define JOB_PREPARE_KEPT_ROWS_H

#include "core/check.h"
#include "study/study.h"
#include "table/table.h"

/* held[i]: column i of the study counts; NULL: all of them. Columns that the table lacks do not
 * count. */
typedef struct kept_rows {
    const kith_study *study;
    const bool *held;
} kept_rows;

/* Has the row no value in any of the table's columns? Where there is one column only, a missing
 * value is a missing value. */
bool kept_rows_is_empty(const kith_table *table, uint32_t row);
uint32_t kept_rows_n_empty(const kith_table *table);

/* Takes rows out that are empty in the first n_read columns, and counts them in the table, which
 * must be the caller's own. */
kith_status kept_rows_remove_empty(kith_table *table, uint32_t n_read, arena *memory,
                                   kith_error *error) KITH_MUST_USE;
/* The same for a table that is not: *full lives in `memory` and shares the dictionaries; it is
 * `table` itself if it has no such rows. */
kith_status kept_rows_full(const kith_table **full, const kith_table *table, uint32_t n_read,
                           arena *memory, kith_error *error) KITH_MUST_USE;

/* Does the study keep this row? Models look at quasi-identifying and sensitive columns only, so
 * that a missing value in another column may stay. A party of a joint run has taken empty rows out
 * before: a row may lack what it `held` alone. */
bool kept_rows_has(const kept_rows *k, const kith_table *table, uint32_t row);
uint32_t kept_rows_count(const kept_rows *k, const kith_table *table);

/* *kept is a table with the same rows, in which all cells of dropped rows are missing, and whose
 * dictionaries have the values of the others only; it is `table` itself if that is so already. It
 * lives in `memory` and shares what it can with `table`. */
kith_status kept_rows_table(const kith_table **kept, const kept_rows *k, const kith_table *table,
                            arena *memory, kith_error *error) KITH_MUST_USE;

#endif
