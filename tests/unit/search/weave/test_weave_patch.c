#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "search/weave/weave_patch.h"
#include "support/random_problem.h"

static const random_shape shapes[] = {
    {.n_records = 90, .n_attributes = 4, .max_leaves = 8, .max_levels = 4, .k = 3, .skewed = true},
    {.n_records = 90, .n_attributes = 3, .max_leaves = 6, .max_levels = 3, .k = 3, .wildcards = .2},
    {.n_records = 90, .n_attributes = 3, .max_leaves = 6, .max_levels = 4, .k = 3, .falling = true},
    {.n_records = 90,
     .n_attributes = 3,
     .max_leaves = 6,
     .max_levels = 3,
     .k = 4,
     .n_sensitive = 8,
     .l = 2},
};

/* Costs, closures and lists of a patch, computed anew. */
static void check_patch(const weave_patch *p, uint32_t inside, arena *memory)
{
    uint16_t *closure = arena_array(memory, p->slots->stride, sizeof *closure);
    uint32_t *members = arena_array(memory, p->capacity, sizeof *members), n_records = 0;
    int64_t total = 0;
    for (uint32_t c = 0; c < p->n_clusters; c++) {
        uint32_t size = weave_patch_members(p, c, members);
        assert_int_equal(size, p->size[c]);
        assert_true(size >= p->min_class);
        assert_true(class_rules_allow(p->rules, members, size));
        slots_close(p->slots, closure, members, size);
        assert_memory_equal(closure, weave_patch_closure(p, c), p->slots->stride * sizeof *closure);
        assert_int_equal(p->cost[c], slots_cost(p->slots, closure, members[0]));
        total += (int64_t)size * p->cost[c];
        n_records += size;
    }
    assert_int_equal(total, weave_patch_total(p));
    assert_int_equal(n_records, inside);
}

/* No single record could move and make things cheaper. */
static bool is_settled(const weave_patch *p, arena *memory)
{
    uint16_t *closure = arena_array(memory, p->slots->stride, sizeof *closure);
    uint32_t *members = arena_array(memory, p->capacity, sizeof *members);
    for (uint32_t c = 0; c < p->n_clusters; c++) {
        uint32_t size = weave_patch_members(p, c, members);
        for (uint32_t i = 0; i < size && size > p->min_class; i++) {
            uint32_t record = members[i];
            members[i] = members[size - 1];
            slots_close(p->slots, closure, members, size - 1);
            int64_t gain = (int64_t)size * p->cost[c] -
                           (int64_t)(size - 1) * slots_cost(p->slots, closure, members[0]);
            members[size - 1] = members[i];
            members[i] = record;
            for (uint32_t to = 0; to < p->n_clusters; to++) {
                int64_t joint = slots_joint_cost(p->slots, weave_patch_closure(p, to), record);
                if (to != c &&
                    joint * (p->size[to] + 1) - (int64_t)p->cost[to] * p->size[to] < gain)
                    return false;
            }
        }
    }
    return true;
}

static void moves_help_and_keep_everything_in_order(void **state)
{
    (void)state;
    uint32_t moved = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        arena *memory = arena_new();
        const problem *p = random_problem(&shapes[seed % 4], seed, memory);
        slots s;
        class_rules a;
        weave_tree t;
        weave_patch patched;
        rng r;
        rng_init(&r, seed, 1);
        assert_int_equal(slots_build(&s, p, p->k, memory, NULL), KITH_OK);
        assert_int_equal(class_rules_init(&a, p, memory, NULL), KITH_OK);
        assert_int_equal(weave_tree_init(&t, &s, &a, p->k, p->n_records, memory, NULL), KITH_OK);
        assert_int_equal(weave_patch_init(&patched, &s, &a, p->k, p->n_records, memory, NULL),
                         KITH_OK);
        patched.n_records = p->n_records;
        for (uint32_t i = 0; i < p->n_records; i++)
            patched.records[i] = i;
        weave_tree_style style = {.borrow = true, .eject = 1, .noise = 2, .keep = 0.3};
        uint32_t ejected;
        if (class_rules_allow(&a, patched.records, p->n_records)) {
            weave_tree_grow(&t, patched.records, p->n_records, &style, &r, 0);
            assert_true(weave_patch_take(&patched, &t, &ejected));
            check_patch(&patched, p->n_records - ejected, memory);
            if (weave_patch_insert(&patched, ejected)) {
                check_patch(&patched, p->n_records, memory);
                int64_t before = weave_patch_total(&patched);
                weave_patch_move(&patched, 1000);
                check_patch(&patched, p->n_records, memory);
                assert_true(weave_patch_total(&patched) <= before);
                assert_true(a.n_conditions > 0 || is_settled(&patched, memory));
                moved += weave_patch_total(&patched) < before;
            }
        }
        arena_free(memory);
    }
    assert_true(moved > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_help_and_keep_everything_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
