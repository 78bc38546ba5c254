/* What the attacker has of each column; for the files of this room. */
#ifndef JOB_EXPOSURE_GUESS_INTERNAL_H
#define JOB_EXPOSURE_GUESS_INTERNAL_H

#include <stdbool.h>

#include "job/exposure/guess.h"

#define GUESS_NONE UINT32_MAX

/* One of both tables: its items (codes of the view, names of the known records) in the order of
 * their frequency, the most frequent first. */
typedef struct guess_side {
    uint32_t n_items;
    uint32_t n_matched;    /* of them; at most GUESS_MAX */
    uint32_t *item_of_row; /* [n_rows] */
    uint32_t *count;       /* [n_items] rows */
    uint32_t *label;       /* [n_items]; of codes: for the final comparison only */
    uint32_t *start;       /* [n_items + 1] into rows */
    uint32_t *rows;        /* [n_rows] by item */
} guess_side;

typedef struct guess_suspect {
    const guess_column *source;
    guess_side codes, names;
    uint32_t *name_of; /* [codes.n_items] the present guess, or GUESS_NONE */
    bool solved;
} guess_suspect;

/* Fills cost[codes.n_matched][names.n_matched] of suspect `self`: minus the logarithm of the
 * likelihood, from the columns that are solved. shuffled[n_known] are the known records in random
 * order. (guess_cost.c) */
kith_status guess_cost(double *cost, const guess_suspect *all, uint32_t self, const guess_tables *t,
                       const uint32_t *shuffled, arena *scratch, context *c,
                       kith_error *error) KITH_MUST_USE;

#endif
