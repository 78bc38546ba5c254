/* How many of my records of each value may stay, so that no value is too frequent?
 *
 * Sets of records are held by all parties: some are fixed, others would join them. With C_s records
 * of value s in all, fixed or not, T is the largest number with sum_s min(C_s, T) >= l T, and at
 * most `max_count`. If no more than T records of each value are in the set, none has a share above
 * 1/l, and no larger part of the records has this property (unless max_count cuts it). In a public
 * order of parties, which may differ from set to set, each may keep so many of its own records that
 * those of the fixed records and of the parties up to it are at most T.
 *
 * From:   Kith's own primitive; circuits as in circuit.h. f(t) = sum_s min(C_s, t) - l t is concave
 *         with f(0) = 0, so that f(t) >= 0 for t = 0 … T and for no other t: all t up to max_count
 *         are tried side by side. What is opened is masked by random bits of the party it is for.
 * Model:  semi-honest; that of circuit.h: m > 2: no two of A, B and the hub may collude; m = 2:
 *         oblivious transfer.
 * Output: "trim" (aggregate): at every party, for each set and value, how many of its own records
 *         stay; n numbers. No party learns T, nor what the others learn.
 * Leaks:  nothing. From its output a party learns, where some of its records must leave, that
 *         this value is over-frequent in the set.
 * Cost:   b bits for numbers up to max_count, v values: circuit.share (masked): m-2 messages of 2b
 *         or, with fixed records, 3b bits per set and value; gmw.triple (masked), gmw.and (masked),
 *         gmw.open (masked) as in gmw.h for about v (5 m b + max_count (2 + log2(max_count)))
 *         gates per set; circuit.result (aggregate): m-1 messages of m b bits per set and value; if
 *         m = 2, also ot.columns (masked), and the first time ot.trees (masked), ot.offer
 *         (blinded) and ot.answer (blinded). Rounds: some 30 to 60, whatever the number of sets;
 *         2^13 sets at a time. */
#ifndef SMC_COMPARE_TRIM_H
#define SMC_COMPARE_TRIM_H

#include "smc/smc.h"

/* Everything but the counts is public. All parties promise that there are no more than max_count
 * fixed records of any value in a set. */
typedef struct trim_sets {
    size_t count;
    uint32_t n_values;
    int64_t scale, times; /* l = times / scale > 1 */
    uint32_t max_count;   /* 2^b - 1 */
    const uint32_t
        *fixed;           /* [count * n_values] this party's fixed records; NULL everywhere: none */
    const uint32_t *mine; /* [count * n_values] this party's others */
    const uint32_t *order; /* [count * m] the parties that keep records first come first */
} trim_sets;

/* stay [count * n_values]: how many of `mine` may stay. */
kith_status trim(party *p, uint32_t *stay, const trim_sets *sets, kith_error *error) KITH_MUST_USE;

#endif
