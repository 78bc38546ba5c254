#include "smc/compare/trim.h"

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/circuits/circuit.h"
#include "smc/circuits/circuit_numbers.h"

enum { MAX_SETS = 1 << 13, MAX_BITS = 20 }; /* sets of one circuit; bits of max_count */

/* A circuit under construction: that of one set, of which copies are made. An owner of inputs is a
 * position in the order of parties. */
typedef struct builder {
    circuit *circuit;
    arena *memory;
    const trim_sets *sets;
    uint32_t m;
    uint32_t bits;      /* b: of max_count */
    uint32_t n_numbers; /* of b bits that a party puts in for each value: fixed?, mine, mask */
    /* [n_values][m + 1][b] records of a value, the fixed ones and those of the positions up to
     * here, cut at max_count */
    circuit_wire *up_to;
} builder;

static circuit_wire *up_to(const builder *t, uint32_t value, uint32_t position)
{
    return t->up_to + ((size_t)value * (t->m + 1) + position) * t->bits;
}

/* Bit b of one of the numbers of a value; the last one is the mask, the one before `mine`. */
static circuit_wire input(const builder *t, uint32_t position, uint32_t value, uint32_t number,
                          uint32_t b)
{
    return circuit_input(t->circuit, position,
                         ((size_t)value * t->n_numbers + number) * t->bits + b);
}

/* Sums of one value from the first position to the last, each cut at max_count. */
static kith_status add_positions(const builder *t, uint32_t value, kith_error *error)
{
    circuit *c = t->circuit;
    const uint32_t b = t->bits, width = b + circuit_numbers_width(t->m);
    circuit_wire *terms = TRY_ARRAY(terms, t->memory, (size_t)(t->m + 2) * width, error);
    circuit_wire sum[64] = {CIRCUIT_ZERO};
    if (t->sets->fixed != NULL) {
        for (uint32_t position = 0; position < t->m; position++)
            for (uint32_t i = 0; i < b; i++)
                terms[position * b + i] = input(t, position, value, 0, i);
        TRY(circuit_numbers_sum(c, sum, b, terms, t->m, b, t->memory, error));
    }
    for (uint32_t position = 0; position <= t->m; position++) {
        circuit_wire high[64] = {CIRCUIT_ZERO};
        for (uint32_t i = b; i < width; i++)
            high[i - b] = sum[i];
        const circuit_wire over = circuit_or_all(c, high, width - b);
        for (uint32_t i = 0; i < b; i++)
            up_to(t, value, position)[i] = circuit_or(c, sum[i], over);
        if (position == t->m)
            break;
        for (uint32_t i = 0; i < width; i++) {
            terms[i] = sum[i];
            terms[width + i] =
                i < b ? input(t, position, value, t->n_numbers - 2, i) : CIRCUIT_ZERO;
        }
        TRY(circuit_numbers_sum(c, sum, width, terms, 2, width, t->memory, error));
    }
    return KITH_OK;
}

/* reaches[i]: is the number at least i + 1? For i < 2^bits - 1; `over`: it is 2^bits or more. */
static void reach(circuit *c, circuit_wire *reaches, const circuit_wire *number, uint32_t bits,
                  circuit_wire over)
{
    for (uint32_t b = 0; b < bits; b++) {
        const uint32_t half = UINT32_C(1) << b;
        for (uint32_t i = 0; i + 1 < half; i++) {
            reaches[half + i] = circuit_and(c, number[b], reaches[i]);
            reaches[i] = circuit_or(c, number[b], reaches[i]);
        }
        reaches[half - 1] = number[b];
    }
    for (uint32_t i = 0; i + 1 < UINT32_C(1) << bits; i++)
        reaches[i] = circuit_or(c, reaches[i], over);
}

/* How many records of a value there are in all. Of up_to it is the last, but this sum has fewer
 * layers, and more than half of all layers wait for it. */
static kith_status reach_total(const builder *t, circuit_wire *reaches, uint32_t value,
                               kith_error *error)
{
    const uint32_t b = t->bits, m = t->m, n = t->n_numbers - 1;
    const uint32_t width = circuit_numbers_width((uint64_t)(m + 1) * t->sets->max_count);
    circuit_wire *terms = TRY_ARRAY(terms, t->memory, (size_t)m * n * b, error);
    circuit_wire sum[64], over = CIRCUIT_ZERO;
    for (uint32_t i = 0; i < m * n; i++)
        for (uint32_t bit = 0; bit < b; bit++)
            terms[i * b + bit] = input(t, i / n, value, i % n, bit);
    TRY(circuit_numbers_sum(t->circuit, sum, width, terms, (size_t)m * n, b, t->memory, error));
    for (uint32_t bit = b; bit < width; bit++)
        over = circuit_or(t->circuit, over, sum[bit]);
    reach(t->circuit, reaches, sum, b, over);
    return KITH_OK;
}

/* The smallest sum of cut counts with which t records of a value are not too many. */
static uint64_t needed(const trim_sets *s, uint64_t t)
{
    return (t * (uint64_t)s->times + (uint64_t)s->scale - 1) / (uint64_t)s->scale;
}

/* enough[i]: may the set have i + 1 records of a value? As f is concave, the first ones may. */
static kith_status try_all(const builder *t, circuit_wire *enough, kith_error *error)
{
    circuit *c = t->circuit;
    const uint32_t n = t->sets->n_values, max = t->sets->max_count;
    const uint32_t width = circuit_numbers_width(n),
                   wide = circuit_numbers_width((uint64_t)n * max);
    circuit_wire *reaches = TRY_ALLOC(arena_array(t->memory, (size_t)n * max, 4), error);
    circuit_wire *column = TRY_ALLOC(arena_array(t->memory, n, sizeof *column), error);
    circuit_wire *numbers = TRY_ALLOC(arena_array(t->memory, (size_t)max * width, 4), error);
    circuit_wire sum[64];
    for (uint32_t v = 0; v < n; v++)
        TRY(reach_total(t, reaches + (size_t)v * max, v, error));
    for (uint32_t i = 0; i < max; i++) {
        for (uint32_t v = 0; v < n; v++)
            column[v] = reaches[(size_t)v * max + i];
        TRY(circuit_numbers_sum(c, numbers + (size_t)i * width, width, column, n, 1, t->memory,
                                error));
        TRY(circuit_numbers_sum(c, sum, wide, numbers, i + (size_t)1, width, t->memory, error));
        enough[i] = circuit_numbers_at_least(c, sum, wide, needed(t->sets, i + (uint64_t)1));
    }
    return KITH_OK;
}

/* The smaller of two numbers. */
static void minimum(circuit *c, circuit_wire *out, const circuit_wire *x, const circuit_wire *y,
                    uint32_t bits)
{
    const circuit_wire greater = circuit_numbers_greater(c, x, y, bits);
    for (uint32_t b = 0; b < bits; b++)
        out[b] = circuit_xor(c, x[b], circuit_and(c, greater, circuit_xor(c, x[b], y[b])));
}

/* x - y, which is not negative. */
static void subtract(circuit *c, circuit_wire *out, const circuit_wire *x, const circuit_wire *y,
                     uint32_t bits)
{
    circuit_wire borrow = CIRCUIT_ZERO;
    for (uint32_t b = 0; b < bits; b++) {
        const circuit_wire yb = circuit_xor(c, y[b], borrow);
        const circuit_wire xb = circuit_not(c, circuit_xor(c, x[b], borrow));
        out[b] = circuit_xor(c, x[b], yb);
        borrow = circuit_xor(c, borrow, circuit_and(c, xb, yb));
    }
}

/* What stays of each position, masked: opened [m * n_values * b]. */
static void open_stays(const builder *t, circuit_wire *opened, const circuit_wire *enough)
{
    circuit *c = t->circuit;
    const uint32_t b = t->bits, n = t->sets->n_values;
    circuit_wire most[MAX_BITS]; /* T */
    for (uint32_t i = 0; i < b; i++) {
        most[i] = CIRCUIT_ZERO;
        for (uint32_t u = 0; u < t->sets->max_count; u++) /* bits that change from u to u + 1 */
            if (((u ^ (u + 1)) >> i & 1) != 0)
                most[i] = circuit_xor(c, most[i], enough[u]);
    }
    for (uint32_t v = 0; v < n; v++) {
        circuit_wire kept[2][MAX_BITS], stay[MAX_BITS];
        for (uint32_t position = 0; position <= t->m; position++) {
            minimum(c, kept[position % 2], up_to(t, v, position), most, b);
            if (position == 0)
                continue;
            subtract(c, stay, kept[position % 2], kept[1 - position % 2], b);
            for (uint32_t i = 0; i < b; i++)
                opened[((size_t)(position - 1) * n + v) * b + i] =
                    circuit_xor(c, stay[i], input(t, position - 1, v, t->n_numbers - 1, i));
        }
    }
}

/* --- one call --- */

/* Rows of bits: for each value and number b of them. The masks are drawn; counts above max_count
 * are cut there, since no more can stay. */
static void write_inputs(const builder *t, uint64_t *rows, size_t words)
{
    const trim_sets *s = t->sets;
    for (size_t i = 0; i < s->count; i++) {
        for (uint32_t v = 0; v < s->n_values; v++) {
            uint64_t *to = rows + (size_t)v * t->n_numbers * t->bits * words;
            const uint64_t cut = smc_at_most(s->mine[i * s->n_values + v], s->max_count);
            for (uint32_t b = 0; b < t->bits; b++) {
                if (s->fixed != NULL)
                    smc_set_bit(to + b * words, i, s->fixed[i * s->n_values + v] >> b & 1);
                smc_set_bit(to + ((size_t)(t->n_numbers - 2) * t->bits + b) * words, i,
                            cut >> b & 1);
            }
        }
    }
    for (uint32_t v = 0; v < s->n_values; v++) {
        uint64_t *mask = rows + ((size_t)(v + 1) * t->n_numbers - 1) * t->bits * words;
        secret_memory_random(mask, t->bits * words * sizeof *mask);
    }
}

/* This party's own outputs, unmasked. */
static void read_outputs(const builder *t, uint32_t *stay, const uint64_t *opened,
                         const uint64_t *rows, uint32_t self, size_t words)
{
    const trim_sets *s = t->sets;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t position = 0;
        while (s->order[i * t->m + position] != self)
            position++;
        for (uint32_t v = 0; v < s->n_values; v++) {
            const uint64_t *masked =
                opened + ((size_t)position * s->n_values + v) * t->bits * words;
            const uint64_t *mask = rows + ((size_t)(v + 1) * t->n_numbers - 1) * t->bits * words;
            uint32_t number = 0;
            for (uint32_t b = 0; b < t->bits; b++)
                number |= (smc_bit(masked + b * words, i) ^ smc_bit(mask + b * words, i)) << b;
            /* Never more than there are, whatever the others have sent. */
            stay[i * s->n_values + v] = (uint32_t)smc_at_most(number, s->mine[i * s->n_values + v]);
        }
    }
}

static kith_status trim_run(party *p, uint32_t *stay, const trim_sets *sets, arena *memory,
                            kith_error *error)
{
    const uint32_t m = party_count(p);
    builder t = {.memory = memory,
                 .sets = sets,
                 .m = m,
                 .bits = circuit_numbers_width(sets->max_count),
                 .n_numbers = sets->fixed == NULL ? 2 : 3};
    const size_t words = smc_words(sets->count);
    const size_t n_inputs = (size_t)sets->n_values * t.n_numbers * t.bits;
    const size_t n_opened = (size_t)m * sets->n_values * t.bits;
    const circuit_copies copies = {sets->count, sets->order};
    t.circuit = TRY_ALLOC(circuit_new(memory, m, n_inputs), error);
    circuit_wire *wires = TRY_ALLOC(arena_array(memory, n_opened, sizeof *wires), error);
    uint64_t *rows = TRY_ALLOC(secret_memory_array(memory, n_inputs * words, sizeof *rows), error);
    uint64_t *opened = TRY_ALLOC(arena_array(memory, n_opened * words, sizeof *opened), error);
    circuit_wire *enough = TRY_ALLOC(arena_array(memory, sets->max_count, sizeof *enough), error);
    t.up_to = TRY_ARRAY(t.up_to, memory, (size_t)sets->n_values * (m + 1) * t.bits, error);
    for (uint32_t v = 0; v < sets->n_values; v++)
        TRY(add_positions(&t, v, error));
    TRY(try_all(&t, enough, error));
    open_stays(&t, wires, enough);
    write_inputs(&t, rows, words);
    TRY(circuit_open_copies(t.circuit, p, opened, wires, n_opened, rows, &copies, error));
    read_outputs(&t, stay, opened, rows, party_self(p), words);
    return KITH_OK;
}

/* Every piece is a call of its own. */
kith_status trim(party *p, uint32_t *stay, const trim_sets *sets, kith_error *error)
{
    const uint32_t max = sets->max_count;
    if (max == 0 || (max & (max + 1)) != 0 || max >> MAX_BITS != 0 || sets->n_values == 0 ||
        sets->scale <= 0 || sets->times <= sets->scale)
        return error_set(error, KITH_INVALID, "trimming needs l > 1 and a maximum of 2^b - 1");
    for (size_t first = 0; first < sets->count; first += MAX_SETS) {
        const size_t left = sets->count - first, at = first * sets->n_values;
        trim_sets piece = *sets;
        piece.count = left < MAX_SETS ? left : MAX_SETS;
        piece.fixed = sets->fixed == NULL ? NULL : sets->fixed + at;
        piece.mine = sets->mine + at;
        piece.order = sets->order + first * party_count(p);
        arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
        TRY(trim_run(p, stay + at, &piece, memory, error));
    }
    party_learns(p, DISCLOSE_AGGREGATE, "trim", sets->count * sets->n_values);
    return KITH_OK;
}
