/* Data and release side by side, sorted by what the rows of the release show, so that all rows of a
 * class come together: what a store reads back in parts. */
#ifndef JOB_STORE_STORE_PAIRS_H
#define JOB_STORE_STORE_PAIRS_H

#include "job/store/store.h"

/* Where pairs come from: block by block, row i of `data` beside row i of `texts`. */
typedef struct store_pairs_source {
    uint64_t n_rows;
    uint32_t n_blocks;
    kith_table *data, *texts; /* room for a block of each, with their dictionaries */
    kith_status (*read)(void *user, uint32_t block, kith_error *error);
    void *user;
} store_pairs_source;

typedef struct store_pairs store_pairs;

/* Sorts all rows, by the columns of `texts` that show the quasi-identifiers of `values`. The
 * buffers take about `n_bytes`; temporary files stand beside `beside` (core/spill_file.h). */
kith_status store_pairs_make(store_pairs **p, const store_pairs_source *from,
                             const prepared *values, uint64_t n_bytes, const char *beside,
                             arena *memory, kith_error *error) KITH_MUST_USE;

/* Part after part, each in an arena of its own, which is like `like`. */
kith_status store_pairs_visit(const store_pairs *p, store_part_visit visit, void *to, arena *like,
                              kith_error *error) KITH_MUST_USE;

#endif
