/* Sequential clustering of records whose columns may lie at several parties: SDC Algorithm 4 with
 * the block rule that lets one sum answer for many records. The rule is part of the algorithm: a
 * run in one place with the same seed and block gives the same clusters as a joint one.
 *
 * All parties call the same function with the same records in the same order, each with its own
 * columns. Who is in which cluster is known to all. One of them is the pivot: it alone learns sums,
 * has the sensitive values that models look at, and decides. Whoever has all columns runs it alone.
 *
 * n records; K is the smallest class that the models can allow (class_rules_min_size). A *price* is
 * the change of the total cost that a change of clusters makes; costs are fixed-point numbers
 * (column_clusters.h). Clusters have numbers; those that were freed are used again, last freed
 * first. Of equal prices the lower number comes first, of pairs that with the lower numbers. The
 * members of a cluster have an order: who comes goes last, and the last takes the place of who
 * leaves.
 *
 * 1. The pivot deals all records to n / (K/2) clusters at random (spread.h), as even in the
 *    sensitive value as can be; if a model fails in some cluster it tries again, with fewer
 *    clusters after every eighth time.
 * 2. A pass visits all records in order, a block at a time. Records that were put off come first in
 *    the next block. For all records of a block and all clusters the prices of moving there are
 *    added up, as things are before the block. Then, record by record in order; a cluster is
 *    *touched* once a record has left it or come to it in this block:
 *    - A record wants to move if some cluster has a price below 0; one that is now alone in its
 *      cluster wants to move in any case.
 *    - If it does not want to, or the models do not let it leave, it stays.
 *    - If its own cluster is touched, it is put off.
 *    - It goes to the untouched cluster with the lowest price, if that is below 0 or the record
 *      alone, among those that the models let it enter.
 *    - If there is none, it is put off if a touched one that the models let it enter has such a
 *      price, else it stays. A cluster that was emptied lets nobody in where models look at more
 *      than size.
 *    Models look at clusters as they are by then.
 *    So all moves are made at exact prices, and the first record of a block is never put off.
 * 3. After a pass the pivot halves every cluster of more than 1.5 K records at random, unless a
 *    model fails in a half in eight tries. They are taken in ascending order, and the halves are
 *    new clusters.
 * 4. Passes end when no record moved, when the cost fell by less than a relative 1e-5 (after five
 *    passes), or after max_passes.
 * 5. Clusters of fewer than k records:
 *    merge:  the two with the lowest price of a union unite, until at most one is left, and that
 *            with the cluster of any size with the lowest price.
 *    hybrid: in rounds. A round looks at a tenth of the small ones (rounded up), those with the
 *            fewest records first, then by number. Each in turn is united with the cluster of any
 *            size with the lowest price (half of it, if above 0, where two small ones reach k), or
 *            all its records go where each has the lowest price, the last member first, whichever
 *            costs less; the latter only where no model asks for more than size. It waits for the
 *            next round if it is touched, or a cluster that it would go to. In the end passes as in
 *            2, in which only records of clusters of more than k records are visited, until nothing
 *            moves, less than 1e-5 is gained or twenty passes are done.
 *
 * Blocks: spec->block records, 1 is the paper. 0: 512 at first; after a block of that many records
 * twice as many up to 4,096 if fewer than 10% of it were put off, half as many down to 16 if more
 * than 30%. No block has more than COLUMNS_VALUES prices. */
#ifndef PROTOCOL_COLUMNS_COLUMNS_SEQUENTIAL_H
#define PROTOCOL_COLUMNS_COLUMNS_SEQUENTIAL_H

#include "core/context.h"
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

/* How the parties reach each other; zero-initialised for one party that has all columns. */
typedef struct columns_link {
    void *user;
    bool follows; /* somebody else is the pivot */
    /* Adds up the values of all parties: at the pivot they are the sums afterwards, elsewhere
     * undefined. */
    kith_status (*sum)(void *user, columns_topic topic, int64_t *value, size_t n,
                       kith_error *error);
    /* The pivot's bytes become everyone's. */
    kith_status (*tell)(void *user, columns_topic topic, void *bytes, size_t length,
                        kith_error *error);
    /* What to say of a pivot that told something impossible: never KITH_OK. */
    kith_status (*refuse)(void *user, columns_topic topic, kith_error *error);
    columns_noise *noise; /* NULL: none. Noise and tag are called by several threads. */
    columns_tag *tag;
    double small_gain; /* in place of 1e-5, unless 0; only the pivot's counts */
} columns_link;

typedef struct columns_sequential_result {
    partition partition; /* closures of one's own columns */
    uint32_t n_passes;   /* 2 to 4; those of the start that was kept */
    uint32_t polishing;  /* further ones of 5 */
    const char *stopped;
    /* All starts together. */
    uint64_t n_visits;     /* records decided */
    uint64_t put_off;      /* times that one was put off */
    uint64_t n_blocks;     /* of all passes */
    uint64_t asked;        /* prices */
    uint64_t n_paper_sums; /* one per visit, one per union or dissolved record */
} columns_sequential_result;

/* What can be said before anything is asked: KITH_INVALID or KITH_INFEASIBLE, for the same reasons
 * at all parties. */
kith_status columns_sequential_check(const problem *p, kith_error *error);

/* Models must be closed under union and look at sensitive values or sizes only, and the measure
 * must be a sum of node costs: KITH_INVALID otherwise. Too few records and models that cannot be
 * met are KITH_INFEASIBLE, at all parties. Choices come from (seed, start); only the pivot has a
 * seed. Results live in c->memory. */
kith_status columns_sequential_run(columns_sequential_result *result, const problem *p,
                                   const search_spec *spec, const columns_link *link, uint64_t seed,
                                   context *c, kith_error *error);

#endif
