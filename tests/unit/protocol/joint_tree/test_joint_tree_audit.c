/* The audit of transcripts (bench/audit_tree.h): finds what was planted, contradicts no run. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "../../../../bench/audit_tree.c"
#include "protocol/joint_tree/joint_tree.h"
#include "support/joint.h"
#include "support/random_problem.h"

enum { K = 10, WHOLE = 1, FIRST = 100 };

static void ask(audit_tree *a, joint_tree_event event, uint64_t set, uint32_t axis, uint32_t node,
                bool bit)
{
    audit_tree_opened(a, &(joint_tree_opened){.event = event,
                                              .set = set,
                                              .of = event == JOINT_TREE_ALL ? UINT64_MAX : WHOLE,
                                              .a = axis,
                                              .node = node,
                                              .min_size = K,
                                              .bit = bit});
}

/* A slot of `small` dead values and one live one, whose rest is big. */
static audit_finding audit_slot(uint32_t small)
{
    arena *memory = arena_new();
    audit_tree *a = audit_tree_new(memory, K, NULL, 0);
    ask(a, JOINT_TREE_ALL, WHOLE, 0, 0, true);
    for (uint32_t v = 0; v < small; v++)
        ask(a, JOINT_TREE_VALUE, FIRST + v, 0, v, false);
    ask(a, JOINT_TREE_VALUE, FIRST + small, 0, small, true);
    ask(a, JOINT_TREE_REST_IS_BIG, FIRST + small + 1, 0, 0, true);
    audit_finding f = audit_tree_deduce(a, NULL);
    arena_free(memory);
    return f;
}

/* Two values of at most 9 that make 10 together: each has at least one. Three need not. */
static void finds_pigeons(void **state)
{
    (void)state;
    audit_finding two = audit_slot(2), three = audit_slot(3), one = audit_slot(1);
    assert_int_equal(two.small, 2);
    assert_int_equal(two.present, 2);
    assert_int_equal(two.exact, 0);
    assert_int_equal(three.present, 0);
    assert_int_equal(one.wrong > 0, true); /* at most nine records: never ten */
}

/* A leaf of exactly 10 whose other slot has a value of at least 10: all other values are empty. */
static void finds_what_sizes_tell(void **state)
{
    (void)state;
    arena *memory = arena_new();
    audit_tree *a = audit_tree_new(memory, K, NULL, 0);
    const uint64_t size[] = {12};
    ask(a, JOINT_TREE_ALL, WHOLE, 0, 0, true);
    ask(a, JOINT_TREE_VALUE, FIRST, 0, 0, true);
    ask(a, JOINT_TREE_VALUE, FIRST + 1, 0, 1, false);
    ask(a, JOINT_TREE_REST_IS_BIG, FIRST + 2, 0, 0, false);
    audit_tree_opened(a, &(joint_tree_opened){.event = JOINT_TREE_LEAF, .set = WHOLE});
    assert_int_equal(audit_tree_deduce(a, NULL).bounded, 0);
    audit_finding f = audit_tree_deduce(a, size);
    assert_int_equal(f.bounded, 2); /* at most two have the other value */
    assert_int_equal(f.present, 0);
    assert_int_equal(f.wrong, 0);
    arena_free(memory);
}

/* With 9 of its own in a value that is not live, a participant knows that nobody else has it; with
 * 4 in one that is live, that the others have 6. */
static void takes_own_records_off(void **state)
{
    (void)state;
    arena *memory = arena_new();
    random_shape shape = {
        .n_records = 13, .n_attributes = 1, .max_leaves = 2, .max_levels = 2, .k = K};
    const problem *p = random_problem(&shape, 3, memory);
    uint32_t rows[13];
    for (uint32_t i = 0; i < 13; i++) {
        rows[i] = i;
        ((uint32_t *)p->attributes[0].cells)[i] = i < 9 ? 0 : 1;
    }
    audit_tree *a = audit_tree_new(memory, K, p, 0);
    joint_tree_opened what = {
        .event = JOINT_TREE_ALL, .set = WHOLE, .min_size = K, .bit = true, .rows = rows};
    what.n_rows = 13;
    audit_tree_opened(a, &what);
    what.event = JOINT_TREE_VALUE;
    what.of = WHOLE;
    for (uint32_t v = 0; v < 2; v++) {
        what.set = FIRST + v;
        what.node = v;
        what.bit = v == 1;
        audit_tree_opened(a, &what);
    }
    audit_finding f = audit_tree_deduce(a, NULL);
    assert_int_equal(f.alone, 9);
    assert_int_equal(f.wrong, 0);
    assert_int_equal(a->variables[find_variable(a, FIRST + 1)].low, 6);
    arena_free(memory);
}

static audit_tree *writing[PARTY_MAX];
static audit_finding from_bits[PARTY_MAX], from_sizes[PARTY_MAX];

static kith_status recorded(rows_result *result, party *p, const rows_task *task, kith_error *error)
{
    const uint32_t self = party_self(p);
    writing[self]->own = task->mine;
    joint_tree_recorder record = {audit_tree_opened, writing[self]};
    kith_status status = joint_tree_run_recorded(result, p, task, &record, error);
    if (status == KITH_OK) {
        from_bits[self] = audit_tree_deduce(writing[self], NULL);
        from_sizes[self] = audit_tree_deduce(writing[self], result->size);
    }
    return status;
}

/* What a party has deduced is true: the others have as many records in each set. */
static void check_truth(audit_tree *a, uint32_t self, uint32_t m)
{
    assert_int_equal(from_bits[self].wrong, 0);
    assert_int_equal(from_sizes[self].wrong, 0);
    assert_true(from_sizes[self].some >= from_bits[self].some);
    assert_true(from_sizes[self].known >= from_bits[self].known);
    for (uint32_t v = 0; v < a->n_variables; v++) {
        int64_t foreign = 0;
        for (uint32_t i = 0; i < m && a->variables[v].name != 0; i++)
            if (i != self)
                foreign +=
                    writing[i]->variables[find_variable(writing[i], a->variables[v].name)].n_rows;
        if (a->variables[v].name != 0)
            assert_in_range(foreign, a->variables[v].low, a->variables[v].high);
    }
}

/* Even and uneven splits, with and without m-privacy, the second half quiet. */
static void deduces_only_what_is_true(void **state)
{
    (void)state;
    static const protocol_options plain = {0};
    size_t n_small = 0, n_runs = 0;
    for (uint64_t run = 0; run < 120; run++) {
        const uint64_t seed = run % 60;
        arena *memory = arena_new();
        random_shape shape = {.n_records = 60 + 20 * (uint32_t)seed,
                              .n_attributes = 3,
                              .max_leaves = 12,
                              .max_levels = 4,
                              .k = 2 + (uint32_t)(seed % 9),
                              .skewed = seed % 2 == 0};
        protocol_options options = plain;
        arena *own[3]; /* parties are threads */
        const uint32_t m = seed % 20 == 7 ? 2 : 3;
        options.quiet = run >= 60;
        options.min_others = seed % 3 == 0 ? 0 : (uint32_t)(seed % 4);
        joint_job j = {.problem = random_problem(&shape, seed, memory), .options = &options};
        j.protocol = recorded;
        j.site = joint_sites(memory, shape.n_records, m,
                             seed % 5 == 0 ? SPLIT_SKEWED : SPLIT_RANDOM, seed);
        for (uint32_t i = 0; i < m; i++)
            writing[i] = audit_tree_new(own[i] = arena_new(), shape.k, NULL, options.min_others);
        if (session_run(m, joint_fn, &j) == KITH_OK) {
            for (uint32_t i = 0; i < m; i++)
                check_truth(writing[i], i, m);
            n_small += from_sizes[0].some;
            n_runs++;
        }
        for (uint32_t i = 0; i < m; i++)
            arena_free(own[i]);
        joint_free(&j);
        arena_free(memory);
    }
    assert_true(n_small > 1000);
    assert_true(n_runs > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_pigeons),
        cmocka_unit_test(finds_what_sizes_tell),
        cmocka_unit_test(takes_own_records_off),
        cmocka_unit_test(deduces_only_what_is_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
