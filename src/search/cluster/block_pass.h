/* One pass of sequential clustering over all records: SEQ Algorithm 1, step 2, and SDC Algorithm 3,
 * steps 4 to 20, where several sites hold the records, with the block rule that lets a site ask the
 * others once for many records. The rule is part of the algorithm: a run in one place with the same
 * sites and block gives the same clusters as a joint one.
 *
 * Sites have turns in the order of their numbers, and during a turn only records of that site move;
 * the records of the others stay where they are. Of a cluster the site knows the size, the joint
 * closure J (of all records in it), the counts that the models look at, and its own records, whose
 * closure is L. For a record in a cluster with others let L' be the closure of the site's other
 * records there, if it has any. Closures are compared level by level (slots.h).
 *
 * A record *needs a question* (what is the joint closure without it?) unless
 * - it is alone in its cluster, the cluster has `keep` records or fewer, or the models do not let
 *   it leave;
 * - the cluster is withheld, or would be without the record (clusters.h). If all its records are
 *   the site's own, it knows the closures all the same. Otherwise the record leaves a withheld
 *   cluster for the best other one, as it does if it is alone; and what would remain of one that is
 *   not yet withheld is taken to cost as much per record as the cluster does;
 * - the joint closure cannot change: in every attribute L' = L, or L lies strictly below J (then
 *   the others disagree with all that the site has there). If the site has no other record in the
 *   cluster, J may change in every attribute where it is not a leaf;
 * - no cluster would be a better place even if J fell to L' in all other attributes (if there is
 *   no L', or for measures that fall along a path: even if what remains cost nothing).
 * If the models or `keep` keep it, or in the last case, the record *stays*.
 *
 * A turn, over the records of the site in their order:
 * 1. Records that need no question are visited at once, as in the paper, until one needs one. It
 *    opens a block. From then on records are only collected, with the clusters as they are, until
 *    `block` of them need a question or the turn has no more.
 * 2. The answers are those for the clusters as they are now.
 * 3. The collected records are visited in order, with the clusters as they are by then; those that
 *    were to stay are left out. A record whose cluster lost a record in this block, or grew out of
 *    being withheld, and which by now needs a question, is put off: it comes first in what the turn
 * goes on with at step 1.
 *
 * An answer stays good as long as the cluster only gains records: the joint closure without the
 * record is then the answer, or J of that time if there was no question (nothing if the record was
 * alone), widened by what was gained. So every visit decides on exact costs, and blocks change the
 * order of visits and what is left out, nothing else. The first record of a block is never put off,
 * so a turn ends. With block 1 every record is visited in order with the clusters as they are: the
 * paper.
 *
 * Where one place has all records, block_pass_run does all of this. A site of a joint run, which
 * has only its own (clusters.h), begins its turn itself and fills in the answers between
 * block_pass_collect and block_pass_visit_collected. */
#ifndef SEARCH_CLUSTER_BLOCK_PASS_H
#define SEARCH_CLUSTER_BLOCK_PASS_H

#include "search/cluster/clusters.h"
#include "search/cluster/paper_calls.h"

/* Made once: who holds which record. */
typedef struct block_pass_sites {
    uint32_t count;
    const uint32_t *site_of; /* [n_records] NULL: all records are of one site */
    uint32_t *start;         /* [count + 1] where the records of a site begin in `records` */
    uint32_t *records;       /* [n_records] site by site, ascending */
} block_pass_sites;

/* The turn of one site. */
typedef struct block_pass_turn {
    uint32_t *queue; /* [count] the records to visit, in order */
    uint32_t count;
    uint32_t next; /* queue[next] is the next to collect */
} block_pass_turn;

/* The block that is collected: queue[first … end-1] of the turn. */
typedef struct block_pass_block {
    uint32_t first, end;
    uint8_t *findings;    /* [n_records] by place in the queue: what collecting found */
    uint32_t n_questions; /* at most `block` */
    uint32_t *questions;  /* [n_questions] the records that need one, in order */
    uint16_t *answers;    /* [n_questions * stride] the joint closures without these records; NULL:
                           * all records are here, and the clusters give the answers */
} block_pass_block;

typedef struct block_pass_totals {
    uint64_t n_blocks, n_questions, n_put_off; /* of the whole run */
    uint32_t n_moves, n_visited;               /* since block_pass_run was last called */
} block_pass_totals;

typedef struct block_pass {
    clusters *c;
    uint32_t block; /* questions in a block at most; 1 or more */
    uint32_t keep;  /* records leave only clusters of more than this; 0 at first */
    block_pass_sites sites;
    block_pass_turn turn;
    block_pass_block collected;
    block_pass_totals totals; /* the present block has the number totals.n_blocks */
    uint64_t *lost;           /* [clusters] number of the block in which it last lost a record */
    uint64_t *joined;         /* [n_records] number of the block in which it came to its cluster */
    paper_calls *paper;       /* counts what the paper would have asked; NULL: not counted */
    uint16_t *local;          /* [stride] scratch: L', then what may remain at best */
    uint16_t *edge;           /* [stride] scratch: the levels at which closures could change */
    bool (*report)(void *user, uint32_t n_visited); /* every 512 records; false: stop */
    void *user;
} block_pass;

/* `site_of` numbers are below the number of records; `block` 0 counts as 1. Lives in c->memory. */
kith_status block_pass_init(block_pass *t, clusters *c, const uint32_t *site_of, uint32_t block,
                            kith_error *error);
/* One pass; clusters must have been arranged. KITH_CANCELLED if `report` says so. */
kith_status block_pass_run(block_pass *t, kith_error *error);

/* The same for some records of one site (block_pass_begin_turn). */
kith_status block_pass_lap(block_pass *t, uint32_t site, uint32_t first, uint32_t count,
                           kith_error *error);
static inline uint32_t block_pass_records(const block_pass *t, uint32_t site)
{
    return t->sites.start[site + 1] - t->sites.start[site];
}

/* For a site that has only its own records: room for answers, and for as many clusters as there may
 * ever be. */
kith_status block_pass_reserve(block_pass *t, uint32_t max_clusters, kith_error *error);
/* A site's turn over `count` of its records, beginning with the `first` one and then in a circle,
 * none of them twice: begin, then collect and visit what was collected until nothing is left. */
void block_pass_begin_turn(block_pass *t, uint32_t site, uint32_t first, uint32_t count);
/* At the beginning of its turn a site opens the withheld clusters that have no records but its own,
 * so that others of its records may join them; at the end all small ones are withheld again. */
void block_pass_open(block_pass *t, uint32_t site);
void block_pass_close(block_pass *t);
static inline bool block_pass_left(const block_pass *t)
{
    return t->turn.next < t->turn.count;
}
/* Step 1. */
kith_status block_pass_collect(block_pass *t, kith_error *error);
/* Step 3. Puts those put off in front of the rest of the queue. */
kith_status block_pass_visit_collected(block_pass *t, kith_error *error);
/* Does the record need a question, with the clusters as they are? */
bool block_pass_needs(block_pass *t, uint32_t record);
/* What a question is about: wanted[j] tells whether the joint closure may change in attribute j,
 * and `mine` becomes L', the closure of the site's other records there; false if there are none. */
bool block_pass_wanted(block_pass *t, uint32_t record, bool *wanted, uint32_t n_attributes,
                       uint16_t *mine);

#endif
