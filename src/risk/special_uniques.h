/* Special uniques (SUDA): records that are unique by few columns already.
 *
 * A set of columns is a minimal sample unique of a record if no other record has the same values
 * there, and every smaller subset is shared with another record. The fewer columns, the riskier: of
 * A columns, a set of k counts (A - k) (A - k - 1) … (A - M), where M is the largest size that is
 * looked at (A - 1 at most in this product, so that a set of all columns counts 1).
 *   M. Elliot, A. Manning, R. Ford, A computational algorithm for handling the special uniques
 *   problem, International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10, 2002.
 */
#ifndef RISK_SPECIAL_UNIQUES_H
#define RISK_SPECIAL_UNIQUES_H

#include "table/rows/row_groups.h"

enum { SPECIAL_UNIQUES_MAX_SIZE = 6 };

typedef struct special_uniques {
    uint32_t max_size;                             /* at most the number of columns */
    uint64_t n_sets[SPECIAL_UNIQUES_MAX_SIZE + 1]; /* minimal sample uniques of each size */
    uint32_t n_records;                            /* records that have one */
    double *scores;                                /* [n_rows] */
    uint32_t *sets_of;                             /* [n_rows] how many a record has */
    double *column_scores; /* [n_columns] scores of the sets that a column is in */
} special_uniques;

/* KITH_INVALID if there are too many sets of columns, or too many rows for them. The cost is linear
 * in rows times sets of up to max_size columns. `columns` need codes and the number of values only;
 * missing is a value. */
kith_status special_uniques_find(special_uniques *s, const column *const *columns,
                                 uint32_t n_columns, uint32_t n_rows, uint32_t max_size,
                                 arena *memory, kith_error *error) KITH_MUST_USE;

#endif
