/* Phase 1: is the joint table k-anonymous as it is? */
#include "protocol/id_based/id_based_internal.h"

#include <sodium.h>

#include "core/check.h"
#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/id_based/id_based_gamma.h"

static const message_type products_type = {"id.products", DISCLOSE_BLINDED}; /* message 6 */
static const message_type already_type = {"id.already", DISCLOSE_AGGREGATE}; /* message 7 */

enum { FAMILIES = 2 };

static kith_status tick(id_based_state *s, int family, uint32_t list, kith_error *error)
{
    const double done = (family + (double)list / s->lists) / FAMILIES;
    return id_based_tick(s, "testing the tables", done, error);
}

/* --- Alice --- */

/* The lists of family 0: Q_A,1 - Q_B,0 in ascending order, then dummies. Of family 1: the same and
 * x*, if there is one; otherwise random elements, which match nothing. Names are in the order of
 * their hashes, which is as good as that of their binary representations. */
static void fill_family(id_based_list *lists, const id_based_state *s, int family)
{
    uint32_t n = 0;
    if (family == 1 && s->split == UINT32_MAX) {
        for (uint32_t i = 0; i < s->lists; i++) {
            pairing_scalar_random(&lists[i].plain);
            lists[i].ones = 0;
        }
        return;
    }
    for (uint32_t i = 0; i < s->mine.names.count; i++) {
        const bool infrequent =
            s->mine.n_rows[i] < s->k &&
            !id_based_names_have(&s->frequent[s->other], &s->mine.names.name[i]);
        if (infrequent || (family == 1 && i == s->split)) {
            id_based_exponent(&lists[n].plain, &s->mine.names.name[i]);
            lists[n++].ones = s->mine.n_rows[i];
        }
    }
    ASSERT(n <= s->lists);
    for (; n < s->lists; n++) {
        id_based_dummy(&lists[n].plain, false);
        lists[n].ones = s->k;
    }
}

/* --- Bob --- */

/* What Bob compares Alice's i-th list with. */
typedef struct place {
    scalar_q exponent;
    uint32_t count;
} place;

/* A batch of lists, and the factor of each in the product. */
typedef struct factors {
    const id_based_state *s;
    const place *places;         /* of this batch */
    const ibe_ciphertext *lists; /* [batch * k] */
    unsigned char *powers;       /* [batch * 2 * ibe_powers_bytes] */
    ibe_ciphertext *out;         /* [batch] */
} factors;

/* Z_i^phi (X_i / E_A(x'_i, 0))^r. */
static void make_factor(void *user, size_t index, unsigned worker)
{
    const factors *f = user;
    const place *mine = &f->places[index];
    const uint32_t k = f->s->k;
    const bool enough = mine->count >= k;
    const ibe_ciphertext *list = f->lists + index * k;
    ibe_powers *x = (ibe_powers *)(f->powers + index * 2 * ibe_powers_bytes());
    ibe_powers *z = (ibe_powers *)(f->powers + (index * 2 + 1) * ibe_powers_bytes());
    (void)worker;
    ibe_powers_make(x, &list[0]);
    ibe_powers_make(z, &list[enough ? 1 : k - mine->count]);
    id_based_gamma(&f->out[index], f->s->recipient, x, z, &mine->exponent, enough);
}

/* R_f: the product of all factors of a family, rerandomized since each factor is. */
static kith_status multiply_family(id_based_state *s, ibe_ciphertext *product, const place *places,
                                   int family, arena *scratch, kith_error *error)
{
    const uint32_t batch = id_based_lists_batch(s->k);
    const size_t room = (size_t)batch * s->k;
    ibe_ciphertext *lists = TRY_ARRAY(lists, scratch, room, error);
    ibe_ciphertext *out = TRY_ARRAY(out, scratch, batch, error);
    unsigned char *powers =
        TRY_ALLOC(arena_array(scratch, (size_t)batch * 2, ibe_powers_bytes()), error);
    for (uint32_t i = 0; i < s->lists; i += batch) {
        const uint32_t n = s->lists - i < batch ? s->lists - i : batch;
        factors f = {s, places + i, lists, powers, out};
        TRY(id_based_lists_receive(s, lists, n, error));
        threads_run(s->task->context->pool, n, make_factor, &f);
        for (uint32_t j = 0; j < n; j++)
            if (i + j == 0)
                *product = out[0];
            else
                ibe_product(product, product, &out[j]);
        TRY(tick(s, family, i, error));
    }
    return KITH_OK;
}

/* R_0 and R_1, switched with probability 1/2, so that Alice does not learn whether x* decides. */
static kith_status bob_products(id_based_state *s, bool *already, arena *scratch, kith_error *error)
{
    ibe_ciphertext products[FAMILIES], sent[FAMILIES];
    const uint32_t first = randombytes_uniform(2);
    unsigned char answer;
    place *places = TRY_ALLOC(secret_memory_array(scratch, s->lists, sizeof *places), error);
    /* Q_B,1 - Q'_A,0 in ascending order, then dummies that count as k rows. */
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->mine.names.count; i++) {
        const id_based_name *name = &s->mine.names.name[i];
        if (s->mine.n_rows[i] >= s->k || id_based_names_have(&s->frequent[s->other], name))
            continue;
        id_based_exponent(&places[n].exponent, name);
        places[n++].count = s->mine.n_rows[i];
    }
    for (; n < s->lists; n++) {
        id_based_dummy(&places[n].exponent, false);
        places[n].count = s->k;
    }
    for (int family = 0; family < FAMILIES; family++)
        TRY(multiply_family(s, &products[family], places, family, scratch, error));
    sent[0] = products[first];
    sent[1] = products[1 - first];
    TRY(id_based_send(s, &products_type, sent, FAMILIES, error));
    TRY(party_recv(s->party, s->other, &already_type, &answer, sizeof answer, error));
    if (answer > 1)
        return party_protocol_error(s->party, s->other, error, "sent an invalid answer");
    *already = answer == 1;
    return KITH_OK;
}

kith_status id_based_test(id_based_state *s, bool *already, kith_error *error)
{
    const char *before = party_step(s->party, "testing the tables");
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_wiping(), error);
    if (s->is_alice) {
        const uint32_t batch = id_based_lists_batch(s->k);
        id_based_list *lists =
            TRY_ALLOC(secret_memory_array(scratch, s->lists, sizeof *lists), error);
        for (int family = 0; family < FAMILIES; family++) {
            fill_family(lists, s, family);
            for (uint32_t i = 0; i < s->lists; i += batch) {
                const uint32_t n = s->lists - i < batch ? s->lists - i : batch;
                TRY(id_based_lists_send(s, lists + i, n, error));
                TRY(tick(s, family, i, error));
            }
        }
        /* One of the two plaintexts is 1 if and only if the table is k-anonymous. */
        ibe_ciphertext products[FAMILIES];
        TRY(id_based_receive(s, &products_type, products, FAMILIES, error));
        const bool first = ibe_decrypts_to_one(s->reader, &products[0]);
        const bool second = ibe_decrypts_to_one(s->reader, &products[1]);
        const unsigned char answer = first || second;
        *already = answer;
        TRY(party_send(s->party, s->other, &already_type, &answer, sizeof answer, error));
    } else {
        TRY(bob_products(s, already, scratch, error));
    }
    party_learns(s->party, DISCLOSE_AGGREGATE, "already k-anonymous", 1);
    party_step(s->party, before);
    return KITH_OK;
}
