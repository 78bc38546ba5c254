#include "smc/compare/compare.h"

#include <string.h>

#include "core/error.h"
#include "crypto/bit_transpose.h"
#include "crypto/secret_memory.h"
#include "smc/circuits/gmw.h"
#include "smc/circuits/quorum.h"
#include "smc/sums/shared_sum.h"

enum { CHUNK = 1 << 17 }; /* values in one circuit, unless a single word of groups has more */

static const message_type result_type = {"compare.result", DISCLOSE_AGGREGATE};
static const compare_block single = {1, 1};

/* The circuit for a chunk of groups. Values are compared in `bits` planes of `words` words, in the
 * order of the caller and without gaps. Their answers are then laid out by component, so that
 * groups are joined side by side: component j of all groups comes before component j + 1, each
 * filled up to `group_words` words. A few large groups would waste most of those words, and
 * comparing takes many more gates than joining. */
typedef struct circuit {
    const compare_sums *sums;
    size_t size; /* components of a group */
    size_t group_words;
    size_t words;
    unsigned bits;
} circuit;

/* Words of AND gates that the circuit takes. */
static size_t count_gates(const circuit *c)
{
    size_t gates = c->bits - 1;
    for (size_t spans = c->bits - 1; spans > 1; spans -= spans / 2)
        gates += 2 * (spans / 2) - 1;
    size_t joined = 0, left = 0; /* words per word of groups; bits that the last AND joins */
    for (size_t i = 0; i < c->sums->n_blocks; i++) {
        const compare_block *b = &c->sums->blocks[i];
        bool all = b->need == b->size;
        joined += all ? 0 : quorum_gates(b->size, b->need);
        left += all ? b->size : 1;
    }
    return gates * c->words + (joined + left - 1) * c->group_words;
}

/* The memory of one evaluation at A or B: planes[b * words + w] is bit b of the values of word w.
 * The gates of one layer have their inputs side by side, in x and y. */
typedef struct evaluation {
    gmw *g;
    const circuit *c;
    uint64_t *planes, *carries;
    uint64_t *x, *y;
} evaluation;

/* From values to planes of bits. */
static void slice(evaluation *e, const uint64_t *values)
{
    const circuit *c = e->c;
    const size_t n = c->sums->n_groups * c->size;
    uint64_t square[64];
    for (size_t w = 0; w < c->words; w++) {
        const size_t n_here = n - 64 * w < 64 ? n - 64 * w : 64;
        memset(square, 0, sizeof square);
        memcpy(square, values + 64 * w, n_here * sizeof *square);
        bit_transpose_64(square);
        for (unsigned b = 0; b < c->bits; b++)
            e->planes[b * c->words + w] = square[b];
    }
    secret_memory_wipe(square, sizeof square);
}

/* Adjacent spans of bits join, the upper one first: it generates a carry if its upper half does, or
 * passes on what its lower half generates. The lowest span need not pass anything on. `planes` are
 * shares of "passes a carry on", which at a single bit is the exclusive or of A's and B's bits. */
static kith_status join_spans(evaluation *e, size_t *n_spans, kith_error *error)
{
    const size_t words = e->c->words, pairs = *n_spans / 2, bytes = words * sizeof *e->carries;
    uint64_t *carry = e->carries, *pass = e->planes;
    for (size_t i = 0; i < pairs; i++) {
        const uint64_t *upper = pass + (2 * i + 1) * words;
        memcpy(e->x + i * words, upper, bytes);
        memcpy(e->y + i * words, carry + 2 * i * words, bytes);
        if (i == 0)
            continue;
        memcpy(e->x + (pairs + i - 1) * words, upper, bytes);
        memcpy(e->y + (pairs + i - 1) * words, pass + 2 * i * words, bytes);
    }
    TRY(gmw_and(e->g, e->x, e->x, e->y, (2 * pairs - 1) * words, error));
    for (size_t i = 0; i < pairs; i++) {
        for (size_t w = 0; w < words; w++)
            carry[i * words + w] = carry[(2 * i + 1) * words + w] ^ e->x[i * words + w];
        if (i > 0)
            memcpy(pass + i * words, e->x + (pairs + i - 1) * words, bytes);
    }
    if (*n_spans % 2 == 1) { /* the topmost waits for the next layer */
        memmove(carry + pairs * words, carry + (*n_spans - 1) * words, bytes);
        memmove(pass + pairs * words, pass + (*n_spans - 1) * words, bytes);
    }
    *n_spans -= pairs;
    return KITH_OK;
}

/* Shares of "the sum of both parties' numbers is not negative", one bit per value. */
static kith_status not_negative(evaluation *e, uint64_t *out, kith_error *error)
{
    const bool is_a = smc_is_a(gmw_call(e->g));
    const size_t words = e->c->words;
    size_t n_spans = e->c->bits - 1;
    const uint64_t *top = e->planes + n_spans * words; /* not changed by join_spans */
    /* A bit generates a carry if both have it: A's bit is a share of one input, B's of the
     * other. */
    memset(is_a ? e->y : e->x, 0, n_spans * words * sizeof *e->x);
    memcpy(is_a ? e->x : e->y, e->planes, n_spans * words * sizeof *e->x);
    TRY(gmw_and(e->g, e->carries, e->x, e->y, n_spans * words, error));
    while (n_spans > 1)
        TRY(join_spans(e, &n_spans, error));
    const uint64_t ones = gmw_ones(e->g);
    for (size_t w = 0; w < words; w++)
        out[w] = top[w] ^ e->carries[w] ^ ones;
    return KITH_OK;
}

/* From answers in the order of values to answers by component. Every party moves its own shares. */
static void lay_out_groups(uint64_t *to, const uint64_t *from, const circuit *c)
{
    memset(to, 0, c->size * c->group_words * sizeof *to);
    for (size_t g = 0, i = 0; g < c->sums->n_groups; g++)
        for (size_t j = 0; j < c->size; j++, i++)
            to[j * c->group_words + g / 64] |= (from[i / 64] >> (i % 64) & 1) << (g % 64);
}

/* Blocks that do not need all their components shrink to one bit each; `left` bits remain, at the
 * front. */
static kith_status shrink_blocks(evaluation *e, uint64_t *bits, size_t *left, kith_error *error)
{
    const compare_sums *sums = e->c->sums;
    const size_t words = e->c->group_words;
    uint64_t *from = bits, *to = bits;
    for (size_t i = 0; i < sums->n_blocks; i++) {
        const compare_block *b = &sums->blocks[i];
        const size_t kept = b->need == b->size ? b->size : 1;
        if (b->need == b->size)
            memmove(to, from, kept * words * sizeof *to);
        else
            TRY(quorum(e->g, to, from, b->size, b->need, words, error));
        from += b->size * words;
        to += kept * words;
    }
    *left = (size_t)(to - bits) / words;
    return KITH_OK;
}

/* B subtracts the threshold from its share. Beyond the bounds all thresholds give the same answer;
 * cut to them, the difference fits the circuit. */
static void subtract_thresholds(uint64_t *shares, const circuit *c)
{
    const int64_t bound = c->sums->bound, *thresholds = c->sums->thresholds;
    for (size_t i = 0; i < c->sums->n_groups * c->size; i++) {
        int64_t k = thresholds[i] > bound + 1 ? bound + 1
                    : thresholds[i] < -bound  ? -bound
                                              : thresholds[i];
        shares[i] -= (uint64_t)k;
    }
}

/* One circuit; the answers at the hub, and elsewhere nothing (`out` is NULL). */
static kith_status run_circuit(const smc_call *call, uint64_t *out, const circuit *c,
                               kith_error *error)
{
    const size_t n = c->sums->n_groups * c->size;
    uint64_t *shares = TRY_ALLOC(secret_memory_array(call->scratch, n, sizeof *shares), error);
    uint64_t *answers =
        TRY_ALLOC(secret_memory_array(call->scratch, c->words, sizeof *answers), error);
    uint64_t *bits = TRY_ALLOC(
        secret_memory_array(call->scratch, c->size * c->group_words, sizeof *bits), error);
    gmw *g;
    memcpy(shares, c->sums->values, n * sizeof *shares);
    TRY(shared_sum(call, shares, shares, n, 0, error));
    TRY(gmw_new(&g, call, count_gates(c), error));
    if (smc_is_b(call))
        subtract_thresholds(shares, c);
    if (smc_holds_share(call)) {
        arena *scratch = call->scratch;
        const size_t all = c->bits * c->words, words = c->group_words;
        size_t left;
        evaluation e = {.g = g, .c = c};
        e.planes = TRY_ALLOC(secret_memory_array(scratch, all, sizeof *e.planes), error);
        e.carries = TRY_ALLOC(secret_memory_array(scratch, all, sizeof *e.carries), error);
        e.x = TRY_ALLOC(secret_memory_array(scratch, all, sizeof *e.x), error);
        e.y = TRY_ALLOC(secret_memory_array(scratch, all, sizeof *e.y), error);
        slice(&e, shares);
        TRY(not_negative(&e, answers, error));
        lay_out_groups(bits, answers, c);
        TRY(shrink_blocks(&e, bits, &left, error));
        while (left > 1) { /* what is left of each group, into the first bit */
            size_t half = left / 2, rest = left - half;
            TRY(gmw_and(g, bits, bits, bits + rest * words, half * words, error));
            left = rest;
        }
    }
    TRY(gmw_open(g, out, bits, c->group_words, error));
    if (out != NULL)
        smc_trim(out, c->sums->n_groups);
    return KITH_OK;
}

/* A function of its own: the list of exceptions from constant time names it. */
static kith_status check_values(const compare_sums *sums, size_t size, kith_error *error)
{
    const int64_t bound = sums->bound;
    if (bound < 0 || bound > COMPARE_MAX_BOUND)
        return error_set(error, KITH_INVALID, "the bound of a comparison must be 0 … 2^61");
    uint64_t outside = 0;
    for (size_t i = 0; i < sums->n_groups * size; i++)
        outside |= (uint64_t)(sums->values[i] > bound) | (uint64_t)(sums->values[i] < -bound);
    if (outside != 0)
        return error_set(error, KITH_INVALID, "a value to be compared is beyond the public bound");
    return KITH_OK;
}

/* Every chunk of groups is a call of its own, so that no mask and no triple is used twice. The
 * answers are forwarded together. */
static kith_status compare_chunks(party *p, uint64_t *out, const compare_sums *sums, size_t size,
                                  uint32_t receiver, kith_error *error)
{
    const size_t fit = CHUNK / size / 64 * 64, step = fit > 64 ? fit : 64;
    for (size_t start = 0; start < sums->n_groups; start += step) {
        compare_sums part = *sums;
        smc_call call;
        part.values += start * size;
        part.thresholds += start * size;
        part.n_groups = sums->n_groups - start < step ? sums->n_groups - start : step;
        TRY(smc_call_open(&call, p, "compare", (smc_output){receiver, NULL}, error));
        const uint64_t bound = (uint64_t)part.bound;
        const circuit c = {
            .sums = &part,
            .size = size,
            .group_words = smc_words(part.n_groups),
            .words = smc_words(part.n_groups * size),
            .bits = 2 + (bound == 0 ? 0 : 64 - (unsigned)__builtin_clzll(bound)),
        };
        uint64_t *answers = smc_is_hub(&call) ? out + start / 64 : NULL;
        TRY(smc_call_close(&call, run_circuit(&call, answers, &c, error), 0));
    }
    TRY(party_flush(p, error));
    return smc_forward_bits(p, &result_type, out, sums->n_groups, receiver, error);
}

kith_status compare_thresholds(party *p, uint64_t *out, const compare_sums *sums, smc_output output,
                               kith_error *error)
{
    compare_sums checked = *sums;
    size_t size = 0;
    if (checked.blocks == NULL) {
        checked.blocks = &single;
        checked.n_blocks = 1;
    }
    TRY(smc_check_receiver(p, output.receiver, error));
    for (size_t i = 0; i < checked.n_blocks; i++) {
        const compare_block *b = &checked.blocks[i];
        if (b->need == 0 || b->need > b->size || b->size > (SIZE_MAX >> 8) - size)
            return error_set(error, KITH_INVALID, "%zu of %zu values to be compared", b->need,
                             b->size);
        size += b->size;
    }
    if (size == 0 || (checked.n_groups > 0 && size > (SIZE_MAX >> 8) / checked.n_groups))
        return error_set(error, KITH_INVALID, "groups of %zu values to be compared", size);
    TRY(check_values(&checked, size, error));
    TRY(compare_chunks(p, out, &checked, size, output.receiver, error));
    if (smc_receives(p, output.receiver))
        CHECK(smc_bits_check(out, checked.n_groups));
    smc_learns(p, output, checked.n_groups);
    return KITH_OK;
}
