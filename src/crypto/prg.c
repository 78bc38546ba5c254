#include "crypto/prg.h"

#include <string.h>

#include <openssl/evp.h>

#include "core/check.h"
#include "core/error.h"
#include "core/system/openssl.h"
#include "crypto/secret_memory.h"

/* Rejection reads through a buffer; prg_bytes takes what is left there first, so that the stream
 * is one stream however it is read. */
enum { BUFFER = 4096, STRETCH = 1 << 20 };

struct prg {
    EVP_CIPHER_CTX *cipher;
    uint64_t made; /* bytes of the stream so far */
    size_t used;   /* of buffer; BUFFER: empty */
    unsigned char buffer[BUFFER];
};

#if KITH_DEBUG
static void prg_check(const prg *g)
{
    ASSERT(g->cipher != NULL);
    ASSERT(g->used <= BUFFER);
}
#endif

static void close_prg(void *object)
{
    prg *g = object;
    EVP_CIPHER_CTX_free(g->cipher); /* wipes the key schedule */
    secret_memory_wipe(g, sizeof *g);
}

static void put_be(unsigned char *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        out[i] = (unsigned char)(value >> 8 * (bytes - 1 - i));
}

kith_status prg_new(prg **out, arena *memory, const unsigned char key[PRG_KEY_BYTES], uint64_t call,
                    uint32_t lane, kith_error *error)
{
    prg *g = TRY_ZEROS(g, memory, 1, error);
    g->used = BUFFER;
    TRY(openssl_begin(error));
    g->cipher = TRY_ALLOC(EVP_CIPHER_CTX_new(), error);
    TRY_ALLOC(arena_defer(memory, close_prg, g), error);
    unsigned char counter[16] = {0}; /* call, lane, and 32 bits that count blocks */
    put_be(counter, call, 8);
    put_be(counter + 8, lane, 4);
    if (EVP_EncryptInit_ex(g->cipher, EVP_aes_256_ctr(), NULL, key, counter) != 1)
        return openssl_error(error, "set up AES-256-CTR");
    *out = g;
    return KITH_OK;
}

kith_status prg_new_private(prg **out, arena *memory, kith_error *error)
{
    unsigned char key[PRG_KEY_BYTES];
    secret_memory_random(key, sizeof key);
    kith_status status = prg_new(out, memory, key, 0, 0, error);
    secret_memory_wipe(key, sizeof key);
    return status;
}

static kith_status stretch(prg *g, unsigned char *out, size_t length, kith_error *error)
{
    /* The counter of blocks would run into the next lane, and bytes would be used twice. */
    if (length > PRG_CAPACITY - g->made)
        return error_set(error, KITH_BUG, "a stream of masks would exceed its capacity");
    g->made += length;
    while (length > 0) {
        int part = (int)(length < STRETCH ? length : STRETCH), written = 0;
        memset(out, 0, (size_t)part);
        if (EVP_EncryptUpdate(g->cipher, out, &written, out, part) != 1 || written != part)
            return error_set(error, KITH_BUG, "the stream cipher failed");
        out += part;
        length -= (size_t)part;
    }
    return KITH_OK;
}

kith_status prg_bytes(prg *g, void *out, size_t length, kith_error *error)
{
    CHECK(prg_check(g));
    size_t left = BUFFER - g->used, part = length < left ? length : left;
    memcpy(out, g->buffer + g->used, part);
    g->used += part;
    return stretch(g, (unsigned char *)out + part, length - part, error);
}

static kith_status refill(prg *g, kith_error *error)
{
    TRY(stretch(g, g->buffer, BUFFER, error));
    g->used = 0;
    return KITH_OK;
}

kith_status prg_residues8(prg *g, uint8_t *out, size_t n, unsigned modulus, kith_error *error)
{
    ASSERT(modulus >= 2 && modulus <= 256);
    CHECK(prg_check(g));
    const unsigned limit = 256 / modulus * modulus; /* bytes from here on are rejected */
    size_t filled = 0;
    while (filled < n) {
        if (g->used == BUFFER)
            TRY(refill(g, error));
        size_t part = BUFFER - g->used < n - filled ? BUFFER - g->used : n - filled;
        const unsigned char *in = g->buffer + g->used;
        if (limit == modulus) { /* saves a division per byte */
            for (size_t i = 0; i < part; i++) {
                out[filled] = in[i];
                filled += in[i] < limit;
            }
        } else {
            for (size_t i = 0; i < part; i++) {
                out[filled] = (uint8_t)(in[i] % modulus);
                filled += in[i] < limit;
            }
        }
        g->used += part;
    }
    return KITH_OK;
}

kith_status prg_residues64(prg *g, uint64_t *out, size_t n, uint64_t modulus, kith_error *error)
{
    if (modulus == 0)
        return prg_bytes(g, out, n * sizeof *out, error);
    CHECK(prg_check(g));
    /* With the fewest bits that can hold a residue, less than half of all candidates are
     * rejected. */
    const uint64_t max = modulus - 1;
    const uint64_t mask = max == 0 ? 0 : UINT64_MAX >> __builtin_clzll(max);
    for (size_t filled = 0; filled < n;) {
        if (BUFFER - g->used < sizeof(uint64_t))
            TRY(refill(g, error));
        uint64_t candidate;
        memcpy(&candidate, g->buffer + g->used, sizeof candidate);
        g->used += sizeof candidate;
        out[filled] = candidate & mask;
        filled += (candidate & mask) < modulus;
    }
    return KITH_OK;
}

/* Fisher and Yates. */
kith_status prg_shuffle(prg *g, void *items, size_t n, size_t size, kith_error *error)
{
    unsigned char *item = items;
    for (size_t i = n; i > 1; i--) {
        uint64_t other;
        TRY(prg_residues64(g, &other, 1, i, error));
        unsigned char *a = item + (i - 1) * size, *b = item + (size_t)other * size;
        for (size_t k = 0; k < size && a != b; k++) {
            unsigned char kept = a[k];
            a[k] = b[k];
            b[k] = kept;
        }
    }
    return KITH_OK;
}
