/* What splitting a set by one slot would give, and how good that is.
 *
 * The score is
 *     (cost that the branches save - price of the rest) per record / (entropy of the split)^beta
 * with beta = 0.3: slots that save much per bit of fragmentation come first. */
#ifndef SEARCH_WEAVE_WEAVE_SCORE_H
#define SEARCH_WEAVE_WEAVE_SCORE_H

#include "search/weave/weave_tree.h"

typedef struct weave_split {
    uint32_t slot;
    uint32_t live;   /* values with enough records */
    uint32_t rest;   /* records with other values */
    uint32_t borrow; /* records that the rest should borrow; 0: it is ejected, or large enough */
    double score;    /* 0: not worth it */
} weave_split;

/* Length of the table of x log2 x in a weave_tree. */
enum { WEAVE_XLOGX = 4096 };

/* Reads the histogram of the slot in t, which must be that of the whole set. */
weave_split weave_score(const weave_tree *t, uint32_t slot, uint32_t set_size);

/* Picks the records that a rest borrows: those with rare values elsewhere, from the largest
 * branches. Marks them in t->rarity (by position in the set) as WEAVE_LENT and takes them out of
 * the slot's histogram. The histograms of the open slots must be those of the set. */
enum { WEAVE_LENT = 255 };
void weave_score_lend(weave_tree *t, const weave_split *o, const segment set, const uint32_t *open,
                      uint32_t n_open);

#endif
