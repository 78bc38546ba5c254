/* Waters' identity-based encryption on the asymmetric pairing of pairing.h: the public
 * parameters of a key generator and a name are all that encrypting to that name takes.
 *
 * From: IDK 5.1.1 (Waters 2005), with g in G1, h in G2 as blst's generators and E = e(g, h):
 *   generator  a secret exponent `a` (the paper's alpha beta), y', y_1 … y_n; it keeps h^a only;
 *   public     A = E^a, u' = g^y', u_i = g^y_i in G1, and the same powers of h, w' and w_i in G2,
 *              which keys are made of;
 *   identity   v, n = 256 bits of BLAKE2b, so that names have any length and need no registry, and
 *              two names share a key with probability 2^-128 only; the price is 257 parameters.
 *              U(v) = u' times the u_i of its bits, W(v) likewise;
 *   key        d1 = h^a W(v)^r, d2 = h^r;
 *   ciphertext of p in GT: (p A^t, g^t, U(v)^t), t fresh.
 * All plaintexts of our protocols are powers of E whose exponent the encrypting party knows, so
 * that an encryption is a product of powers of fixed bases.
 *
 * Parameters of several generators are joined by multiplying them, element by element, and so are
 * keys that they issue for the joined parameters: the joined secret is the sum of theirs, and none
 * of them alone can decrypt. A generator that chose its parameters after seeing those of the others
 * could cancel theirs out: ibe_joint.h weights them first.
 *
 * All functions may be called by several threads at once. Those that take secrets (exponents,
 * plaintexts, keys) take constant time in them. */
#ifndef CRYPTO_PAIRING_IBE_H
#define CRYPTO_PAIRING_IBE_H

#include "core/arena.h"
#include "crypto/pairing/pairing.h"

#include <kith/status.h>

enum {
    IBE_IDENTITY_BITS = 256,
    IBE_IDENTITY_BYTES = IBE_IDENTITY_BITS / 8,
    IBE_CIPHERTEXT_BYTES = GT_BYTES + 2 * G1_BYTES, /* 672 */
    IBE_PUBLIC_BYTES = GT_BYTES + G1_BYTES,         /* A and U(v): all that encrypting to v takes */
    IBE_PARAMETERS_BYTES = GT_BYTES + (IBE_IDENTITY_BITS + 1) * (G1_BYTES + G2_BYTES),
    IBE_MASTER_BYTES = G2_BYTES,
    IBE_KEY_BYTES = 2 * G2_BYTES
};

typedef struct ibe_identity {
    unsigned char bits[IBE_IDENTITY_BYTES];
} ibe_identity;

/* The public parameters of a generator. */
typedef struct ibe_parameters {
    gt a;                        /* A */
    g1 u[IBE_IDENTITY_BITS + 1]; /* u', then u_1 … u_n */
    g2 w[IBE_IDENTITY_BITS + 1]; /* the same exponents over h */
} ibe_parameters;

typedef struct ibe_master {
    g2 secret; /* h^a */
} ibe_master;

typedef struct ibe_key {
    g2 d1, d2;
} ibe_key;

typedef struct ibe_ciphertext {
    gt c1;
    g1 c2, c3;
} ibe_ciphertext;

/* What encrypting to one identity takes, with tables of powers of the fixed bases A, E, g, U(v). */
typedef struct ibe_recipient ibe_recipient;
/* A key prepared for many decryptions (lines of the pairing). Wiped with its arena. */
typedef struct ibe_reader ibe_reader;
/* A ciphertext prepared for many powers: tables of some 43 kB. */
typedef struct ibe_powers ibe_powers;

/* --- identities, parameters, keys --- */

/* v = BLAKE2b of the length-prefixed name and period ("2026-11"; may be empty) under a domain. The
 * study is no part of it: one key serves all studies of a period. */
void ibe_identity_of(ibe_identity *v, const char *name, const char *period);

/* Draws the secrets of a generator. The caller wipes `master`. */
void ibe_generate(ibe_parameters *out, ibe_master *master);
/* A private key for v; the caller wipes it. */
void ibe_extract(ibe_key *out, const ibe_parameters *p, const ibe_master *master,
                 const ibe_identity *v);
/* Whether e(g, d1) = A e(U(v), d2): the key belongs to the identity and the parameters. */
bool ibe_key_fits(const ibe_key *key, const ibe_parameters *p, const ibe_identity *v);
/* Products of parameters, of keys: see the head of this file. */
void ibe_parameters_join(ibe_parameters *out, const ibe_parameters *a, const ibe_parameters *b);
void ibe_key_join(ibe_key *out, const ibe_key *a, const ibe_key *b);
/* Whether u and w have the same exponents, tested with random weights: false answers are right,
 * true ones with probability 1 - 2^-128. */
bool ibe_parameters_consistent(const ibe_parameters *p);

/* U(v). */
void ibe_identity_u(g1 *out, const ibe_parameters *p, const ibe_identity *v);

/* Encodings; parse functions return false for anything that pairing.h calls invalid. */
bool ibe_parameters_parse(ibe_parameters *out, const unsigned char bytes[IBE_PARAMETERS_BYTES]);
void ibe_parameters_format(unsigned char bytes[IBE_PARAMETERS_BYTES], const ibe_parameters *p);
bool ibe_master_parse(ibe_master *out, const unsigned char bytes[IBE_MASTER_BYTES]);
void ibe_master_format(unsigned char bytes[IBE_MASTER_BYTES], const ibe_master *m);
bool ibe_key_parse(ibe_key *out, const unsigned char bytes[IBE_KEY_BYTES]);
void ibe_key_format(unsigned char bytes[IBE_KEY_BYTES], const ibe_key *key);
bool ibe_ciphertext_parse(ibe_ciphertext *out, const unsigned char bytes[IBE_CIPHERTEXT_BYTES]);
void ibe_ciphertext_format(unsigned char bytes[IBE_CIPHERTEXT_BYTES], const ibe_ciphertext *c);

/* --- encryption --- */

/* The recipient, some 540 kB, lives in `memory`. DATA if parameters were made such that the
 * identity's U(v) or A is neutral. */
kith_status ibe_recipient_new(ibe_recipient **out, arena *memory, const ibe_parameters *p,
                              const ibe_identity *v, kith_error *error) KITH_MUST_USE;
/* A and U(v) alone, for a peer that has not got the parameters; and a recipient made of them. */
void ibe_recipient_format(unsigned char bytes[IBE_PUBLIC_BYTES], const ibe_recipient *r);
/* DATA if the bytes are invalid. */
kith_status ibe_recipient_parse(ibe_recipient **out, arena *memory,
                                const unsigned char bytes[IBE_PUBLIC_BYTES],
                                kith_error *error) KITH_MUST_USE;

/* Encrypts E^plain. */
void ibe_encrypt(ibe_ciphertext *out, const ibe_recipient *r, const scalar_q *plain);
/* Of the operations of IDK 5.1.1 the product. */
void ibe_product(ibe_ciphertext *out, const ibe_ciphertext *a, const ibe_ciphertext *b);

/* Product, powers and rerandomization in one go: the product of n <= IBE_COMBINED powers of
 * prepared ciphertexts and E^plain, rerandomized. Squarings are shared by all powers. */
enum { IBE_COMBINED = 2 };
size_t ibe_powers_bytes(void); /* of one ibe_powers, for the caller to allocate; aligned to 16 */
void ibe_powers_make(ibe_powers *out, const ibe_ciphertext *a);
void ibe_combine(ibe_ciphertext *out, const ibe_recipient *r, const ibe_powers *const *bases,
                 const scalar_q *exponents, size_t n, const scalar_q *plain);

/* --- decryption --- */

kith_status ibe_reader_new(ibe_reader **out, arena *memory, const ibe_key *key,
                           kith_error *error) KITH_MUST_USE;
/* p = c1 e(c3, d2) / e(c2, d1), with one final exponentiation. */
void ibe_decrypt(gt *p, const ibe_reader *r, const ibe_ciphertext *c);
/* Whether the plaintext is 1. */
bool ibe_decrypts_to_one(const ibe_reader *r, const ibe_ciphertext *c);

#endif
