/* Dividing a table in memory into pieces: all records once, no piece too large, every piece a
 * possible class, the same pieces for every order of the records; and the search over pieces. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "search/records/records_memory.h"
#include "search/search.h"
#include "support/problems.h"

static const problem_shape shapes[] = {
    {.n_records = 3000, .n_attributes = 3, .n_leaves = 16, .width = 4, .skew = 2, .k = 3},
    {.n_records = 3000, .n_attributes = 3, .n_leaves = 9, .width = 3, .wildcards = 0.1, .k = 5},
    {.n_records = 3000,
     .n_attributes = 2,
     .n_leaves = 16,
     .width = 4,
     .skew = 2,
     .n_sensitive = 4,
     .l = 2.2,
     .k = 4},
    {.n_records = 2000, .n_attributes = 2, .n_leaves = 40, .k = 2}, /* leaves and root only */
    {.n_records = 1500, .n_attributes = 2, .n_leaves = 4, .n_kinds = 1, .k = 3},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, LIMIT = 200 };

typedef struct pieces {
    uint32_t count, *members, *start;
} pieces;

static pieces divide(const problem *p, uint32_t limit, context *c)
{
    record_source r;
    partition found;
    division *d;
    bool here[1000];
    assert_int_equal(records_memory_open(&r, &found, p, c->memory, c, NULL), KITH_OK);
    assert_int_equal(r.count, p->n_records);
    assert_int_equal(division_make(&d, p, r.count, p->k, limit, &r.scan, c, NULL), KITH_OK);
    assert_int_equal(r.divide(r.self, d, here, NULL), KITH_OK);
    records_memory *m = r.self;
    if (m->order == NULL) /* they are one piece, which needs no list */
        assert_int_equal(records_memory_group(m, d, NULL), KITH_OK);
    return (pieces){division_count(d), m->order, m->start};
}

/* Do all records of the piece have the same cells? Then nothing can split it. */
static bool is_uniform(const problem *p, const uint32_t *members, uint32_t size)
{
    for (uint32_t a = 0; a < p->n_attributes; a++)
        for (uint32_t i = 1; i < size; i++)
            if (p->attributes[a].cells[members[i]] != p->attributes[a].cells[members[0]])
                return false;
    return true;
}

static void pieces_are_right(void **state)
{
    (void)state;
    for (unsigned s = 0; s < SHAPES; s++) {
        context c;
        assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
        const problem *p = problems_random(c.memory, &shapes[s], s);
        const pieces w = divide(p, LIMIT, &c);
        uint32_t *piece_of = arena_array(c.memory, p->n_records, sizeof *piece_of);
        memset(piece_of, 0xff, p->n_records * sizeof *piece_of);
        assert_int_equal(w.start[0], 0);
        assert_int_equal(w.start[w.count], p->n_records);
        for (uint32_t i = 0; i < w.count; i++) {
            const uint32_t *members = w.members + w.start[i], size = w.start[i + 1] - w.start[i];
            for (uint32_t m = 0; m < size; m++) {
                assert_true(m == 0 || members[m - 1] < members[m]);
                assert_int_equal(piece_of[members[m]], UINT32_MAX);
                piece_of[members[m]] = i;
            }
            if (shapes[s].n_sensitive == 0 && shapes[s].wildcards == 0)
                assert_true(size <= LIMIT || is_uniform(p, members, size));
        }
        assert_true(problems_hold(p, piece_of, w.count));
        assert_true(w.count >= (shapes[s].n_kinds == 1 ? 1 : p->n_records / LIMIT / 2));
        context_wipe(&c);
    }
}

/* The same table with its records in another order. */
static problem *shuffled(const problem *p, const uint32_t *order, arena *memory)
{
    problem *other = arena_alloc(memory, sizeof *other);
    attribute *attributes = arena_array(memory, p->n_attributes, sizeof *attributes);
    sensitive_attribute *sensitive = arena_array(memory, p->n_sensitive, sizeof *sensitive);
    *other = *p;
    for (uint32_t a = 0; a < p->n_attributes + p->n_sensitive; a++) {
        const bool is_cell = a < p->n_attributes;
        const uint32_t *from =
            is_cell ? p->attributes[a].cells : p->sensitive[a - p->n_attributes].values;
        uint32_t *to = arena_array(memory, p->n_records, sizeof *to);
        for (uint32_t i = 0; i < p->n_records; i++)
            to[i] = from[order[i]];
        if (is_cell) {
            attributes[a] = p->attributes[a];
            attributes[a].cells = to;
        } else {
            sensitive[a - p->n_attributes] = p->sensitive[a - p->n_attributes];
            sensitive[a - p->n_attributes].values = to;
        }
    }
    other->attributes = attributes;
    other->sensitive = sensitive;
    return other;
}

static void order_does_not_matter(void **state)
{
    (void)state;
    for (unsigned s = 0; s < SHAPES; s++) {
        context c;
        rng r;
        assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
        const problem *p = problems_random(c.memory, &shapes[s], s);
        uint32_t *order = arena_array(c.memory, p->n_records, sizeof *order);
        uint32_t *piece_of = arena_array(c.memory, p->n_records, sizeof *piece_of);
        for (uint32_t i = 0; i < p->n_records; i++)
            order[i] = i;
        rng_init(&r, s, 1);
        rng_shuffle(&r, order, p->n_records);
        const pieces one = divide(p, LIMIT, &c);
        const pieces other = divide(shuffled(p, order, c.memory), LIMIT, &c);
        assert_int_equal(one.count, other.count);
        for (uint32_t i = 0; i < one.count; i++)
            for (uint32_t m = one.start[i]; m < one.start[i + 1]; m++)
                piece_of[one.members[m]] = i;
        for (uint32_t i = 0; i < other.count; i++)
            for (uint32_t m = other.start[i]; m < other.start[i + 1]; m++)
                assert_int_equal(piece_of[order[other.members[m]]], i);
        context_wipe(&c);
    }
}

static uint32_t *search(const problem *p, unsigned n_threads, uint32_t piece, context *c,
                        double *cost)
{
    search_result result;
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = n_threads, .seeded = true, .seed = 9);
    const search_spec spec = {.piece = piece};
    assert_int_equal(context_init(c, &run, NULL), KITH_OK);
    assert_int_equal(search_run(&result, search_find("weave"), p, &spec, c, NULL), KITH_OK);
    assert_true(problems_hold(p, result.partition.class_of, result.partition.n_classes));
    *cost = partition_cost(&result.partition, p);
    return result.partition.class_of;
}

static void search_goes_piece_by_piece(void **state)
{
    (void)state;
    for (unsigned s = 0; s < SHAPES; s++) {
        context made, one, two, whole;
        double cost[3];
        assert_int_equal(context_init(&made, NULL, NULL), KITH_OK);
        const problem *p = problems_random(made.memory, &shapes[s], s);
        const uint32_t *a = search(p, 1, LIMIT, &one, &cost[0]);
        const uint32_t *b = search(p, 2, LIMIT, &two, &cost[1]);
        const uint32_t *c = search(p, 1, p->n_records, &whole, &cost[2]);
        assert_memory_equal(a, b, p->n_records * sizeof *a);
        if (s == 0)
            assert_memory_not_equal(a, c, p->n_records * sizeof *a);
        assert_true(cost[0] <= 1.1 * cost[2]);
        context_wipe(&one);
        context_wipe(&two);
        context_wipe(&whole);
        context_wipe(&made);
    }
}

static bool stop_at_once(void *user, const char *phase, double done)
{
    (void)user, (void)phase, (void)done;
    return false;
}

static void an_interrupt_leaves_classes(void **state)
{
    (void)state;
    context made, c;
    search_result result;
    assert_int_equal(context_init(&made, NULL, NULL), KITH_OK);
    const problem *p = problems_random(made.memory, &shapes[2], 2);
    const kith_run run = KITH_OPTIONS(kith_run, .progress = stop_at_once);
    const search_spec spec = {.piece = LIMIT};
    assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
    assert_int_equal(search_run(&result, search_find("weave"), p, &spec, &c, NULL), KITH_OK);
    assert_true(result.interrupted);
    assert_true(problems_hold(p, result.partition.class_of, result.partition.n_classes));
    context_wipe(&c);
    context_wipe(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_right),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(search_goes_piece_by_piece),
        cmocka_unit_test(an_interrupt_leaves_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
