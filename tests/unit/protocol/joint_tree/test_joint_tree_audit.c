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
    audit_tree_opened(a, event, set, event == JOINT_TREE_ALL ? UINT64_MAX : WHOLE, axis, node, K,
                      bit);
}

/* A slot of `small` dead values and one live one, whose rest is big. */
static audit_finding audit_slot(uint32_t small)
{
    arena *memory = arena_new();
    audit_tree *a = audit_tree_new(memory, K);
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
    audit_tree *a = audit_tree_new(memory, K);
    const uint64_t size[] = {12};
    ask(a, JOINT_TREE_ALL, WHOLE, 0, 0, true);
    ask(a, JOINT_TREE_VALUE, FIRST, 0, 0, true);
    ask(a, JOINT_TREE_VALUE, FIRST + 1, 0, 1, false);
    ask(a, JOINT_TREE_REST_IS_BIG, FIRST + 2, 0, 0, false);
    audit_tree_opened(a, JOINT_TREE_LEAF, WHOLE, 0, 0, 0, 0, true);
    assert_int_equal(audit_tree_deduce(a, NULL).bounded, 0);
    audit_finding f = audit_tree_deduce(a, size);
    assert_int_equal(f.bounded, 2); /* at most two have the other value */
    assert_int_equal(f.present, 0);
    assert_int_equal(f.wrong, 0);
    arena_free(memory);
}

static audit_tree *writing;

static kith_status recorded(rows_result *result, party *p, const rows_task *task, kith_error *error)
{
    joint_tree_recorder record = {audit_tree_opened, writing};
    return joint_tree_run_recorded(result, p, task, party_self(p) == 0 ? &record : NULL, error);
}

/* All that is deduced from a real run must be possible. */
static void contradicts_no_run(void **state)
{
    (void)state;
    static const protocol_options plain = {.protocol = PROTOCOL_WEAVE};
    size_t small = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        arena *memory = arena_new();
        random_shape shape = {.n_records = 60 + 20 * (uint32_t)seed,
                              .n_attributes = 3,
                              .max_leaves = 12,
                              .max_levels = 4,
                              .k = 2 + (uint32_t)(seed % 9),
                              .skewed = seed % 2 == 0};
        joint_job j = {.problem = random_problem(&shape, seed, memory), .options = &plain};
        j.protocol = recorded;
        j.site = joint_sites(memory, shape.n_records, 3, SPLIT_RANDOM, seed);
        writing = audit_tree_new(memory, shape.k);
        assert_int_equal(session_run(3, joint_fn, &j), KITH_OK);
        audit_finding bits = audit_tree_deduce(writing, NULL);
        audit_finding sizes = audit_tree_deduce(writing, j.size[0]);
        assert_int_equal(bits.wrong, 0);
        assert_int_equal(sizes.wrong, 0);
        assert_true(sizes.present >= bits.present);
        small += sizes.small;
        joint_free(&j);
        arena_free(memory);
    }
    assert_true(small > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_pigeons),
        cmocka_unit_test(finds_what_sizes_tell),
        cmocka_unit_test(contradicts_no_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
