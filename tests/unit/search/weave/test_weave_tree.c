#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "search/weave/weave_tree.h"
#include "support/random_problem.h"

static const random_shape shapes[] = {
    {.n_records = 800,
     .n_attributes = 5,
     .max_leaves = 12,
     .max_levels = 4,
     .k = 4,
     .skewed = true},
    {.n_records = 500,
     .n_attributes = 3,
     .max_leaves = 9,
     .max_levels = 5,
     .k = 3,
     .wildcards = .1},
    {.n_records = 300,
     .n_attributes = 4,
     .max_leaves = 9,
     .max_levels = 4,
     .k = 3,
     .falling = true},
    {.n_records = 600,
     .n_attributes = 4,
     .max_leaves = 6,
     .max_levels = 3,
     .k = 4,
     .skewed = true,
     .n_sensitive = 6,
     .l = 2},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static const weave_tree_style styles[] = {
    {.rest_share = 0.6, .keep = 0.5},
    {.borrow = true, .eject = 1.5, .keep = 0.5},
    {.borrow = true, .eject = 0, .keep = 0.5, .noise = 1},
    {.rest_share = 1, .noise = 0.5, .keep = 0.9},
};
enum { STYLES = sizeof styles / sizeof styles[0] };

typedef struct bed {
    arena *memory;
    const problem *p;
    slots s;
    class_rules a;
    weave_tree t;
    uint32_t *members;
} bed;

static void prepare(bed *b, const random_shape *shape, uint64_t seed)
{
    b->memory = arena_new();
    b->p = random_problem(shape, seed, b->memory);
    assert_int_equal(slots_build(&b->s, b->p, b->p->k, b->memory, NULL), KITH_OK);
    assert_int_equal(class_rules_init(&b->a, b->p, b->memory, NULL), KITH_OK);
    assert_int_equal(
        weave_tree_init(&b->t, &b->s, &b->a, b->p->k, b->p->n_records, b->memory, NULL), KITH_OK);
    b->members = arena_array(b->memory, b->p->n_records, sizeof *b->members);
    for (uint32_t i = 0; i < b->p->n_records; i++)
        b->members[i] = i;
}

static void check_leaves(const bed *b)
{
    uint32_t end = 0;
    assert_true(b->t.leaves.count > 0);
    for (uint32_t i = 0; i < b->t.leaves.count; i++) {
        segment leaf = b->t.leaves.items[i];
        assert_true(leaf.first >= end);
        assert_true(leaf.size >= b->p->k);
        assert_true(class_rules_allow(&b->a, b->members + leaf.first, leaf.size));
        end = leaf.first + leaf.size;
    }
    assert_true(end <= b->p->n_records);
    uint8_t *seen = arena_zalloc(b->memory, b->p->n_records, 1);
    for (uint32_t i = 0; i < b->p->n_records; i++)
        seen[b->members[i]]++;
    for (uint32_t i = 0; i < b->p->n_records; i++)
        assert_int_equal(seen[i], 1);
    for (uint32_t at = 0; at < b->s.count; at++)
        for (uint32_t id = 0; id < b->s.slots[at].n_ids; id++)
            assert_int_equal(b->t.values.count[at][id], 0); /* ready for the next set */
}

static void leaves_are_classes(void **state)
{
    (void)state;
    for (uint32_t shape = 0; shape < SHAPES; shape++)
        for (uint32_t style = 0; style < STYLES; style++) {
            bed b;
            prepare(&b, &shapes[shape], style);
            rng r;
            rng_init(&r, 1, 1);
            if (class_rules_allow(&b.a, b.members, b.p->n_records)) {
                weave_tree_grow(&b.t, b.members, b.p->n_records, &styles[style], &r, 0);
                check_leaves(&b);
            }
            arena_free(b.memory);
        }
}

static int by_first(const void *a, const void *b)
{
    const segment *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static void sets_put_off_give_the_same_tree(void **state)
{
    (void)state;
    for (uint32_t shape = 0; shape < SHAPES; shape++) {
        bed whole, parts;
        prepare(&whole, &shapes[shape], 9);
        prepare(&parts, &shapes[shape], 9);
        weave_tree_grow(&whole.t, whole.members, whole.p->n_records, &styles[0], NULL, 0);
        weave_tree_grow(&parts.t, parts.members, parts.p->n_records, &styles[0], NULL, 100);
        assert_true(parts.t.put_off.count > 0);
        for (uint32_t i = parts.t.put_off.count; i-- > 0;) /* any order will do */
            weave_tree_resume(&parts.t, parts.members, &parts.t.put_off.items[i], &styles[0]);
        qsort(parts.t.leaves.items, parts.t.leaves.count, sizeof(segment), by_first);
        assert_int_equal(parts.t.leaves.count, whole.t.leaves.count);
        assert_memory_equal(parts.t.leaves.items, whole.t.leaves.items,
                            whole.t.leaves.count * sizeof(segment));
        assert_memory_equal(parts.members, whole.members,
                            whole.p->n_records * sizeof *whole.members);
        arena_free(whole.memory);
        arena_free(parts.memory);
    }
}

static void a_stopped_tree_is_one_leaf(void **state)
{
    (void)state;
    bed b;
    prepare(&b, &shapes[0], 1);
    atomic_bool stop = true;
    b.t.stop = &stop;
    weave_tree_grow(&b.t, b.members, b.p->n_records, &styles[0], NULL, 0);
    assert_int_equal(b.t.leaves.count, 1);
    assert_int_equal(b.t.leaves.items[0].size, b.p->n_records);
    arena_free(b.memory);
}

/* Two values of 5 records and 2 others, k = 3: the others are ejected, or borrow one. */
static void small_rests_are_ejected_or_borrow(void **state)
{
    (void)state;
    for (int borrow = 0; borrow < 2; borrow++) {
        arena *memory = arena_new();
        rng r;
        rng_init(&r, 1, 1);
        tree t;
        random_tree(&t, 4, 2, &r, memory);
        double cost[5] = {0, 0, 0, 0, 1};
        uint32_t cells[12] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3};
        attribute a = {.tree = &t, .cells = cells, .cost = cost};
        model_spec m = {.id = MODEL_K_ANONYMITY, .k = 3};
        problem p = {.n_records = 12,
                     .n_attributes = 1,
                     .attributes = &a,
                     .n_models = 1,
                     .models = &m,
                     .k = 3};
        bed b = {.memory = memory, .p = &p};
        assert_int_equal(slots_build(&b.s, &p, 3, memory, NULL), KITH_OK);
        assert_int_equal(class_rules_init(&b.a, &p, memory, NULL), KITH_OK);
        assert_int_equal(weave_tree_init(&b.t, &b.s, &b.a, 3, 12, memory, NULL), KITH_OK);
        uint32_t members[12];
        for (uint32_t i = 0; i < 12; i++)
            members[i] = i;
        b.members = members;
        weave_tree_style style = {.borrow = borrow == 1, .eject = 2, .rest_share = 1};
        weave_tree_grow(&b.t, members, 12, &style, NULL, 0);
        check_leaves(&b);
        assert_int_equal(b.t.leaves.count, borrow == 1 ? 3 : 2);
        assert_int_equal(b.t.leaves.items[0].size, borrow == 1 ? 4 : 5);
        if (borrow == 1)
            assert_int_equal(b.t.leaves.items[2].size, 3);
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_are_classes),
        cmocka_unit_test(sets_put_off_give_the_same_tree),
        cmocka_unit_test(a_stopped_tree_is_one_leaf),
        cmocka_unit_test(small_rests_are_ejected_or_borrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
