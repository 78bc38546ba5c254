/* Pseudorandom streams: AES-256 in counter mode (OpenSSL), which was measured at more than twice
 * the speed of libsodium's ChaCha20 (bench/notes/primitives.md).
 *
 * A stream is named by a key, a call and a lane; different names give independent streams. The key
 * is one for a purpose (party_key), the call the run's call counter, the lane tells several streams
 * of one call apart. A stream has 64 GiB, 2^32 blocks of the cipher; reading more fails with
 * KITH_BUG, since the next bytes are those of the next lane. */
#ifndef CRYPTO_PRG_H
#define CRYPTO_PRG_H

#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"

enum { PRG_KEY_BYTES = 32 };
#define PRG_CAPACITY (UINT64_C(16) << 32)

typedef struct prg prg;

/* Wiped and freed with the arena. */
kith_status prg_new(prg **out, arena *memory, const unsigned char key[PRG_KEY_BYTES], uint64_t call,
                    uint32_t lane, kith_error *error) KITH_MUST_USE;
/* A stream of this party alone: its key comes from the generator of the operating system. */
kith_status prg_new_private(prg **out, arena *memory, kith_error *error) KITH_MUST_USE;

kith_status prg_bytes(prg *g, void *out, size_t length, kith_error *error) KITH_MUST_USE;

/* Uniform residues 0 … modulus-1 by rejection: rejected bytes are independent of those that are
 * kept, so that the time taken tells nothing about the residues. 2 <= modulus <= 256. */
kith_status prg_residues8(prg *g, uint8_t *out, size_t n, unsigned modulus,
                          kith_error *error) KITH_MUST_USE;
/* modulus >= 1; 0 means 2^64. */
kith_status prg_residues64(prg *g, uint64_t *out, size_t n, uint64_t modulus,
                           kith_error *error) KITH_MUST_USE;
/* A uniform permutation of items of `size` bytes each. */
kith_status prg_shuffle(prg *g, void *items, size_t n, size_t size,
                        kith_error *error) KITH_MUST_USE;

#endif
