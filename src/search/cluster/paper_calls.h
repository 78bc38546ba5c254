/* Counts the secure ANDs that SDC's Algorithm 3 would have made for what a run does: one per inner
 * node whose children are examined, or, strictly, one per child in the order of its depth-first
 * search. One call asks about all attributes (SDC 7.1), so the attribute with most steps counts. */
#ifndef SEARCH_CLUSTER_PAPER_CALLS_H
#define SEARCH_CLUSTER_PAPER_CALLS_H

#include "search/slots/slots.h"

typedef struct paper_calls {
    const problem *p;
    const slots *slots;
    uint64_t n_ands, strict;
    bool *changed;           /* [n_attributes] scratch */
    uint32_t *above, *below; /* [n_attributes] scratch */
    uint16_t *local;         /* [stride] scratch */
} paper_calls;

/* `s` are whole slots. Lives in `memory`. */
kith_status paper_calls_init(paper_calls *c, const problem *p, const slots *s, arena *memory,
                             kith_error *error);
/* Counts the search for a closure that begins at one above it, or at the roots (NULL). */
void paper_calls_close(paper_calls *c, const uint16_t *above, const uint16_t *closure);
/* Counts step 6 for a record in a cluster with others. `members` are the site's records there,
 * `joint` is the closure of the cluster, `without` the closure without the record if it is known,
 * else `joint`. The paper searches in the attributes in which the site's own closure changes. */
void paper_calls_visit(paper_calls *c, uint32_t record, const uint32_t *members, uint32_t count,
                       const uint16_t *joint, const uint16_t *without);

#endif
