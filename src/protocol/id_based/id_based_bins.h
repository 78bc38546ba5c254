/* Bins for quasi-identifiers, so that each of Alice's lists is compared with a few of Bob's
 * quasi-identifiers instead of all of them.
 *
 * There are three tables of bins of the same size, and a quasi-identifier has one place in each of
 * them, which a hash of the run id and of its name gives. Alice puts each of hers into one of its
 * three bins, at most one into a bin (cuckoo hashing). Bob puts each of his into all three. If both
 * have the same one, it meets in exactly one bin.
 *
 * The number of bins and their capacity at Bob follow from the public bound U alone, so that they
 * tell nothing. They are chosen such that for any U names the probability over the run id that
 * Alice or Bob has no room is below 2^-40:
 *
 * - Alice. By Hall's theorem there is no place for all if and only if some set of s names has fewer
 *   than s bins. In a smallest such set all three tables together have exactly s - 1 bins, and each
 *   of these bins is a place of at least two of the names. The expected number of such sets bounds
 *   the probability (id_based_bins_no_place). A search by augmenting paths finds places whenever
 *   there are some.
 * - Bob. The load of a bin is binomial; the bound adds the tails of all bins (id_based_bins_full).
 *
 * Where all pairs are fewer than the pairs in bins (small U), or the study says `hashing: off`,
 * each list is compared with all of Bob's quasi-identifiers, as in the paper: U bins of capacity U.
 */
#ifndef PROTOCOL_ID_BASED_ID_BASED_BINS_H
#define PROTOCOL_ID_BASED_ID_BASED_BINS_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "protocol/id_based/id_based.h"

enum { ID_BASED_TABLES = 3, ID_BASED_FAILURE_BITS = 40 };
#define ID_BASED_EMPTY UINT32_MAX

typedef struct id_based_bins {
    uint32_t n_bins;   /* lists that Alice sends */
    uint32_t capacity; /* names with which Bob compares each of them */
    bool hashed;       /* otherwise every list is compared with every name */
} id_based_bins;

/* The shape for the bound `lists` on the number of names of either party. */
id_based_bins id_based_bins_for(uint32_t lists, bool hashing);

/* Bounds of the probabilities, as base-2 logarithms: that `lists` names do not fit into n_bins bins
 * one by one, a multiple of ID_BASED_TABLES; and that some bin has more than `capacity` places of
 * them. */
double id_based_bins_no_place(uint32_t lists, uint32_t n_bins);
double id_based_bins_full(uint32_t lists, uint32_t n_bins, uint32_t capacity);

/* Alice: in_bin[b] receives the number of the name in bin b, or ID_BASED_EMPTY. INFEASIBLE if there
 * is no room. `run_id` has 32 bytes. */
kith_status id_based_bins_place(uint32_t *in_bin, const id_based_bins *bins,
                                const id_based_name *names, uint32_t n_names,
                                const unsigned char *run_id, arena *scratch,
                                kith_error *error) KITH_MUST_USE;
/* Bob: slots[b * capacity + i] receives the i-th number of a name in bin b, or ID_BASED_EMPTY.
 * INFEASIBLE if a bin is too small. For bins that are not hashed the array has one bin only, which
 * stands for all. */
kith_status id_based_bins_spread(uint32_t *slots, const id_based_bins *bins,
                                 const id_based_name *names, uint32_t n_names,
                                 const unsigned char *run_id, arena *scratch,
                                 kith_error *error) KITH_MUST_USE;

#endif
