/* What several ranks say of the models of a release, put together. */
#ifndef JOB_PARTS_PART_REPORT_H
#define JOB_PARTS_PART_REPORT_H

#include "job/parts/part_texts.h"
#include "job/result/assess.h"

/* What is known of the whole release after part_texts_finish. KITH_INVALID if it has more rows than
 * can be counted. */
kith_status part_report_whole(assess_whole *whole, const part_texts *t,
                              kith_error *error) KITH_MUST_USE;

/* *report, of the own classes, becomes that of all ranks' classes. It has no grouping. */
kith_status part_report_unite(verify_report *report, const kith_study *study, context *c,
                              kith_error *error) KITH_MUST_USE;

#endif
