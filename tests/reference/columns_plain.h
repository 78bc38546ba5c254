/* Clustering over columns as its header describes it, read naively: costs are computed from
 * nothing, and nothing is kept between questions. */
#ifndef REFERENCE_COLUMNS_PLAIN_H
#define REFERENCE_COLUMNS_PLAIN_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/rng.h"
#include "search/random_split.h"
#include "search/problem.h"

enum { COLUMNS_PLAIN_RECORDS = 512 };

typedef struct columns_plain {
    arena *memory;
    const problem *p;
    uint32_t k, aim, block;
    bool diverse, adapts;
    rng r;
    random_split split;
    uint32_t member[COLUMNS_PLAIN_RECORDS][COLUMNS_PLAIN_RECORDS], size[COLUMNS_PLAIN_RECORDS],
        used, freed[COLUMNS_PLAIN_RECORDS], n_free;
    uint32_t of[COLUMNS_PLAIN_RECORDS];
    bool touched[COLUMNS_PLAIN_RECORDS];
    uint64_t put_off, n_visits, n_ties;
    uint32_t n_splits, n_moves, n_passes, dissolved, united;
} columns_plain;

/* Fills in w->of, the sizes and the counts; the caller has set what stands before `member`. */
void columns_plain_run(columns_plain *w, bool merges);
uint32_t columns_plain_clusters(const columns_plain *w);

#endif
