#include "protocol/joint_rules/joint_tree_fit_frequency.h"

#include <math.h>

#include "core/error.h"
#include "smc/circuits/circuit_numbers.h"

/* --- numbers --- */

typedef struct shape {
    uint32_t n_values;
    uint32_t cut;       /* T0 */
    uint32_t cut_width; /* its bits */
    uint64_t needed;    /* l T0, rounded up */
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
    for (uint32_t v = 0; v < s.n_values; v++) {
        const uint32_t count = tally[c->offset + v];
        circuit_numbers_write(bits, first, smc_at_most(count, s.cut), s.cut_width);
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

/* A number that is `constant` where `chosen` says so. */
static void put_constant(circuit *c, circuit_wire *out, const circuit_wire *number,
                         circuit_wire chosen, uint64_t constant, uint32_t width)
{
    for (uint32_t b = 0; b < width; b++) {
        const circuit_wire bit = constant >> b & 1 ? CIRCUIT_ONE : CIRCUIT_ZERO;
        out[b] = circuit_xor(c, number[b], circuit_and(c, chosen, circuit_xor(c, number[b], bit)));
    }
}

/* Are k of the records diverse? */
static kith_status ask_part(const joint_tree_fit *f, circuit_wire *fits, size_t first,
                            const shape *s, kith_error *error)
{
    const uint32_t m = f->rules->n_parties, w = s->cut_width, n = s->n_values;
    const uint64_t cut = s->cut, sums = circuit_numbers_width(m * cut);
    circuit_wire *counts = TRY_ALLOC(arena_array(f->memory, (size_t)m * w, sizeof *counts), error);
    circuit_wire *full = TRY_ALLOC(arena_array(f->memory, (size_t)n * w, sizeof *full), error);
    circuit_wire *less = TRY_ALLOC(arena_array(f->memory, (size_t)n * w, sizeof *less), error);
    circuit_wire sum[64], either[2];
    for (uint32_t v = 0; v < n; v++) {
        read_numbers(f, counts, first + (size_t)v * s->per_value, w);
        TRY(circuit_numbers_sum(f->circuit, sum, (uint32_t)sums, counts, m, w, f->memory, error));
        const circuit_wire over = circuit_numbers_at_least(f->circuit, sum, (uint32_t)sums, cut);
        put_constant(f->circuit, full + v * w, sum, over, cut, w);
        put_constant(f->circuit, less + v * w, sum, over, cut - 1, w);
    }
    TRY(joint_tree_fit_sum_reaches(f, &either[0], full, n, (int64_t)cut, s->needed, error));
    TRY(joint_tree_fit_sum_reaches(f, &either[1], less, n, (int64_t)cut, f->rules->k, error));
    *fits = circuit_or(f->circuit, either[0], either[1]);
    return KITH_OK;
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
