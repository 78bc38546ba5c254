#include "smc/mix_union.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/error.h"
#include "crypto/secret_memory.h"

enum { LAYER = crypto_box_SEALBYTES, KEY = crypto_box_PUBLICKEYBYTES };

/* No run may hold more: 2^32 rows, and no more bytes than half of memory addresses. */
static const uint64_t most_rows = UINT64_C(1) << 32;

static const message_type key_type = {"union.key", DISCLOSE_CONTROL};
static const message_type size_type = {"union.size", DISCLOSE_AGGREGATE};
static const message_type boxes_type = {"union.boxes", DISCLOSE_BLINDED};
static const message_type rows_type = {"union.rows", DISCLOSE_AGGREGATE};

/* One mix. A row travels as a byte that tells real rows from filling, and its bytes; `layers` boxes
 * around it make it longer. */
typedef struct mix {
    party *p;
    arena *scratch;
    mix_union_shape shape;
    unsigned char *secret; /* this party's key for this call alone */
    unsigned char public[PARTY_MOST][KEY];
    uint64_t until[PARTY_MOST]; /* at party 0: where everyone's boxes end */
} mix;

static size_t boxed(const mix *x, uint32_t layers)
{
    return x->shape.row_bytes + 1 + (size_t)layers * LAYER;
}

static kith_status exchange_keys(mix *x, kith_error *error)
{
    const uint32_t self = party_self(x->p);
    void *place[PARTY_MOST];
    x->secret = TRY_ALLOC(secret_memory_array(x->scratch, 1, crypto_box_SECRETKEYBYTES), error);
    crypto_box_keypair(x->public[self], x -> secret);
    for (uint32_t i = 0; i < party_count(x->p); i++)
        place[i] = x->public[i];
    return party_exchange(x->p, &key_type, x->public[self], place, KEY, error);
}

/* One row for the whole way: the last party's layer innermost, party 0's outermost. */
static kith_status wrap(const mix *x, unsigned char *box, unsigned char *spare, kith_error *error)
{
    for (uint32_t layers = 0; layers < party_count(x->p); layers++) {
        const unsigned char *key = x->public[party_count(x->p) - 1 - layers];
        if (crypto_box_seal(spare, box, boxed(x, layers), key) != 0)
            return party_accuse(x->p, party_count(x->p) - 1 - layers, error,
                                "sent a key that is none");
        memcpy(box, spare, boxed(x, layers + 1));
    }
    return KITH_OK;
}

/* My rows and the filling, wrapped. */
static kith_status wrap_mine(const mix *x, unsigned char *boxes, size_t count,
                             const mix_union_rows *mine, kith_error *error)
{
    const size_t size = boxed(x, party_count(x->p));
    unsigned char *spare = TRY_ALLOC(secret_memory_array(x->scratch, 1, size), error);
    for (size_t i = 0; i < count; i++) {
        unsigned char *box = boxes + i * size;
        TRY(party_poll(x->p, error));
        memset(box, 0, boxed(x, 0));
        if (i < mine->count) {
            box[0] = 1;
            memcpy(box + 1, mine->bytes + i * x->shape.row_bytes, x->shape.row_bytes);
        }
        TRY(wrap(x, box, spare, error));
    }
    return KITH_OK;
}

/* Who sent box i: party 0 has them from all, the others from the party before. */
static uint32_t sender_of(const mix *x, size_t i)
{
    uint32_t from = 0;
    if (party_self(x->p) > 0)
        return party_self(x->p) - 1;
    while (from + 1 < party_count(x->p) && i >= x->until[from])
        from++;
    return from;
}

/* Peels my layer of all boxes, in place, and shuffles them. */
static kith_status peel(const mix *x, unsigned char *boxes, size_t count, kith_error *error)
{
    const uint32_t self = party_self(x->p), layers = party_count(x->p) - self;
    const size_t outer = boxed(x, layers), inner = boxed(x, layers - 1);
    unsigned char *spare = secret_memory_array(x->scratch, 1, outer);
    prg *coins;
    TRY_ALLOC(spare, error);
    for (size_t i = 0; i < count; i++) {
        TRY(party_poll(x->p, error));
        if (crypto_box_seal_open(spare, boxes + i * outer, outer, x->public[self], x -> secret) !=
            0)
            return party_accuse(x->p, sender_of(x, i), error, "sent a sealed row that is damaged");
        memmove(boxes + i * inner, spare, inner);
    }
    TRY(prg_new_private(&coins, x->scratch, error));
    return prg_shuffle(coins, boxes, count, inner, error);
}

static kith_status send_boxes(const mix *x, uint32_t to, const unsigned char *boxes, uint64_t count,
                              size_t size, kith_error *error)
{
    TRY(party_send(x->p, to, &size_type, &count, sizeof count, error));
    return smc_send(x->p, to, &boxes_type, boxes, count * size, error);
}

static kith_status recv_count(const mix *x, uint32_t from, uint64_t *count, size_t size,
                              kith_error *error)
{
    TRY(party_recv(x->p, from, &size_type, count, sizeof *count, error));
    if (*count > most_rows || *count > SIZE_MAX / 4 / size)
        return party_accuse(x->p, from, error, "announces %llu rows", (unsigned long long)*count);
    if (x->shape.capacity > 0 && *count % x->shape.capacity != 0)
        return party_accuse(x->p, from, error, "announces rows beyond the capacity");
    return KITH_OK;
}

/* Party 0: everyone's boxes behind my own. */
static kith_status collect(mix *x, unsigned char **boxes, uint64_t *count, kith_error *error)
{
    const uint32_t m = party_count(x->p);
    const size_t size = boxed(x, m);
    x->until[0] = *count;
    for (uint32_t from = 1; from < m; from++) {
        uint64_t more;
        TRY(recv_count(x, from, &more, size, error));
        unsigned char *grown = TRY_ALLOC(
            arena_resize(x->scratch, *boxes, *count * size + 1, (*count + more) * size + 1), error);
        *boxes = grown;
        TRY(smc_recv(x->p, from, &boxes_type, grown + *count * size, more * size, error));
        *count += more;
        x->until[from] = *count;
    }
    if (x->shape.capacity == 0)
        party_learns(x->p, DISCLOSE_AGGREGATE, "union.counts", m);
    return KITH_OK;
}

/* The way of the boxes: to party 0, from each party to the next, opened by the last. */
static kith_status travel(mix *x, unsigned char **boxes, uint64_t *count,
                          const mix_union_rows *mine, kith_error *error)
{
    const uint32_t m = party_count(x->p), self = party_self(x->p);
    const size_t full = boxed(x, m);
    *count = x->shape.capacity > 0 ? x->shape.capacity : mine->count;
    *boxes = arena_alloc(x->scratch, *count * full + 1);
    TRY_ALLOC(*boxes, error);
    TRY(wrap_mine(x, *boxes, *count, mine, error));
    if (self == 0) {
        TRY(collect(x, boxes, count, error));
    } else {
        const size_t size = boxed(x, m - self);
        TRY(send_boxes(x, 0, *boxes, *count, full, error));
        TRY(recv_count(x, self - 1, count, size, error));
        *boxes = arena_alloc(x->scratch, *count * size + 1);
        TRY_ALLOC(*boxes, error);
        TRY(smc_recv(x->p, self - 1, &boxes_type, *boxes, *count * size, error));
    }
    TRY(peel(x, *boxes, *count, error));
    return self + 1 < m ? send_boxes(x, self + 1, *boxes, *count, boxed(x, m - 1 - self), error)
                        : KITH_OK;
}

static int by_bytes(const void *a, const void *b, void *length)
{
    return memcmp(a, b, *(size_t *)length);
}

/* The last party: without filling, sorted, each once unless duplicates are wanted. */
static void tidy(const mix *x, unsigned char *rows, uint64_t *count)
{
    size_t size = x->shape.row_bytes, real = 0, kept = 0;
    for (size_t i = 0; i < *count; i++) {
        if (rows[i * (size + 1)] != 1)
            continue;
        memmove(rows + real++ * size, rows + i * (size + 1) + 1, size);
    }
    qsort_r(rows, real, size, by_bytes, &size);
    for (size_t i = 0; i < real; i++) {
        if (kept > 0 && !x->shape.multiset &&
            memcmp(rows + (kept - 1) * size, rows + i * size, size) == 0)
            continue;
        memmove(rows + kept++ * size, rows + i * size, size);
    }
    *count = kept;
}

/* The last party tells all. */
static kith_status publish(mix *x, mix_union_rows *out, unsigned char *rows, uint64_t count,
                           kith_error *error)
{
    const uint32_t m = party_count(x->p), self = party_self(x->p), last = m - 1;
    const size_t size = x->shape.row_bytes;
    if (self == last) {
        tidy(x, rows, &count);
        if (!x->shape.multiset)
            party_learns(x->p, DISCLOSE_AGGREGATE, "union.multiplicities", count);
        TRY(party_broadcast(x->p, &size_type, &count, sizeof count, error));
    } else {
        TRY(party_recv(x->p, last, &size_type, &count, sizeof count, error));
        if (count > most_rows || count > SIZE_MAX / 4 / size)
            return party_accuse(x->p, last, error, "announces %llu rows",
                                (unsigned long long)count);
    }
    out->count = count;
    out->bytes = TRY_ALLOC(arena_alloc(party_memory(x->p), count * size + 1), error);
    if (self != last)
        return smc_recv(x->p, last, &rows_type, out->bytes, count * size, error);
    memcpy(out->bytes, rows, count * size);
    for (uint32_t to = 0; to < last; to++)
        TRY(smc_send(x->p, to, &rows_type, rows, count * size, error));
    return party_flush(x->p, error);
}

static kith_status run(mix *x, mix_union_rows *out, const mix_union_rows *mine, kith_error *error)
{
    unsigned char *boxes;
    uint64_t count;
    TRY(exchange_keys(x, error));
    TRY(travel(x, &boxes, &count, mine, error));
    if (x->shape.capacity == 0 && !x->shape.multiset && party_self(x->p) > 0)
        party_learns(x->p, DISCLOSE_AGGREGATE, "union.total", 1);
    TRY(publish(x, out, boxes, count, error));
    party_learns(x->p, DISCLOSE_AGGREGATE, "union", out->count);
    return KITH_OK;
}

kith_status mix_union(party *p, mix_union_rows *out, const mix_union_rows *mine,
                      mix_union_shape shape, kith_error *error)
{
    party_next_call(p, "union");
    if (shape.row_bytes == 0 || shape.row_bytes > (1 << 20) || mine->count > most_rows)
        return error_set(error, KITH_INVALID, "rows of a union have 1 … 2^20 bytes");
    if (shape.capacity > 0 && mine->count > shape.capacity)
        return error_set(error, KITH_INVALID, "%zu rows are more than the capacity of %zu",
                         mine->count, shape.capacity);
    arena *scratch = TRY_ALLOC(arena_new(), error);
    mix x = {.p = p, .scratch = scratch, .shape = shape};
    kith_status status = run(&x, out, mine, error);
    arena_free(scratch);
    return status;
}
