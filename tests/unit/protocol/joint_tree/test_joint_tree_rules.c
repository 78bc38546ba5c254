/* The conditions on sets (joint_tree_rules.h): size and m-privacy against their definitions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/arena.h"
#include "protocol/joint_rules/joint_tree_rules.h"
#include "support/ledger_calls.h"
#include "support/session.h"

/* Every way in which the parties may hold 0 … top records each is a question. */
typedef struct all_counts {
    uint32_t m, k, others, top;
    bool blur;
    size_t n; /* (top + 1)^m */
    uint64_t *bits[PARTY_MAX];
    uint64_t n_cheap, n_rounds;
} all_counts;

static uint32_t count_at(const all_counts *a, size_t question, uint32_t site)
{
    for (; site > 0; site--)
        question /= a->top + 1;
    return (uint32_t)(question % (a->top + 1));
}

static kith_status ask_all(party *p, void *user, kith_error *error)
{
    all_counts *a = user;
    const uint32_t self = party_self(p);
    arena *memory = arena_new();
    const problem mine = {.k = a->k};
    const protocol_options options = {.min_others = a->others, .blur = a->blur};
    uint32_t *tallies = arena_array(memory, a->n, sizeof *tallies);
    uint64_t *names = arena_array(memory, a->n, sizeof *names);
    a->bits[self] = calloc(smc_words(a->n), sizeof *a->bits[self]);
    for (size_t i = 0; i < a->n; i++) {
        tallies[i] = count_at(a, i, self);
        names[i] = i * UINT64_C(0x9E3779B97F4A7C15);
    }
    const rows_task task = {.mine = &mine, .options = &options};
    joint_tree_rules rules;
    kith_status status = joint_tree_rules_init(&rules, &task, p, memory, error);
    const joint_tree_questions q = {.count = a->n, .tallies = tallies, .names = names};
    if (status == KITH_OK)
        status = joint_tree_rules_ask(&rules, p, a->bits[self], &q, error);
    if (self == 0) {
        a->n_cheap = ledger_calls(party_ledger(p), "at least");
        a->n_rounds = party_ledger(p)->n_rounds;
    }
    joint_tree_rules_wipe(&rules);
    for (size_t i = 0; i < sizeof rules.blur_key; i++)
        if (rules.blur_key[i] != 0)
            status = KITH_BUG;
    arena_free(memory);
    return status;
}

/* At least k records, and `others` without those of any one party. */
static bool is_good(const all_counts *a, size_t question, uint32_t k, uint32_t others)
{
    uint32_t sum = 0, most = 0;
    for (uint32_t i = 0; i < a->m; i++) {
        const uint32_t count = count_at(a, question, i);
        sum += count;
        most = count > most ? count : most;
    }
    return sum >= k && sum - most >= others;
}

static void run(all_counts *a)
{
    a->n = 1;
    for (uint32_t i = 0; i < a->m; i++)
        a->n *= a->top + 1;
    assert_int_equal(session_run(a->m, ask_all, a), KITH_OK);
}

static void wipe(all_counts *a)
{
    for (uint32_t i = 0; i < a->m; i++)
        free(a->bits[i]);
}

static void agrees_with_the_definition(void **state)
{
    (void)state;
    for (uint32_t m = 2; m <= 4; m++)
        for (uint32_t k = 1; k <= 9; k += m == 4 ? 2 : 1)
            for (uint32_t others = 0; others <= 5; others += m == 2 ? 2 : 1) {
                all_counts a = {.m = m, .k = k, .others = others, .top = m == 4 ? 6 : k + 2};
                run(&a);
                for (size_t i = 0; i < a.n; i++)
                    for (uint32_t p = 0; p < m; p++)
                        if (smc_bit(a.bits[p], i) != is_good(&a, i, k, others))
                            fail_msg("m = %u, k = %u, others = %u, question %zu", m, k, others, i);
                wipe(&a);
            }
}

/* A blurred threshold refuses more, never less; what is far above it is accepted. */
static void blur_only_refuses_more(void **state)
{
    (void)state;
    for (uint32_t m = 2; m <= 3; m++) {
        all_counts a = {.m = m, .k = 16, .others = 3, .top = 20, .blur = true};
        size_t refused = 0;
        run(&a);
        for (size_t i = 0; i < a.n; i++) {
            const bool bit = smc_bit(a.bits[0], i);
            assert_true(!bit || is_good(&a, i, 16, 3));
            assert_true(bit || !is_good(&a, i, 16 + 2, 3 + 2));
            refused += !bit && is_good(&a, i, 16, 3);
        }
        assert_true(refused > 0);
        wipe(&a);
    }
}

/* m-privacy costs nothing: the same call, the same rounds. */
static void costs_no_more_than_the_size(void **state)
{
    (void)state;
    for (uint32_t k = 5; k <= 16; k++) {
        all_counts without = {.m = 3, .k = k, .top = 5}, with = {.m = 3, .k = k, .top = 5};
        with.others = 3;
        run(&without);
        run(&with);
        assert_int_equal(without.n_cheap, 1);
        assert_int_equal(with.n_cheap, 1);
        assert_int_equal(with.n_rounds, without.n_rounds);
        wipe(&without);
        wipe(&with);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_definition),
        cmocka_unit_test(blur_only_refuses_more),
        cmocka_unit_test(costs_no_more_than_the_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
