/* Ranks compare a release with the data it was made from; each has a share of both. */
#ifndef JOB_SHARE_SHARE_COVER_H
#define JOB_SHARE_SHARE_COVER_H

#include "job/result/assess.h"
#include "job/share/share_input.h"

/* Reads the data and prepares the own records of it. `release` are the own rows of the release,
 * with united dictionaries (share_unite), and `at` is their place. The report is the same on all
 * ranks, and that of one process: rows are in order, or fewer or more than the records. If they are
 * in order, *rows has those of the own records; NULL: nobody wants them.
 * KITH_INVALID if some row does not cover its record: then it would take all rows to look for
 * another order. */
kith_status share_cover(cover_report *report, prepared *own, kith_table *rows,
                        const kith_study *study, const table_input *data, const kith_table *release,
                        const share *at, context *c, kith_error *error) KITH_MUST_USE;

/* KITH_INVALID if a mapping is given: it may lead to a row of any rank. */
kith_status share_cover_no_mapping(const table_input *mapping, kith_error *error) KITH_MUST_USE;

#endif
