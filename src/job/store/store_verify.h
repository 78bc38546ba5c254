/* A release that does not fit into memory, verified from the disk, alone or beside the data. What is
 * found is what a verification in memory finds; what that would look for in all rows at once is
 * refused by name. The functions are called in the order in which they stand here. */
#ifndef JOB_STORE_STORE_VERIFY_H
#define JOB_STORE_STORE_VERIFY_H

#include "job/result/verdict.h"
#include "job/store/store.h"
#include "table/table_input.h"

/* Reads the release; *texts has no rows, but the dictionaries. Everything lives in c->memory. */
kith_status store_verify_read(store **s, const kith_table **texts, const kith_study *study,
                              const kith_input *release, uint64_t memory_bytes, context *c,
                              kith_error *error) KITH_MUST_USE;

/* Reads the data, and checks that the release covers it, in any order: *data has its trees and
 * labels. If it does not that is KITH_INVALID: which rows are wrong is a question about all. */
kith_status store_verify_cover(store *s, const kith_input *from, prepared *data,
                               cover_report *cover, uint64_t *n_released,
                               kith_error *error) KITH_MUST_USE;

/* Judges the models and, if `levels` is not NULL, the bounds on levels. Verdicts and levels name
 * rows of the examples. */
kith_status store_verify_judge(store *s, const assess_task *task, verify_report *report,
                               levels_report *levels, verdict_rows *examples,
                               kith_error *error) KITH_MUST_USE;

#endif
