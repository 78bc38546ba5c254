/* Which rows of a release in parts are suppressed. */
#ifndef JOB_PARTS_PART_SUPPRESSED_H
#define JOB_PARTS_PART_SUPPRESSED_H

#include "job/parts/part_texts.h"
#include "job/result/assess.h"

/* Finds out what suppressed rows show, by the rule of suppressed_find for the whole release: sets
 * whole->suppressed if some are. `texts` are the own rows, and `data` is NULL where only
 * the release is known. All ranks together. */
kith_status part_suppressed_find(assess_whole *whole, const part_texts *t, const kith_study *study,
                                 const prepared *data, const kith_table *texts, context *c,
                                 kith_error *error) KITH_MUST_USE;

#endif
