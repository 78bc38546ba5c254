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
 * A primitive takes a party, opens a call (smc_call), runs the steps of the protocol in it and
 * closes it. Steps that several primitives share (shared_sum.h, equality_test.h, gmw.h, …) take the
 * open call instead: they use its number and scratch memory and make no entry in the ledger.
 *
 * Parties are semi-honest. A call that fails leaves its outputs undefined. */
#ifndef SMC_SMC_H
#define SMC_SMC_H

#include <stdbool.h>
#include <stdint.h>

#include "core/check.h"
#include "crypto/prg.h"
#include "wire/party.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "vectors travel as they lie in memory");

/* As a receiver: every party learns the output, through a hub (party 0) that forwards it. */
#define SMC_ALL UINT32_MAX

enum { SMC_PIECE = 512 * 1024 };

/* The parties that play a special role in a call. With two parties there is no third one, and the
 * hub is A. */
typedef struct smc_roles {
    uint32_t a;   /* holds the share u */
    uint32_t b;   /* holds the share v */
    uint32_t hub; /* C: learns the answer, deals, forwards */
} smc_roles;

/* Who learns the output of a call, and the name of the entry in the ledgers of these parties. A
 * protocol that uses the primitive as a step and makes an entry of its own passes NULL. */
typedef struct smc_output {
    uint32_t receiver; /* a party, or SMC_ALL */
    const char *entry; /* static text, or NULL */
} smc_output;

/* One call of a primitive, at one party.
 *
 * Invariants: no other call of the run has the same number, which is equal at all parties; streams
 * named by it (smc_stream) are therefore fresh. The roles are those of smc_assign. Whatever the
 * call allocates is in `scratch`, secrets in memory that is wiped (crypto/secret_memory.h). */
typedef struct smc_call {
    party *party;
    smc_output output;
    smc_roles roles;
    uint64_t number;
    arena *scratch;
} smc_call;

/* Draws the number of the call, which the ledger counts under the name of the primitive (static
 * text). INVALID if there is no such receiver. After an error there is nothing to close. */
kith_status smc_call_open(smc_call *call, party *p, const char *primitive, smc_output output,
                          kith_error *error) KITH_MUST_USE;
/* Wipes and frees the scratch memory. If `status`, the result of the call, is OK, receivers make
 * the entry of the output, if it has one: n values. Returns `status`. */
kith_status smc_call_close(smc_call *call, kith_status status, size_t n) KITH_MUST_USE;
#if KITH_DEBUG
void smc_call_check(const smc_call *call);
#endif

static inline bool smc_is_a(const smc_call *call)
{
    return party_self(call->party) == call->roles.a;
}
static inline bool smc_is_b(const smc_call *call)
{
    return party_self(call->party) == call->roles.b;
}
static inline bool smc_is_hub(const smc_call *call)
{
    return party_self(call->party) == call->roles.hub;
}
/* A or B. */
static inline bool smc_holds_share(const smc_call *call)
{
    return smc_is_a(call) || smc_is_b(call);
}
/* At A: B. At B: A. */
static inline uint32_t smc_other_holder(const smc_call *call)
{
    return smc_is_a(call) ? call->roles.b : call->roles.a;
}

/* The hub is the receiver, or party 0 for SMC_ALL; A and B are the next two in order. */
smc_roles smc_assign(const party *p, uint32_t receiver);
uint32_t smc_hub(uint32_t receiver);
/* INVALID if there is no such receiver. */
kith_status smc_check_receiver(const party *p, uint32_t receiver, kith_error *error) KITH_MUST_USE;
/* Whether this party gets the output. */
bool smc_receives(const party *p, uint32_t receiver);
/* Makes the entry of an output, if it has one, at receivers. */
void smc_learns(party *p, smc_output output, size_t n);

/* Long vectors in pieces. */
kith_status smc_send(party *p, uint32_t to, const message_type *type, const void *bytes,
                     size_t length, kith_error *error) KITH_MUST_USE;
kith_status smc_recv(party *p, uint32_t from, const message_type *type, void *bytes, size_t length,
                     kith_error *error) KITH_MUST_USE;
/* Receives `more` bytes behind the `length` bytes at *bytes, a block of `memory` that ends there
 * (NULL: a new one). For lengths that a peer announced and no public bound limits: the block grows
 * with what has arrived, so that an invented length costs no memory. */
kith_status smc_recv_append(party *p, uint32_t from, const message_type *type, arena *memory,
                            unsigned char **bytes, size_t length, size_t more,
                            kith_error *error) KITH_MUST_USE;
/* qsort_r, with a look at the network now and then. */
kith_status smc_sort(party *p, void *items, size_t count, size_t size,
                     int (*order)(const void *a, const void *b, void *user), void *user,
                     kith_error *error) KITH_MUST_USE;
/* The hub's vector to all others, if the receiver is SMC_ALL. */
kith_status smc_forward(party *p, const message_type *type, void *bytes, size_t length,
                        uint32_t receiver, kith_error *error) KITH_MUST_USE;
/* The same for n bits, packed as below. A hub that sets bits behind the last one is blamed. */
kith_status smc_forward_bits(party *p, const message_type *type, uint64_t *bits, size_t n,
                             uint32_t receiver, kith_error *error) KITH_MUST_USE;

/* A stream of this call that is shared with `peer` (or private, if peer is this party). Streams of
 * one call differ in their purpose (static text) or their lane. */
kith_status smc_stream(prg **out, const smc_call *call, uint32_t peer, const char *purpose,
                       uint32_t lane, kith_error *error) KITH_MUST_USE;

/* Vectors of bits are packed, in memory and in messages: bit i is bit i % 64 of word i / 64; bits
 * behind the last one are zero. */
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

/* The smaller of two numbers below 2^63, without a branch. */
static inline uint64_t smc_at_most(uint64_t number, uint64_t max)
{
    const uint64_t more = (max - number) >> 63; /* 1 if number > max */
    return number ^ ((number ^ max) & (0 - more));
}
/* Clears the bits behind the last one. */
static inline void smc_trim(uint64_t *bits, size_t n)
{
    if (n % 64 != 0)
        bits[n / 64] &= ~UINT64_C(0) >> (64 - n % 64);
}
/* Negates all bits. */
void smc_negate(uint64_t *bits, size_t n);
#if KITH_DEBUG
/* Looks at the bits behind the last one only, which are public. */
void smc_bits_check(const uint64_t *bits, size_t n);
#endif

#endif
