#include "protocol/joint_rules/joint_tree_fit.h"

#include <string.h>

#include "core/error.h"
#include "protocol/joint_rules/joint_tree_fit_frequency.h"
#include "smc/circuits/circuit_numbers.h"

joint_tree_fit joint_tree_fit_new(const joint_tree_rules *r, arena *memory)
{
    joint_tree_fit f = {.rules = r, .memory = memory, .size = joint_tree_rules_size(r, r->k)};
    /* m-privacy as a condition of its own looks at the same counts. */
    if (f.size.cap < r->min_others && !joint_tree_rules_caps_counts(r))
        f.size.cap = r->min_others;
    if (!joint_tree_rules_caps_counts(r)) /* blur is taken off below the cap */
        f.size.cap += r->slack;
    f.width = circuit_numbers_width((uint64_t)f.size.cap);
    for (uint32_t i = 1; i < r->n_conditions; i++) {
        const joint_tree_kind kind = r->conditions[i].kind;
        const bool others = kind == JOINT_TREE_OTHER_VALUES || kind == JOINT_TREE_BOTH_VALUES;
        f.anywhere = f.anywhere || kind == JOINT_TREE_DISTINCT;
        f.by_party = f.by_party || others;
        if (kind == JOINT_TREE_DISTINCT || others)
            f.n_occurs = r->n_counts - 1;
    }
    f.n_bits = f.width + f.n_occurs;
    f.first_count = f.n_bits;
    for (uint32_t i = 0; i < r->n_frequencies; i++)
        f.n_bits += joint_tree_fit_frequency_bits(r, i);
    return f;
}

void joint_tree_fit_write(const joint_tree_fit *f, uint64_t *bits, size_t first,
                          const uint32_t *tally, uint32_t blur)
{
    const uint64_t size = (tally[0] - smc_at_most(blur, tally[0])) * (uint64_t)f->size.unit;
    circuit_numbers_write(bits, first, smc_at_most(size, (uint64_t)f->size.cap), f->width);
    for (uint32_t v = 0; v < f->n_occurs; v++)
        smc_set_bit(bits, first + f->width + v, tally[v + 1] > 0);
    first += f->first_count;
    for (uint32_t i = 0; i < f->rules->n_frequencies; i++) {
        joint_tree_fit_frequency_write(f->rules, i, bits, first, tally);
        first += joint_tree_fit_frequency_bits(f->rules, i);
    }
}

static kith_status new_set(const joint_tree_fit *f, joint_tree_fit_set *set, kith_error *error)
{
    const size_t n_counts = (size_t)f->rules->n_parties * f->width;
    set->counts = TRY_ARRAY(set->counts, f->memory, n_counts, error);
    set->occurs = TRY_ARRAY(set->occurs, f->memory, f->rules->n_counts, error);
    set->held = NULL;
    if (f->by_party)
        set->held =
            TRY_ARRAY(set->held, f->memory, (size_t)f->rules->n_parties * f->n_occurs, error);
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
        for (uint32_t p = 0; p < m; p++) {
            at[p] = circuit_input(f->circuit, p, first + f->width + v);
            if (f->by_party)
                set->held[p * f->n_occurs + v] = at[p];
        }
        if (f->anywhere)
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
    circuit_wire *wires = TRY_ARRAY(wires, f->memory, ((size_t)n + 1) * width, error);
    ASSERT(f->rules->n_frequencies == 0);
    TRY(new_set(f, sum, error));
    for (uint32_t p = 0; p < f->rules->n_parties; p++) {
        memcpy(wires, others->counts + p * width, width * sizeof *wires);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t b = 0; b < width; b++)
                wires[(i + 1) * width + b] =
                    circuit_and(f->circuit, keep[i], sets[i].counts[p * width + b]);
        TRY(add_counts(f, sum->counts + p * width, wires, (size_t)n + 1, error));
    }
    for (uint32_t v = 0; f->anywhere && v < f->n_occurs; v++) {
        wires[0] = others->occurs[v];
        for (uint32_t i = 0; i < n; i++)
            wires[i + 1] = circuit_and(f->circuit, keep[i], sets[i].occurs[v]);
        sum->occurs[v] = circuit_or_all(f->circuit, wires, (size_t)n + 1);
    }
    for (uint32_t v = 0; f->by_party && v < f->rules->n_parties * f->n_occurs; v++) {
        wires[0] = others->held[v];
        for (uint32_t i = 0; i < n; i++)
            wires[i + 1] = circuit_and(f->circuit, keep[i], sets[i].held[v]);
        sum->held[v] = circuit_or_all(f->circuit, wires, (size_t)n + 1);
    }
    return KITH_OK;
}

kith_status joint_tree_fit_sum_reaches(const joint_tree_fit *f, circuit_wire *reaches,
                                       const circuit_wire *numbers, size_t n, int64_t max,
                                       uint64_t min, kith_error *error)
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
    circuit_wire *others = TRY_ARRAY(others, f->memory, (size_t)m * width, error);
    for (uint32_t p = 0; p < m; p++) {
        memcpy(others, set->counts, (size_t)p * width * sizeof *others);
        memcpy(others + p * width, set->counts + (p + 1) * width,
               (size_t)(m - 1 - p) * width * sizeof *others);
        TRY(joint_tree_fit_sum_reaches(f, &enough[p], others, m - 1, f->size.cap,
                                       f->rules->min_others, error));
    }
    *fits = circuit_and_all(f->circuit, enough, m);
    return KITH_OK;
}

/* Do the parties without one have enough different values; between two parties, without either? */
static kith_status ask_other_values(const joint_tree_fit *f, circuit_wire *fits,
                                    const joint_tree_fit_set *set, const joint_tree_condition *of,
                                    kith_error *error)
{
    circuit *c = f->circuit;
    const uint32_t m = f->rules->n_parties, n = of->n_values;
    circuit_wire *occurs = TRY_ARRAY(occurs, f->memory, n, error);
    circuit_wire enough[PARTY_MAX];
    const bool both = of->kind == JOINT_TREE_BOTH_VALUES;
    const uint32_t first = both ? 0 : of->without, end = both ? m : of->without + 1;
    for (uint32_t without = first; without < end; without++) {
        for (uint32_t v = 0; v < n; v++) {
            circuit_wire at[PARTY_MAX];
            uint32_t n_others = 0;
            for (uint32_t p = 0; p < m; p++)
                if (p != without)
                    at[n_others++] = set->held[p * f->n_occurs + of->offset - 1 + v];
            occurs[v] = circuit_or_all(c, at, n_others);
        }
        TRY(joint_tree_fit_sum_reaches(f, &enough[without - first], occurs, n, 1, of->least,
                                       error));
    }
    *fits = circuit_and_all(c, enough, end - first);
    return KITH_OK;
}

kith_status joint_tree_fit_ask(const joint_tree_fit *f, circuit_wire *fits,
                               const joint_tree_fit_set *set, kith_error *error)
{
    const joint_tree_rules *r = f->rules;
    circuit_wire *met = TRY_ARRAY(met, f->memory, r->n_conditions, error);
    TRY(joint_tree_fit_sum_reaches(f, &met[0], set->counts, r->n_parties, f->size.cap,
                                   (uint64_t)f->size.min_sum, error));
    for (uint32_t i = 1; i < r->n_conditions; i++) {
        const joint_tree_condition *of = &r->conditions[i];
        if (of->kind == JOINT_TREE_OTHERS)
            TRY(ask_others(f, &met[i], set, error));
        else if (of->kind == JOINT_TREE_OTHER_VALUES || of->kind == JOINT_TREE_BOTH_VALUES)
            TRY(ask_other_values(f, &met[i], set, of, error));
        else if (of->kind == JOINT_TREE_SITES) {
            const uint32_t m = f->rules->n_parties;
            circuit_wire has[PARTY_MAX], bits[64];
            for (uint32_t p = 0; p < m; p++) {
                memcpy(bits, set->counts + p * f->width, f->width * sizeof *bits);
                has[p] = circuit_or_all(f->circuit, bits, f->width);
            }
            TRY(joint_tree_fit_sum_reaches(f, &met[i], has, m, 1, of->least, error));
        } else if (of->kind == JOINT_TREE_FREQUENCY)
            TRY(joint_tree_fit_frequency_ask(f, &met[i], set, of, error));
        else if (of->kind == JOINT_TREE_EVERYBODY || of->kind == JOINT_TREE_CERTAIN ||
                 of->kind == JOINT_TREE_DOMINANCE)
            met[i] = CIRCUIT_ONE; /* of leaves only: joint_tree_rules_asks_again */
        else
            TRY(joint_tree_fit_sum_reaches(f, &met[i], set->occurs + of->offset - 1, of->n_values,
                                           1, of->least, error));
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
