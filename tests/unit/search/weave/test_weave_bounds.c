/* Weave with bounds on levels, over ranks: every record gets the closure that it gets in one
 * process. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/rank_slices.h"

/* A table whose hierarchies have three levels or more, with a bound on each. */
static problem *draw(arena *memory, uint64_t seed, bool diverse)
{
    rng r;
    rng_init(&r, seed, 21);
    const problem_shape s = {.n_records = 500 + rng_below(&r, 500),
                             .n_attributes = 3,
                             .n_leaves = 16 + rng_below(&r, 60),
                             .width = 3,
                             .skew = 1 + rng_unit(&r),
                             .n_sensitive = diverse ? 4 : 0,
                             .l = diverse ? 2.2 : 0,
                             .k = 2 + rng_below(&r, 3)};
    problem *p = problems_random(memory, &s, seed);
    attribute *attributes = arena_array(memory, p->n_attributes, sizeof *attributes);
    memcpy(attributes, p->attributes, p->n_attributes * sizeof *attributes);
    for (uint32_t j = 0; j < p->n_attributes; j++)
        attributes[j].min_level = rng_below(&r, attributes[j].tree->n_levels);
    p->attributes = attributes;
    return p;
}

/* Searches over so many ranks; 0: in one process. */
static void search(rank_slices *s, uint32_t n_ranks, uint32_t *closure)
{
    s->closure = closure;
    memset(closure, 0xff, (size_t)s->whole->n_records * s->whole->n_attributes * sizeof *closure);
    if (n_ranks == 0)
        rank_slices_search(NULL, s);
    else
        thread_ranks_run(n_ranks, rank_slices_search, s);
}

static void check_levels(const problem *p, const uint32_t *closure)
{
    for (uint32_t i = 0; i < p->n_records; i++)
        for (uint32_t j = 0; j < p->n_attributes; j++) {
            const attribute *a = &p->attributes[j];
            const uint32_t node = closure[(size_t)i * p->n_attributes + j];
            assert_true(tree_covers(a->tree, node, a->cells[i]));
            assert_true(a->tree->level[node] >= a->min_level);
        }
}

static void ranks_find_what_one_process_finds(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 7};
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        rng r;
        arena *memory = arena_new();
        rng_init(&r, seed, 22);
        const problem *p = draw(memory, seed, seed % 3 == 0);
        const search_spec spec = {.piece = seed < 9 ? 120 : 5000};
        const size_t n = (size_t)p->n_records * p->n_attributes;
        uint32_t *alone = arena_array(memory, n, sizeof *alone);
        uint32_t *shared = arena_array(memory, n, sizeof *shared);
        rank_slices s = {.whole = p, .spec = &spec, .seed = seed, .n_threads = 1};
        s.first[1] = p->n_records;
        search(&s, 0, alone);
        assert_int_equal(s.status[0], KITH_OK);
        check_levels(p, alone);
        for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            rank_slices_cut(&s, sizes[i], &r);
            search(&s, sizes[i], shared);
            for (uint32_t rank = 0; rank < sizes[i]; rank++)
                assert_int_equal(s.status[rank], KITH_OK);
            assert_memory_equal(alone, shared, n * sizeof *alone);
        }
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_find_what_one_process_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
