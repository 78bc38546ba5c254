/* Phase 2: which of Alice's infrequent quasi-identifiers have k rows together with Bob's?
 *
 * Lists and gammas go in batches of bins. Alice sends a few batches ahead, so that both parties
 * work at the same time. */
#include "protocol/id_based/id_based_internal.h"

#include <sodium.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/id_based/id_based_gamma.h"

static const message_type gammas_type = {"id.gammas", DISCLOSE_BLINDED}; /* message 9 */

enum {
    PAIRS = 256, /* comparisons in a batch, if bins are small */
    POWERS = 256 /* and ciphertexts with their tables of powers, if lists are short */
};

uint32_t id_based_compare_batch(const id_based_bins *all, uint32_t k)
{
    const uint32_t by_pairs = PAIRS / all->capacity, by_powers = POWERS / k;
    const uint32_t bins = by_pairs < by_powers ? by_pairs : by_powers;
    return bins == 0 ? 1 : bins < all->n_bins ? bins : all->n_bins;
}

static uint32_t batch_length(const id_based_state *s, uint32_t first)
{
    const uint32_t batch = id_based_compare_batch(&s->bins, s->k), left = s->bins.n_bins - first;
    return left < batch ? left : batch;
}

static kith_status tick(id_based_state *s, uint64_t pairs_done, kith_error *error)
{
    const double all = (double)s->bins.n_bins * s->bins.capacity;
    return id_based_tick(s, "comparing", (double)pairs_done / all, error);
}

/* --- Alice --- */

typedef struct decryption {
    const ibe_reader *reader;
    const ibe_ciphertext *gammas;
    bool *one; /* [gammas] */
} decryption;

static void decrypt_gamma(void *user, size_t index, unsigned worker)
{
    const decryption *d = user;
    (void)worker;
    d->one[index] = ibe_decrypts_to_one(d->reader, &d->gammas[index]);
}

static kith_status alice_compares(id_based_state *s, arena *scratch, kith_error *error)
{
    const uint32_t batch = id_based_compare_batch(&s->bins, s->k), n_bins = s->bins.n_bins;
    const uint32_t capacity = s->bins.capacity;
    id_based_list *lists = TRY_ALLOC(secret_memory_array(scratch, batch, sizeof *lists), error);
    bool *found = TRY_ZEROS(found, scratch, n_bins, error);
    uint32_t sent = 0;
    for (uint32_t read = 0; read < n_bins; read += batch) {
        for (; sent < n_bins && sent < read + ID_BASED_AHEAD * batch; sent += batch) {
            const uint32_t n = batch_length(s, sent);
            for (uint32_t i = 0; i < n; i++) {
                const uint32_t name = s->in_bin[sent + i];
                if (name == ID_BASED_EMPTY) {
                    id_based_dummy(&lists[i].plain, false);
                    lists[i].ones = s->k;
                } else {
                    id_based_exponent(&lists[i].plain, &s->mine.names.name[name]);
                    lists[i].ones = s->mine.n_left[name];
                }
            }
            TRY(id_based_lists_send(s, lists, n, error));
        }
        /* Looks for a 1 among the gammas of each bin. Bins without a quasi-identifier of Alice are
         * decrypted too, so that the time tells nothing about how many there are. */
        const uint64_t all = (uint64_t)batch_length(s, read) * capacity;
        ibe_ciphertext gammas[ID_BASED_SLICE];
        bool one[ID_BASED_SLICE] = {false};
        for (uint64_t done = 0; done < all; done += ID_BASED_SLICE) {
            const uint32_t n =
                (uint32_t)(all - done < ID_BASED_SLICE ? all - done : ID_BASED_SLICE);
            decryption d = {s->reader, gammas, one};
            TRY(id_based_receive(s, &gammas_type, gammas, n, error));
            threads_run(s->task->context->pool, n, decrypt_gamma, &d);
            for (uint32_t i = 0; i < n; i++)
                if (one[i])
                    found[read + (done + i) / capacity] = true;
            TRY(tick(s, (uint64_t)read * capacity + done + n, error));
        }
    }
    for (uint32_t b = 0; b < n_bins; b++)
        if (s->in_bin[b] != ID_BASED_EMPTY && !found[b])
            s->mine.n_left[s->in_bin[b]] = 0;
    return KITH_OK;
}

/* --- Bob --- */

/* One of Bob's quasi-identifiers, or the dummy. */
typedef struct item {
    scalar_q exponent;
    uint32_t count;
} item;

/* A batch of bins at Bob. */
typedef struct work {
    const id_based_state *s;
    const item *items;     /* [names], and the dummy behind them */
    ibe_ciphertext *lists; /* [batch * k] */
    unsigned char *powers; /* [batch * k * ibe_powers_bytes] */
    uint32_t *order;       /* [batch * capacity] slots of each bin, permuted */
    uint32_t first_bin;
    uint64_t first_pair; /* of the batch */
    ibe_ciphertext *out; /* [ID_BASED_SLICE] */
} work;

static void make_powers(void *user, size_t index, unsigned worker)
{
    const work *w = user;
    (void)worker;
    ibe_powers_make((ibe_powers *)(w->powers + index * ibe_powers_bytes()), &w->lists[index]);
}

static void make_gamma(void *user, size_t index, unsigned worker)
{
    const work *w = user;
    const id_based_state *s = w->s;
    const uint32_t capacity = s->bins.capacity, k = s->k;
    const uint64_t pair = w->first_pair + index;
    const uint32_t bin = (uint32_t)(pair / capacity), slot = w->order[pair];
    const size_t bytes = ibe_powers_bytes();
    const unsigned char *powers = w->powers + (size_t)bin * k * bytes;
    const uint64_t base = s->bins.hashed ? (uint64_t)(w->first_bin + bin) * capacity : 0;
    const uint32_t name = s->slots[base + slot];
    const item *x = &w->items[name == ID_BASED_EMPTY ? s->mine.names.count : name];
    const bool enough = x->count >= k;
    const unsigned char *z = powers + (enough ? 1 : k - x->count) * bytes;
    (void)worker;
    id_based_gamma(&w->out[index], s->recipient, (const ibe_powers *)powers, (const ibe_powers *)z,
                   &x->exponent, enough);
}

static kith_status bob_batch(id_based_state *s, work *w, kith_error *error)
{
    const uint32_t n_bins = batch_length(s, w->first_bin), capacity = s->bins.capacity;
    const uint64_t all = (uint64_t)n_bins * capacity;
    TRY(id_based_lists_receive(s, w->lists, n_bins, error));
    threads_run(s->task->context->pool, (size_t)n_bins * s->k, make_powers, w);
    /* The slots of each bin are permuted: computing gammas in a random order is the same
     * as permuting them. */
    for (uint32_t b = 0; b < n_bins; b++) {
        uint32_t *order = w->order + (size_t)b * capacity;
        for (uint32_t i = 0; i < capacity; i++) {
            const uint32_t j = randombytes_uniform(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
    }
    for (w->first_pair = 0; w->first_pair < all; w->first_pair += ID_BASED_SLICE) {
        const uint64_t left = all - w->first_pair;
        const uint32_t n = (uint32_t)(left < ID_BASED_SLICE ? left : ID_BASED_SLICE);
        threads_run(s->task->context->pool, n, make_gamma, w);
        TRY(id_based_send(s, &gammas_type, w->out, n, error));
        TRY(tick(s, (uint64_t)w->first_bin * capacity + w->first_pair + n, error));
    }
    return KITH_OK;
}

static kith_status bob_compares(id_based_state *s, arena *scratch, kith_error *error)
{
    const uint32_t batch = id_based_compare_batch(&s->bins, s->k), n_names = s->mine.names.count;
    const size_t room = (size_t)batch * s->k;
    item *items = TRY_ALLOC(secret_memory_array(scratch, n_names + 1, sizeof *items), error);
    work w = {.s = s, .items = items};
    w.lists = TRY_ARRAY(w.lists, scratch, room, error);
    w.powers = TRY_ALLOC(arena_array(scratch, room, ibe_powers_bytes()), error);
    w.order = TRY_ARRAY(w.order, scratch, (size_t)batch * s->bins.capacity, error);
    w.out = TRY_ARRAY(w.out, scratch, ID_BASED_SLICE, error);
    for (uint32_t i = 0; i < n_names; i++) {
        id_based_exponent(&items[i].exponent, &s->mine.names.name[i]);
        items[i].count = s->mine.n_rows[i];
    }
    id_based_dummy(&items[n_names].exponent, true);
    items[n_names].count = s->k;
    for (w.first_bin = 0; w.first_bin < s->bins.n_bins; w.first_bin += batch)
        TRY(bob_batch(s, &w, error));
    return KITH_OK;
}

kith_status id_based_compare(id_based_state *s, kith_error *error)
{
    const char *before = party_step(s->party, "comparing");
    arena *scratch = TRY_ALLOC(arena_new_wiping(), error);
    kith_status status =
        s->is_alice ? alice_compares(s, scratch, error) : bob_compares(s, scratch, error);
    arena_free(scratch);
    party_step(s->party, before);
    return status;
}
