/* Columns that show means: is every cell the mean of the original values of its class? Computed
 * from the data alone, by table/mean_form.h.
 *
 * A class is what readers of the release see: the rows with the same texts in all
 * quasi-identifiers. Two classes of the search that look alike are one here; its mean is the mean
 * that both show. */
#ifndef VERIFY_COVER_MEANS_H
#define VERIFY_COVER_MEANS_H

#include "verify/cover_cells.h"
#include "verify/verify_cover.h"

/* One column with its numbers. */
typedef struct cover_means {
    const cover_cells *cells;
    const dictionary *texts; /* of the release's column */
    bool known;              /* all numbers could be read, as those of a table that was accepted */
    __int128 *units;         /* [n_data_values] 10^-decimals each */
    long decimals;           /* of the data */
    long shown;              /* of means: the same, or more */
    char mark;
} cover_means;

/* `cells` has been made for `task->columns[index]`. */
kith_status cover_means_init(cover_means *m, const cover_cells *cells, const cover_task *task,
                             uint32_t index, arena *memory, kith_error *error) KITH_MUST_USE;

/* Row i of the release is about rows[i] of the data: sets wrong[i] where its cell is not the mean
 * of its class. Classes with a missing value and suppressed rows show labels that cover theirs. */
kith_status cover_means_check(bool *wrong, const cover_means *m, const cover_task *task,
                              arena *memory, kith_error *error) KITH_MUST_USE;

/* Rows in another order: the largest j cells cannot have a larger sum than the j largest values,
 * nor the smallest ones a smaller sum, for any j. Every true release passes this, and some others
 * do. *row is a row that does not; UINT32_MAX: none. */
kith_status cover_means_bound(uint32_t *row, const cover_means *m, const cover_task *task,
                              arena *memory, kith_error *error) KITH_MUST_USE;

/* Does the row show a label, and no mean? Those are the root, and nodes with the missing value. */
bool cover_means_is_label(const cover_cells *cells, uint32_t release_row);

#endif
