/* Sequential clustering of records whose columns may lie at several parties: SDC Algorithm 4 with a
 * rule for blocks, by which one sum answers for many records. The rule is part of the algorithm: a
 * run in one place with the same seed and block gives the same clusters as a joint one.
 *
 * All parties call the same function with the same records in the same order, each with its own
 * columns. All know which record is in which cluster. One of them is the pivot: it alone learns
 * sums, has the sensitive values that models look at, and decides. A party that has all columns
 * runs it alone.
 *
 * n records; K is the smallest class that the models can allow (class_rules_min_size). A *price* is
 * the change of the total cost that a change of clusters makes; costs are fixed-point numbers
 * (columns_clusters.h). Clusters have numbers; those that were freed are used again, last freed
 * first. Of equal prices the lower number comes first, of pairs the one with the lower numbers. The
 * members of a cluster have an order: a new member comes last, and the last member takes the place
 * of one that leaves.
 *
 * Step numbers, here and in the other files of this room, are those of SDC Algorithm 4:
 *
 *     step     what happens                              function
 *     1        the pivot draws the first clusters        first_clusters (columns_sequential.c)
 *     2        closures and costs of the clusters        columns_clusters_close
 *     3 - 17   a pass over all records                   columns_pass (columns_pass.c)
 *     5 - 8    prices of all moves of a block            visit_block (columns_pass.c)
 *     9 - 16   a record moves, stays or is put off       decide, apply (columns_pass.c)
 *     18 - 21  large clusters are halved                 split_large (columns_sequential.c)
 *     22       passes until one is the last              improve (columns_sequential.c)
 *     23 - 28  pairs of small clusters unite             columns_merge (columns_merge.c)
 *     24, 25   prices of unions                          columns_merge
 *     26       the pair with the lowest price            unite_pair (columns_merge.c)
 *     27       it becomes one cluster                    unite_pair (columns_merge.c)
 *     29       the last small cluster                    unite_last (columns_merge.c)
 *     23 - 29  instead, with the hybrid finish           columns_hybrid (columns_hybrid.c)
 *     30       classes and their closures                columns_sequential_run
 *
 * Step 1. The pivot distributes all records to n / (K/2) clusters at random (random_split.h), as
 *    evenly in the sensitive value as possible. If a model fails in some cluster it tries again,
 *    with fewer clusters after every eighth attempt.
 * Steps 3 to 17. A pass visits all records in order, one block at a time. Records that were put off
 *    come first in the next block. Steps 5 to 8 are done for a whole block at once: for all its
 *    records and all clusters the prices of moving there are added up, as things are before the
 *    block. Steps 9 to 16 follow record by record. A cluster is *touched* once a record has left or
 *    entered it in this block:
 *    - A record wants to move if some cluster has a price below 0; one that is now alone in its
 *      cluster wants to move in any case (step 10).
 *    - If it does not want to move, or the models do not let it leave, it stays.
 *    - If its own cluster is touched, it is put off.
 *    - It goes to the untouched cluster with the lowest price, if that is below 0 or the record is
 *      alone, among those that the models let it enter.
 *    - If there is no such cluster, it is put off if a touched one that the models let it enter has
 *      such a price; otherwise it stays. A cluster that was emptied receives no record if models
 *      look at more than size.
 *    - When records have been put off 16 n times in a pass, no further one is: it stays.
 *    Models look at clusters as they are at that moment. So all moves are made at exact prices, and
 *    the first record of a block is never put off.
 * Steps 18 to 21. After a pass the pivot halves every cluster of more than 1.5 K records at random,
 *    unless a model fails in a half in all of eight attempts. Clusters are taken in ascending
 *    order, and the halves are new clusters.
 * Step 22. Passes end when no record moved, when the cost fell by less than a relative 1e-5 (after
 *    five passes), or after max_passes.
 * Steps 23 to 29, finish merge. Of the clusters of fewer than k records the two with the lowest
 *    price of a union unite, until at most one is left. That one unites with the cluster of any
 *    size that has the lowest price.
 * Steps 23 to 29, finish hybrid. In rounds: a round looks at a tenth of the clusters of fewer than
 *    k records (rounded up), those with the fewest records first, then by number. Each in turn is
 *    either united with the cluster of any size that has the lowest price (half of the price, if
 *    above 0, where two small ones together reach k), or dissolved: all its records go where each
 *    has the lowest price, the last member first. The cheaper way is taken; dissolving only where
 *    no model asks for more than size. A cluster waits for the next round if it is touched, or a
 *    cluster that it would go to. In the end passes follow as in steps 3 to 17, which visit only
 *    records of clusters of more than k records, until none moves, less than 1e-5 is gained or
 *    twenty passes are done.
 *
 * Blocks have spec->block records; 1 gives the paper's algorithm. 0: 512 at first; after a block of
 * the full number of records twice as many, up to 4,096, if fewer than 10% of it were put off, half
 * as many, down to 16, if more than 30%. No block has more than COLUMNS_VALUES prices. */
#ifndef PROTOCOL_COLUMNS_COLUMNS_SEQUENTIAL_H
#define PROTOCOL_COLUMNS_COLUMNS_SEQUENTIAL_H

#include "core/run/context.h"
#include "protocol/columns/columns_prices.h"
#include "search/search.h"

enum { COLUMNS_VALUES = 8000000, COLUMNS_BLOCK = 512, COLUMNS_MAX_BLOCK = 4096 };

/* What parties add up, and what the pivot tells them. */
typedef enum columns_topic {
    COLUMNS_TERMS,    /* told: whether the models can be met, and K */
    COLUMNS_CLUSTERS, /* told: the first clusters */
    COLUMNS_MOVES,    /* added: prices of moves; told: where the records go */
    COLUMNS_SPLITS,   /* told: halves of large clusters */
    COLUMNS_COST,     /* added: the cost of all; told: whether to go on, or to keep a start */
    COLUMNS_ROWS,     /* told: for which small clusters prices are needed */
    COLUMNS_UNIONS,   /* added: prices of unions and of dissolving; told: what is done */
    COLUMNS_TOPICS
} columns_topic;

/* How the parties communicate; zero-initialised for one party that has all columns. */
typedef struct columns_link {
    void *user;
    bool follows; /* another party is the pivot */
    /* Adds up the values of all parties: at the pivot they are the sums afterwards, elsewhere
     * undefined. */
    kith_status (*sum)(void *user, columns_topic topic, int64_t *value, size_t n,
                       kith_error *error);
    /* Sends the pivot's bytes to all others, where they replace `bytes`. */
    kith_status (*tell)(void *user, columns_topic topic, void *bytes, size_t length,
                        kith_error *error);
    /* Blames the pivot for telling something invalid: never KITH_OK. */
    kith_status (*refuse)(void *user, columns_topic topic, kith_error *error);
    columns_noise *noise; /* NULL: none. Noise and tag are called by several threads. */
    columns_tag *tag;
    double small_gain; /* replaces 1e-5, unless 0; only the pivot uses it */
    /* Key of the pivot's choices; NULL: they come from the seed. [RNG_KEY_BYTES] */
    const unsigned char *choices;
} columns_link;

typedef struct columns_sequential_result {
    partition partition; /* with closures of this party's columns */
    uint32_t n_passes;   /* of step 22, in the start that was kept */
    uint32_t polishing;  /* passes at the end of the hybrid finish */
    const char *stopped;
    /* All starts together. */
    uint64_t n_visits;     /* records decided */
    uint64_t put_off;      /* times that one was put off */
    uint64_t n_blocks;     /* of all passes */
    uint64_t asked;        /* prices */
    uint64_t n_paper_sums; /* one per visit, one per union or dissolved record */
} columns_sequential_result;

/* Checks what needs no message: KITH_INVALID or KITH_INFEASIBLE, for the same reasons at all
 * parties. */
kith_status columns_sequential_check(const problem *p, kith_error *error);

/* Models must be closed under union and look at sensitive values or sizes only, and the measure
 * must be a sum of node costs: KITH_INVALID otherwise. Too few records and models that cannot be
 * met are KITH_INFEASIBLE, at all parties. Choices come from the key of the link, or else from
 * (seed, start); only the pivot has them. Results live in c->memory. */
kith_status columns_sequential_run(columns_sequential_result *result, const problem *p,
                                   const search_spec *spec, const columns_link *link, uint64_t seed,
                                   context *c, kith_error *error);

#endif
