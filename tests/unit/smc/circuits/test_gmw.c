/* Gates on shared bits and the transfers under them: truth tables, triples used once, opened
 * shares. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/error.h"
#include "smc/circuits/gmw.h"
#include "smc/circuits/ot_bits.h"
#include "support/session.h"

enum { WORDS = 40 };

typedef struct job {
    uint32_t receiver;
    size_t n_gates;
    uint64_t x[2][WORDS], y[2][WORDS]; /* shares of A and B */
    uint64_t out[WORDS];
    uint64_t explained[WORDS]; /* A's share of the first gate, if x and y are 0, from the triples */
} job;

/* The hub knows the triples of A and B: from these alone it computes A's share of 0 AND 0. */
static kith_status explain(const smc_call *call, job *j, kith_error *error)
{
    uint64_t t[2][3][WORDS];
    for (unsigned side = 0; side < 2; side++) {
        prg *stream;
        TRY(smc_stream(&stream, call, side ? call->roles.b : call->roles.a, "smc triples", 0,
                       error));
        TRY(prg_bytes(stream, t[side], 3 * j->n_gates * sizeof(uint64_t), error));
    }
    for (size_t w = 0; w < WORDS; w++) {
        uint64_t d = t[0][0][w] ^ t[1][0][w], e = t[0][1][w] ^ t[1][1][w];
        j->explained[w] = t[0][2][w] ^ (d & t[0][1][w]) ^ (e & t[0][0][w]) ^ (d & e);
    }
    return KITH_OK;
}

/* (x AND y) AND x, opened; or the first gate alone, if there are triples for that only. */
static kith_status circuit(const smc_call *call, job *j, kith_error *error)
{
    uint64_t z[WORDS] = {0};
    gmw *g;
    TRY(gmw_new(&g, call, j->n_gates, error));
    if (smc_is_hub(call) && j->n_gates == WORDS)
        TRY(explain(call, j, error));
    if (smc_holds_share(call)) {
        const unsigned side = smc_is_b(call);
        TRY(gmw_and(g, z, j->x[side], j->y[side], WORDS, error));
        if (j->n_gates != WORDS)
            TRY(gmw_and(g, z, z, j->x[side], WORDS, error));
    }
    return gmw_open(g, j->out, z, WORDS, error);
}

static kith_status run(party *p, void *user, kith_error *error)
{
    job *j = user;
    smc_call call;
    TRY(smc_call_open(&call, p, "test", (smc_output){j->receiver, NULL}, error));
    return smc_call_close(&call, circuit(&call, j, error), WORDS);
}

static void computes_the_truth_table(void **state)
{
    (void)state;
    for (uint32_t m = 2; m < 6; m++) {
        for (uint32_t receiver = 0; receiver < m; receiver++) {
            job j = {.receiver = receiver, .n_gates = 2 * WORDS};
            randombytes_buf(j.x, sizeof j.x); /* 2,560 gates: every combination of four shares */
            randombytes_buf(j.y, sizeof j.y);
            assert_int_equal(session_run(m, run, &j), KITH_OK);
            for (size_t w = 0; w < WORDS; w++)
                assert_int_equal(j.out[w], (j.x[0][w] ^ j.x[1][w]) & (j.y[0][w] ^ j.y[1][w]));
        }
    }
}

static void uses_no_triple_twice(void **state)
{
    (void)state;
    for (uint32_t m = 2; m < 4; m++) {
        job j = {.receiver = 0, .n_gates = 2 * WORDS - 1};
        void *user[] = {&j, &j, &j};
        kith_error errors[3];
        assert_int_equal(inproc_run(m, NULL, NULL, run, user, errors), KITH_BUG);
    }
}

/* What the hub gets from A is uniform, and not what it could compute from the triples by itself:
 * that would tell it the inputs of a gate. */
static void opened_shares_are_masked_anew(void **state)
{
    (void)state;
    uint64_t bin[256] = {0};
    for (unsigned round = 0; round < 60; round++) {
        unsigned char kept[8 * WORDS];
        session_view view = {.type = "gmw.open", .kept = kept, .at = 0, .from = 1};
        job j = {.receiver = 0, .n_gates = WORDS};
        view.room = sizeof kept;
        assert_int_equal(session_watch(3, run, &j, &view), KITH_OK);
        assert_memory_not_equal(kept, j.explained, sizeof kept);
        for (size_t w = 0; w < WORDS; w++)
            assert_int_equal(j.out[w], 0);
        for (size_t i = 0; i < sizeof kept; i++)
            bin[kept[i]]++;
    }
    assert_true(session_uniform_p(bin, 0, 255) > 1e-9);
}

typedef struct exchange {
    uint64_t choice[2][WORDS], bit[2][WORDS], zero[2][WORDS], one[2][WORDS];
} exchange;

/* Both directions, twice: the second time nothing is set up. */
static kith_status transfers(party *p, void *user, kith_error *error)
{
    exchange *x = user;
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t receiver = 0; receiver < 2; receiver++) {
            if (party_self(p) > 1)
                continue;
            if (party_self(p) == receiver)
                TRY(ot_bits_receive(p, 1 - receiver, x->bit[receiver], x->choice[receiver], WORDS,
                                    error));
            else
                TRY(ot_bits_send(p, receiver, x->zero[receiver], x->one[receiver], WORDS, error));
        }
    }
    return party_flush(p, error);
}

static void transfers_go_both_ways(void **state)
{
    (void)state;
    exchange x;
    session_facts facts = {0};
    randombytes_buf(&x, sizeof x);
    assert_int_equal(session_audit(3, transfers, &x, &facts), KITH_OK);
    assert_int_equal(facts.sent, 2 * (2 + 3));
    for (unsigned r = 0; r < 2; r++)
        for (size_t w = 0; w < WORDS; w++)
            assert_int_equal(x.bit[r][w],
                             x.zero[r][w] ^ (x.choice[r][w] & (x.zero[r][w] ^ x.one[r][w])));
    session_agrees(&facts, "circuits/ot_bits.h");
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    session_facts facts = {0};
    job j = {.receiver = 0, .n_gates = 2 * WORDS};
    assert_int_equal(session_audit(4, run, &j, &facts), KITH_OK);
    assert_int_equal(facts.sent, 1 + 2 * 2 + 2);
    assert_int_equal(facts.n_rounds, 1 + 2 + 1);
    for (size_t i = 0; i < facts.count; i++)
        assert_null(strstr(facts.facts[i], "ot."));
    session_facts two = facts;
    assert_int_equal(session_audit(2, run, &j, &two), KITH_OK);
    /* The base transfers are those of ot_bits.h. */
    size_t kept = 0;
    for (size_t i = 0; i < two.count; i++)
        if (strstr(two.facts[i], "ot.offer") == NULL && strstr(two.facts[i], "ot.answer") == NULL &&
            strstr(two.facts[i], "ot.trees") == NULL)
            memmove(two.facts[kept++], two.facts[i], sizeof two.facts[i]);
    two.count = kept;
    session_agrees(&two, "circuits/gmw.h");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computes_the_truth_table),      cmocka_unit_test(uses_no_triple_twice),
        cmocka_unit_test(opened_shares_are_masked_anew), cmocka_unit_test(transfers_go_both_ways),
        cmocka_unit_test(costs_what_the_header_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
