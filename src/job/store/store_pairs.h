/* Data and release side by side, in parts that fit into memory: sorted by what the rows of the
 * release show of quasi-identifiers, so that all rows of a class come together; by all their cells,
 * so that they come in the order in which a release in memory is sorted; or by chance. */
#ifndef JOB_STORE_STORE_PAIRS_H
#define JOB_STORE_STORE_PAIRS_H

#include "job/store/store.h"
#include "table/row_spill.h"

typedef struct store_pairs store_pairs;

/* What the pairs are made of. */
typedef struct store_pairs_form {
    const kith_table *data; /* its columns and dictionaries */
    row_spill *release;     /* the rows that will be beside it */
    const prepared *values; /* which columns are quasi-identifying */
    uint64_t n_bytes;       /* about what the buffers take */
    const char *beside;     /* where temporary files stand (core/spill_file.h) */
    bool numbered;          /* parts say which rows they have */
} store_pairs_form;

/* Without rows yet. Everything lives in `memory`. */
kith_status store_pairs_by_class(store_pairs **p, const store_pairs_form *form, arena *memory,
                                 kith_error *error) KITH_MUST_USE;
kith_status store_pairs_by_cells(store_pairs **p, const store_pairs_form *form, arena *memory,
                                 kith_error *error) KITH_MUST_USE;
/* In an order that nobody can draw again: never from the seed of the run. */
kith_status store_pairs_by_chance(store_pairs **p, const store_pairs_form *form, arena *memory,
                                  kith_error *error) KITH_MUST_USE;

/* Row i of `data` beside row i of `texts`, which have the columns and dictionaries of the form. */
kith_status store_pairs_add(store_pairs *p, const kith_table *data, const kith_table *texts,
                            kith_error *error) KITH_MUST_USE;

/* Part after part, each in an arena of its own, which is like `like`; in the same order whenever it
 * is asked. */
kith_status store_pairs_visit(const store_pairs *p, store_part_visit visit, void *to, arena *like,
                              kith_error *error) KITH_MUST_USE;

#endif
