#include "smc/quorum.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Products that two sets take, known up to heights a and b. */
static size_t count_products(size_t a, size_t b, size_t need)
{
    size_t products = 0;
    for (size_t j = 1; j <= least_of(a + b, need); j++)
        for (size_t i = j > b ? j - b : 0; i <= least_of(j - 1, a); i++)
            products++;
    return products;
}

/* Sets of up to `span` bits each, the last one of what is left. */
static size_t height_of(size_t set, size_t sets, size_t span, size_t size, size_t need)
{
    return least_of(set + 1 < sets ? span : size - set * span, need);
}

size_t quorum_gates(size_t size, size_t need)
{
    size_t gates = 0;
    for (size_t span = 1, sets = size; sets > 1; sets -= sets / 2, span *= 2)
        for (size_t pair = 0; pair < sets / 2; pair++)
            gates += count_products(height_of(2 * pair, sets, span, size, need),
                                    height_of(2 * pair + 1, sets, span, size, need), need);
    return gates;
}

/* plane[(set * need + j - 1) * words]: at least j of the set. */
typedef struct piles {
    uint64_t *plane, *x, *y;
    size_t need, words;
    uint64_t one; /* share of the constant 1 */
} piles;

static uint64_t *at_least_in(const piles *p, size_t set, size_t j)
{
    return p->plane + (set * p->need + j - 1) * p->words;
}

/* Writes the factors of one pair; returns how many products there are. */
static size_t write_factors(piles *p, size_t done, size_t left, size_t right, size_t a, size_t b)
{
    for (size_t j = 1; j <= least_of(a + b, p->need); j++) {
        for (size_t i = j > b ? j - b : 0; i <= least_of(j - 1, a); i++, done++) {
            uint64_t *exactly = p->x + done * p->words;
            for (size_t w = 0; w < p->words; w++)
                exactly[w] = (i == 0 ? p->one : at_least_in(p, left, i)[w]) ^
                             (i == a ? 0 : at_least_in(p, left, i + 1)[w]);
            memcpy(p->y + done * p->words, at_least_in(p, right, j - i), p->words * sizeof *p->y);
        }
    }
    return done;
}

static size_t read_products(piles *p, size_t done, size_t pair, size_t a, size_t b)
{
    for (size_t j = 1; j <= least_of(a + b, p->need); j++) {
        uint64_t *out = at_least_in(p, pair, j);
        if (j <= a)
            memmove(out, at_least_in(p, 2 * pair, j), p->words * sizeof *out);
        else
            memset(out, 0, p->words * sizeof *out);
        for (size_t i = j > b ? j - b : 0; i <= least_of(j - 1, a); i++, done++)
            for (size_t w = 0; w < p->words; w++)
                out[w] ^= p->x[done * p->words + w];
    }
    return done;
}

static kith_status join(gmw *g, piles *p, size_t sets, size_t span, size_t size, kith_error *error)
{
    size_t done = 0, pairs = sets / 2;
    for (size_t pair = 0; pair < pairs; pair++)
        done = write_factors(p, done, 2 * pair, 2 * pair + 1,
                             height_of(2 * pair, sets, span, size, p->need),
                             height_of(2 * pair + 1, sets, span, size, p->need));
    TRY(gmw_and(g, p->x, p->x, p->y, done * p->words, error));
    done = 0;
    for (size_t pair = 0; pair < pairs; pair++)
        done = read_products(p, done, pair, height_of(2 * pair, sets, span, size, p->need),
                             height_of(2 * pair + 1, sets, span, size, p->need));
    if (sets % 2 == 1)
        memmove(at_least_in(p, pairs, 1), at_least_in(p, sets - 1, 1),
                p->need * p->words * sizeof *p->plane);
    return KITH_OK;
}

kith_status quorum(gmw *g, uint64_t *out, const uint64_t *bit, size_t size, size_t need,
                   size_t words, bool is_a, arena *scratch, kith_error *error)
{
    const size_t factors = (quorum_gates(size, need) + 1) * words;
    piles p = {.need = need, .words = words, .one = is_a ? ~UINT64_C(0) : 0};
    p.plane = TRY_ALLOC(secret_memory_array(scratch, size * need * words, sizeof *p.plane), error);
    p.x = TRY_ALLOC(secret_memory_array(scratch, factors, sizeof *p.x), error);
    p.y = TRY_ALLOC(secret_memory_array(scratch, factors, sizeof *p.y), error);
    for (size_t j = 0; j < size; j++)
        memcpy(at_least_in(&p, j, 1), bit + j * words, words * sizeof *bit);
    for (size_t span = 1, sets = size; sets > 1; sets -= sets / 2, span *= 2)
        TRY(join(g, &p, sets, span, size, error));
    memcpy(out, at_least_in(&p, 0, need), words * sizeof *out);
    return KITH_OK;
}
