#include "smc/compare.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "crypto/bit_transpose.h"
#include "smc/gmw.h"
#include "smc/quorum.h"
#include "smc/shared_sum.h"

enum { CHUNK = 1 << 17 }; /* values in one circuit, at most, unless a group has more */

static const message_type result_type = {"compare.result", DISCLOSE_AGGREGATE};

/* The circuit: `words` words of values, in `bits` planes; component j of all groups comes before
 * component j + 1, each filled up to `group_words` words. */
typedef struct circuit {
    size_t groups, size;
    const compare_block *block; /* of each group */
    size_t blocks;
    size_t group_words;
    size_t words; /* size x group_words */
    unsigned bits;
} circuit;

static circuit lay_out(size_t groups, size_t size, const compare_block *block, size_t blocks,
                       int64_t bound)
{
    circuit c = {.groups = groups, .size = size, .block = block, .blocks = blocks};
    c.group_words = smc_words(groups);
    c.words = c.group_words * size;
    c.bits = 2 + (bound == 0 ? 0 : 64 - (unsigned)__builtin_clzll((uint64_t)bound));
    return c;
}

/* Words of AND gates that the circuit takes. */
static size_t count_gates(const circuit *c)
{
    size_t gates = c->bits - 1;
    for (size_t spans = c->bits - 1; spans > 1; spans -= spans / 2)
        gates += 2 * (spans / 2) - 1;
    size_t joined = 0, left = 0; /* words per word of groups; bits that the last AND joins */
    for (size_t i = 0; i < c->blocks; i++) {
        bool all = c->block[i].need == c->block[i].size;
        joined += all ? 0 : quorum_gates(c->block[i].size, c->block[i].need);
        left += all ? c->block[i].size : 1;
    }
    return gates * c->words + (joined + left - 1) * c->group_words;
}

/* plane[b][w]: bit b of the values of word w. */
static void slice(uint64_t *plane, const circuit *c, const uint64_t *value)
{
    uint64_t square[64];
    for (size_t j = 0; j < c->size; j++) {
        for (size_t w = 0; w < c->group_words; w++) {
            for (size_t i = 0; i < 64; i++) {
                size_t group = 64 * w + i;
                square[i] = group < c->groups ? value[group * c->size + j] : 0;
            }
            bit_transpose_64(square);
            for (unsigned b = 0; b < c->bits; b++)
                plane[b * c->words + j * c->group_words + w] = square[b];
        }
    }
    secret_memory_wipe(square, sizeof square);
}

/* Room for one layer's gates: inputs side by side. */
typedef struct layer {
    uint64_t *x, *y;
} layer;

/* Adjacent spans of bits join, the upper one first: it generates a carry if its upper half does, or
 * passes on what its lower half generates. The lowest span need not pass anything on. */
static kith_status join_spans(gmw *g, uint64_t *carry, uint64_t *pass, size_t *spans, size_t words,
                              layer *l, kith_error *error)
{
    const size_t pairs = *spans / 2, bytes = words * sizeof *carry;
    for (size_t i = 0; i < pairs; i++) {
        const uint64_t *upper = pass + (2 * i + 1) * words;
        memcpy(l->x + i * words, upper, bytes);
        memcpy(l->y + i * words, carry + 2 * i * words, bytes);
        if (i == 0)
            continue;
        memcpy(l->x + (pairs + i - 1) * words, upper, bytes);
        memcpy(l->y + (pairs + i - 1) * words, pass + 2 * i * words, bytes);
    }
    TRY(gmw_and(g, l->x, l->x, l->y, (2 * pairs - 1) * words, error));
    for (size_t i = 0; i < pairs; i++) {
        for (size_t w = 0; w < words; w++)
            carry[i * words + w] = carry[(2 * i + 1) * words + w] ^ l->x[i * words + w];
        if (i > 0)
            memcpy(pass + i * words, l->x + (pairs + i - 1) * words, bytes);
    }
    if (*spans % 2 == 1) { /* the topmost waits for the next layer */
        memmove(carry + pairs * words, carry + (*spans - 1) * words, bytes);
        memmove(pass + pairs * words, pass + (*spans - 1) * words, bytes);
    }
    *spans -= pairs;
    return KITH_OK;
}

/* Shares of "the sum of both planes is not negative", one bit per value. */
static kith_status not_negative(gmw *g, uint64_t *out, uint64_t *plane, const circuit *c, bool is_a,
                                uint64_t *carry, layer *l, kith_error *error)
{
    const size_t words = c->words;
    size_t spans = c->bits - 1;
    const uint64_t *top = plane + spans * words;
    /* A bit generates a carry if both have it: A's bit is a share of one input, B's of the other.
     */
    memset(is_a ? l->y : l->x, 0, spans * words * sizeof *l->x);
    memcpy(is_a ? l->x : l->y, plane, spans * words * sizeof *l->x);
    TRY(gmw_and(g, carry, l->x, l->y, spans * words, error));
    while (spans > 1)
        TRY(join_spans(g, carry, plane, &spans, words, l, error));
    for (size_t w = 0; w < words; w++)
        out[w] = top[w] ^ carry[w] ^ (is_a ? ~UINT64_C(0) : 0);
    return KITH_OK;
}

/* Blocks of which not all components are needed shrink to one bit each; `left` bits remain, at the
 * front. */
static kith_status shrink_blocks(gmw *g, uint64_t *bit, size_t *left, const circuit *c, bool is_a,
                                 arena *scratch, kith_error *error)
{
    const size_t words = c->group_words;
    uint64_t *from = bit, *to = bit;
    for (size_t i = 0; i < c->blocks; i++) {
        const compare_block *b = &c->block[i];
        const size_t kept = b->need == b->size ? b->size : 1;
        if (b->need == b->size)
            memmove(to, from, kept * words * sizeof *to);
        else
            TRY(quorum(g, to, from, b->size, b->need, words, is_a, scratch, error));
        from += b->size * words;
        to += kept * words;
    }
    *left = (size_t)(to - bit) / words;
    return KITH_OK;
}

/* ANDs what is left of each group into the first bit. */
static kith_status join_groups(gmw *g, uint64_t *bit, size_t left, const circuit *c,
                               kith_error *error)
{
    while (left > 1) {
        size_t half = left / 2, rest = left - half;
        TRY(gmw_and(g, bit, bit, bit + rest * c->group_words, half * c->group_words, error));
        left = rest;
    }
    return KITH_OK;
}

static kith_status evaluate(gmw *g, uint64_t *bit, const uint64_t *share, const circuit *c,
                            bool is_a, arena *scratch, kith_error *error)
{
    const size_t all = c->bits * c->words;
    uint64_t *plane = TRY_ALLOC(secret_memory_array(scratch, all, sizeof *plane), error);
    uint64_t *carry = TRY_ALLOC(secret_memory_array(scratch, all, sizeof *carry), error);
    layer l = {secret_memory_array(scratch, all, sizeof *l.x),
               secret_memory_array(scratch, all, sizeof *l.y)};
    TRY_ALLOC(l.x, error);
    TRY_ALLOC(l.y, error);
    slice(plane, c, share);
    size_t left;
    TRY(not_negative(g, bit, plane, c, is_a, carry, &l, error));
    TRY(shrink_blocks(g, bit, &left, c, is_a, scratch, error));
    return join_groups(g, bit, left, c, error);
}

/* B takes the threshold off its share; outside the bounds it makes no difference by how much. */
static void subtract(uint64_t *share, const int64_t *least, size_t n, int64_t bound)
{
    for (size_t i = 0; i < n; i++) {
        int64_t k = least[i] > bound + 1 ? bound + 1 : least[i] < -bound ? -bound : least[i];
        share[i] -= (uint64_t)k;
    }
}

static kith_status chunk(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                         const circuit *c, int64_t bound, smc_roles roles, uint64_t call,
                         arena *scratch, kith_error *error)
{
    const uint32_t self = party_self(p);
    const size_t n = c->groups * c->size;
    uint64_t *share = secret_memory_array(scratch, n, sizeof *share);
    uint64_t *bit = secret_memory_array(scratch, c->words, sizeof *bit);
    gmw *g;
    TRY_ALLOC(share, error);
    TRY_ALLOC(bit, error);
    memcpy(share, value, n * sizeof *share);
    TRY(shared_sum(p, share, share, n, 0, roles, call, error));
    TRY(gmw_new(&g, p, scratch, roles, count_gates(c), call, error));
    if (self == roles.b)
        subtract(share, least, n, bound);
    if (self == roles.a || self == roles.b)
        TRY(evaluate(g, bit, share, c, self == roles.a, scratch, error));
    TRY(gmw_open(g, out, bit, c->group_words, error));
    if (out != NULL)
        smc_trim(out, c->groups);
    return KITH_OK;
}

static kith_status check(const int64_t *value, size_t n, int64_t bound, kith_error *error)
{
    if (bound < 0 || bound > COMPARE_MAX_BOUND)
        return error_set(error, KITH_INVALID, "the bound of a comparison must be 0 … 2^61");
    uint64_t outside = 0;
    for (size_t i = 0; i < n; i++)
        outside |= (uint64_t)(value[i] > bound) | (uint64_t)(value[i] < -bound);
    if (outside != 0)
        return error_set(error, KITH_INVALID, "a value to be compared is beyond the public bound");
    return KITH_OK;
}

static kith_status count_components(size_t *size, size_t groups, const compare_block *block,
                                    size_t blocks, kith_error *error)
{
    *size = 0;
    for (size_t i = 0; i < blocks; i++) {
        if (block[i].need == 0 || block[i].need > block[i].size ||
            block[i].size > (SIZE_MAX >> 8) - *size)
            return error_set(error, KITH_INVALID, "%zu of %zu values to be compared", block[i].need,
                             block[i].size);
        *size += block[i].size;
    }
    if (*size == 0 || (groups > 0 && *size > (SIZE_MAX >> 8) / groups))
        return error_set(error, KITH_INVALID, "groups of %zu values to be compared", *size);
    return KITH_OK;
}

kith_status compare_blocks_part(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                                size_t groups, const compare_block *block, size_t blocks,
                                int64_t bound, uint32_t receiver, kith_error *error)
{
    size_t size;
    TRY(smc_check_receiver(p, receiver, error));
    TRY(count_components(&size, groups, block, blocks, error));
    TRY(check(value, groups * size, bound, error));
    const smc_roles roles = smc_assign(p, receiver);
    const size_t fit = CHUNK / size / 64 * 64, step = fit > 64 ? fit : 64;
    for (size_t start = 0; start < groups; start += step) {
        size_t part = groups - start < step ? groups - start : step;
        circuit c = lay_out(part, size, block, blocks, bound);
        uint64_t *answer = party_self(p) == roles.hub ? out + start / 64 : NULL;
        arena *scratch = TRY_ALLOC(arena_new(), error);
        kith_status status = chunk(p, answer, value + start * size, least + start * size, &c, bound,
                                   roles, party_next_call(p, "compare"), scratch, error);
        arena_free(scratch);
        TRY(status);
    }
    TRY(party_flush(p, error));
    return smc_forward(p, &result_type, out, smc_words(groups) * sizeof *out, receiver, error);
}

kith_status compare_part(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                         size_t groups, size_t size, int64_t bound, uint32_t receiver,
                         kith_error *error)
{
    const compare_block whole = {size, size};
    return compare_blocks_part(p, out, value, least, groups, &whole, 1, bound, receiver, error);
}

kith_status compare_at_least(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                             size_t n, int64_t bound, uint32_t receiver, kith_error *error)
{
    TRY(compare_part(p, out, value, least, n, 1, bound, receiver, error));
    if (smc_receives(p, receiver))
        party_learns(p, DISCLOSE_AGGREGATE, "compare", n);
    return KITH_OK;
}

kith_status compare_dominates(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                              size_t groups, size_t size, int64_t bound, uint32_t receiver,
                              kith_error *error)
{
    TRY(compare_part(p, out, value, least, groups, size, bound, receiver, error));
    if (smc_receives(p, receiver))
        party_learns(p, DISCLOSE_AGGREGATE, "dominates", groups);
    return KITH_OK;
}

kith_status compare_blocks(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                           size_t groups, const compare_block *block, size_t blocks, int64_t bound,
                           uint32_t receiver, kith_error *error)
{
    TRY(compare_blocks_part(p, out, value, least, groups, block, blocks, bound, receiver, error));
    if (smc_receives(p, receiver))
        party_learns(p, DISCLOSE_AGGREGATE, "dominates", groups);
    return KITH_OK;
}
