/* Circuits on bits of all parties: against a plain evaluation, folding, views, ledger. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/rng.h"
#include "smc/circuits/circuit.h"
#include "support/session.h"

enum { INPUTS = 70, GATES = 900, OPENED = 200 };

/* A random circuit, which every party builds again from the seed, and what its wires are. */
typedef struct job {
    uint64_t seed;
    uint64_t mine[PARTY_MAX][2]; /* INPUTS bits of each party */
    uint64_t out[PARTY_MAX][4];
    bool wanted[OPENED];
} job;

/* The value of each wire, if `values` is not NULL, is computed beside the circuit. */
static void build(circuit *c, uint64_t seed, circuit_wire *opened, uint8_t *values)
{
    rng r;
    rng_init(&r, seed, 1);
    circuit_wire wires[GATES + 2] = {CIRCUIT_ZERO, CIRCUIT_ONE};
    uint8_t value[GATES + 2] = {0, 1};
    const uint32_t m = 2 + (uint32_t)(seed % 4);
    const size_t n_inputs = m * INPUTS;
    for (size_t i = 2; i < GATES + 2; i++) {
        const size_t in = rng_below(&r, (uint32_t)n_inputs);
        const size_t a = rng_below(&r, (uint32_t)i), b = rng_below(&r, (uint32_t)i);
        switch (rng_below(&r, i < 300 ? 2 : 5)) {
        case 0:
        case 1:
            wires[i] = circuit_input(c, (uint32_t)(in / INPUTS), in % INPUTS);
            value[i] = values == NULL ? 0 : values[in];
            break;
        case 2:
            wires[i] = circuit_xor(c, wires[a], wires[b]);
            value[i] = value[a] ^ value[b];
            break;
        case 3:
            wires[i] = circuit_and(c, wires[a], wires[b]);
            value[i] = value[a] & value[b];
            break;
        default: wires[i] = circuit_or(c, wires[a], wires[b]); value[i] = value[a] | value[b];
        }
    }
    for (size_t i = 0; i < OPENED; i++) {
        opened[i] = wires[GATES + 1 - i];
        if (values != NULL)
            values[i] = value[GATES + 1 - i];
    }
}

static kith_status run(party *p, void *user, kith_error *error)
{
    job *j = user;
    arena *memory = arena_new();
    circuit_wire opened[OPENED];
    const uint32_t self = party_self(p);
    circuit *c = circuit_new(memory, party_count(p), INPUTS);
    build(c, j->seed, opened, NULL);
    kith_status status = circuit_open(c, p, j->out[self], opened, OPENED, j->mine[self], error);
    arena_free(memory);
    return status;
}

static void prepare(job *j, uint64_t seed)
{
    const uint32_t m = 2 + (uint32_t)(seed % 4);
    uint8_t values[PARTY_MAX * INPUTS + OPENED];
    circuit_wire opened[OPENED];
    arena *memory = arena_new();
    *j = (job){.seed = seed};
    randombytes_buf(j->mine, sizeof j->mine);
    for (uint32_t p = 0; p < m; p++) {
        smc_trim(j->mine[p], INPUTS);
        for (size_t i = 0; i < INPUTS; i++)
            values[p * INPUTS + i] = (uint8_t)smc_bit(j->mine[p], i);
    }
    build(circuit_new(memory, m, INPUTS), seed, opened, values);
    for (size_t i = 0; i < OPENED; i++)
        j->wanted[i] = values[i];
    arena_free(memory);
}

static void computes_what_the_gates_say(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        const uint32_t m = 2 + (uint32_t)(seed % 4);
        job j;
        prepare(&j, seed);
        assert_int_equal(session_run(m, run, &j), KITH_OK);
        for (uint32_t p = 0; p < m; p++)
            for (size_t i = 0; i < OPENED; i++)
                assert_int_equal(smc_bit(j.out[p], i), j.wanted[i]);
    }
}

/* Constants and equal wires need no gate, and depth counts AND gates only. */
static void folds_constants(void **state)
{
    (void)state;
    arena *memory = arena_new();
    circuit *c = circuit_new(memory, 2, 1);
    const circuit_wire x = circuit_input(c, 0, 0), y = circuit_input(c, 1, 0);
    assert_int_equal(circuit_and(c, x, CIRCUIT_ZERO), CIRCUIT_ZERO);
    assert_int_equal(circuit_and(c, CIRCUIT_ONE, x), x);
    assert_int_equal(circuit_and(c, x, x), x);
    assert_int_equal(circuit_xor(c, x, x), CIRCUIT_ZERO);
    assert_int_equal(circuit_xor(c, CIRCUIT_ZERO, y), y);
    assert_int_equal(circuit_or(c, CIRCUIT_ONE, x), CIRCUIT_ONE);
    assert_int_equal(circuit_depth(c, circuit_xor(c, x, y)), 0);
    assert_int_equal(circuit_depth(c, circuit_or(c, x, y)), 1);
    circuit_wire three[] = {x, y, circuit_xor(c, x, y)};
    assert_int_equal(circuit_depth(c, circuit_and_all(c, three, 3)), 2);
    arena_free(memory);
}

/* What B gets of the others' inputs is uniform, and never twice the same. */
static void inputs_are_masked(void **state)
{
    (void)state;
    session_view view = {.type = "circuit.share"};
    unsigned char kept[2][16];
    for (int again = 0; again < 400; again++) {
        job j;
        prepare(&j, 1);
        memset(j.mine, 0, sizeof j.mine);
        view.kept = kept[again % 2];
        view.room = sizeof kept[0];
        view.at = 2;
        view.from = 0;
        view.length = 0;
        assert_int_equal(session_watch(3, run, &j, &view), KITH_OK);
        assert_int_equal(view.length, sizeof kept[0]);
        if (again > 0)
            assert_memory_not_equal(kept[0], kept[1], sizeof kept[0]);
    }
    assert_true(session_uniform_p(view.bin, 0, 255) > 1e-6);
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    session_facts facts = {0};
    for (uint64_t seed = 0; seed < 4; seed++) {
        const uint32_t m = 2 + (uint32_t)seed;
        job j;
        prepare(&j, seed);
        assert_int_equal(session_audit(m, run, &j, &facts), KITH_OK);
    }
    session_agrees(&facts, "circuits/circuit.h");
}

/* Four gates in a row, of one bit of each party. */
static kith_status run_row(party *p, void *user, kith_error *error)
{
    arena *memory = arena_new();
    const uint32_t m = party_count(p);
    const uint64_t mine = party_self(p) == m - 1 ? 3 : 1;
    uint64_t out = 0;
    circuit *c = circuit_new(memory, m, 2);
    circuit_wire x = circuit_input(c, m - 1, 1);
    (void)user;
    for (uint32_t i = 0; i < 4; i++)
        x = circuit_and(c, circuit_xor(c, x, CIRCUIT_ONE), circuit_input(c, i % m, 0));
    kith_status status = circuit_open(c, p, &out, &x, 1, &mine, error);
    assert_int_equal(out, 1); /* four times negated */
    arena_free(memory);
    return status;
}

static void takes_a_round_per_layer(void **state)
{
    (void)state;
    for (uint32_t m = 2; m < 6; m++) {
        session_facts facts = {0};
        assert_int_equal(session_audit(m, run_row, NULL, &facts), KITH_OK);
        assert_int_equal(facts.n_rounds, m == 2 ? 4 + 3 + 4 : 4 + 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computes_what_the_gates_say), cmocka_unit_test(folds_constants),
        cmocka_unit_test(inputs_are_masked),           cmocka_unit_test(costs_what_the_header_says),
        cmocka_unit_test(takes_a_round_per_layer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
