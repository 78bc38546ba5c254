/* What a run of the ID-based protocol costs, from public numbers alone: nothing in it depends on
 * the rows but whether the table is k-anonymous already, which is taken to be false. */
#ifndef PROTOCOL_ID_BASED_ID_BASED_COST_H
#define PROTOCOL_ID_BASED_ID_BASED_COST_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

/* Seconds of one core of this machine. */
typedef struct id_based_speed {
    double encrypt, parse, powers, gamma, decrypt;
} id_based_speed;

typedef struct id_based_cost {
    uint32_t n_bins, capacity;
    uint64_t n_comparisons; /* in phase 2 */
    uint64_t n_messages;    /* of both parties, without those of secure comparisons */
    uint64_t bytes;         /* payload of these */
    uint64_t busiest_bytes; /* of the party that sends more */
    double alice, bob;      /* seconds of one core */
    double seconds;         /* of a run in which both work at the same time */
} id_based_cost;

/* Measures for about as many seconds as given. */
kith_status id_based_cost_measure(id_based_speed *out, double seconds,
                                  kith_error *error) KITH_MUST_USE;

/* `lists` as in the study (not 0); both parties have `cores` cores. */
void id_based_cost_estimate(id_based_cost *out, uint32_t lists, uint32_t k, bool hashing,
                            const id_based_speed *speed, double cores);

#endif
