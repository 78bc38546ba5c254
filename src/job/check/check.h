/* What `kith study check` looks for in a table whose columns have all been read as strings.
 * left_out[] marks rows that are no records. */
#ifndef JOB_CHECK_CHECK_H
#define JOB_CHECK_CHECK_H

#include "study/study.h"
#include "table/table.h"

/* Rows without any value, which are never records (kept_rows.h): marks the rows in which no column
 * that the study reads has a value, and warns of them. `in_order`: rows are joined with those of
 * other parties by their order, and all of them count. */
kith_status check_empty(bool **row_empty, kith_findings *findings, const kith_study *study,
                        const kith_table *table, bool in_order, arena *memory,
                        kith_error *error) KITH_MUST_USE;

/* Models that no partition of the records can satisfy. */
kith_status check_models(kith_findings *findings, const kith_study *study, const kith_table *table,
                         const bool *left_out, arena *memory, kith_error *error) KITH_MUST_USE;

/* The party with this name, whose data is checked (`as`); KITH_INVALID if the study has none, or if
 * it holds no data. */
kith_status check_party_find(const study_party **party, const kith_study *study, const char *name,
                             kith_error *error) KITH_MUST_USE;
/* The number of its rows, and the identifiers by which sites join their rows: each row has one, and
 * no two rows the same. */
kith_status check_party_rows(kith_findings *findings, const kith_study *study,
                             const kith_table *table, const bool *left_out, arena *memory,
                             kith_error *error) KITH_MUST_USE;

#endif
