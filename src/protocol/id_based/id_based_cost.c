#include "protocol/id_based/id_based_cost.h"

#include "core/run/context.h"
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

static kith_status id_based_cost_prepare(bench *b, kith_error *error)
{
    ibe_identity v;
    ibe_master master;
    ibe_key key;
    ibe_parameters *p = TRY_ARRAY(p, b->memory, 1, error);
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
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_wiping(), error);
    bench b = {.memory = memory};
    TRY(id_based_cost_prepare(&b, error));
    *out = (id_based_speed){.encrypt = time_of(do_encrypt, &b, seconds / PARTS),
                            .parse = time_of(do_parse, &b, seconds / PARTS),
                            .powers = time_of(do_powers, &b, seconds / PARTS),
                            .gamma = time_of(do_gamma, &b, seconds / PARTS),
                            .decrypt = time_of(do_decrypt, &b, seconds / PARTS)};
    return KITH_OK;
}

/* Header and name of the type of a message, nearly. */
enum { FRAME_BYTES = 66 };

/* What both parties send together, apart from ciphertexts, and the rounds of all. */
typedef struct traffic {
    double rounds, messages, bytes;
} traffic;

static uint32_t digits_of(uint64_t count)
{
    uint32_t digits = 0;
    while (UINT64_C(1) << digits < count)
        digits++;
    return digits;
}

/* One call of compare.h with two parties, for one group of n sums: gates in words of 64, of which
 * each costs an oblivious transfer and two bits both ways. */
static traffic one_comparison(uint64_t n, uint64_t bound)
{
    enum { OT_BYTES = 64 * 4, GATE_BYTES = 64 * 2 / 8, ENDS = 2 };
    const uint64_t words = (n + 63) / 64;
    uint32_t spans = digits_of(bound + 1) + 1;
    uint64_t layers = 1 + digits_of(n), gates = spans * words + n - 1;
    for (; spans > 1; spans -= spans / 2, layers++)
        gates += (spans / 2 * 2 - 1) * words;
    return (traffic){.rounds = (double)layers + 3,
                     .messages = 2.0 * (double)(1 + layers) + ENDS,
                     .bytes = 2.0 * (double)(gates * (OT_BYTES + GATE_BYTES))};
}

static void add_to(traffic *sum, traffic more)
{
    sum->rounds += more.rounds;
    sum->messages += more.messages;
    sum->bytes += more.bytes;
}

/* Messages for n batches of `batch` units, of so many ciphertexts each. */
static uint64_t batches(uint64_t n_units, uint64_t batch, uint64_t each)
{
    const uint64_t rest = n_units % batch;
    return n_units / batch * ((batch * each + ID_BASED_SLICE - 1) / ID_BASED_SLICE) +
           (rest * each + ID_BASED_SLICE - 1) / ID_BASED_SLICE;
}

void id_based_cost_estimate(id_based_cost *out, const id_based_sizes *sizes,
                            const id_based_speed *speed, double cores)
{
    const uint32_t k = sizes->k, lists = sizes->lists;
    const id_based_bins bins = id_based_bins_for(lists, sizes->hashing);
    const uint64_t n_bins = sizes->already ? 0 : bins.n_bins;
    const uint32_t batch = id_based_compare_batch(&bins, k);
    const uint64_t n_gammas = n_bins * bins.capacity;
    const uint64_t from_alice = (2 * (uint64_t)lists + n_bins) * k, from_bob = n_gammas + 2;
    /* Everything but lists and gammas, in the order in which it is sent. */
    enum { BASE_OT_BYTES = 2 * (32 + 2 * 4096), OR_BYTES = 2 * 256, KEY_BYTES = 624, NAMES = 3 };
    traffic rest = {.rounds = 2, .messages = 6, .bytes = BASE_OT_BYTES};
    add_to(&rest, one_comparison(1, 2 * (uint64_t)sizes->k)); /* are there enough rows? */
    add_to(&rest, one_comparison(1, UINT64_C(1) << 33));      /* who is Alice? */
    if (sizes->agreed)
        add_to(&rest, (traffic){.rounds = 3, .messages = 4, .bytes = OR_BYTES});
    add_to(&rest, (traffic){.rounds = 4, .messages = 3 + 2 * NAMES, .bytes = KEY_BYTES});
    rest.bytes += (double)NAMES * sizes->n_kept * ID_BASED_NAME_BYTES;
    add_to(&rest, one_comparison(sizes->n_kept + (uint64_t)!sizes->already,
                                 2 * (uint64_t)sizes->k)); /* large enough? */
    add_to(&rest, (traffic){.rounds = 3, .messages = 8, .bytes = sizes->row_bytes});
    *out = (id_based_cost){.n_bins = (uint32_t)n_bins, .capacity = bins.capacity};
    out->n_comparisons = n_gammas;
    out->ciphertext_bytes = (from_alice + from_bob) * IBE_CIPHERTEXT_BYTES;
    const uint64_t n_batches = (n_bins + batch - 1) / batch;
    const uint64_t n_ciphers = 2 * batches(lists, id_based_lists_batch(k), k) + 1 +
                               batches(n_bins, batch, k) + batches(n_bins, batch, bins.capacity);
    out->n_rounds = (uint64_t)rest.rounds + (n_batches + ID_BASED_AHEAD - 1) / ID_BASED_AHEAD * 2;
    out->n_messages = (uint64_t)rest.messages + n_ciphers;
    const uint64_t around = (uint64_t)rest.bytes + out->n_messages * FRAME_BYTES;
    out->bytes = out->ciphertext_bytes + around;
    out->busiest_bytes =
        (from_alice > from_bob ? from_alice : from_bob) * (uint64_t)IBE_CIPHERTEXT_BYTES +
        around / 2;
    /* Phase 1 is a pipeline of Alice's encryptions and Bob's factors, phase 2 one of gammas and
     * decryptions. */
    const double tested = 2.0 * lists;
    const double gammas = (double)out->n_comparisons;
    const double alice_1 = tested * k * speed->encrypt;
    const double bob_1 = tested * (k * speed->parse + 2 * speed->powers + speed->gamma);
    const double alice_2 =
        out->n_bins * (double)k * speed->encrypt + gammas * (speed->parse + speed->decrypt);
    const double bob_2 =
        out->n_bins * (double)k * (speed->parse + speed->powers) + gammas * speed->gamma;
    out->alice = alice_1 + alice_2;
    out->bob = bob_1 + bob_2;
    out->seconds =
        ((alice_1 > bob_1 ? alice_1 : bob_1) + (alice_2 > bob_2 ? alice_2 : bob_2)) / cores;
}
