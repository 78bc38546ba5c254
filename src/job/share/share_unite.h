/* Shares of one table, each on a rank, get the dictionaries of the whole table: a code then means
 * the same on all ranks, and what is made of dictionaries alone is the same everywhere. */
#ifndef JOB_SHARE_SHARE_UNITE_H
#define JOB_SHARE_SHARE_UNITE_H

#include "core/context.h"
#include "job/prepare/prepare.h"

/* *united has the rows of `own`, and takes its codes over: `own` must not be read any more. All
 * ranks have the same columns. Dictionaries live in c->memory, the rest where `own` does. Cost: of
 * n ranks each sends all values that it knows log2(n) times. */
kith_status share_unite(const kith_table **united, const kith_table *own, context *c,
                        kith_error *error) KITH_MUST_USE;

/* Counts the rows and values of the whole table. `united` has been through kept_rows_table, so that
 * the study's rule for missing values tells which of its rows are kept. */
kith_status share_count(prepare_whole *whole, const kith_study *study, const kith_table *united,
                        context *c, kith_error *error) KITH_MUST_USE;

/* Both, and all that a search needs to know: prepare_share of the rows that the study keeps. Takes
 * the codes of `own` over; *p refers to *whole. */
kith_status share_prepare(prepared *p, prepare_whole *whole, const kith_study *study,
                          const kith_table *own, context *c, kith_error *error) KITH_MUST_USE;

#endif
