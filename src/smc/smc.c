#include "smc/smc.h"

#include <stdlib.h>

#include "core/error.h"
#include "crypto/secret_memory.h"

uint32_t smc_hub(uint32_t receiver)
{
    return receiver == SMC_ALL ? 0 : receiver;
}

smc_roles smc_assign(const party *p, uint32_t receiver)
{
    const uint32_t m = party_count(p), hub = smc_hub(receiver);
    if (m == 2)
        return (smc_roles){hub, 1 - hub, hub};
    return (smc_roles){(hub + 1) % m, (hub + 2) % m, hub};
}

kith_status smc_check_receiver(const party *p, uint32_t receiver, kith_error *error)
{
    if (receiver == SMC_ALL || receiver < party_count(p))
        return KITH_OK;
    return error_set(error, KITH_INVALID, "there is no party %u to receive the output", receiver);
}

bool smc_receives(const party *p, uint32_t receiver)
{
    return receiver == SMC_ALL || receiver == party_self(p);
}

void smc_learns(party *p, smc_output output, size_t n)
{
    if (output.entry != NULL && smc_receives(p, output.receiver))
        party_learns(p, DISCLOSE_AGGREGATE, output.entry, n);
}

kith_status smc_call_open(smc_call *call, party *p, const char *primitive, smc_output output,
                          kith_error *error)
{
    /* The number is drawn first, also for a call that fails below: the counter never depends on the
     * outcome of a call. */
    const uint64_t number = party_next_call(p, primitive);
    TRY(smc_check_receiver(p, output.receiver, error));
    *call = (smc_call){.party = p, .output = output, .number = number};
    call->roles = smc_assign(p, output.receiver);
    call->scratch = TRY_ALLOC(arena_new(), error);
    CHECK(smc_call_check(call));
    return KITH_OK;
}

kith_status smc_call_close(smc_call *call, kith_status status, size_t n)
{
    CHECK(smc_call_check(call));
    arena_free(call->scratch);
    call->scratch = NULL;
    if (status == KITH_OK)
        smc_learns(call->party, call->output, n);
    return status;
}

#if KITH_DEBUG
void smc_call_check(const smc_call *call)
{
    const uint32_t m = party_count(call->party);
    const smc_roles r = call->roles;
    ASSERT(call->scratch != NULL);
    ASSERT(call->output.receiver == SMC_ALL || call->output.receiver < m);
    ASSERT(r.hub == smc_hub(call->output.receiver));
    ASSERT(r.a < m && r.b < m && r.a != r.b);
    ASSERT(m == 2 ? r.hub == r.a : r.hub != r.a && r.hub != r.b);
}

void smc_bits_check(const uint64_t *bits, size_t n)
{
    ASSERT(n % 64 == 0 || bits[n / 64] >> n % 64 == 0);
}
#endif

void smc_negate(uint64_t *bits, size_t n)
{
    for (size_t w = 0; w < smc_words(n); w++)
        bits[w] = ~bits[w];
    smc_trim(bits, n);
}

kith_status smc_send(party *p, uint32_t to, const message_type *type, const void *bytes,
                     size_t length, kith_error *error)
{
    const unsigned char *next = bytes;
    while (length > 0) {
        size_t part = length < SMC_PIECE ? length : SMC_PIECE;
        TRY(party_send(p, to, type, next, part, error));
        next += part;
        length -= part;
    }
    return KITH_OK;
}

kith_status smc_recv(party *p, uint32_t from, const message_type *type, void *bytes, size_t length,
                     kith_error *error)
{
    unsigned char *next = bytes;
    while (length > 0) {
        size_t part = length < SMC_PIECE ? length : SMC_PIECE;
        TRY(party_recv(p, from, type, next, part, error));
        next += part;
        length -= part;
    }
    return KITH_OK;
}

kith_status smc_recv_append(party *p, uint32_t from, const message_type *type, arena *memory,
                            unsigned char **bytes, size_t length, size_t more, kith_error *error)
{
    ASSERT(more <= SIZE_MAX - length);
    if (*bytes == NULL) /* an empty vector has an address, too */
        *bytes = TRY_ALLOC(arena_alloc(memory, 0), error);
    for (size_t done = 0, room = 0; done < more;) {
        if (done == room) { /* a piece, and then twice as many each time */
            const size_t wider = room == 0 ? SMC_PIECE : room;
            const size_t next = more - room < wider ? more : room + wider;
            *bytes = TRY_ALLOC(arena_resize(memory, *bytes, length + room, length + next), error);
            room = next;
        }
        const size_t part = room - done < SMC_PIECE ? room - done : SMC_PIECE;
        TRY(party_recv(p, from, type, *bytes + length + done, part, error));
        done += part;
    }
    return KITH_OK;
}

/* Comparisons between two looks at the network. */
enum { COMPARISONS = 1024 };

typedef struct polled_order {
    party *party;
    int (*order)(const void *a, const void *b, void *user);
    void *user;
    size_t n_compared;
} polled_order;

/* A failure of the party is returned by the next call. */
static int compare_and_poll(const void *a, const void *b, void *user)
{
    polled_order *o = user;
    if (++o->n_compared % COMPARISONS == 0)
        (void)!party_poll(o->party, NULL);
    return o->order(a, b, o->user);
}

kith_status smc_sort(party *p, void *items, size_t count, size_t size,
                     int (*order)(const void *a, const void *b, void *user), void *user,
                     kith_error *error)
{
    polled_order o = {.party = p, .order = order, .user = user};
    qsort_r(items, count, size, compare_and_poll, &o);
    return party_poll(p, error);
}

kith_status smc_forward(party *p, const message_type *type, void *bytes, size_t length,
                        uint32_t receiver, kith_error *error)
{
    const uint32_t hub = smc_hub(receiver), self = party_self(p);
    if (receiver != SMC_ALL)
        return KITH_OK;
    if (self != hub)
        return smc_recv(p, hub, type, bytes, length, error);
    for (uint32_t to = 0; to < party_count(p); to++)
        if (to != self)
            TRY(smc_send(p, to, type, bytes, length, error));
    return party_flush(p, error);
}

kith_status smc_forward_bits(party *p, const message_type *type, uint64_t *bits, size_t n,
                             uint32_t receiver, kith_error *error)
{
    const uint32_t hub = smc_hub(receiver);
    TRY(smc_forward(p, type, bits, smc_words(n) * sizeof *bits, receiver, error));
    if (receiver != SMC_ALL || party_self(p) == hub)
        return KITH_OK;
    if (n % 64 != 0 && bits[n / 64] >> n % 64 != 0)
        return party_protocol_error(p, hub, error, "sent more than %zu bits of %s", n, type->name);
    return KITH_OK;
}

kith_status smc_stream(prg **out, const smc_call *call, uint32_t peer, const char *purpose,
                       uint32_t lane, kith_error *error)
{
    unsigned char key[PARTY_KEY_BYTES];
    CHECK(smc_call_check(call));
    party_key(call->party, peer, purpose, key);
    kith_status status = prg_new(out, call->scratch, key, call->number, lane, error);
    secret_memory_wipe(key, sizeof key);
    return status;
}
