/* Shared by the files of the assessment. */
#ifndef JOB_RESULT_ASSESS_INTERNAL_H
#define JOB_RESULT_ASSESS_INTERNAL_H

#include "job/result/assess.h"

/* A column as src/verify wants it: data, release, hierarchy and order of its leaves. */
kith_status assess_cover_column(cover_column *to, const prepared_column *from,
                                const kith_table *texts, kith_error *error) KITH_MUST_USE;

/* KITH_DATA, with line and text: the cell of a row is no label of the column's hierarchy. */
kith_status assess_refuse_label(const kith_table *texts, uint32_t row, const column *c,
                                kith_error *error) KITH_MUST_USE;

#endif
