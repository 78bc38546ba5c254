/* Order statistics of private multisets: minimum, maximum, median, k-th smallest, quantiles.
 *
 * From:   Aggarwal, Mishra, Pinkas (2004) as DMV uses it: binary search on the public range, where
 *         each step asks whether enough values lie at or below the middle. All searches of a call
 *         run in lock step.
 * Model:  that of compare.h.
 * Output: "kth" (aggregate), n values, at all parties.
 * Leaks:  nothing: the answers of all steps follow from the output.
 * Cost:   1 + ceil(log2(high - low + 1)) steps for the widest range; each is one comparison of n
 *         sums: shared.share (masked), gmw.triple (masked), gmw.and (masked), gmw.open (masked); if
 *         m = 2 ot.columns (masked), ot.trees (masked), ot.offer (blinded), ot.answer (blinded);
 *         compare.result (aggregate).
 */
#ifndef SMC_COMPARE_KTH_H
#define SMC_COMPARE_KTH_H

#include "smc/smc.h"

typedef enum kth_kind {
    KTH_SMALLEST, /* the rank-th smallest value, from 1; minimum: rank 1 */
    KTH_LARGEST,  /* the rank-th largest value, from 1; maximum: rank 1 */
    KTH_QUANTILE  /* the smallest value at or below which lie at least rank / parts of all values;
                   * (lower) median: 1 / 2. The number of values stays secret. */
} kth_kind;

/* Public. */
typedef struct kth_query {
    kth_kind kind;
    int64_t low, high; /* range of the values */
    uint32_t rank;
    uint32_t parts;      /* of KTH_QUANTILE only */
    uint32_t max_values; /* all parties promise that together they have no more values */
} kth_query;

/* Private: a party's values, sorted in ascending order, all in the range; count may be 0. */
typedef struct kth_values {
    const int64_t *values;
    size_t count;
} kth_values;

/* out[i] is the value found, if found[i]; there is none if there are fewer values than the rank
 * says, or none at all. */
kith_status kth(party *p, int64_t *out, bool *found, const kth_query *queries,
                const kth_values *values, size_t n, kith_error *error) KITH_MUST_USE;

#endif
