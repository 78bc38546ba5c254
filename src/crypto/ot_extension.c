#include "crypto/ot_extension.h"

#include <string.h>

#include <openssl/evp.h>

#include "core/check.h"
#include "core/error.h"
#include "core/system/openssl.h"
#include "crypto/prg.h"
#include "crypto/secret_memory.h"
#include "crypto/bit_transpose.h"

/* One row of the transposed matrix: 128 bits that belong to one transfer. */
typedef struct row {
    uint64_t halves[2];
} row;

typedef struct hasher {
    EVP_CIPHER_CTX *cipher;
    uint64_t index; /* of the next transfer since the base transfers; a multiple of 64 */
    row in[64], once[64], twice[64]; /* x, pi(x), pi(pi(x) ^ i) of 64 transfers */
} hasher;

struct ot_extension_sender {
    hasher hash;
    uint64_t choices[2]; /* s, of the base transfers */
    prg *streams[BASE_OTS];
    uint64_t columns[BASE_OTS][OT_EXTENSION_WORDS]; /* Q of the block in work */
};

struct ot_extension_receiver {
    hasher hash;
    prg *zeros[BASE_OTS];
    prg *ones[BASE_OTS];
    uint64_t columns[BASE_OTS][OT_EXTENSION_WORDS]; /* T of the block in work */
};

#if KITH_DEBUG
/* The number of a transfer is public; nothing else here is looked at. */
static void hasher_check(const hasher *h)
{
    ASSERT(h->cipher != NULL);
    ASSERT(h->index % 64 == 0);
}
#endif

static void close_cipher(void *object)
{
    EVP_CIPHER_CTX_free(object);
}

static kith_status hasher_init(hasher *h, arena *memory, const unsigned char key[16],
                               kith_error *error)
{
    TRY(openssl_begin(error));
    h->cipher = TRY_ALLOC(EVP_CIPHER_CTX_new(), error);
    TRY_ALLOC(arena_defer(memory, close_cipher, h->cipher), error);
    if (EVP_EncryptInit_ex(h->cipher, EVP_aes_128_ecb(), NULL, key, NULL) != 1 ||
        EVP_CIPHER_CTX_set_padding(h->cipher, 0) != 1)
        return openssl_error(error, "set up AES-128");
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
        h->twice[i] = (row){{h->once[i].halves[0] ^ (first + i), h->once[i].halves[1]}};
    TRY(permute(h, h->twice, h->twice, error));
    uint64_t packed = 0;
    for (unsigned i = 0; i < 64; i++)
        packed |= ((h->twice[i].halves[0] ^ h->once[i].halves[0]) & 1) << i;
    *bits = packed;
    return KITH_OK;
}

/* Rows of the 64 transfers in word `w` of the columns, into h->in. */
static void gather_rows(hasher *h, uint64_t columns[BASE_OTS][OT_EXTENSION_WORDS], size_t w,
                        uint64_t square[2][64])
{
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned i = 0; i < 64; i++)
            square[side][i] = columns[64 * side + i][w];
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
    memcpy(s->choices, choices, sizeof s->choices);
    for (unsigned i = 0; i < BASE_OTS; i++)
        TRY(prg_new(&s->streams[i], memory, keys->keys[i], 0, 0, error));
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
        TRY(prg_new(&r->zeros[i], memory, zero->keys[i], 0, 0, error));
        TRY(prg_new(&r->ones[i], memory, one->keys[i], 0, 0, error));
    }
    *out = r;
    return KITH_OK;
}

kith_status ot_extension_receiver_block(ot_extension_receiver *r, uint64_t *message, uint64_t *bits,
                                        const uint64_t *choices, size_t words, kith_error *error)
{
    uint64_t square[2][64];
    CHECK(hasher_check(&r->hash));
    ASSERT(words <= OT_EXTENSION_WORDS);
    for (unsigned i = 0; i < BASE_OTS; i++) {
        uint64_t *u = message + i * words;
        TRY(prg_bytes(r->zeros[i], r->columns[i], words * sizeof *u, error)); /* T_i = G(k_i^0) */
        TRY(prg_bytes(r->ones[i], u, words * sizeof *u, error));
        for (size_t w = 0; w < words; w++) /* U_i = T_i + G(k_i^1) + r */
            u[w] ^= r->columns[i][w] ^ choices[w];
    }
    kith_status status = KITH_OK;
    for (size_t w = 0; w < words && status == KITH_OK; w++) {
        gather_rows(&r->hash, r->columns, w, square);
        status = hash_rows(&r->hash, &bits[w], r->hash.index + 64 * w, error); /* H(j, t_j) */
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
    gather_rows(&s->hash, s->columns, w, square);
    TRY(hash_rows(&s->hash, zero, first, error));
    for (unsigned i = 0; i < 64; i++) {
        s->hash.in[i].halves[0] ^= s->choices[0];
        s->hash.in[i].halves[1] ^= s->choices[1];
    }
    return hash_rows(&s->hash, one, first, error);
}

kith_status ot_extension_sender_block(ot_extension_sender *s, uint64_t *zeros, uint64_t *ones,
                                      const uint64_t *message, size_t words, kith_error *error)
{
    uint64_t square[2][64];
    CHECK(hasher_check(&s->hash));
    ASSERT(words <= OT_EXTENSION_WORDS);
    for (unsigned i = 0; i < BASE_OTS; i++) {
        const uint64_t *u = message + i * words;
        const uint64_t chosen = 0 - (s->choices[i / 64] >> i % 64 & 1);
        TRY(prg_bytes(s->streams[i], s->columns[i], words * sizeof *u, error));
        for (size_t w = 0; w < words; w++) /* Q_i = G(k_i^s_i) + s_i U_i */
            s->columns[i][w] ^= chosen & u[w];
    }
    kith_status status = KITH_OK;
    for (size_t w = 0; w < words && status == KITH_OK; w++)
        status = sender_word(s, &zeros[w], &ones[w], w, square, error);
    s->hash.index += 64 * words;
    secret_memory_wipe(square, sizeof square);
    return status;
}
