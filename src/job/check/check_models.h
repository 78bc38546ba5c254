/* Models that no partition of a table's records can satisfy. */
#ifndef JOB_CHECK_CHECK_MODELS_H
#define JOB_CHECK_CHECK_MODELS_H

#include "study/study.h"
#include "table/table.h"

/* Reports them. `table` has all columns as strings; left_out[] marks rows that are no records. */
kith_status check_models(kith_findings *findings, const kith_study *study, const kith_table *table,
                         const bool *left_out, arena *memory, kith_error *error) KITH_MUST_USE;

#endif
