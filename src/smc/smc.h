/* What all secure primitives share.
 *
 * Every primitive is one function that all parties of a run call at the same time with the same
 * public arguments (sizes, bounds, thresholds, receivers). Its header says, in fixed fields, where
 * it comes from, against whom it is secure, what it outputs to whom, what it leaks beyond that and
 * what it costs; tests compare Output, Leaks and Cost with the ledger of a run. In those fields m
 * is the number of parties, n the number of values of one call; a name in quotes is an entry that
 * party_learns makes, a dotted name a type of message. "Messages" count vectors: long ones travel
 * in pieces of SMC_PIECE bytes.
 *
 * Parties are semi-honest. A call that fails leaves its outputs undefined. */
#ifndef SMC_SMC_H
#define SMC_SMC_H

#include <stdbool.h>
#include <stdint.h>

#include "crypto/prg.h"
#include "wire/party.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "vectors travel as they lie in memory");

/* As a receiver: every party learns the output, through a hub (party 0) that forwards it. */
#define SMC_ALL UINT32_MAX

enum { SMC_PIECE = 512 * 1024 };

/* The parties with a part of their own in a call. With two parties there is no third one, and the
 * hub is A. */
typedef struct smc_roles {
    uint32_t a;   /* holds the share u */
    uint32_t b;   /* holds the share v */
    uint32_t hub; /* C: learns the answer, deals, forwards */
} smc_roles;

/* The hub is the receiver, or party 0 for SMC_ALL; A and B are the next two in order. */
smc_roles smc_assign(const party *p, uint32_t receiver);
uint32_t smc_hub(uint32_t receiver);
/* INVALID if there is no such receiver. */
kith_status smc_check_receiver(const party *p, uint32_t receiver, kith_error *error) KITH_MUST_USE;
/* Whether this party gets the output. */
bool smc_receives(const party *p, uint32_t receiver);

/* Long vectors in pieces. */
kith_status smc_send(party *p, uint32_t to, const message_type *type, const void *bytes,
                     size_t length, kith_error *error) KITH_MUST_USE;
kith_status smc_recv(party *p, uint32_t from, const message_type *type, void *bytes, size_t length,
                     kith_error *error) KITH_MUST_USE;
/* The hub's vector to all others, if the receiver is SMC_ALL. */
kith_status smc_forward(party *p, const message_type *type, void *bytes, size_t length,
                        uint32_t receiver, kith_error *error) KITH_MUST_USE;

/* A stream shared with `peer` (or private, if peer is this party) for a purpose and call. */
kith_status smc_stream(prg **out, party *p, arena *scratch, uint32_t peer, const char *purpose,
                       uint64_t call, uint32_t lane, kith_error *error) KITH_MUST_USE;

/* Bits travel and lie packed: bit i of a vector is bit i % 64 of word i / 64; bits behind the last
 * one are zero. */
static inline size_t smc_words(size_t bits)
{
    return bits / 64 + (bits % 64 != 0);
}
static inline unsigned smc_bit(const uint64_t *bits, size_t i)
{
    return (unsigned)(bits[i / 64] >> i % 64 & 1);
}
static inline void smc_set_bit(uint64_t *bits, size_t i, unsigned bit)
{
    bits[i / 64] = (bits[i / 64] & ~(UINT64_C(1) << i % 64)) | (uint64_t)bit << i % 64;
}
/* Clears the bits behind the last one. */
static inline void smc_trim(uint64_t *bits, size_t n)
{
    if (n % 64 != 0)
        bits[n / 64] &= ~UINT64_C(0) >> (64 - n % 64);
}

#endif
