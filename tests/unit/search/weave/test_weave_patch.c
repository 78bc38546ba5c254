#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "search/weave/weave_patch.h"
#include "support/random_problem.h"

static const random_shape shapes[] = {
    {.records = 90, .attributes = 4, .max_leaves = 8, .max_levels = 4, .k = 3, .skewed = true},
    {.records = 90, .attributes = 3, .max_leaves = 6, .max_levels = 3, .k = 3, .wildcards = .2},
    {.records = 90, .attributes = 3, .max_leaves = 6, .max_levels = 4, .k = 3, .falling = true},
    {.records = 90,
     .attributes = 3,
     .max_leaves = 6,
     .max_levels = 3,
     .k = 4,
     .secrets = 8,
     .l = 2},
};

/* Costs, closures and lists of a patch, computed anew. */
static void check_patch(const patch *p, uint32_t inside, arena *memory)
{
    uint16_t *closure = arena_array(memory, p->slots->stride, sizeof *closure);
    uint32_t *members = arena_array(memory, p->capacity, sizeof *members), records = 0;
    int64_t total = 0;
    for (uint32_t c = 0; c < p->clusters; c++) {
        uint32_t size = patch_members(p, c, members);
        assert_int_equal(size, p->size[c]);
        assert_true(size >= p->least);
        assert_true(admit_class(p->admit, members, size));
        slots_close(p->slots, closure, members, size);
        assert_memory_equal(closure, patch_closure(p, c), p->slots->stride * sizeof *closure);
        assert_int_equal(p->cost[c], slots_cost(p->slots, closure, members[0]));
        total += (int64_t)size * p->cost[c];
        records += size;
    }
    assert_int_equal(total, patch_total(p));
    assert_int_equal(records, inside);
}

/* No single record could move and make things cheaper. */
static bool is_settled(const patch *p, arena *memory)
{
    uint16_t *closure = arena_array(memory, p->slots->stride, sizeof *closure);
    uint32_t *members = arena_array(memory, p->capacity, sizeof *members);
    for (uint32_t c = 0; c < p->clusters; c++) {
        uint32_t size = patch_members(p, c, members);
        for (uint32_t i = 0; i < size && size > p->least; i++) {
            uint32_t record = members[i];
            members[i] = members[size - 1];
            slots_close(p->slots, closure, members, size - 1);
            int64_t gain = (int64_t)size * p->cost[c] -
                           (int64_t)(size - 1) * slots_cost(p->slots, closure, members[0]);
            members[size - 1] = members[i];
            members[i] = record;
            for (uint32_t to = 0; to < p->clusters; to++) {
                int64_t joint = slots_joint_cost(p->slots, patch_closure(p, to), record);
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
        admit a;
        weave_tree t;
        patch patched;
        rng r;
        rng_init(&r, seed, 1);
        assert_int_equal(slots_build(&s, p, p->k, memory, NULL), KITH_OK);
        assert_int_equal(admit_init(&a, p, memory, NULL), KITH_OK);
        assert_int_equal(weave_tree_init(&t, &s, &a, p->k, p->records, memory, NULL), KITH_OK);
        assert_int_equal(patch_init(&patched, &s, &a, p->k, p->records, memory, NULL), KITH_OK);
        patched.records = p->records;
        for (uint32_t i = 0; i < p->records; i++)
            patched.record[i] = i;
        tree_style style = {.borrow = true, .eject = 1, .noise = 2, .keep = 0.3};
        uint32_t ejected;
        if (admit_class(&a, patched.record, p->records)) {
            weave_tree_grow(&t, patched.record, p->records, &style, &r, 0);
            assert_true(patch_take(&patched, &t, &ejected));
            check_patch(&patched, p->records - ejected, memory);
            if (patch_insert(&patched, ejected)) {
                check_patch(&patched, p->records, memory);
                int64_t before = patch_total(&patched);
                patch_move(&patched, 1000);
                check_patch(&patched, p->records, memory);
                assert_true(patch_total(&patched) <= before);
                assert_true(a.conditions > 0 || is_settled(&patched, memory));
                moved += patch_total(&patched) < before;
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
