#include "crypto/ot_extension.h"

#include <string.h>

#include <openssl/evp.h>

#include "core/check.h"
#include "core/error.h"
#include "core/system/openssl.h"
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

enum { LEAVES = 1 << OT_EXTENSION_DEPTH };

/* The streams of all leaves, and what both sides add up of them. */
typedef struct leaf_streams {
    EVP_CIPHER_CTX *of[OT_EXTENSION_TREES][LEAVES];
    uint64_t columns[BASE_OTS][OT_EXTENSION_WORDS]; /* v of the block in work, then q or t */
    uint64_t leaves[LEAVES][OT_EXTENSION_WORDS];
} leaf_streams;

struct ot_extension_sender {
    hasher hash;
    leaf_streams streams;
    uint64_t delta[BASE_OTS / 64];
    uint64_t sum[OT_EXTENSION_WORDS]; /* u */
};

struct ot_extension_receiver {
    hasher hash;
    leaf_streams streams;
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

static kith_status open_streams(leaf_streams *s, unsigned tree, const ggm_seed leaves[LEAVES],
                                arena *memory, kith_error *error)
{
    static const unsigned char start[16] = {0};
    for (unsigned x = 0; x < LEAVES; x++) {
        EVP_CIPHER_CTX *c = s->of[tree][x] = TRY_ALLOC(EVP_CIPHER_CTX_new(), error);
        TRY_ALLOC(arena_defer(memory, close_cipher, c), error);
        if (EVP_EncryptInit_ex(c, EVP_aes_128_ctr(), NULL, (const unsigned char *)&leaves[x],
                               start) != 1)
            return openssl_error(error, "set up AES-128-CTR");
    }
    return KITH_OK;
}

/* The next words of the streams of a tree: `sum` is u, its columns become v. In step b neighbours differ
 * in bit b of x; the later one counts for v_b, and both are one leaf of the next step. */
static kith_status add_leaves(leaf_streams *s, unsigned tree, uint64_t *sum, size_t words,
                              kith_error *error)
{
    static const uint64_t zeros[OT_EXTENSION_WORDS];
    const int length = (int)(words * sizeof *sum);
    uint64_t(*columns)[OT_EXTENSION_WORDS] = s->columns + tree * OT_EXTENSION_DEPTH;
    for (unsigned x = 0; x < LEAVES; x++) {
        int written = 0;
        if (EVP_EncryptUpdate(s->of[tree][x], (unsigned char *)s->leaves[x], &written,
                              (const unsigned char *)zeros, length) != 1 ||
            written != length)
            return error_set(error, KITH_BUG, "the stream cipher failed");
    }
    memset(columns, 0, OT_EXTENSION_DEPTH * sizeof *columns);
    for (unsigned b = 0; b < OT_EXTENSION_DEPTH; b++)
        for (unsigned x = 0; x < (unsigned)LEAVES >> (b + 1); x++) {
            const uint64_t *even = s->leaves[2 * x], *odd = s->leaves[2 * x + 1];
            uint64_t *next = s->leaves[x];
            for (size_t w = 0; w < words; w++) {
                columns[b][w] ^= odd[w];
                next[w] = even[w] ^ odd[w];
            }
        }
    memcpy(sum, s->leaves[0], words * sizeof *sum);
    return KITH_OK;
}

/* A base transfer's key, of which the first half is used. */
static void mask_sum(ggm_seed *sum, const unsigned char key[BASE_OT_KEY_BYTES])
{
    ggm_seed mask;
    memcpy(&mask, key, sizeof mask);
    sum->halves[0] ^= mask.halves[0];
    sum->halves[1] ^= mask.halves[1];
    secret_memory_wipe(&mask, sizeof mask);
}

/* Level j of a tree is base transfer DEPTH x tree + j, and goes by bit DEPTH - 1 - j of the hidden leaf:
 * the sender has chosen the side that the path to this leaf does not take. */
static kith_status open_tree(ot_extension_sender *s, unsigned tree, const uint64_t *choices,
                             const base_ot_keys *keys, const ot_extension_trees *trees,
                             arena *memory, kith_error *error)
{
    ggm_seed known[OT_EXTENSION_DEPTH], leaves[LEAVES];
    uint32_t hidden = 0;
    for (unsigned j = 0; j < OT_EXTENSION_DEPTH; j++) {
        const unsigned i = tree * OT_EXTENSION_DEPTH + j;
        const uint64_t choice = choices[i / 64] >> i % 64 & 1, mask = 0 - choice;
        const ggm_seed *sums = trees->sums[i];
        for (unsigned h = 0; h < 2; h++)
            known[j].halves[h] =
                sums[0].halves[h] ^ (mask & (sums[0].halves[h] ^ sums[1].halves[h]));
        mask_sum(&known[j], keys->keys[i]);
        hidden |= (uint32_t)(1 - choice) << (OT_EXTENSION_DEPTH - 1 - j);
    }
    const unsigned first = tree * OT_EXTENSION_DEPTH;
    s->delta[first / 64] |= (uint64_t)hidden << first % 64;
    ggm_repair(leaves, known, hidden, OT_EXTENSION_DEPTH);
    kith_status status = open_streams(&s->streams, tree, leaves, memory, error);
    secret_memory_wipe(known, sizeof known);
    secret_memory_wipe(leaves, sizeof leaves);
    return status;
}

kith_status ot_extension_sender_new(ot_extension_sender **out, arena *memory,
                                    const uint64_t choices[BASE_OTS / 64], const base_ot_keys *keys,
                                    const ot_extension_trees *trees,
                                    const unsigned char hash_key[16], kith_error *error)
{
    ot_extension_sender *s = TRY_ALLOC(secret_memory_locked(memory, sizeof *s), error);
    TRY(hasher_init(&s->hash, memory, hash_key, error));
    for (unsigned tree = 0; tree < OT_EXTENSION_TREES; tree++)
        TRY(open_tree(s, tree, choices, keys, trees, memory, error));
    *out = s;
    return KITH_OK;
}

/* Plants a tree and masks the sums of its levels. */
static kith_status plant_tree(ot_extension_receiver *r, unsigned tree, const base_ot_keys *zero,
                              const base_ot_keys *one, ot_extension_trees *trees, arena *memory,
                              kith_error *error)
{
    const unsigned first = tree * OT_EXTENSION_DEPTH;
    ggm_seed root, leaves[LEAVES];
    secret_memory_random(&root, sizeof root);
    ggm_grow(leaves, trees->sums[first], &root, OT_EXTENSION_DEPTH);
    for (unsigned i = first; i < first + OT_EXTENSION_DEPTH; i++) {
        mask_sum(&trees->sums[i][0], zero->keys[i]);
        mask_sum(&trees->sums[i][1], one->keys[i]);
    }
    kith_status status = open_streams(&r->streams, tree, leaves, memory, error);
    secret_memory_wipe(&root, sizeof root);
    secret_memory_wipe(leaves, sizeof leaves);
    return status;
}

kith_status ot_extension_receiver_new(ot_extension_receiver **out, arena *memory,
                                      const base_ot_keys *zero, const base_ot_keys *one,
                                      ot_extension_trees *trees, const unsigned char hash_key[16],
                                      kith_error *error)
{
    ot_extension_receiver *r = TRY_ALLOC(secret_memory_locked(memory, sizeof *r), error);
    TRY(hasher_init(&r->hash, memory, hash_key, error));
    for (unsigned tree = 0; tree < OT_EXTENSION_TREES; tree++)
        TRY(plant_tree(r, tree, zero, one, trees, memory, error));
    *out = r;
    return KITH_OK;
}

kith_status ot_extension_receiver_block(ot_extension_receiver *r, uint64_t *message, uint64_t *bits,
                                        const uint64_t *choices, size_t words, kith_error *error)
{
    uint64_t square[2][64];
    CHECK(hasher_check(&r->hash));
    ASSERT(words <= OT_EXTENSION_WORDS);
    for (unsigned tree = 0; tree < OT_EXTENSION_TREES; tree++) {
        uint64_t *d = message + tree * words;
        TRY(add_leaves(&r->streams, tree, d, words, error));
        for (size_t w = 0; w < words; w++) /* d = u + choices */
            d[w] ^= choices[w];
    }
    kith_status status = KITH_OK;
    for (size_t w = 0; w < words && status == KITH_OK; w++) {
        gather_rows(&r->hash, r->streams.columns, w, square);
        status = hash_rows(&r->hash, &bits[w], r->hash.index + 64 * w, error); /* H(j, t_j) */
    }
    r->hash.index += 64 * words;
    secret_memory_wipe(square, sizeof square);
    return status;
}

/* H(j, q_j) and H(j, q_j + Delta) of the transfers in word w. */
static kith_status sender_word(ot_extension_sender *s, uint64_t *zero, uint64_t *one, size_t w,
                               uint64_t square[2][64], kith_error *error)
{
    const uint64_t first = s->hash.index + 64 * w;
    gather_rows(&s->hash, s->streams.columns, w, square);
    TRY(hash_rows(&s->hash, zero, first, error));
    for (unsigned i = 0; i < 64; i++) {
        s->hash.in[i].halves[0] ^= s->delta[0];
        s->hash.in[i].halves[1] ^= s->delta[1];
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
        const unsigned tree = i / OT_EXTENSION_DEPTH;
        const uint64_t *d = message + tree * words;
        const uint64_t mask = 0 - (s->delta[i / 64] >> i % 64 & 1);
        if (i % OT_EXTENSION_DEPTH == 0)
            TRY(add_leaves(&s->streams, tree, s->sum, words, error));
        for (size_t w = 0; w < words; w++) /* q = v + Delta (u + d) */
            s->streams.columns[i][w] ^= mask & (s->sum[w] ^ d[w]);
    }
    kith_status status = KITH_OK;
    for (size_t w = 0; w < words && status == KITH_OK; w++)
        status = sender_word(s, &zeros[w], &ones[w], w, square, error);
    s->hash.index += 64 * words;
    secret_memory_wipe(square, sizeof square);
    return status;
}
