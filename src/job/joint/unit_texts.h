/* The texts by which sites find out who is the same person. */
#ifndef JOB_JOINT_UNIT_TEXTS_H
#define JOB_JOINT_UNIT_TEXTS_H

#include "study/study.h"
#include "table/table.h"

/* *matched is `table` with the columns of the study's unit as the study's `match` compares them:
 * texts that name the same person are equal, whichever site wrote them, and an empty one is
 * missing. Numbers and dates are written in one way only. Lives in `memory` and shares what it can
 * with `table`. */
kith_status unit_texts_match(const kith_table **matched, const kith_study *study,
                             const kith_table *table, arena *memory,
                             kith_error *error) KITH_MUST_USE;

#endif
