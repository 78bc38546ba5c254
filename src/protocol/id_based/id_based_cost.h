/* What a run of the ID-based protocol costs, from public numbers and from what is guessed of the
 * rows: how many quasi-identifiers remain, and whether the table is k-anonymous already. */
#ifndef PROTOCOL_ID_BASED_ID_BASED_COST_H
#define PROTOCOL_ID_BASED_ID_BASED_COST_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

/* Seconds of one core of this machine. */
typedef struct id_based_speed {
    double encrypt, parse, powers, gamma, decrypt;
} id_based_speed;

typedef struct id_based_sizes {
    uint32_t lists; /* U, not 0 */
    bool agreed;    /* on U by the parties; otherwise the study says it */
    bool hashing;   /* as in the study */
    uint32_t k;
    uint32_t n_kept;  /* quasi-identifiers that remain */
    bool already;     /* the table is k-anonymous as it is */
    double row_bytes; /* of all rows of the release as they are sent */
} id_based_sizes;

typedef struct id_based_cost {
    uint32_t n_bins, capacity;
    uint64_t n_comparisons;               /* in phase 2 */
    uint64_t ciphertext_bytes;            /* of both parties */
    uint64_t n_rounds, n_messages, bytes; /* of the whole run, with frames */
    uint64_t busiest_bytes;               /* of the party that sends more */
    double alice, bob;                    /* seconds of one core */
    double seconds;                       /* of a run in which both work at the same time */
} id_based_cost;

/* Measures for about as many seconds as given. */
kith_status id_based_cost_measure(id_based_speed *out, double seconds,
                                  kith_error *error) KITH_MUST_USE;

/* Both parties have `cores` cores. */
void id_based_cost_estimate(id_based_cost *out, const id_based_sizes *sizes,
                            const id_based_speed *speed, double cores);

#endif
