/* What can a participant deduce from what trimming tells it (smc/compare/trim.h), beyond the
 * release?
 *
 * Of a leaf it knows, for each of its own values v, how many records a_v it has, how many b_v may
 * stay, and how many sites keep theirs first. T is the most that the class may have of a value:
 *   - T >= b_v, and T >= ceil(k / l) - 1, since some of the records could be a class;
 *   - T is at most a public bound;
 *   - where b_v < a_v the value is over-frequent: exactly T of its records stay, T - b_v of them
 * the others'. If no site keeps its records first, those are none, and T = b_v;
 *   - where b_v = a_v and all other sites keep theirs first, no more than T - a_v are the others'.
 * For every such pair of leaf and value the audit keeps the interval of the number of foreign
 * records of the value in the class, as it is after trimming. It is sound, not complete: it does
 * not put together several trees, or use the sensitive values that the release shows. Queriers of a
 * class that is there already (sweeps) are counted, and nothing more. */
#ifndef BENCH_AUDIT_TRIM_H
#define BENCH_AUDIT_TRIM_H

#include "core/arena.h"
#include "protocol/joint_tree/joint_tree.h"

/* One pair of a leaf and a value of the party's own. */
typedef struct audit_trim_pair {
    uint64_t set;
    uint32_t value, own, kept;
    bool first, last;   /* does no site keep its records first, do all others? */
    uint32_t low, high; /* foreign records of the value that stay */
} audit_trim_pair;

typedef struct audit_trim {
    arena *memory;
    uint32_t n_parties;
    uint32_t min_most, max_most; /* of T, public */
    audit_trim_pair *pairs;      /* [n_pairs], those of a leaf next to each other */
    size_t n_pairs, room;
    size_t n_refused; /* pairs of a class and a value that asked, of which some were refused */
} audit_trim;

audit_trim audit_trim_new(arena *memory, uint32_t n_parties, uint32_t k, double l);
/* A joint_tree_recorder's callback; `user` is the audit. */
void audit_trim_opened(void *user, const joint_tree_opened *what);

typedef struct audit_trim_finding {
    size_t n_pairs;    /* of a leaf and a value of the party's own */
    size_t over;       /* ... it is over-frequent */
    size_t most_known; /* leaves: T is known exactly, and not public */
    size_t none;       /* pairs: no record of the value in the class is foreign */
    size_t some;       /* pairs: some, and fewer than k, are */
    size_t one;        /* ... exactly one is */
    size_t wrong;      /* intervals that are empty: must be 0 */
} audit_trim_finding;

/* Writes the intervals, too. */
audit_trim_finding audit_trim_deduce(audit_trim *a, uint32_t k);

#endif
