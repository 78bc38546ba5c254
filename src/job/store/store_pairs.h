/* Data and release side by side, in parts that fit into memory: sorted by what the rows of the
 * release show of quasi-identifiers, so that all rows of a class come together; by all their cells,
 * so that they come in the order in which a release in memory is sorted; or by chance. */
#ifndef JOB_STORE_STORE_PAIRS_H
#define JOB_STORE_STORE_PAIRS_H

#include "job/store/store_internal.h"

typedef enum store_pairs_order {
    STORE_BY_CLASS,
    STORE_BY_CELLS,
    STORE_BY_CHANCE /* never from the seed of the run, so that it cannot be drawn again */
} store_pairs_order;

/* Of rows of `data` and of `texts`, the release, but without any yet. Everything lives in
 * `memory`. */
kith_status store_pairs_open(store_pairs **p, const store *s, const kith_table *data,
                             row_spill *texts, store_pairs_order order, arena *memory,
                             kith_error *error) KITH_MUST_USE;

/* Row i of `data` beside row i of `texts`. If rows are numbered, their numbers are `source_rows` of
 * the texts, or without these 0, 1, …; parts have them, too. */
kith_status store_pairs_add(store_pairs *p, const kith_table *data, const kith_table *texts,
                            kith_error *error) KITH_MUST_USE;

/* Part after part, each in an arena of its own, which is like `like`; in the same order whenever it
 * is asked. */
kith_status store_pairs_visit(const store_pairs *p, store_part_visit visit, void *to, arena *like,
                              kith_error *error) KITH_MUST_USE;

#endif
