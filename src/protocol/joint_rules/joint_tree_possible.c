#include "protocol/joint_rules/joint_tree_possible.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/joint_rules/joint_tree_fit.h"
#include "smc/circuits/circuit_numbers.h"

enum {
    MAX_QUESTIONS = 1 << 14, /* in one circuit */
    N_OPENED = 2             /* bits of a question: fit?, spared? */
};

/* The circuit of one question. A party puts in, behind the bits of the set: how many records it
 * loses, cut at k; the balance SHARE_PARTS below, modulo a power of two; whether the question is
 * of the kind ALL, which the first party tells. */
typedef struct question_circuit {
    joint_tree_fit fit;
    uint32_t lost_width, balance_width;
    size_t n_inputs;
    circuit_wire opened[N_OPENED];
} question_circuit;

/* kept >= 4 lost is the same as 5 kept >= 4 (kept + lost). */
enum { TIMES_LOST = JOINT_TREE_SHARE_KEPT / (JOINT_TREE_SHARE_OF - JOINT_TREE_SHARE_KEPT) };

/* Would the split spare the set? */
static kith_status build_spared(const question_circuit *q, circuit_wire *spared, kith_error *error)
{
    const joint_tree_fit *f = &q->fit;
    const uint32_t m = f->rules->n_parties, w = q->lost_width, b = q->balance_width;
    const uint32_t sums = circuit_numbers_width((uint64_t)m * f->rules->k);
    circuit_wire *lost = TRY_ALLOC(arena_array(f->memory, (size_t)m * w, sizeof *lost), error);
    circuit_wire *balance = TRY_ARRAY(balance, f->memory, (size_t)m * b, error);
    circuit_wire sum[64];
    for (uint32_t p = 0; p < m; p++) {
        for (uint32_t i = 0; i < w; i++)
            lost[p * w + i] = circuit_input(f->circuit, p, f->n_bits + i);
        for (uint32_t i = 0; i < b; i++)
            balance[p * b + i] = circuit_input(f->circuit, p, f->n_bits + w + i);
    }
    TRY(circuit_numbers_sum(f->circuit, sum, sums, lost, m, w, f->memory, error));
    const circuit_wire many = circuit_numbers_at_least(f->circuit, sum, sums, f->rules->k);
    circuit_wire negative = CIRCUIT_ZERO;
    TRY(circuit_numbers_negative(f->circuit, &negative, balance, m, b, f->memory, error));
    *spared = circuit_not(f->circuit, circuit_and(f->circuit, many, negative));
    return KITH_OK;
}

static kith_status joint_tree_possible_build(question_circuit *q, const joint_tree_rules *r,
                                             arena *memory, kith_error *error)
{
    joint_tree_fit *f = &q->fit;
    joint_tree_fit_set set;
    circuit_wire fits = CIRCUIT_ZERO, spared = CIRCUIT_ZERO;
    *f = joint_tree_fit_new(r, memory);
    q->lost_width = circuit_numbers_width(r->k);
    q->balance_width = circuit_numbers_width(TIMES_LOST * (uint64_t)r->max_size) + 1;
    q->n_inputs = f->n_bits + q->lost_width + q->balance_width + 1;
    circuit *c = f->circuit = circuit_new(memory, r->n_parties, q->n_inputs);
    TRY_ALLOC(c, error);
    TRY(joint_tree_fit_read(f, &set, 0, error));
    TRY(joint_tree_fit_ask(f, &fits, &set, error));
    TRY(build_spared(q, &spared, error));
    /* What is known early is joined first: `fits` goes through one more layer only. */
    const circuit_wire all = circuit_input(c, 0, q->n_inputs - 1);
    const circuit_wire wasted = circuit_and(c, all, circuit_not(c, spared));
    const circuit_wire shown = circuit_and(c, spared, circuit_not(c, all));
    q->opened[0] = circuit_and(c, fits, circuit_not(c, wasted));
    q->opened[1] = circuit_xor(c, shown, circuit_and(c, shown, fits));
    return KITH_OK;
}

/* This party's bits of one question; `bits` are zero before. */
static void write_question(const question_circuit *q, uint64_t *bits, const uint32_t *tally,
                           uint32_t blur, const joint_tree_loss *loss)
{
    const joint_tree_fit *f = &q->fit;
    const uint64_t lost = smc_at_most(loss->lost, f->rules->k);
    const uint64_t balance = loss->kept - TIMES_LOST * (uint64_t)loss->lost;
    joint_tree_fit_write(f, bits, 0, tally, blur);
    circuit_numbers_write(bits, f->n_bits, lost, q->lost_width);
    circuit_numbers_write(bits, f->n_bits + q->lost_width, balance, q->balance_width);
    smc_set_bit(bits, q->n_inputs - 1, f->rules->self == 0 && loss->kind == JOINT_TREE_LOSS_ALL);
}

/* Questions first … first + count - 1. */
static kith_status ask_piece(const joint_tree_rules *r, party *p, uint64_t *fit, uint64_t *spared,
                             const joint_tree_questions *q, const joint_tree_loss *losses,
                             size_t first, size_t count, arena *memory, kith_error *error)
{
    static const joint_tree_loss none = {JOINT_TREE_LOSS_NONE, 0, 0};
    question_circuit c = {0};
    const size_t words = smc_words(count);
    const circuit_copies copies = {.count = count};
    TRY(joint_tree_possible_build(&c, r, memory, error));
    const size_t own = smc_words(c.n_inputs);
    uint64_t *bits = TRY_ALLOC(secret_memory_array(memory, own, sizeof *bits), error);
    uint64_t *rows =
        TRY_ALLOC(secret_memory_array(memory, c.n_inputs * words, sizeof *rows), error);
    uint64_t *out = TRY_ALLOC(arena_array(memory, N_OPENED * words, sizeof *out), error);
    for (size_t i = 0; i < count; i++) {
        memset(bits, 0, own * sizeof *bits);
        write_question(&c, bits, q->tallies + (first + i) * r->width,
                       q->exact ? 0 : joint_tree_rules_blur(r, q->names[first + i]),
                       losses == NULL ? &none : &losses[first + i]);
        for (size_t b = 0; b < c.n_inputs; b++)
            rows[b * words + i / 64] |= (uint64_t)smc_bit(bits, b) << i % 64;
    }
    TRY(circuit_open_copies(c.fit.circuit, p, out, c.opened, N_OPENED, rows, &copies, error));
    for (size_t i = 0; i < count; i++) {
        const bool of_rest = losses != NULL && losses[first + i].kind == JOINT_TREE_LOSS_REST;
        smc_set_bit(fit, first + i, smc_bit(out, i));
        smc_set_bit(spared, first + i, of_rest && smc_bit(out + words, i));
    }
    return KITH_OK;
}

kith_status joint_tree_possible_ask(const joint_tree_rules *r, party *p, uint64_t *fit,
                                    uint64_t *spared, const joint_tree_questions *q,
                                    const joint_tree_loss *losses, kith_error *error)
{
    ASSERT(r->shares && q->count > 0 && q->min_sizes == NULL);
    for (size_t first = 0; first < q->count; first += MAX_QUESTIONS) {
        const size_t left = q->count - first;
        arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
        TRY(ask_piece(r, p, fit, spared, q, losses, first,
                      left < MAX_QUESTIONS ? left : MAX_QUESTIONS, memory, error));
    }
    return KITH_OK;
}
