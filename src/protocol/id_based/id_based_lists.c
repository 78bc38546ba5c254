/* Ciphertexts on their way: encrypted, checked and cut into pieces. */
#include "protocol/id_based/id_based_internal.h"

#include <sodium.h>
#include <stdatomic.h>

#include "core/error.h"
#include "crypto/digest.h"
#include "crypto/secret_memory.h"

const message_type id_based_lists_type = {"id.lists", DISCLOSE_BLINDED}; /* messages 5, 8 */

static void hash_to_exponent(scalar_q *out, const char *domain, const void *bytes, size_t length)
{
    unsigned char wide[DIGEST_MAX_BYTES];
    digest d;
    digest_init(&d, domain, sizeof wide);
    digest_part(&d, bytes, length);
    digest_final(&d, wide);
    pairing_scalar_of_hash(out, wide);
    secret_memory_wipe(wide, sizeof wide);
}

void id_based_exponent(scalar_q *out, const id_based_name *name)
{
    hash_to_exponent(out, "kith id-based name", name->bytes, sizeof name->bytes);
}

void id_based_dummy(scalar_q *out, bool of_bob)
{
    const unsigned char which = of_bob;
    hash_to_exponent(out, "kith id-based dummy", &which, sizeof which);
}

/* --- sending and receiving --- */

typedef struct encoding {
    const ibe_ciphertext *plain;
    unsigned char *bytes;
} encoding;

static void encode_one(void *user, size_t index, unsigned worker)
{
    const encoding *e = user;
    (void)worker;
    ibe_ciphertext_format(e->bytes + index * IBE_CIPHERTEXT_BYTES, &e->plain[index]);
}

kith_status id_based_send(id_based_state *s, const message_type *type,
                          const ibe_ciphertext *ciphertexts, uint32_t n, kith_error *error)
{
    unsigned char bytes[ID_BASED_SLICE * IBE_CIPHERTEXT_BYTES];
    for (uint32_t done = 0; done < n; done += ID_BASED_SLICE) {
        const uint32_t here = n - done < ID_BASED_SLICE ? n - done : ID_BASED_SLICE;
        encoding e = {ciphertexts + done, bytes};
        threads_run(s->task->context->pool, here, encode_one, &e);
        TRY(party_send(s->party, s->other, type, bytes, (size_t)here * IBE_CIPHERTEXT_BYTES,
                       error));
    }
    return KITH_OK;
}

typedef struct decoding {
    ibe_ciphertext *out;
    const unsigned char *bytes;
    atomic_bool invalid;
} decoding;

static void decode_one(void *user, size_t index, unsigned worker)
{
    decoding *d = user;
    (void)worker;
    if (!ibe_ciphertext_parse(&d->out[index], d->bytes + index * IBE_CIPHERTEXT_BYTES))
        atomic_store(&d->invalid, true);
}

/* A key that decrypts elements outside the groups would be an oracle: all are checked. */
kith_status id_based_receive(id_based_state *s, const message_type *type, ibe_ciphertext *out,
                             uint32_t n, kith_error *error)
{
    unsigned char bytes[ID_BASED_SLICE * IBE_CIPHERTEXT_BYTES];
    for (uint32_t done = 0; done < n; done += ID_BASED_SLICE) {
        const uint32_t here = n - done < ID_BASED_SLICE ? n - done : ID_BASED_SLICE;
        decoding d = {out + done, bytes, false};
        TRY(party_recv(s->party, s->other, type, bytes, (size_t)here * IBE_CIPHERTEXT_BYTES,
                       error));
        threads_run(s->task->context->pool, here, decode_one, &d);
        if (atomic_load(&d.invalid))
            return party_protocol_error(s->party, s->other, error,
                                        "sent a ciphertext with an element outside its group");
    }
    return KITH_OK;
}

/* --- lists --- */

uint32_t id_based_lists_batch(uint32_t k)
{
    const uint32_t whole = ID_BASED_SLICE / k;
    return whole > 0 ? whole : 1;
}

typedef struct encryption {
    const id_based_state *s;
    const id_based_list *lists;
    ibe_ciphertext *out;
} encryption;

/* X_i = E_A(x_i, t), Z_i,j = E_A(z_i,j, t). A random z is not 1, or Alice would count a row too
 * many. */
static void encrypt_one(void *user, size_t index, unsigned worker)
{
    const encryption *e = user;
    const id_based_list *list = &e->lists[index / e->s->k];
    const size_t j = index % e->s->k;
    scalar_q plain = {{0}};
    (void)worker;
    if (j == 0)
        plain = list->plain;
    else if (j > list->ones)
        pairing_scalar_random(&plain);
    ibe_encrypt(&e->out[index], e->s->recipient, &plain);
    secret_memory_wipe(&plain, sizeof plain);
}

kith_status id_based_lists_send(id_based_state *s, const id_based_list *lists, uint32_t n,
                                kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_wiping(), error);
    const size_t room = (size_t)n * s->k;
    ibe_ciphertext *out = TRY_ARRAY(out, scratch, room, error);
    encryption e = {s, lists, out};
    threads_run(s->task->context->pool, room, encrypt_one, &e);
    return id_based_send(s, &id_based_lists_type, out, (uint32_t)room, error);
}

kith_status id_based_lists_receive(id_based_state *s, ibe_ciphertext *out, uint32_t n,
                                   kith_error *error)
{
    return id_based_receive(s, &id_based_lists_type, out, n * s->k, error);
}
