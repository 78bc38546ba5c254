/* One pass of sequential clustering over all records: SEQ Algorithm 1, step 2, and SDC Algorithm 3,
 * steps 4 to 20, where several sites hold the records, with the block rule that lets a site ask the
 * others once for many records. The rule is part of the algorithm: a run in one place with the same
 * sites and block gives the same clusters as a joint one.
 *
 * Sites have turns in the order of their numbers, and during a turn only records of that site move;
 * what the others hold in every cluster stands still. Of a cluster the site knows the size, the
 * joint closure J (of all records in it), the counts that the models look at, and its own records,
 * whose closure is L. For a record in a cluster with others let L' be the closure of the site's
 * other records there, which may be none. Closures are compared level by level (slots.h).
 *
 * A record *needs a question* (what is the joint closure without it?) unless
 * - it is alone in its cluster, or the models do not let it leave;
 * - the joint closure cannot change: in every attribute L' = L, or L lies strictly below J (then
 *   the others disagree with all that the site has there). If the site has no other record in the
 *   cluster, whatever J has given up may come back;
 * - no cluster would be a better place even if J fell to L' in all other attributes (if there is
 *   no L', or for measures that fall along a path: even if what remains cost nothing).
 * If the models keep it, or in the last case, the record *stays*.
 *
 * A turn, over the records of the site in their order:
 * 1. Records that need no question are visited at once, as in the paper, until one needs one. It
 *    opens a block. From then on records are only collected, with the clusters as they are, until
 *    `block` of them need a question or the turn has no more.
 * 2. The answers are those for the clusters as they are now.
 * 3. The collected records are visited in order, with the clusters as they are by then; those that
 *    were to stay are left out. A record whose cluster lost a record in this block, and which by
 *    now needs a question, is put off: it comes first in what the turn goes on with at step 1.
 *
 * An answer stays good as long as the cluster only gains records: the joint closure without the
 * record is then the answer, or J of that time if there was no question (nothing if the record was
 * alone), widened by what was gained. So every visit decides on exact costs, and blocks change the
 * order of visits and what is left out, nothing else. The first record of a block is never put off.
 * With block 1 every record is visited in order with the clusters as they are: the paper. */
#ifndef SEARCH_TURNS_H
#define SEARCH_TURNS_H

#include "search/clusters.h"

typedef struct turns {
    clusters *c;
    uint32_t block; /* at least 1 */
    uint32_t sites;
    const uint32_t *site; /* [records] NULL: all records are of one site */
    uint32_t *start;      /* [sites + 1] the records of a site in `record` */
    uint32_t *record;     /* [records] site by site, ascending */
    uint32_t *queue;      /* [records] those of the present turn */
    bool *stays;          /* [records] by place in the queue: left out in this block */
    uint64_t *lost;       /* [clusters] the block in which it last lost a record */
    uint64_t blocks;      /* so far */
    uint64_t questions;   /* so far */
    uint64_t put_off;     /* so far */
    uint32_t moves;       /* of the last pass */
    uint32_t visited;     /* records done in this pass */
    uint16_t *local;      /* scratch: L', then what may remain at best */
    uint16_t *edge;       /* scratch: the levels at which closures could change */
    bool (*report)(void *user, uint32_t visited); /* every 512 records; false: stop */
    void *user;
} turns;

/* `site` numbers are below the number of records; `block` 0 counts as 1. Lives in c->memory. */
kith_status turns_init(turns *t, clusters *c, const uint32_t *site, uint32_t block,
                       kith_error *error);
/* One pass; clusters must have been arranged. KITH_CANCELLED if `report` says so. */
kith_status turns_pass(turns *t, kith_error *error);

#endif
