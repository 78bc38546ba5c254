#include "smc/sets/mix_union.h"

#include <string.h>

#include <sodium.h>

#include "core/error.h"
#include "crypto/secret_memory.h"

enum { LAYER = crypto_box_SEALBYTES, KEY = crypto_box_PUBLICKEYBYTES };

/* No run may hold more: 2^32 rows, and no more bytes than half of memory addresses. */
static const uint64_t max_rows = UINT64_C(1) << 32;

static const message_type key_type = {"union.key", DISCLOSE_CONTROL};
static const message_type size_type = {"union.size", DISCLOSE_AGGREGATE};
static const message_type boxes_type = {"union.boxes", DISCLOSE_BLINDED};
static const message_type rows_type = {"union.rows", DISCLOSE_AGGREGATE};

/* One mix. A row is sent as a byte that tells real rows from filling, followed by its bytes; every
 * box around it adds LAYER bytes. */
typedef struct mix {
    party *party;
    arena *scratch;
    mix_union_shape shape;
    unsigned char *secret_key; /* of this party, for this call alone */
    unsigned char public_keys[PARTY_MAX][KEY];
    uint64_t ends[PARTY_MAX]; /* at party 0: where everyone's boxes end */
    uint64_t n_boxes;         /* that this party opens */
} mix;

/* The length of a row inside `layers` boxes. */
static size_t boxed(const mix *x, uint32_t layers)
{
    return x->shape.row_bytes + 1 + (size_t)layers * LAYER;
}

/* This party's rows, then filling up to `count`, wrapped. */
static kith_status wrap_mine(const mix *x, unsigned char *boxes, size_t count,
                             const mix_union_rows *mine, kith_error *error)
{
    const uint32_t m = party_count(x->party);
    const size_t size = boxed(x, m);
    unsigned char *spare = TRY_ALLOC(secret_memory_array(x->scratch, 1, size), error);
    for (size_t i = 0; i < count; i++) {
        unsigned char *box = boxes + i * size;
        TRY(party_poll(x->party, error));
        memset(box, 0, boxed(x, 0));
        if (i < mine->count) {
            box[0] = 1;
            memcpy(box + 1, mine->bytes + i * x->shape.row_bytes, x->shape.row_bytes);
        }
        /* The layer of the last party is innermost, that of party 0, who opens first, outermost. */
        for (uint32_t layers = 0; layers < m; layers++) {
            const uint32_t of = m - 1 - layers;
            if (crypto_box_seal(spare, box, boxed(x, layers), x->public_keys[of]) != 0)
                return party_protocol_error(x->party, of, error, "sent an invalid key");
            memcpy(box, spare, boxed(x, layers + 1));
        }
    }
    return KITH_OK;
}

/* Who sent box i: party 0 has boxes from all parties, the others have them from the party before.
 */
static uint32_t sender_of(const mix *x, size_t i)
{
    uint32_t from = 0;
    if (party_self(x->party) > 0)
        return party_self(x->party) - 1;
    while (from + 1 < party_count(x->party) && i >= x->ends[from])
        from++;
    return from;
}

/* Opens this party's layer of all boxes, in place, and shuffles them: no other party can tell which
 * box became which. */
static kith_status open_boxes(const mix *x, unsigned char *boxes, size_t count, kith_error *error)
{
    const uint32_t self = party_self(x->party), layers = party_count(x->party) - self;
    const size_t outer = boxed(x, layers), inner = boxed(x, layers - 1);
    unsigned char *spare = TRY_ALLOC(secret_memory_array(x->scratch, 1, outer), error);
    prg *coins;
    for (size_t i = 0; i < count; i++) {
        TRY(party_poll(x->party, error));
        if (crypto_box_seal_open(spare, boxes + i * outer, outer, x->public_keys[self],
                                 x->secret_key) != 0)
            return party_protocol_error(x->party, sender_of(x, i), error,
                                        "sent a damaged sealed row");
        memmove(boxes + i * inner, spare, inner);
    }
    TRY(prg_new_private(&coins, x->scratch, error));
    return prg_shuffle(coins, boxes, count, inner, error);
}

static kith_status send_boxes(const mix *x, uint32_t to, const unsigned char *boxes, uint64_t count,
                              size_t size, kith_error *error)
{
    TRY(party_send(x->party, to, &size_type, &count, sizeof count, error));
    return smc_send(x->party, to, &boxes_type, boxes, count * size, error);
}

/* The rows of `n_owners` parties. With a capacity all know how many there are; without, boxes take
 * memory only as they arrive (smc_recv_append). */
static kith_status recv_count(const mix *x, uint32_t from, uint64_t *count, uint32_t n_owners,
                              size_t size, kith_error *error)
{
    TRY(party_recv(x->party, from, &size_type, count, sizeof *count, error));
    if (*count > max_rows || *count > SIZE_MAX / 4 / size)
        return party_protocol_error(x->party, from, error, "announces %llu rows",
                                    (unsigned long long)*count);
    if (x->shape.capacity > 0 && *count != (uint64_t)n_owners * x->shape.capacity)
        return party_protocol_error(x->party, from, error,
                                    "announces %llu rows of %u parties that fill up to %zu",
                                    (unsigned long long)*count, n_owners, x->shape.capacity);
    return KITH_OK;
}

/* Party 0 appends everyone's boxes to its own. */
static kith_status mix_union_collect(mix *x, unsigned char **boxes, uint64_t *count,
                                     kith_error *error)
{
    const uint32_t m = party_count(x->party);
    const size_t size = boxed(x, m);
    x->ends[0] = *count;
    for (uint32_t from = 1; from < m; from++) {
        uint64_t more;
        TRY(recv_count(x, from, &more, 1, size, error));
        TRY(smc_recv_append(x->party, from, &boxes_type, x->scratch, boxes, *count * size,
                            more * size, error));
        *count += more;
        x->ends[from] = *count;
    }
    if (x->shape.capacity == 0)
        party_learns(x->party, DISCLOSE_AGGREGATE, "union.counts", m);
    return KITH_OK;
}

/* Boxes go to party 0, then from each party to the next; the last one opens the innermost. */
static kith_status pass_boxes(mix *x, unsigned char **boxes, uint64_t *count,
                              const mix_union_rows *mine, kith_error *error)
{
    const uint32_t m = party_count(x->party), self = party_self(x->party);
    const size_t full = boxed(x, m);
    *count = x->shape.capacity > 0 ? x->shape.capacity : mine->count;
    *boxes = TRY_ALLOC(arena_alloc(x->scratch, *count * full), error);
    TRY(wrap_mine(x, *boxes, *count, mine, error));
    if (self == 0) {
        TRY(mix_union_collect(x, boxes, count, error));
    } else {
        const size_t size = boxed(x, m - self);
        TRY(send_boxes(x, 0, *boxes, *count, full, error));
        TRY(recv_count(x, self - 1, count, m, size, error));
        *boxes = NULL;
        TRY(smc_recv_append(x->party, self - 1, &boxes_type, x->scratch, boxes, 0, *count * size,
                            error));
    }
    x->n_boxes = *count;
    TRY(open_boxes(x, *boxes, *count, error));
    return self + 1 < m ? send_boxes(x, self + 1, *boxes, *count, boxed(x, m - 1 - self), error)
                        : KITH_OK;
}

static int by_bytes(const void *a, const void *b, void *length)
{
    return memcmp(a, b, *(size_t *)length);
}

/* The last party removes the filling and sorts the rows; duplicates go unless they are wanted. */
static kith_status remove_filling(const mix *x, unsigned char *rows, uint64_t *count,
                                  kith_error *error)
{
    size_t size = x->shape.row_bytes, real = 0, kept = 0;
    for (size_t i = 0; i < *count; i++) {
        if (rows[i * (size + 1)] != 1)
            continue;
        memmove(rows + real++ * size, rows + i * (size + 1) + 1, size);
    }
    TRY(smc_sort(x->party, rows, real, size, by_bytes, &size, error));
    for (size_t i = 0; i < real; i++) {
        if (kept > 0 && !x->shape.multiset &&
            memcmp(rows + (kept - 1) * size, rows + i * size, size) == 0)
            continue;
        memmove(rows + kept++ * size, rows + i * size, size);
    }
    *count = kept;
    return KITH_OK;
}

/* The last party sends the result to all others. */
static kith_status mix_union_publish(mix *x, mix_union_rows *out, unsigned char *rows,
                                     uint64_t count, kith_error *error)
{
    const uint32_t m = party_count(x->party), self = party_self(x->party), last = m - 1;
    const size_t size = x->shape.row_bytes;
    if (self == last) {
        TRY(remove_filling(x, rows, &count, error));
        if (!x->shape.multiset)
            party_learns(x->party, DISCLOSE_AGGREGATE, "union.multiplicities", count);
        TRY(party_broadcast(x->party, &size_type, &count, sizeof count, error));
    } else {
        TRY(party_recv(x->party, last, &size_type, &count, sizeof count, error));
        if (count > x->n_boxes)
            return party_protocol_error(x->party, last, error, "announces %llu rows of %llu boxes",
                                        (unsigned long long)count, (unsigned long long)x->n_boxes);
    }
    out->count = count;
    out->bytes = TRY_ALLOC(arena_alloc(party_memory(x->party), count * size), error);
    if (self != last)
        return smc_recv(x->party, last, &rows_type, out->bytes, count * size, error);
    memcpy(out->bytes, rows, count * size);
    for (uint32_t to = 0; to < last; to++)
        TRY(smc_send(x->party, to, &rows_type, rows, count * size, error));
    return party_flush(x->party, error);
}

static kith_status mix_union_check(const mix_union_rows *mine, mix_union_shape shape,
                                   kith_error *error)
{
    if (shape.row_bytes == 0 || shape.row_bytes > (1 << 20) || mine->count > max_rows)
        return error_set(error, KITH_INVALID, "rows of a union have 1 … 2^20 bytes");
    if (shape.capacity > max_rows)
        return error_set(error, KITH_INVALID, "%zu rows per party exceed the limit of %zu",
                         shape.capacity, max_rows);
    if (shape.capacity > 0 && mine->count > shape.capacity)
        return error_set(error, KITH_INVALID, "%zu rows are more than the capacity of %zu",
                         mine->count, shape.capacity);
    return KITH_OK;
}

static kith_status mix_union_run(mix *x, mix_union_rows *out, const mix_union_rows *mine,
                                 kith_error *error)
{
    unsigned char *boxes = NULL;
    uint64_t count;
    const uint32_t self = party_self(x->party);
    void *places[PARTY_MAX];
    x->secret_key = TRY_ALLOC(secret_memory_array(x->scratch, 1, crypto_box_SECRETKEYBYTES), error);
    crypto_box_keypair(x->public_keys[self], x->secret_key);
    for (uint32_t i = 0; i < party_count(x->party); i++)
        places[i] = x->public_keys[i];
    TRY(party_exchange(x->party, &key_type, x->public_keys[self], places, KEY, error));
    TRY(pass_boxes(x, &boxes, &count, mine, error));
    if (x->shape.capacity == 0 && !x->shape.multiset && self > 0)
        party_learns(x->party, DISCLOSE_AGGREGATE, "union.total", 1);
    return mix_union_publish(x, out, boxes, count, error);
}

kith_status mix_union(party *p, mix_union_rows *out, const mix_union_rows *mine,
                      mix_union_shape shape, kith_error *error)
{
    smc_call call;
    TRY(smc_call_open(&call, p, "union", (smc_output){SMC_ALL, "union"}, error));
    mix x = {.party = p, .scratch = call.scratch, .shape = shape};
    kith_status status = mix_union_check(mine, shape, error);
    if (status == KITH_OK)
        status = mix_union_run(&x, out, mine, error);
    return smc_call_close(&call, status, status == KITH_OK ? out->count : 0);
}
