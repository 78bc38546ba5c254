/* Checks of one party's data in a joint run (kith_study_check with `as`). */
#ifndef JOB_CHECK_CHECK_PARTY_H
#define JOB_CHECK_CHECK_PARTY_H

#include "study/study.h"
#include "table/table.h"

/* The party with this name; KITH_INVALID if the study has none, or if it holds no data. */
kith_status check_party_find(const study_party **party, const kith_study *study, const char *name,
                             kith_error *error) KITH_MUST_USE;

/* The number of rows, and the identifiers by which sites join their rows: each row has one, and no
 * two rows the same. `table` has all columns as strings; left_out[] marks rows that are no
 * records. */
kith_status check_party_rows(kith_findings *findings, const kith_study *study,
                             const kith_table *table, const bool *left_out, arena *memory,
                             kith_error *error) KITH_MUST_USE;

#endif
