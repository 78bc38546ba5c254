#include "protocol/joint_rules/joint_tree_fit_frequency.h"

#include <math.h>

#include "core/error.h"
#include "smc/circuits/circuit_numbers.h"

/* --- numbers --- */

typedef struct shape {
    uint32_t n_values;
    uint32_t cut;       /* T0 */
    uint32_t cut_width; /* its bits */
    uint64_t needed;    /* F = l T0, rounded up */
    uint32_t lean;      /* bits of a part of e_s, modulo a power of two; 0: need not be lean */
    uint64_t l;         /* L */
    uint32_t per_value; /* bits */
} shape;

static shape shape_of(const joint_tree_rules *r, const joint_tree_condition *c)
{
    const uint64_t scale = (uint64_t)c->diversity.scale, times = (uint64_t)c->diversity.times;
    const double l = joint_tree_diversity_l(&c->diversity);
    shape s = {.n_values = c->n_values, .l = (uint64_t)ceil(l)};
    s.cut = (uint32_t)((r->k * scale + times - 1) / times);
    s.cut_width = circuit_numbers_width(s.cut);
    s.needed = (s.cut * times + scale - 1) / scale;
    if (l >= JOINT_TREE_LEAN_FROM) {
        const uint64_t most = JOINT_TREE_LEAN_PART * s.l;
        s.lean = 1 + circuit_numbers_width((uint64_t)r->max_size *
                                           (most > s.n_values ? most : s.n_values));
    }
    s.per_value = s.cut_width + s.lean;
    return s;
}

uint32_t joint_tree_fit_frequency_bits(const joint_tree_rules *r, uint32_t i)
{
    const shape s = shape_of(r, r->frequencies[i]);
    return s.n_values * s.per_value + s.lean;
}

void joint_tree_fit_frequency_write(const joint_tree_rules *r, uint32_t i, uint64_t *bits,
                                    size_t first, const uint32_t *tally)
{
    const joint_tree_condition *c = r->frequencies[i];
    const shape s = shape_of(r, c);
    const uint64_t n = tally[0];
    uint64_t left = s.needed; /* of the records that this party tells of */
    for (uint32_t v = 0; v < s.n_values; v++) {
        const uint32_t count = tally[c->offset + v];
        const uint64_t told = smc_at_most(smc_at_most(count, s.cut), left);
        left -= told;
        circuit_numbers_write(bits, first, told, s.cut_width);
        circuit_numbers_write(bits, first + s.cut_width, JOINT_TREE_LEAN_PART * s.l * count - n,
                              s.lean);
        first += s.per_value;
    }
    circuit_numbers_write(bits, first, (s.n_values - s.l) * n, s.lean);
}

/* One number of all parties, from input bit `first` on. */
static void read_numbers(const joint_tree_fit *f, circuit_wire *numbers, size_t first,
                         uint32_t width)
{
    for (uint32_t p = 0; p < f->rules->n_parties; p++)
        for (uint32_t b = 0; b < width; b++)
            numbers[p * width + b] = circuit_input(f->circuit, p, first + b);
}

/* --- the circuit --- */

/* Are k of the records diverse? `sum`: sum_s min(C_s, T0), at most m F; `over` [n_values]: C_s >= T0. */
static kith_status ask_sums(const joint_tree_fit *f, circuit_wire *fits, const circuit_wire *sum,
                            uint32_t width, const circuit_wire *over, const shape *s,
                            kith_error *error)
{
    circuit *c = f->circuit;
    circuit_wire numbers[3 * 64], below = CIRCUIT_ONE;
    const uint32_t signed_width = width + 1;
    *fits = circuit_numbers_at_least(c, sum, width, s->needed);
    if (s->needed == f->rules->k) /* then the other sum is never alone in reaching its threshold */
        return KITH_OK;
    /* sum_s min(C_s, T0 - 1) - k, where -x is 1 more than the complement of x. */
    circuit_wire *minus = numbers + signed_width, *constant = minus + signed_width;
    TRY(circuit_numbers_sum(c, minus, width, over, s->n_values, 1, f->memory, error));
    minus[width] = CIRCUIT_ZERO;
    for (uint32_t b = 0; b < signed_width; b++) {
        numbers[b] = b < width ? sum[b] : CIRCUIT_ZERO;
        minus[b] = circuit_not(c, minus[b]);
        constant[b] = (1 - (uint64_t)f->rules->k) >> b & 1 ? CIRCUIT_ONE : CIRCUIT_ZERO;
    }
    TRY(circuit_numbers_negative(c, &below, numbers, 3, signed_width, f->memory, error));
    *fits = circuit_or(c, *fits, circuit_not(c, below));
    return KITH_OK;
}

/* Are k of the records diverse? */
static kith_status ask_part(const joint_tree_fit *f, circuit_wire *fits, size_t first,
                            const shape *s, kith_error *error)
{
    circuit *c = f->circuit;
    const uint32_t m = f->rules->n_parties, w = s->cut_width, n = s->n_values;
    const uint32_t most = circuit_numbers_width(m * s->needed);
    const uint32_t sums = circuit_numbers_width(m * (uint64_t)s->cut);
    circuit_wire *counts = TRY_ARRAY(counts, f->memory, (size_t)m * w, error);
    circuit_wire *full = TRY_ARRAY(full, f->memory, (size_t)n * w, error);
    circuit_wire *over = TRY_ARRAY(over, f->memory, n, error);
    circuit_wire sum[64];
    for (uint32_t v = 0; v < n; v++) {
        read_numbers(f, counts, first + (size_t)v * s->per_value, w);
        TRY(circuit_numbers_sum(c, sum, sums, counts, m, w, f->memory, error));
        over[v] = circuit_numbers_at_least(c, sum, sums, s->cut);
        for (uint32_t b = 0; b < w; b++) { /* cut at T0 */
            const circuit_wire bit = s->cut >> b & 1 ? CIRCUIT_ONE : CIRCUIT_ZERO;
            full[v * w + b] =
                circuit_xor(c, sum[b], circuit_and(c, over[v], circuit_xor(c, sum[b], bit)));
        }
    }
    TRY(circuit_numbers_sum(c, sum, most, full, n, w, f->memory, error));
    return ask_sums(f, fits, sum, most, over, s, error);
}

/* Is the diverse part a fair part of all records? */
static kith_status ask_lean(const joint_tree_fit *f, circuit_wire *fits, size_t first,
                            const shape *s, kith_error *error)
{
    circuit *c = f->circuit;
    const uint32_t m = f->rules->n_parties, w = s->lean, n = s->n_values;
    circuit_wire *terms = TRY_ARRAY(terms, f->memory, ((size_t)n + 1) * m * w, error);
    circuit_wire negative = CIRCUIT_ZERO;
    size_t count = 0;
    for (uint32_t v = 0; v < n; v++) {
        circuit_wire *term = terms + count * w;
        read_numbers(f, term, first + (size_t)v * s->per_value + s->cut_width, w);
        const size_t left = circuit_numbers_reduce(c, term, m, w);
        TRY(circuit_numbers_negative(c, &negative, term, left, w, f->memory, error));
        for (size_t i = 0; i < left * w; i++)
            term[i] = circuit_and(c, negative, term[i]);
        count += left;
    }
    read_numbers(f, terms + count * w, first + (size_t)n * s->per_value, w);
    count += m;
    TRY(circuit_numbers_negative(c, &negative, terms, count, w, f->memory, error));
    *fits = circuit_not(c, negative);
    return KITH_OK;
}

kith_status joint_tree_fit_frequency_ask(const joint_tree_fit *f, circuit_wire *fits,
                                         const joint_tree_fit_set *set,
                                         const joint_tree_condition *c, kith_error *error)
{
    const joint_tree_rules *r = f->rules;
    size_t first = set->first + f->first_count;
    uint32_t i = 0;
    for (; i < r->n_frequencies && r->frequencies[i] != c; i++)
        first += joint_tree_fit_frequency_bits(r, i);
    *fits = CIRCUIT_ONE;
    if (i == r->n_frequencies)
        return KITH_OK;
    const shape s = shape_of(r, c);
    circuit_wire part = CIRCUIT_ZERO;
    TRY(ask_part(f, &part, first, &s, error));
    if (s.lean > 0)
        TRY(ask_lean(f, fits, first, &s, error));
    *fits = circuit_and(f->circuit, part, *fits);
    return KITH_OK;
}
