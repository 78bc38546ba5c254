/* What the files of the ID-based protocol share: the state of a run at one party. */
#ifndef PROTOCOL_ID_BASED_ID_BASED_INTERNAL_H
#define PROTOCOL_ID_BASED_ID_BASED_INTERNAL_H

#include "protocol/id_based/id_based.h"
#include "protocol/id_based/id_based_bins.h"
#include "protocol/id_based/id_based_sets.h"

/* Ciphertexts that are computed in one go, by all threads, before the network gets its turn. */
enum { ID_BASED_SLICE = 64 };
/* Batches of bins that Alice sends before she waits for gammas. */
enum { ID_BASED_AHEAD = 4 };

typedef struct id_based_state {
    party *party;
    const id_based_task *task;
    arena *memory; /* of the run; wiped at its end */
    bool is_alice;
    uint32_t other; /* the other party */
    uint32_t lists; /* U */
    uint32_t k;
    id_based_bins bins;
    const ibe_recipient *recipient; /* encrypts to Alice */
    const ibe_reader *reader;       /* Alice: decrypts */
    id_based_sets mine;
    uint32_t split;             /* Alice: number of x*, or UINT32_MAX */
    bool *suppressed;           /* [task->n_rows] */
    id_based_names frequent[2]; /* by party: those that it has told */
    uint32_t *in_bin;           /* Alice: [bins.n_bins] */
    uint32_t *slots;            /* Bob: see id_based_bins_spread */
    id_based_names remaining;   /* of Alice, as told to Bob */
} id_based_state;

/* One of Alice's lists before encryption: the plaintext of X is E^plain, and the first `ones` of
 * Z_1 … Z_(k-1) are encryptions of 1, the others of random elements. */
typedef struct id_based_list {
    scalar_q plain;
    uint32_t ones;
} id_based_list;

/* The exponent of a quasi-identifier: x stands for E^exponent. */
void id_based_exponent(scalar_q *out, const id_based_name *name);
/* Lambda, which fills Alice's lists and Bob's places of phase 1, and Lambda', which fills Bob's
 * places of phase 2. Neither is the exponent of a name. */
void id_based_dummy(scalar_q *out, bool of_bob);

/* --- id_based_lists.c: lists on their way from Alice to Bob, n lists of k ciphertexts --- */

extern const message_type id_based_lists_type;
/* How many lists of k ciphertexts travel together. */
uint32_t id_based_lists_batch(uint32_t k);
kith_status id_based_lists_send(id_based_state *s, const id_based_list *lists, uint32_t n,
                                kith_error *error) KITH_MUST_USE;
/* out[i * k] is X_i, out[i * k + j] is Z_i,j. */
kith_status id_based_lists_receive(id_based_state *s, ibe_ciphertext *out, uint32_t n,
                                   kith_error *error) KITH_MUST_USE;

/* n ciphertexts from the other party, all of them valid, or an error that blames it. Bytes are in
 * `bytes`, which has room for n ciphertexts. */
kith_status id_based_receive(id_based_state *s, const message_type *type, ibe_ciphertext *out,
                             uint32_t n, kith_error *error) KITH_MUST_USE;
kith_status id_based_send(id_based_state *s, const message_type *type,
                          const ibe_ciphertext *ciphertexts, uint32_t n,
                          kith_error *error) KITH_MUST_USE;

/* --- the phases --- */

/* Whether the joint table is k-anonymous as it is. */
kith_status id_based_test(id_based_state *s, bool *already, kith_error *error) KITH_MUST_USE;
/* How many bins are compared in one go. */
uint32_t id_based_compare_batch(const id_based_bins *all, uint32_t k);
/* Alice: n_left becomes 0 for quasi-identifiers that fewer than k rows of both parties have. */
kith_status id_based_compare(id_based_state *s, kith_error *error) KITH_MUST_USE;

/* Reports progress and lets the network have its turn; CANCELLED if the user wants to stop. */
kith_status id_based_tick(id_based_state *s, const char *phase, double done,
                          kith_error *error) KITH_MUST_USE;

#endif
