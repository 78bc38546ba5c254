#include "smc/ot_bits.h"

#include "core/error.h"
#include "crypto/ot_extension.h"
#include "crypto/secret_memory.h"

static const message_type offer_type = {"ot.offer", DISCLOSE_BLINDED};
static const message_type answer_type = {"ot.answer", DISCLOSE_BLINDED};
static const message_type columns_type = {"ot.columns", DISCLOSE_MASKED};

/* What a party keeps of its transfers with all others. */
typedef struct transfers {
    ot_extension_sender *to[PARTY_MOST];
    ot_extension_receiver *from[PARTY_MOST];
} transfers;

static kith_status kept(transfers **out, party *p, kith_error *error)
{
    void **slot = TRY_ALLOC(party_slot(p, "smc transfers"), error);
    if (*slot == NULL)
        *slot = arena_zalloc(party_memory(p), 1, sizeof(transfers));
    TRY_ALLOC(*slot, error);
    *out = *slot;
    return KITH_OK;
}

/* Secrets of a set-up, wiped when it is over. */
typedef struct setup {
    scalar secret;
    uint64_t choice[BASE_OTS / 64];
    base_ot_keys zero, one;
    point offer, answer[BASE_OTS];
    unsigned char hash_key[PARTY_KEY_BYTES];
} setup;

static kith_status no_point(party *p, uint32_t peer, kith_error *error)
{
    return party_accuse(p, peer, error, "sent something that is no group element");
}

static kith_status open_sender(ot_extension_sender **out, party *p, uint32_t to, setup *s,
                               kith_error *error)
{
    secret_memory_random(s->choice, sizeof s->choice);
    TRY(party_recv(p, to, &offer_type, &s->offer, sizeof s->offer, error));
    if (!base_ot_choose(s->answer, &s->zero, &s->offer, s->choice))
        return no_point(p, to, error);
    TRY(party_send(p, to, &answer_type, s->answer, sizeof s->answer, error));
    return ot_extension_sender_new(out, party_memory(p), s->choice, &s->zero, s->hash_key, error);
}

static kith_status open_receiver(ot_extension_receiver **out, party *p, uint32_t from, setup *s,
                                 kith_error *error)
{
    if (!base_ot_offer(&s->secret, &s->offer))
        return error_set(error, KITH_BUG, "a random point is the identity");
    TRY(party_send(p, from, &offer_type, &s->offer, sizeof s->offer, error));
    TRY(party_recv(p, from, &answer_type, s->answer, sizeof s->answer, error));
    if (!base_ot_accept(&s->zero, &s->one, &s->secret, &s->offer, s->answer))
        return no_point(p, from, error);
    return ot_extension_receiver_new(out, party_memory(p), &s->zero, &s->one, s->hash_key, error);
}

static kith_status ensure(transfers **out, party *p, uint32_t peer, bool sends, kith_error *error)
{
    TRY(kept(out, p, error));
    transfers *t = *out;
    if (sends ? t->to[peer] != NULL : t->from[peer] != NULL)
        return KITH_OK;
    arena *scratch = arena_new();
    setup *s = scratch == NULL ? NULL : secret_memory_array(scratch, 1, sizeof *s);
    kith_status status = KITH_NOMEM;
    if (s != NULL) {
        party_key(p, peer, "smc ot hash", s->hash_key);
        status = sends ? open_sender(&t->to[peer], p, peer, s, error)
                       : open_receiver(&t->from[peer], p, peer, s, error);
    }
    if (scratch != NULL)
        arena_free(scratch);
    return s == NULL ? error_nomem(error) : status;
}

kith_status ot_bits_send(party *p, uint32_t to, uint64_t *zero, uint64_t *one, size_t words,
                         kith_error *error)
{
    transfers *t = NULL;
    TRY(ensure(&t, p, to, true, error));
    arena *scratch = TRY_ALLOC(arena_new(), error);
    uint64_t *columns = arena_array(scratch, OT_EXTENSION_MESSAGE_WORDS, sizeof *columns);
    kith_status status = columns == NULL ? error_nomem(error) : KITH_OK;
    for (size_t start = 0; start < words && status == KITH_OK; start += OT_EXTENSION_WORDS) {
        size_t part = words - start < OT_EXTENSION_WORDS ? words - start : OT_EXTENSION_WORDS;
        status =
            party_recv(p, to, &columns_type, columns, BASE_OTS * part * sizeof *columns, error);
        if (status == KITH_OK)
            status = ot_extension_sender_block(t->to[to], zero + start, one + start, columns, part,
                                               error);
    }
    arena_free(scratch);
    return status;
}

kith_status ot_bits_receive(party *p, uint32_t from, uint64_t *bit, const uint64_t *choice,
                            size_t words, kith_error *error)
{
    transfers *t = NULL;
    TRY(ensure(&t, p, from, false, error));
    arena *scratch = TRY_ALLOC(arena_new(), error);
    uint64_t *columns = arena_array(scratch, OT_EXTENSION_MESSAGE_WORDS, sizeof *columns);
    kith_status status = columns == NULL ? error_nomem(error) : KITH_OK;
    for (size_t start = 0; start < words && status == KITH_OK; start += OT_EXTENSION_WORDS) {
        size_t part = words - start < OT_EXTENSION_WORDS ? words - start : OT_EXTENSION_WORDS;
        status = ot_extension_receiver_block(t->from[from], columns, bit + start, choice + start,
                                             part, error);
        if (status == KITH_OK)
            status = party_send(p, from, &columns_type, columns, BASE_OTS * part * sizeof *columns,
                                error);
    }
    arena_free(scratch);
    return status;
}
