#include "protocol/joint_rules/joint_tree_fit.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "smc/circuit_numbers.h"

joint_tree_fit joint_tree_fit_new(const joint_tree_rules *r, arena *memory)
{
    joint_tree_fit f = {.rules = r, .memory = memory, .size = joint_tree_rules_size(r, r->k)};
    /* m-privacy as a condition of its own looks at the same counts. */
    if (f.size.cap < r->min_others && !joint_tree_rules_caps_counts(r))
        f.size.cap = r->min_others;
    if (!joint_tree_rules_caps_counts(r)) /* blur is taken off below the cap */
        f.size.cap += r->slack;
    f.width = circuit_numbers_width((uint64_t)f.size.cap);
    for (uint32_t i = 1; i < r->n_conditions; i++)
        if (r->conditions[i].kind == JOINT_TREE_DISTINCT)
            f.n_occurs = r->width - 1;
    f.n_bits = f.width + f.n_occurs;
    if (r->frequency != NULL) {
        const joint_tree_diversity *d = &r->frequency->diversity;
        const uint64_t scale = (uint64_t)d->scale, times = (uint64_t)d->times;
        f.cut = (uint32_t)((r->k * scale + times - 1) / times);
        f.cut_width = circuit_numbers_width(f.cut);
        if (joint_tree_diversity_l(d) >= JOINT_TREE_LEAN_FROM)
            f.wide = circuit_numbers_width((uint64_t)r->max_size);
        f.n_bits += r->frequency->n_values * (f.cut_width + f.wide);
    }
    return f;
}

static void write_number(uint64_t *bits, size_t first, uint64_t number, uint32_t width)
{
    for (uint32_t b = 0; b < width; b++)
        smc_set_bit(bits, first + b, number >> b & 1);
}

void joint_tree_fit_write(const joint_tree_fit *f, uint64_t *bits, size_t first,
                          const uint32_t *tally, uint32_t blur)
{
    const joint_tree_condition *c = f->rules->frequency;
    const int64_t size = tally[0] > blur ? (int64_t)(tally[0] - blur) * f->size.unit : 0;
    write_number(bits, first, (uint64_t)(size < f->size.cap ? size : f->size.cap), f->width);
    first += f->width;
    for (uint32_t v = 0; v < f->n_occurs; v++)
        smc_set_bit(bits, first + v, tally[v + 1] > 0);
    first += f->n_occurs;
    for (uint32_t v = 0; f->cut > 0 && v < c->n_values; v++) {
        const uint32_t count = tally[c->offset + v];
        write_number(bits, first, count < f->cut ? count : f->cut, f->cut_width);
        write_number(bits, first + f->cut_width, count, f->wide);
        first += f->cut_width + f->wide;
    }
}

static kith_status new_set(const joint_tree_fit *f, joint_tree_fit_set *set, kith_error *error)
{
    const size_t n_counts = (size_t)f->rules->n_parties * f->width;
    set->counts = TRY_ALLOC(arena_array(f->memory, n_counts, sizeof *set->counts), error);
    set->occurs = TRY_ALLOC(arena_array(f->memory, f->rules->width, sizeof *set->occurs), error);
    return KITH_OK;
}

kith_status joint_tree_fit_read(const joint_tree_fit *f, joint_tree_fit_set *set, size_t first,
                                kith_error *error)
{
    const uint32_t m = f->rules->n_parties;
    circuit_wire at[PARTY_MAX];
    TRY(new_set(f, set, error));
    set->first = first;
    for (uint32_t p = 0; p < m; p++)
        for (uint32_t b = 0; b < f->width; b++)
            set->counts[p * f->width + b] = circuit_input(f->circuit, p, first + b);
    for (uint32_t v = 0; v < f->n_occurs; v++) {
        for (uint32_t p = 0; p < m; p++)
            at[p] = circuit_input(f->circuit, p, first + f->width + v);
        set->occurs[v] = circuit_or_all(f->circuit, at, m);
    }
    return KITH_OK;
}

/* One party's counts together, cut at the cap. `numbers` [n * width]. */
static kith_status add_counts(const joint_tree_fit *f, circuit_wire *out,
                              const circuit_wire *numbers, size_t n, kith_error *error)
{
    circuit *c = f->circuit;
    const uint64_t cap = (uint64_t)f->size.cap;
    circuit_wire sum[64];
    const uint32_t width = circuit_numbers_width(n * cap);
    TRY(circuit_numbers_sum(c, sum, width, numbers, n, f->width, f->memory, error));
    const circuit_wire over = circuit_numbers_at_least(c, sum, width, cap);
    for (uint32_t b = 0; b < f->width; b++) {
        const circuit_wire at_cap = cap >> b & 1 ? CIRCUIT_ONE : CIRCUIT_ZERO;
        out[b] = circuit_xor(c, sum[b], circuit_and(c, over, circuit_xor(c, sum[b], at_cap)));
    }
    return KITH_OK;
}

kith_status joint_tree_fit_unite(const joint_tree_fit *f, joint_tree_fit_set *sum,
                                 const joint_tree_fit_set *others, const joint_tree_fit_set *sets,
                                 const circuit_wire *keep, uint32_t n, kith_error *error)
{
    const uint32_t width = f->width;
    circuit_wire *wires =
        TRY_ALLOC(arena_array(f->memory, ((size_t)n + 1) * width, sizeof *wires), error);
    ASSERT(f->cut == 0);
    TRY(new_set(f, sum, error));
    for (uint32_t p = 0; p < f->rules->n_parties; p++) {
        memcpy(wires, others->counts + p * width, width * sizeof *wires);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t b = 0; b < width; b++)
                wires[(i + 1) * width + b] =
                    circuit_and(f->circuit, keep[i], sets[i].counts[p * width + b]);
        TRY(add_counts(f, sum->counts + p * width, wires, (size_t)n + 1, error));
    }
    for (uint32_t v = 0; v < f->n_occurs; v++) {
        wires[0] = others->occurs[v];
        for (uint32_t i = 0; i < n; i++)
            wires[i + 1] = circuit_and(f->circuit, keep[i], sets[i].occurs[v]);
        sum->occurs[v] = circuit_or_all(f->circuit, wires, (size_t)n + 1);
    }
    return KITH_OK;
}

/* Do n numbers of 0 … max reach `min` together? */
static kith_status sum_reaches(const joint_tree_fit *f, circuit_wire *reaches,
                               const circuit_wire *numbers, size_t n, int64_t max, uint64_t min,
                               kith_error *error)
{
    circuit_wire sum[64];
    const uint32_t width = circuit_numbers_width(n * (uint64_t)max);
    TRY(circuit_numbers_sum(f->circuit, sum, width, numbers, n,
                            circuit_numbers_width((uint64_t)max), f->memory, error));
    *reaches = circuit_numbers_at_least(f->circuit, sum, width, min);
    return KITH_OK;
}

/* Without the records of each party in turn enough are left. */
static kith_status ask_others(const joint_tree_fit *f, circuit_wire *fits,
                              const joint_tree_fit_set *set, kith_error *error)
{
    const uint32_t m = f->rules->n_parties, width = f->width;
    circuit_wire enough[PARTY_MAX];
    circuit_wire *others =
        TRY_ALLOC(arena_array(f->memory, (size_t)m * width, sizeof *others), error);
    for (uint32_t p = 0; p < m; p++) {
        memcpy(others, set->counts, (size_t)p * width * sizeof *others);
        memcpy(others + p * width, set->counts + (p + 1) * width,
               (size_t)(m - 1 - p) * width * sizeof *others);
        TRY(sum_reaches(f, &enough[p], others, m - 1, f->size.cap, f->rules->min_others, error));
    }
    *fits = circuit_and_all(f->circuit, enough, m);
    return KITH_OK;
}

static kith_status ask_sites(const joint_tree_fit *f, circuit_wire *fits,
                             const joint_tree_fit_set *set, uint32_t l, kith_error *error)
{
    const uint32_t m = f->rules->n_parties;
    circuit_wire has[PARTY_MAX], bits[64];
    for (uint32_t p = 0; p < m; p++) {
        memcpy(bits, set->counts + p * f->width, f->width * sizeof *bits);
        has[p] = circuit_or_all(f->circuit, bits, f->width);
    }
    return sum_reaches(f, fits, has, m, 1, l, error);
}

/* --- diversity by frequency --- */

/* The counts of one value at all parties: `offset` bits behind its first one, `width` bits each. */
static void read_counts(const joint_tree_fit *f, circuit_wire *counts,
                        const joint_tree_fit_set *set, uint32_t value, uint32_t offset,
                        uint32_t width)
{
    const size_t first =
        set->first + f->width + f->n_occurs + (size_t)value * (f->cut_width + f->wide) + offset;
    for (uint32_t p = 0; p < f->rules->n_parties; p++)
        for (uint32_t b = 0; b < width; b++)
            counts[p * width + b] = circuit_input(f->circuit, p, first + b);
}

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
static kith_status ask_part(const joint_tree_fit *f, circuit_wire *fits,
                            const joint_tree_fit_set *set, kith_error *error)
{
    const joint_tree_condition *of = f->rules->frequency;
    const uint32_t m = f->rules->n_parties, w = f->cut_width, n = of->n_values;
    const uint64_t cut = f->cut, sums = circuit_numbers_width(m * cut);
    const uint64_t scale = (uint64_t)of->diversity.scale, times = (uint64_t)of->diversity.times;
    const uint64_t needed = (cut * times + scale - 1) / scale;
    circuit_wire *counts = TRY_ALLOC(arena_array(f->memory, (size_t)m * w, sizeof *counts), error);
    circuit_wire *full = TRY_ALLOC(arena_array(f->memory, (size_t)n * w, sizeof *full), error);
    circuit_wire *less = TRY_ALLOC(arena_array(f->memory, (size_t)n * w, sizeof *less), error);
    circuit_wire sum[64], either[2];
    for (uint32_t v = 0; v < n; v++) {
        read_counts(f, counts, set, v, 0, w);
        TRY(circuit_numbers_sum(f->circuit, sum, (uint32_t)sums, counts, m, w, f->memory, error));
        const circuit_wire over = circuit_numbers_at_least(f->circuit, sum, (uint32_t)sums, cut);
        put_constant(f->circuit, full + v * w, sum, over, cut, w);
        put_constant(f->circuit, less + v * w, sum, over, cut - 1, w);
    }
    TRY(sum_reaches(f, &either[0], full, n, (int64_t)cut, needed, error));
    TRY(sum_reaches(f, &either[1], less, n, (int64_t)cut, f->rules->k, error));
    *fits = circuit_or(f->circuit, either[0], either[1]);
    return KITH_OK;
}

/* factor x number, which is public x secret; `out` has room for the width of both. */
static kith_status multiply(const joint_tree_fit *f, circuit_wire *out, uint32_t out_width,
                            const circuit_wire *number, uint32_t width, uint64_t factor,
                            kith_error *error)
{
    circuit_wire *terms =
        TRY_ALLOC(arena_array(f->memory, (size_t)64 * out_width, sizeof *terms), error);
    size_t n = 0;
    for (uint32_t shift = 0; shift < 64 && factor >> shift != 0; shift++) {
        if ((factor >> shift & 1) == 0)
            continue;
        for (uint32_t b = 0; b < out_width; b++)
            terms[n * out_width + b] =
                b >= shift && b - shift < width ? number[b - shift] : CIRCUIT_ZERO;
        n++;
    }
    return circuit_numbers_sum(f->circuit, out, out_width, terms, n, out_width, f->memory, error);
}

/* Is the diverse part a fair part of all records? */
static kith_status ask_lean(const joint_tree_fit *f, circuit_wire *fits,
                            const joint_tree_fit_set *set, kith_error *error)
{
    circuit *c = f->circuit;
    const joint_tree_condition *of = f->rules->frequency;
    const uint32_t m = f->rules->n_parties, n = of->n_values;
    const uint64_t l = (uint64_t)ceil(joint_tree_diversity_l(&of->diversity));
    const uint32_t width =
        circuit_numbers_width((uint64_t)f->rules->max_size * JOINT_TREE_LEAN_PART * l * n);
    circuit_wire *counts =
        TRY_ALLOC(arena_array(f->memory, (size_t)m * f->wide, sizeof *counts), error);
    circuit_wire *by_value =
        TRY_ALLOC(arena_array(f->memory, (size_t)n * f->wide, sizeof *by_value), error);
    circuit_wire *cut = TRY_ALLOC(arena_array(f->memory, (size_t)n * width, sizeof *cut), error);
    circuit_wire all[64] = {CIRCUIT_ZERO}, sum[64], wanted[64];
    for (uint32_t v = 0; v < n; v++) {
        read_counts(f, counts, set, v, f->cut_width, f->wide);
        TRY(circuit_numbers_sum(c, by_value + v * f->wide, f->wide, counts, m, f->wide, f->memory,
                                error));
    }
    TRY(circuit_numbers_sum(c, all, f->wide, by_value, n, f->wide, f->memory, error));
    for (uint32_t v = 0; v < n; v++) {
        circuit_wire *times = cut + (size_t)v * width;
        TRY(multiply(f, times, width, by_value + v * f->wide, f->wide, JOINT_TREE_LEAN_PART * l,
                     error));
        const circuit_wire over = circuit_numbers_greater(c, times, all, width);
        for (uint32_t b = 0; b < width; b++)
            times[b] =
                circuit_xor(c, times[b], circuit_and(c, over, circuit_xor(c, times[b], all[b])));
    }
    TRY(circuit_numbers_sum(c, sum, width, cut, n, width, f->memory, error));
    TRY(multiply(f, wanted, width, all, f->wide, l, error));
    *fits = circuit_not(c, circuit_numbers_greater(c, wanted, sum, width));
    return KITH_OK;
}

static kith_status ask_frequency(const joint_tree_fit *f, circuit_wire *fits,
                                 const joint_tree_fit_set *set, kith_error *error)
{
    circuit_wire lean = CIRCUIT_ZERO;
    TRY(ask_part(f, fits, set, error));
    if (f->wide == 0)
        return KITH_OK;
    TRY(ask_lean(f, &lean, set, error));
    *fits = circuit_and(f->circuit, *fits, lean);
    return KITH_OK;
}

kith_status joint_tree_fit_ask(const joint_tree_fit *f, circuit_wire *fits,
                               const joint_tree_fit_set *set, kith_error *error)
{
    const joint_tree_rules *r = f->rules;
    circuit_wire *met = TRY_ALLOC(arena_array(f->memory, r->n_conditions, sizeof *met), error);
    TRY(sum_reaches(f, &met[0], set->counts, r->n_parties, f->size.cap, (uint64_t)f->size.min_sum,
                    error));
    for (uint32_t i = 1; i < r->n_conditions; i++) {
        const joint_tree_condition *of = &r->conditions[i];
        if (of->kind == JOINT_TREE_OTHERS)
            TRY(ask_others(f, &met[i], set, error));
        else if (of->kind == JOINT_TREE_SITES)
            TRY(ask_sites(f, &met[i], set, of->least, error));
        else if (of->kind == JOINT_TREE_FREQUENCY && of != r->frequency)
            met[i] = CIRCUIT_ONE; /* a stricter one is asked for */
        else if (of->kind == JOINT_TREE_FREQUENCY)
            TRY(ask_frequency(f, &met[i], set, error));
        else
            TRY(sum_reaches(f, &met[i], set->occurs + of->offset - 1, of->n_values, 1, of->least,
                            error));
    }
    /* The condition with the most layers is joined last. */
    uint32_t last = 0;
    for (uint32_t i = 1; i < r->n_conditions; i++)
        if (circuit_depth(f->circuit, met[i]) > circuit_depth(f->circuit, met[last]))
            last = i;
    const circuit_wire late = met[last];
    met[last] = met[r->n_conditions - 1];
    *fits =
        r->n_conditions == 1
            ? late
            : circuit_and(f->circuit, late, circuit_and_all(f->circuit, met, r->n_conditions - 1));
    return KITH_OK;
}
