/* Checks whether a release is true: every cell must stand for a set that holds the original value.
 */
#ifndef VERIFY_VERIFY_COVER_H
#define VERIFY_VERIFY_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/run/context.h"
#include "hierarchy/hierarchy.h"
#include "table/table.h"
#include "verify/recoded.h"

/* One column of the release and the column of the data that it comes from. */
typedef struct cover_column {
    uint32_t release, data;
    /* Quasi-identifiers: the released label must stand for a set that holds the original value.
     * NULL: the cells must have the same text. */
    const kith_hierarchy *hierarchy;
    const uint32_t *leaf_of;        /* [n_values of the data's column] as made by hierarchy_bind */
    const cover_recoding *recoding; /* NULL: the values are those of the data */
    bool mean;            /* a quasi-identifier that shows means (table/mean_form.h), not labels: */
    uint32_t mean_level;  /* the records of a mean have one node at this level of the hierarchy */
    const uint32_t *rank; /* [leaves] order of the leaves behind min..max; NULL: leaf order */
    bool by_value;        /* without a hierarchy: another text of the same value will do */
    const char *date_format; /* of the column, for by_value */
} cover_column;

typedef enum cover_check {
    COVER_IN_ORDER, /* row by row */
    COVER_MATCHED,  /* the rows are in another order, and a one-to-one assignment was looked for */
    COVER_BOUNDED,  /* the same, but means were only compared with what the values allow: which
                       records a mean belongs to is not known */
    COVER_COUNTED   /* an assignment would take too long: cells were counted column by column, which
                       every truthful release passes, but some others too */
} cover_check;

typedef struct cover_report {
    bool holds;
    cover_check check;
    bool counts_differ;    /* the release has more or fewer rows than the data */
    bool has_place;        /* the fields below name a cell that is wrong */
    uint32_t row;          /* of the release; over ranks, of the whole one */
    uint32_t data_row;     /* of the data, COVER_IN_ORDER only */
    uint32_t column;       /* index into the columns given */
    uint32_t n_wrong_rows; /* rows without a counterpart */
    uint64_t n_steps;      /* COVER_MATCHED: what it took to find which rows fit which records */
} cover_report;

/* Where the rows of this rank are, unless all rows are here. */
typedef struct cover_slice {
    uint64_t first_row; /* in the whole release, which has as many rows as there are records */
    context *context;
} cover_slice;

typedef struct cover_task {
    const kith_table *release, *data;
    const uint32_t *rows; /* rows of the data that the release is about, in its order */
    uint32_t n_rows;
    uint32_t n_released; /* rows of the release: fewer, if it is made from a sample of the rows */
    const cover_column *columns;
    uint32_t n_columns;
    bool ranges;      /* labels min..max are allowed */
    bool fixed_order; /* rows are in order or wrong: no other order is looked for */
    /* Any order is looked for, of rows and records that are not beside each other: the dictionaries
     * are the same on all ranks, and no column shows means. NULL: all rows are here. */
    const cover_slice *slice;
} cover_task;

/* A release that is wrong in any order may be one in the order of the data with few mistakes: what
 * is to be said of it. */
cover_report verify_cover_choose(const cover_report *in_order, const cover_report *matched);

/* A missing cell whose hierarchy has no leaf for it is covered by the root alone. If all cells that
 * are not means fit row by row, the rows are in order, and the means must be right there. */
kith_status verify_cover(cover_report *report, const cover_task *task, arena *memory,
                         kith_error *error);

#endif
