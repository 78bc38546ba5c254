/* How many secure ANDs SDC's Algorithm 3 would have made for what a run does: one per inner node
 * whose children are looked at, or, strictly, one per child in the order of its depth-first search.
 * All attributes are asked about in one call (SDC 7.1), so the longest way counts. */
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
/* The search for a closure from one that lies above it, or from the roots (NULL). */
void paper_calls_close(paper_calls *c, const uint16_t *above, const uint16_t *closure);
/* Step 6 for a record in a cluster with others: `mates` are the site's other records there, `joint`
 * its closure, `without` that without the record, as far as it is known (else `joint`). The paper
 * searches where the site's own closure changes. */
void paper_calls_visit(paper_calls *c, uint32_t record, const uint32_t *members, uint32_t count,
                       const uint16_t *joint, const uint16_t *without);

#endif
