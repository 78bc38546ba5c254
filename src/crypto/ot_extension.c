#include "crypto/ot_extension.h"

#include <string.h>

#include <openssl/evp.h>

#include "core/error.h"
#include "crypto/prg.h"
#include "crypto/secret_memory.h"
#include "crypto/bit_transpose.h"

/* One row of the transposed matrix: 128 bits that belong to one transfer. */
typedef struct row {
    uint64_t half[2];
} row;

typedef struct hasher {
    EVP_CIPHER_CTX *cipher;
    uint64_t index; /* of the next transfer since the base transfers */
    row in[64], once[64], twice[64];
} hasher;

struct ot_extension_sender {
    hasher hash;
    uint64_t choice[2];
    prg *stream[BASE_OTS];
    uint64_t column[BASE_OTS][OT_EXTENSION_WORDS];
};

struct ot_extension_receiver {
    hasher hash;
    prg *zero[BASE_OTS];
    prg *one[BASE_OTS];
    uint64_t column[BASE_OTS][OT_EXTENSION_WORDS];
};

static void close_cipher(void *object)
{
    EVP_CIPHER_CTX_free(object);
}

static kith_status hasher_init(hasher *h, arena *memory, const unsigned char key[16],
                               kith_error *error)
{
    h->cipher = TRY_ALLOC(EVP_CIPHER_CTX_new(), error);
    if (!arena_defer(memory, close_cipher, h->cipher))
        return error_nomem(error);
    if (EVP_EncryptInit_ex(h->cipher, EVP_aes_128_ecb(), NULL, key, NULL) != 1 ||
        EVP_CIPHER_CTX_set_padding(h->cipher, 0) != 1)
        return error_set(error, KITH_BUG, "AES-128 is not to be had from OpenSSL");
    return KITH_OK;
}

static kith_status permute(hasher *h, row out[64], const row in[64], kith_error *error)
{
    int written = 0, length = 64 * (int)sizeof(row);
    if (EVP_EncryptUpdate(h->cipher, (unsigned char *)out, &written, (const unsigned char *)in,
                          length) != 1 ||
        written != length)
        return error_set(error, KITH_BUG, "the block cipher failed");
    return KITH_OK;
}

/* One bit of the hash of each of 64 rows (h->in), whose tweaks begin at `first`. */
static kith_status hash_rows(hasher *h, uint64_t *bits, uint64_t first, kith_error *error)
{
    TRY(permute(h, h->once, h->in, error));
    for (unsigned i = 0; i < 64; i++)
        h->twice[i] = (row){{h->once[i].half[0] ^ (first + i), h->once[i].half[1]}};
    TRY(permute(h, h->twice, h->twice, error));
    uint64_t packed = 0;
    for (unsigned i = 0; i < 64; i++)
        packed |= ((h->twice[i].half[0] ^ h->once[i].half[0]) & 1) << i;
    *bits = packed;
    return KITH_OK;
}

/* Rows of the 64 transfers in word `w` of the columns, into h->in. */
static void gather_rows(hasher *h, uint64_t column[BASE_OTS][OT_EXTENSION_WORDS], size_t w,
                        uint64_t square[2][64])
{
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned i = 0; i < 64; i++)
            square[side][i] = column[64 * side + i][w];
        bit_transpose_64(square[side]);
    }
    for (unsigned i = 0; i < 64; i++)
        h->in[i] = (row){{square[0][i], square[1][i]}};
}

kith_status ot_extension_sender_new(ot_extension_sender **out, arena *memory,
                                    const uint64_t choices[BASE_OTS / 64], const base_ot_keys *keys,
                                    const unsigned char hash_key[16], kith_error *error)
{
    ot_extension_sender *s = TRY_ALLOC(secret_memory_locked(memory, sizeof *s), error);
    TRY(hasher_init(&s->hash, memory, hash_key, error));
    memcpy(s->choice, choices, sizeof s->choice);
    for (unsigned i = 0; i < BASE_OTS; i++)
        TRY(prg_new(&s->stream[i], memory, keys->key[i], 0, 0, error));
    *out = s;
    return KITH_OK;
}

kith_status ot_extension_receiver_new(ot_extension_receiver **out, arena *memory,
                                      const base_ot_keys *zero, const base_ot_keys *one,
                                      const unsigned char hash_key[16], kith_error *error)
{
    ot_extension_receiver *r = TRY_ALLOC(secret_memory_locked(memory, sizeof *r), error);
    TRY(hasher_init(&r->hash, memory, hash_key, error));
    for (unsigned i = 0; i < BASE_OTS; i++) {
        TRY(prg_new(&r->zero[i], memory, zero->key[i], 0, 0, error));
        TRY(prg_new(&r->one[i], memory, one->key[i], 0, 0, error));
    }
    *out = r;
    return KITH_OK;
}

kith_status ot_extension_receiver_block(ot_extension_receiver *r, uint64_t *message, uint64_t *bit,
                                        const uint64_t *choice, size_t words, kith_error *error)
{
    uint64_t square[2][64];
    for (unsigned i = 0; i < BASE_OTS; i++) {
        uint64_t *u = message + i * words;
        TRY(prg_bytes(r->zero[i], r->column[i], words * sizeof *u, error)); /* T_i = G(k_i^0) */
        TRY(prg_bytes(r->one[i], u, words * sizeof *u, error));
        for (size_t w = 0; w < words; w++) /* U_i = T_i + G(k_i^1) + r */
            u[w] ^= r->column[i][w] ^ choice[w];
    }
    kith_status status = KITH_OK;
    for (size_t w = 0; w < words && status == KITH_OK; w++) {
        gather_rows(&r->hash, r->column, w, square);
        status = hash_rows(&r->hash, &bit[w], r->hash.index + 64 * w, error); /* H(j, t_j) */
    }
    r->hash.index += 64 * words;
    secret_memory_wipe(square, sizeof square);
    return status;
}

/* H(j, q_j) and H(j, q_j + s) of the transfers in word w. */
static kith_status sender_word(ot_extension_sender *s, uint64_t *zero, uint64_t *one, size_t w,
                               uint64_t square[2][64], kith_error *error)
{
    const uint64_t first = s->hash.index + 64 * w;
    gather_rows(&s->hash, s->column, w, square);
    TRY(hash_rows(&s->hash, zero, first, error));
    for (unsigned i = 0; i < 64; i++) {
        s->hash.in[i].half[0] ^= s->choice[0];
        s->hash.in[i].half[1] ^= s->choice[1];
    }
    return hash_rows(&s->hash, one, first, error);
}

kith_status ot_extension_sender_block(ot_extension_sender *s, uint64_t *zero, uint64_t *one,
                                      const uint64_t *message, size_t words, kith_error *error)
{
    uint64_t square[2][64];
    for (unsigned i = 0; i < BASE_OTS; i++) {
        const uint64_t *u = message + i * words;
        const uint64_t chosen = 0 - (s->choice[i / 64] >> i % 64 & 1);
        TRY(prg_bytes(s->stream[i], s->column[i], words * sizeof *u, error));
        for (size_t w = 0; w < words; w++) /* Q_i = G(k_i^s_i) + s_i U_i */
            s->column[i][w] ^= chosen & u[w];
    }
    kith_status status = KITH_OK;
    for (size_t w = 0; w < words && status == KITH_OK; w++)
        status = sender_word(s, &zero[w], &one[w], w, square, error);
    s->hash.index += 64 * words;
    secret_memory_wipe(square, sizeof square);
    return status;
}
