#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "search/slots/lanes.h"
#include "search/slots/slots_kernels.h"
#include "support/random_problem.h"

static const random_shape shapes[] = {
    {.n_records = 60, .n_attributes = 3, .max_leaves = 6, .max_levels = 2, .k = 2},
    {.n_records = 200,
     .n_attributes = 5,
     .max_leaves = 12,
     .max_levels = 5,
     .k = 3,
     .skewed = true},
    {.n_records = 150,
     .n_attributes = 4,
     .max_leaves = 9,
     .max_levels = 4,
     .k = 2,
     .wildcards = .1,
     .inner = .1},
    {.n_records = 150,
     .n_attributes = 4,
     .max_leaves = 9,
     .max_levels = 5,
     .k = 2,
     .falling = true},
    {.n_records = 90, .n_attributes = 50, .max_leaves = 7, .max_levels = 4, .k = 2, .skewed = true},
    {.n_records = 40, .n_attributes = 1, .max_leaves = 1, .max_levels = 3, .k = 2},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0], SEEDS = 8 };

/* Cost of a set's lowest common ancestors, straight from the trees. */
static double naive_cost(const problem *p, const uint32_t *members, uint32_t count)
{
    double cost = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *a = &p->attributes[j];
        uint32_t node = a->cells[members[0]];
        for (uint32_t i = 1; i < count; i++)
            node = tree_lca(a->tree, node, a->cells[members[i]]);
        cost += a->cost[node];
    }
    return cost;
}

/* Takes sets that keep something in common, by starting from one record's most alike. */
static uint32_t random_set(const problem *p, uint32_t *members, uint32_t count, rng *r)
{
    uint32_t j = rng_below(r, p->n_attributes), seed = rng_below(r, p->n_records), found = 0;
    members[found++] = seed;
    for (uint32_t i = 0; i < p->n_records && found < count; i++)
        if (i != seed && p->attributes[j].cells[i] == p->attributes[j].cells[seed])
            members[found++] = i;
    while (found < count)
        members[found++] = rng_below(r, p->n_records);
    return found;
}

static void costs_agree_with_the_trees(void **state)
{
    (void)state;
    for (uint32_t shape = 0; shape < SHAPES; shape++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            arena *memory = arena_new();
            const problem *p = random_problem(&shapes[shape], seed, memory);
            slots s;
            assert_int_equal(slots_build(&s, p, 1, memory, NULL), KITH_OK);
            uint16_t *closure = arena_array(memory, s.stride, sizeof *closure);
            rng r;
            rng_init(&r, seed, 1);
            for (int round = 0; round < 200; round++) {
                uint32_t members[8];
                uint32_t count = random_set(p, members, 1 + rng_below(&r, 8), &r);
                slots_close(&s, closure, members, count);
                double expected = naive_cost(p, members, count);
                double got = slots_cost(&s, closure, members[rng_below(&r, count)]) / s.unit;
                assert_true(fabs(got + s.offset - expected) <= (p->n_attributes + 1) / s.unit);
                uint32_t other = rng_below(&r, p->n_records);
                int32_t joint = slots_joint_cost(&s, closure, other);
                slots_join(&s, closure, other);
                assert_int_equal(joint, slots_cost(&s, closure, other));
                assert_int_equal(joint, slots_cost(&s, closure, members[0]));
            }
            arena_free(memory);
        }
}

static void rare_values_are_dead_but_cost_what_they_must(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        arena *memory = arena_new();
        const problem *p = random_problem(&shapes[1], seed, memory);
        slots all, some;
        assert_int_equal(slots_build(&all, p, 1, memory, NULL), KITH_OK);
        assert_int_equal(slots_build(&some, p, 6, memory, NULL), KITH_OK);
        uint16_t *closure = arena_array(memory, all.stride, sizeof *closure);
        rng r;
        rng_init(&r, seed, 2);
        for (int round = 0; round < 300; round++) {
            uint32_t members[10], distinct[10], count = random_set(p, members, 10, &r), kept = 0;
            for (uint32_t i = 0; i < count; i++) {
                bool seen = false;
                for (uint32_t h = 0; h < kept; h++)
                    seen |= distinct[h] == members[i];
                if (!seen)
                    distinct[kept++] = members[i];
            }
            if (kept < 6)
                continue;
            slots_close(&all, closure, distinct, kept);
            int32_t exact = slots_cost(&all, closure, distinct[0]);
            slots_close(&some, closure, distinct, kept);
            assert_int_equal(slots_cost(&some, closure, distinct[0]), exact);
        }
        arena_free(memory);
    }
}

static void wildcards_agree_with_nobody(void **state)
{
    (void)state;
    arena *memory = arena_new();
    random_shape shape = shapes[0];
    shape.wildcards = 1;
    const problem *p = random_problem(&shape, 1, memory);
    slots s;
    assert_int_equal(slots_build(&s, p, 1, memory, NULL), KITH_OK);
    assert_int_equal(s.count, 0);
    assert_int_equal(s.stride, 16);
    uint16_t closure[16];
    slots_start(&s, closure, 0);
    for (int i = 0; i < 16; i++)
        assert_int_equal(closure[i], SLOT_NONE);
    arena_free(memory);
}

/* A level with more nodes than 16 bits can name keeps its most frequent ones. */
static void too_many_values_keep_the_frequent_ones(void **state)
{
    (void)state;
    arena *memory = arena_new();
    enum { LEAVES = 70000, RECORDS = 140000 + 3 };
    rng r;
    rng_init(&r, 1, 1);
    tree t;
    random_tree(&t, LEAVES, 2, &r, memory);
    double *cost = arena_zalloc(memory, t.n_nodes, sizeof *cost);
    cost[tree_root(&t)] = 1;
    uint32_t *cells = arena_array(memory, RECORDS, sizeof *cells);
    for (uint32_t i = 0; i < RECORDS; i++) /* value 69999 has two more, the first has one more */
        cells[i] = i < 140000 ? i / 2 : i == 140000 ? 0 : LEAVES - 1;
    attribute a = {.tree = &t, .cells = cells, .cost = cost};
    problem p = {.n_records = RECORDS, .n_attributes = 1, .attributes = &a, .k = 2};
    slots s;
    assert_int_equal(slots_build(&s, &p, 2, memory, NULL), KITH_OK);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.slots[0].n_ids, 3);
    assert_int_not_equal(slots_row(&s, 0)[0], SLOT_DEAD);
    assert_int_not_equal(slots_row(&s, RECORDS - 1)[0], slots_row(&s, 0)[0]);
    assert_int_equal(slots_row(&s, 2)[0], SLOT_DEAD);
    assert_true(slots_joint_cost(&s, slots_row(&s, 0), 2) > 60000);
    arena_free(memory);
}

typedef struct filled_slots {
    bounded_lanes b;
    uint32_t n_lanes;
    uint16_t *closures;
    uint32_t size[200];
    int32_t cost[200];
} filled_slots;

/* Two hundred clusters in random lanes, some of which stay or become empty. */
static void fill(filled_slots *c, const slots *s, const problem *p, rng *r, arena *memory)
{
    c->n_lanes = 200;
    assert_int_equal(lanes_bounded_init(&c->b, s, c->n_lanes, memory, NULL), KITH_OK);
    c->closures = arena_array(memory, (size_t)c->n_lanes * s->stride, sizeof *c->closures);
    for (uint32_t lane = 0; lane < c->n_lanes; lane++) {
        c->size[lane] = 0;
        if (rng_below(r, 10) == 0)
            continue;
        uint32_t members[6], count = random_set(p, members, 1 + rng_below(r, 6), r);
        uint16_t *closure = c->closures + (size_t)lane * s->stride;
        slots_close(s, closure, members, count);
        c->size[lane] = rng_below(r, 30) == 0 ? 20000 : count;
        c->cost[lane] = slots_cost(s, closure, members[0]);
        lanes_bounded_set(&c->b, lane, closure, c->size[lane], c->cost[lane]);
    }
    for (uint32_t lane = 5; lane < c->n_lanes; lane += 17) {
        lanes_bounded_clear(&c->b, lane);
        c->size[lane] = 0;
    }
}

static int32_t naive_score(const filled_slots *c, const slots *s, uint32_t lane, uint32_t record)
{
    int32_t joint = slots_joint_cost(s, c->closures + (size_t)lane * s->stride, record);
    int32_t size = (int32_t)(c->size[lane] > LANES_MAX_SIZE ? LANES_MAX_SIZE : c->size[lane]);
    return size * (joint - c->cost[lane]) + joint;
}

static void check_record(const filled_slots *c, const slots *s, uint32_t record, uint16_t *weight)
{
    query q = lanes_query(s, record, weight);
    int32_t best = LANES_FAR, without = LANES_FAR;
    uint32_t first = LANES_NONE;
    for (uint32_t block = 0; block < c->b.lanes.n_blocks; block++) {
        int32_t score[LANES_PER_BLOCK] __attribute__((aligned(64)));
        lanes_score(&c->b.lanes, block, &q, score);
        for (uint32_t i = 0; i < LANES_PER_BLOCK; i++) {
            uint32_t lane = block * LANES_PER_BLOCK + i;
            if (lane >= c->n_lanes || c->size[lane] == 0) {
                assert_true(score[i] >= LANES_FAR);
                continue;
            }
            assert_int_equal(score[i], naive_score(c, s, lane, record));
            best = score[i] < best ? score[i] : best;
            first = lane != 3 && score[i] < without ? lane : first;
            without = lane != 3 && score[i] < without ? score[i] : without;
        }
    }
    neighbour list[7];
    uint32_t found = lanes_nearest(&c->b.lanes, &q, list, 7);
    assert_int_equal(found, 7);
    assert_int_equal(list[0].score, best);
    for (uint32_t i = 0; i < found; i++) {
        assert_int_equal(list[i].score, naive_score(c, s, list[i].lane, record));
        assert_true(i == 0 || list[i - 1].score < list[i].score ||
                    (list[i - 1].score == list[i].score && list[i - 1].lane < list[i].lane));
    }
    neighbour nearest = lanes_bounded_find(&c->b, &q, 3, LANES_FAR);
    assert_int_equal(nearest.score, without);
    assert_int_not_equal(nearest.lane, 3);
    nearest = lanes_bounded_find_first(&c->b, &q, 3, LANES_FAR);
    assert_int_equal(nearest.score, without);
    assert_int_equal(nearest.lane, first);
    assert_int_equal(lanes_bounded_find_first(&c->b, &q, 3, without).lane, LANES_NONE);
    assert_int_equal(lanes_bounded_find_first(&c->b, &q, 3, without + 1).lane, first);
    assert_int_equal(lanes_bounded_find(&c->b, &q, LANES_NONE, best).lane, LANES_NONE);
}

static void every_instruction_set_finds_the_same(void **state)
{
    (void)state;
    static const char *const names[] = {"portable", "avx2", "avx512"};
    for (int name = 0; name < 3; name++) {
        const kernels *set = slots_kernels_find(names[name]);
        if (set == NULL) {
            print_message("%s: not on this processor\n", names[name]);
            continue;
        }
        assert_string_equal(set->name, names[name]);
        for (uint32_t shape = 0; shape < SHAPES; shape++) {
            arena *memory = arena_new();
            const problem *p = random_problem(&shapes[shape], 7, memory);
            slots s;
            assert_int_equal(slots_build(&s, p, 1, memory, NULL), KITH_OK);
            uint16_t *weight = arena_array(memory, s.stride, sizeof *weight);
            rng r;
            rng_init(&r, shape, 3);
            filled_slots c;
            fill(&c, &s, p, &r, memory);
            c.b.lanes.kernels = c.b.bounds.kernels = set;
            for (uint32_t record = 0; record < p->n_records; record += 3)
                check_record(&c, &s, record, weight);
            for (uint32_t block = 0; block < c.b.lanes.n_blocks; block++)
                lanes_bounded_tighten(&c.b, block);
            for (uint32_t record = 1; record < p->n_records; record += 3)
                check_record(&c, &s, record, weight);
            arena_free(memory);
        }
    }
}

static void the_environment_chooses(void **state)
{
    (void)state;
    setenv("KITH_SIMD", "portable", 1);
    assert_string_equal(slots_kernels_choose()->name, "portable");
    setenv("KITH_SIMD", "abacus", 1);
    const kernels *fallback = slots_kernels_choose();
    unsetenv("KITH_SIMD");
    assert_ptr_equal(fallback, slots_kernels_choose());
    assert_null(slots_kernels_find("abacus"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_agree_with_the_trees),
        cmocka_unit_test(rare_values_are_dead_but_cost_what_they_must),
        cmocka_unit_test(wildcards_agree_with_nobody),
        cmocka_unit_test(too_many_values_keep_the_frequent_ones),
        cmocka_unit_test(every_instruction_set_finds_the_same),
        cmocka_unit_test(the_environment_chooses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
