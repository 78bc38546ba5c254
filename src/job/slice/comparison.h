/* A release beside the data it was made from, wherever their rows are: all in this process, or a
 * slice of both on every rank. What is found is the same on all ranks. */
#ifndef JOB_SLICE_COMPARISON_H
#define JOB_SLICE_COMPARISON_H

#include "job/assess/assess.h"
#include "job/result/verdict.h"
#include "job/slice/slice_input.h"

typedef struct comparison {
    const kith_study *study;
    kith_input data_input, release_input, mapping_input;
    bool draws;   /* the records are those of the sample that the seed draws */
    bool no_rows; /* over ranks `rows` are not wanted, which saves their memory */
    /* comparison_read */
    const kith_table *release; /* rows of this rank as they were read; with a mapping all of them,
                                  in the order of the records */
    slice place;               /* theirs */
    /* comparison_make */
    prepared prepared;      /* of the records of this rank */
    uint64_t first_record;  /* the place of the first one among those of all ranks */
    const kith_table *rows; /* of the release, those of these records if rows are in order; over
                               ranks as many as there are records here in any case */
    bool in_order;          /* row i is record i */
    cover_report cover;
    verdict_rows wrong; /* has the row that `cover` names, if it names one */
    uint64_t data_line; /* where rows are compared in order, that of the record of this row */
} comparison;

/* KITH_INVALID, before anything is read, if ranks cannot do it together: judge the models of the
 * study, or, if data is given, compare it. A mapping may lead to a row of any rank, and samples and
 * means need all rows. */
kith_status comparison_check(const comparison *k, const context *c,
                             kith_error *error) KITH_MUST_USE;

/* Reads the release. All its cells are texts, even those of typed columns, and only the empty cell
 * is missing. */
kith_status comparison_read(comparison *k, context *c, kith_error *error) KITH_MUST_USE;

/* Reads the data, prepares its records and checks that the release covers them. Ranks unite the
 * dictionaries of the release; the report is about all rows. */
kith_status comparison_make(comparison *k, context *c, kith_error *error) KITH_MUST_USE;

#endif
