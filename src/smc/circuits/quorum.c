#include "smc/circuits/quorum.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"

/* The sets of one layer. planes[(set * need + j - 1) * words]: at least j of the set. */
typedef struct tally {
    uint64_t *planes;
    uint64_t *x, *y; /* factors of the products, then the products in x */
    size_t size, need, words;
    uint64_t ones; /* share of the constant 1 */
} tally;

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Products that it takes to merge two sets that are known up to heights a and b. The height of a
 * set is the largest j for which it has a bit "at least j". */
static size_t count_products(size_t a, size_t b, size_t need)
{
    size_t products = 0;
    for (size_t j = 1; j <= min_of(a + b, need); j++)
        for (size_t i = j > b ? j - b : 0; i <= min_of(j - 1, a); i++)
            products++;
    return products;
}

/* Every set has `span` bits, the last one those that are left. No height above `need` matters. */
static size_t height_of(const tally *t, size_t set, size_t sets, size_t span)
{
    return min_of(set + 1 < sets ? span : t->size - set * span, t->need);
}

size_t quorum_gates(size_t size, size_t need)
{
    const tally t = {.size = size, .need = need};
    size_t gates = 0;
    for (size_t span = 1, sets = size; sets > 1; sets -= sets / 2, span *= 2)
        for (size_t pair = 0; pair < sets / 2; pair++)
            gates += count_products(height_of(&t, 2 * pair, sets, span),
                                    height_of(&t, 2 * pair + 1, sets, span), need);
    return gates;
}

static uint64_t *at_least_in(const tally *t, size_t set, size_t j)
{
    return t->planes + (set * t->need + j - 1) * t->words;
}

/* Writes the factors of two sets of heights a and b, from product `done` on; returns how many
 * products there are then. */
static size_t write_factors(tally *t, size_t done, size_t left, size_t a, size_t b)
{
    const size_t right = left + 1;
    for (size_t j = 1; j <= min_of(a + b, t->need); j++) {
        for (size_t i = j > b ? j - b : 0; i <= min_of(j - 1, a); i++, done++) {
            uint64_t *exactly = t->x + done * t->words;
            for (size_t w = 0; w < t->words; w++)
                exactly[w] = (i == 0 ? t->ones : at_least_in(t, left, i)[w]) ^
                             (i == a ? 0 : at_least_in(t, left, i + 1)[w]);
            memcpy(t->y + done * t->words, at_least_in(t, right, j - i), t->words * sizeof *t->y);
        }
    }
    return done;
}

/* The merged set takes the place of its pair: those before it have been read. */
static size_t read_products(tally *t, size_t done, size_t pair, size_t a, size_t b)
{
    for (size_t j = 1; j <= min_of(a + b, t->need); j++) {
        uint64_t *out = at_least_in(t, pair, j);
        if (j <= a)
            memmove(out, at_least_in(t, 2 * pair, j), t->words * sizeof *out);
        else
            memset(out, 0, t->words * sizeof *out);
        for (size_t i = j > b ? j - b : 0; i <= min_of(j - 1, a); i++, done++)
            for (size_t w = 0; w < t->words; w++)
                out[w] ^= t->x[done * t->words + w];
    }
    return done;
}

/* Merges neighbouring sets of `span` bits in one layer of gates; an odd one waits. */
static kith_status merge(gmw *g, tally *t, size_t sets, size_t span, kith_error *error)
{
    size_t done = 0, pairs = sets / 2;
    for (size_t pair = 0; pair < pairs; pair++)
        done = write_factors(t, done, 2 * pair, height_of(t, 2 * pair, sets, span),
                             height_of(t, 2 * pair + 1, sets, span));
    TRY(gmw_and(g, t->x, t->x, t->y, done * t->words, error));
    done = 0;
    for (size_t pair = 0; pair < pairs; pair++)
        done = read_products(t, done, pair, height_of(t, 2 * pair, sets, span),
                             height_of(t, 2 * pair + 1, sets, span));
    if (sets % 2 == 1)
        memmove(at_least_in(t, pairs, 1), at_least_in(t, sets - 1, 1),
                t->need * t->words * sizeof *t->planes);
    return KITH_OK;
}

kith_status quorum(gmw *g, uint64_t *out, const uint64_t *bits, size_t size, size_t need,
                   size_t words, kith_error *error)
{
    arena *scratch = gmw_call(g)->scratch;
    const size_t room = (quorum_gates(size, need) + 1) * words;
    tally t = {.size = size, .need = need, .words = words, .ones = gmw_ones(g)};
    ASSERT(need >= 1 && need <= size);
    t.planes =
        TRY_ALLOC(secret_memory_array(scratch, size * need * words, sizeof *t.planes), error);
    t.x = TRY_ALLOC(secret_memory_array(scratch, room, sizeof *t.x), error);
    t.y = TRY_ALLOC(secret_memory_array(scratch, room, sizeof *t.y), error);
    for (size_t j = 0; j < size; j++)
        memcpy(at_least_in(&t, j, 1), bits + j * words, words * sizeof *bits);
    for (size_t span = 1, sets = size; sets > 1; sets -= sets / 2, span *= 2)
        TRY(merge(g, &t, sets, span, error));
    memcpy(out, at_least_in(&t, 0, need), words * sizeof *out);
    return KITH_OK;
}
