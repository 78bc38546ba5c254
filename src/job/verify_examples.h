/* Examples of what a release breaks of which every rank has some rows. */
#ifndef JOB_VERIFY_EXAMPLES_H
#define JOB_VERIFY_EXAMPLES_H

#include "job/result/verdict.h"

/* Verdicts of the report name rows of the whole release, of which `own`, with united dictionaries,
 * are here from `first_row` on; `levels` is about these. Afterwards both are about the whole, name
 * rows of the examples, and are the same on all ranks. KITH_INVALID if a verdict cannot be reached
 * over ranks. */
kith_status verify_examples(verdict_rows *examples, verify_report *report, levels_report *levels,
                            const kith_study *study, const kith_table *own, uint64_t first_row,
                            context *c, kith_error *error) KITH_MUST_USE;

/* The same refusal, for any release that is judged in parts. */
kith_status verify_decided(const verify_report *report, const kith_study *study,
                           kith_error *error) KITH_MUST_USE;

#endif
