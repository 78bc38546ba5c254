/* What a rank must know of the whole table to prepare its slice of it. */
#ifndef JOB_SLICE_SLICE_PREPARE_H
#define JOB_SLICE_SLICE_PREPARE_H

#include "core/run/context.h"
#include "job/prepare/prepare.h"

/* Counts the rows and values of the whole table. `united` has been through kept_rows_table
 * and table_unite, so that the study's rule for missing values tells which of its rows are kept. */
kith_status slice_count(prepare_whole *whole, const kith_study *study, const kith_table *united,
                        context *c, kith_error *error) KITH_MUST_USE;

/* Both, and all that a search needs to know: prepare_slice of the rows that the study keeps. Takes
 * the codes of `own` over; *p refers to *whole. */
kith_status slice_prepare(prepared *p, prepare_whole *whole, const kith_study *study,
                          const kith_table *own, context *c, kith_error *error) KITH_MUST_USE;

#endif
