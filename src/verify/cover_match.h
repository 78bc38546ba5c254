/* Releases whose rows are in another order than the data, or a sample of it: can every row have a
 * record of its own? */
#ifndef VERIFY_COVER_MATCH_H
#define VERIFY_COVER_MATCH_H

#include "core/run/ranks.h"
#include "verify/cover_cells.h"

/* A cover check under way. */
typedef struct cover {
    arena *memory;
    const kith_table *release;
    const uint32_t *rows; /* of the data */
    uint32_t count;       /* of rows of the release */
    uint32_t n_data;      /* of rows of the data: the same, or more if only a sample is released */
    uint32_t n_columns;
    cover_cells *cells;
    kith_ranks *ranks; /* each has some rows and records: all that are equal in their plain cells */
    const uint32_t *number; /* [count] of each row in the whole release; NULL: all rows are here */
    /* [count + n_data] rows of the release, then of the data, by their plain cells */
    uint32_t *bucket;
    cover_report *report;
} cover;

/* Does a released row tell the truth about a row of the data? *wrong is the first column that does
 * not. Means are about classes and not looked at. */
bool cover_match_row(const cover *c, uint32_t release_row, uint32_t data_row, uint32_t *wrong);

/* The cells of columns that are not generalized: of the rows of the release, then of those of the
 * data, as codes of the release. */
kith_status cover_match_plain(kith_table *plain, const cover *c, kith_error *error) KITH_MUST_USE;

/* Notes where the release is wrong. */
void cover_match_wrong(cover_report *r, uint32_t row, uint32_t wrong);

/* COVER_MATCHED, decided, or COVER_COUNTED if that would take too long. Means are ignored. The
 * report says that all is well so far; ranks come to the same one. */
kith_status cover_match_rows(cover *c, kith_error *error) KITH_MUST_USE;

#endif
