#include "protocol/id_based/id_based_cost.h"

#include "core/context.h"
#include "core/error.h"
#include "protocol/id_based/id_based_bins.h"
#include "protocol/id_based/id_based_gamma.h"
#include "protocol/id_based/id_based_internal.h"

/* What is measured, prepared once. */
typedef struct bench {
    arena *memory;
    ibe_recipient *recipient;
    ibe_reader *reader;
    ibe_ciphertext cipher;
    unsigned char bytes[IBE_CIPHERTEXT_BYTES];
    ibe_powers *powers;
    scalar_q exponent;
} bench;

static kith_status prepare(bench *b, kith_error *error)
{
    ibe_identity v;
    ibe_master master;
    ibe_key key;
    ibe_parameters *p = TRY_ALLOC(arena_array(b->memory, 1, sizeof *p), error);
    b->powers = TRY_ALLOC(arena_array(b->memory, 1, ibe_powers_bytes()), error);
    ibe_identity_of(&v, "", "");
    ibe_generate(p, &master);
    ibe_extract(&key, p, &master, &v);
    TRY(ibe_recipient_new(&b->recipient, b->memory, p, &v, error));
    TRY(ibe_reader_new(&b->reader, b->memory, &key, error));
    id_based_dummy(&b->exponent, false);
    ibe_encrypt(&b->cipher, b->recipient, &b->exponent);
    ibe_ciphertext_format(b->bytes, &b->cipher);
    ibe_powers_make(b->powers, &b->cipher);
    return KITH_OK;
}

static void do_encrypt(bench *b)
{
    ibe_encrypt(&b->cipher, b->recipient, &b->exponent);
    ibe_ciphertext_format(b->bytes, &b->cipher);
}

static void do_parse(bench *b)
{
    ibe_ciphertext out;
    (void)ibe_ciphertext_parse(&out, b->bytes);
}

static void do_powers(bench *b)
{
    ibe_powers_make(b->powers, &b->cipher);
}

static void do_gamma(bench *b)
{
    ibe_ciphertext out;
    id_based_gamma(&out, b->recipient, b->powers, b->powers, &b->exponent, false);
    ibe_ciphertext_format(b->bytes, &out);
}

static void do_decrypt(bench *b)
{
    (void)ibe_decrypts_to_one(b->reader, &b->cipher);
}

/* Seconds of one call. */
static double time_of(void (*fn)(bench *), bench *b, double seconds)
{
    const double begun = context_work_seconds();
    uint32_t calls = 0;
    double since;
    do {
        fn(b);
        calls++;
        since = context_work_seconds() - begun;
    } while (since < seconds);
    return since / calls;
}

kith_status id_based_cost_measure(id_based_speed *out, double seconds, kith_error *error)
{
    enum { PARTS = 5 };
    bench b = {.memory = NULL};
    b.memory = TRY_ALLOC(arena_new_wiping(), error);
    kith_status status = prepare(&b, error);
    if (status == KITH_OK)
        *out = (id_based_speed){.encrypt = time_of(do_encrypt, &b, seconds / PARTS),
                                .parse = time_of(do_parse, &b, seconds / PARTS),
                                .powers = time_of(do_powers, &b, seconds / PARTS),
                                .gamma = time_of(do_gamma, &b, seconds / PARTS),
                                .decrypt = time_of(do_decrypt, &b, seconds / PARTS)};
    arena_free(b.memory);
    return status;
}

void id_based_cost_estimate(id_based_cost *out, uint32_t lists, uint32_t k, bool hashing,
                            const id_based_speed *speed, double cores)
{
    const id_based_bins bins = id_based_bins_for(lists, hashing);
    const uint64_t n_gammas = (uint64_t)bins.n_bins * bins.capacity;
    const double tested = 2.0 * lists, sent = (tested + bins.n_bins) * k;
    const uint64_t from_alice = (uint64_t)sent, from_bob = n_gammas + 2;
    *out = (id_based_cost){.n_bins = bins.n_bins, .capacity = bins.capacity};
    out->n_comparisons = n_gammas;
    out->n_messages = from_alice / ID_BASED_SLICE + from_bob / ID_BASED_SLICE + 2;
    out->bytes = (from_alice + from_bob) * IBE_CIPHERTEXT_BYTES;
    out->busiest_bytes =
        (from_alice > from_bob ? from_alice : from_bob) * (uint64_t)IBE_CIPHERTEXT_BYTES;
    /* Phase 1 is a pipeline of Alice's encryptions and Bob's factors, phase 2 one of gammas and
     * decryptions. */
    const double alice_1 = tested * k * speed->encrypt;
    const double bob_1 = tested * (k * speed->parse + 2 * speed->powers + speed->gamma);
    const double alice_2 = bins.n_bins * (double)k * speed->encrypt +
                           (double)n_gammas * (speed->parse + speed->decrypt);
    const double bob_2 =
        bins.n_bins * (double)k * (speed->parse + speed->powers) + (double)n_gammas * speed->gamma;
    out->alice = alice_1 + alice_2;
    out->bob = bob_1 + bob_2;
    out->seconds =
        ((alice_1 > bob_1 ? alice_1 : bob_1) + (alice_2 > bob_2 ? alice_2 : bob_2)) / cores;
}
