#include "smc/circuits/ot_bits.h"

#include "core/error.h"
#include "crypto/ot_extension.h"
#include "crypto/secret_memory.h"

static const message_type offer_type = {"ot.offer", DISCLOSE_BLINDED};
static const message_type answer_type = {"ot.answer", DISCLOSE_BLINDED};
static const message_type trees_type = {"ot.trees", DISCLOSE_MASKED};
static const message_type columns_type = {"ot.columns", DISCLOSE_MASKED};

/* What a party keeps of its transfers with all others; NULL before the first one. */
typedef struct transfers {
    ot_extension_sender *senders[PARTY_MAX];
    ot_extension_receiver *receivers[PARTY_MAX];
} transfers;

/* Secrets of a set-up, wiped when it is over. */
typedef struct setup {
    scalar secret;
    uint64_t choices[BASE_OTS / 64];
    base_ot_keys zeros, ones;
    point offer, answers[BASE_OTS];
    ot_extension_trees trees;
    unsigned char hash_key[PARTY_KEY_BYTES];
} setup;

static kith_status accuse(party *p, uint32_t peer, kith_error *error)
{
    return party_protocol_error(p, peer, error, "sent an invalid group element");
}

/* In the base transfers the roles are exchanged: the later sender chooses. */
static kith_status open_sender(ot_extension_sender **out, party *p, uint32_t to, setup *s,
                               kith_error *error)
{
    secret_memory_random(s->choices, sizeof s->choices);
    TRY(party_recv(p, to, &offer_type, &s->offer, sizeof s->offer, error));
    if (!base_ot_choose(s->answers, &s->zeros, &s->offer, s->choices))
        return accuse(p, to, error);
    TRY(party_send(p, to, &answer_type, s->answers, sizeof s->answers, error));
    TRY(party_recv(p, to, &trees_type, &s->trees, sizeof s->trees, error));
    return ot_extension_sender_new(out, party_memory(p), s->choices, &s->zeros, &s->trees,
                                   s->hash_key, error);
}

static kith_status open_receiver(ot_extension_receiver **out, party *p, uint32_t from, setup *s,
                                 kith_error *error)
{
    if (!base_ot_offer(&s->secret, &s->offer))
        return error_set(error, KITH_BUG, "a random point is the identity");
    TRY(party_send(p, from, &offer_type, &s->offer, sizeof s->offer, error));
    TRY(party_recv(p, from, &answer_type, s->answers, sizeof s->answers, error));
    if (!base_ot_accept(&s->zeros, &s->ones, &s->secret, &s->offer, s->answers))
        return accuse(p, from, error);
    TRY(ot_extension_receiver_new(out, party_memory(p), &s->zeros, &s->ones, &s->trees, s->hash_key,
                                  error));
    return party_send(p, from, &trees_type, &s->trees, sizeof s->trees, error);
}

/* The transfers of this party, with those to or from `peer` set up. */
static kith_status set_up(transfers **out, party *p, uint32_t peer, bool sends, kith_error *error)
{
    void **kept = TRY_ALLOC(party_local_storage(p, "smc transfers"), error);
    if (*kept == NULL)
        *kept = TRY_ALLOC(arena_zalloc(party_memory(p), 1, sizeof(transfers)), error);
    transfers *t = *out = *kept;
    if (sends ? t->senders[peer] != NULL : t->receivers[peer] != NULL)
        return KITH_OK;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    setup *s = TRY_ALLOC(secret_memory_array(scratch, 1, sizeof *s), error);
    party_key(p, peer, "smc ot hash", s->hash_key);
    return sends ? open_sender(&t->senders[peer], p, peer, s, error)
                 : open_receiver(&t->receivers[peer], p, peer, s, error);
}

kith_status ot_bits_send(party *p, uint32_t to, uint64_t *zeros, uint64_t *ones, size_t words,
                         kith_error *error)
{
    transfers *t = NULL;
    TRY(set_up(&t, p, to, true, error));
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    uint64_t *columns = TRY_ARRAY(columns, scratch, OT_EXTENSION_MESSAGE_WORDS, error);
    for (size_t start = 0; start < words; start += OT_EXTENSION_WORDS) {
        size_t part = words - start < OT_EXTENSION_WORDS ? words - start : OT_EXTENSION_WORDS;
        TRY(party_recv(p, to, &columns_type, columns, OT_EXTENSION_TREES * part * sizeof *columns,
                       error));
        TRY(ot_extension_sender_block(t->senders[to], zeros + start, ones + start, columns, part,
                                      error));
    }
    return KITH_OK;
}

kith_status ot_bits_receive(party *p, uint32_t from, uint64_t *bits, const uint64_t *choices,
                            size_t words, kith_error *error)
{
    transfers *t = NULL;
    TRY(set_up(&t, p, from, false, error));
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    uint64_t *columns = TRY_ARRAY(columns, scratch, OT_EXTENSION_MESSAGE_WORDS, error);
    for (size_t start = 0; start < words; start += OT_EXTENSION_WORDS) {
        size_t part = words - start < OT_EXTENSION_WORDS ? words - start : OT_EXTENSION_WORDS;
        TRY(ot_extension_receiver_block(t->receivers[from], columns, bits + start, choices + start,
                                        part, error));
        TRY(party_send(p, from, &columns_type, columns, OT_EXTENSION_TREES * part * sizeof *columns,
                       error));
    }
    return KITH_OK;
}
