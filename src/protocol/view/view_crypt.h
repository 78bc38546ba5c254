/* Commutative encryption of dictionaries on ristretto255.
 *
 * A value is the group element that its length-prefixed (run id, column, level, label) hashes to.
 * A party encrypts it by its secret scalar of the column, decrypts by the inverse; the order of the
 * parties does not matter, and equal values stay equal. Scalars live for one run. */
#ifndef PROTOCOL_VIEW_VIEW_CRYPT_H
#define PROTOCOL_VIEW_VIEW_CRYPT_H

#include "core/threads.h"
#include "protocol/view/view_packet.h"
#include "wire/party.h"

/* Bytes that the protocol does not read. */
typedef struct view_label {
    const void *bytes;
    size_t length;
} view_label;

/* One party's secrets: wiped with their arena. */
typedef struct view_keys {
    uint32_t n_columns;
    scalar *forth, *back; /* [n_columns + 1]; the last is that of the row ids */
} view_keys;

/* The column number of row ids in hashes. */
#define VIEW_TID UINT32_MAX

kith_status view_crypt_keys_new(view_keys **keys, arena *memory, uint32_t n_columns,
                                kith_error *error) KITH_MUST_USE;

/* What a label is before any encryption. */
kith_status view_crypt_hash(point *out, const unsigned char *run, uint32_t column, uint32_t level,
                            const view_label *label, kith_error *error) KITH_MUST_USE;

/* These spread their work over threads and keep the channels alive meanwhile. */

/* out[i] = hash of label[i]. */
kith_status view_crypt_hash_all(point *out, party *p, uint32_t column, uint32_t level,
                                const view_label *label, size_t count, threads *pool,
                                kith_error *error) KITH_MUST_USE;
/* Multiplies by a scalar (NULL: only looks); PEER, naming `from`, if one is no group element. */
kith_status view_crypt_multiply(point *points, size_t count, const scalar *s, threads *pool,
                                party *p, uint32_t from, kith_error *error) KITH_MUST_USE;

/* Adds or takes away this party's layer in a whole packet, row ids included, then sorts, recodes
 * and brings the rows out of order. `from` is who sent it, for messages; *operations counts the
 * multiplications. */
kith_status view_crypt_encrypt(view_packet *k, const view_keys *keys, prg *coins, threads *pool,
                               party *p, uint32_t from, uint64_t *operations,
                               kith_error *error) KITH_MUST_USE;
kith_status view_crypt_decrypt(view_packet *k, const view_keys *keys, prg *coins, threads *pool,
                               party *p, uint32_t from, uint64_t *operations,
                               kith_error *error) KITH_MUST_USE;

#endif
