/* Commutative encryption of dictionaries on ristretto255.
 *
 * A value is the group element that (run id, column, level, label) hashes to. A party encrypts it
 * by multiplication with its secret scalar of the column and decrypts with the inverse; the order
 * of the parties does not matter, and equal values stay equal. Scalars live for one run. */
#ifndef PROTOCOL_VIEW_VIEW_CRYPT_H
#define PROTOCOL_VIEW_VIEW_CRYPT_H

#include "core/run/threads.h"
#include "protocol/view/view_packet.h"
#include "wire/party.h"

/* Bytes that the protocol does not read. */
typedef struct view_label {
    const void *bytes;
    size_t length;
} view_label;

/* One party's secrets. Freeing their arena wipes them. */
typedef struct view_keys {
    uint32_t n_columns;
    scalar *forth, *back; /* [n_columns + 1]; the last is that of the row ids */
} view_keys;

/* The column number of row ids in hashes. */
#define VIEW_TID UINT32_MAX

kith_status view_crypt_keys_new(view_keys **keys, arena *memory, uint32_t n_columns,
                                kith_error *error) KITH_MUST_USE;

/* The group element of a label before any encryption. */
kith_status view_crypt_hash(point *out, const unsigned char *run, uint32_t column, uint32_t level,
                            const view_label *label, kith_error *error) KITH_MUST_USE;

/* These spread their work over threads and poll the channels meanwhile. */

/* out[i] = hash of label[i]. */
kith_status view_crypt_hash_all(point *out, party *p, uint32_t column, uint32_t level,
                                const view_label *label, size_t count, threads *pool,
                                kith_error *error) KITH_MUST_USE;
/* Multiplies by `s` (NULL: only validates). Blames `from` for an invalid encoding. */
kith_status view_crypt_multiply(point *points, size_t count, const scalar *s, threads *pool,
                                party *p, uint32_t from, kith_error *error) KITH_MUST_USE;

/* Encrypt or decrypt a whole packet, row ids included, with this party's keys; then sort the
 * dictionaries and hide the order of the rows. `from` sent the packet and is blamed if it is
 * invalid; *operations counts multiplications. */
kith_status view_crypt_encrypt(view_packet *packet, const view_keys *keys, prg *coins,
                               threads *pool, party *p, uint32_t from, uint64_t *operations,
                               kith_error *error) KITH_MUST_USE;
kith_status view_crypt_decrypt(view_packet *packet, const view_keys *keys, prg *coins,
                               threads *pool, party *p, uint32_t from, uint64_t *operations,
                               kith_error *error) KITH_MUST_USE;

#endif
