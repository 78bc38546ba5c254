/* Searches of a lattice over ranks: wherever the records lie, the levels, the number of checks, the
 * classes and the suppressed records are those of one process; whether every rank has all distinct
 * records or they are distributed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/rank_slices.h"

typedef enum extra { ONLY_K, DIVERSITY, CLOSENESS, N_EXTRAS } extra;

static const char *const algorithms[] = {"flash",         "ola",         "incognito",
                                         "breadth-first", "depth-first", "datafly"};
static const measure_id measures[] = {MEASURE_LM, MEASURE_ENTROPY, MEASURE_DM, MEASURE_ARX_LOSS};

enum {
    N_ALGORITHMS = sizeof algorithms / sizeof *algorithms,
    N_MEASURES = sizeof measures / sizeof *measures
};

/* Few distinct records, so that ranks have the same ones; bounds on levels where nothing is
 * missing. */
static problem *draw(arena *memory, uint64_t seed, extra kind)
{
    rng r;
    rng_init(&r, seed, 21);
    const measure_id measure = measures[seed % N_MEASURES];
    const bool bounded = rng_below(&r, 3) == 0;
    const problem_shape s = {.n_records = 200 + rng_below(&r, 300),
                             .n_attributes = 2 + rng_below(&r, 2),
                             .n_leaves = 4 + rng_below(&r, 300),
                             .width = 2 + rng_below(&r, 4),
                             .n_kinds = rng_below(&r, 2) == 0 ? 0 : 60,
                             .wildcards = bounded || rng_below(&r, 2) == 0 ? 0 : 0.1,
                             .skew = 1 + 2 * rng_unit(&r),
                             /* of nodes; dm has none */
                             .measure = measure_at(measure)->additive ? measure : MEASURE_LM,
                             .n_sensitive = kind == ONLY_K ? 0 : 4,
                             .l = kind == ONLY_K ? 0 : 2.2,
                             .k = 2 + rng_below(&r, 5)};
    problem *p = problems_random(memory, &s, seed);
    attribute *attributes = arena_array(memory, p->n_attributes, sizeof *attributes);
    memcpy(attributes, p->attributes, p->n_attributes * sizeof *attributes);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        attributes[j].weight = 1;
        attributes[j].wildcards = s.wildcards > 0;
    }
    attributes[0].min_level = bounded;
    attributes[1].n_forbidden = bounded;
    model_spec *models = arena_zalloc(memory, 2, sizeof *models);
    memcpy(models, p->models, p->n_models * sizeof *models);
    if (kind == CLOSENESS)
        models[1] = problems_closeness(p, 0.3, memory);
    p->attributes = attributes;
    p->models = models;
    p->measure = measure;
    p->k = models_minimum_size(models, p->n_models);
    p->may_suppress = rng_below(&r, 3) == 0 ? 0 : p->n_records / 10;
    return p;
}

static void search(rank_slices *s, uint32_t n_ranks, uint32_t n_threads, uint32_t *closure)
{
    s->n_threads = n_threads;
    s->closure = closure;
    memset(closure, 0xff, (size_t)s->whole->n_records * s->whole->n_attributes * sizeof *closure);
    memset(s->levels, 0xff, sizeof s->levels);
    for (uint32_t r = 0; r < (n_ranks == 0 ? 1 : n_ranks); r++)
        s->lattice_memory[r] = arena_new();
    if (n_ranks == 0)
        rank_slices_search(NULL, s);
    else
        thread_ranks_run(n_ranks, rank_slices_search, s);
}

static void free_lattices(rank_slices *s)
{
    for (uint32_t r = 0; r < RANK_SHARES_MAX; r++)
        arena_free(s->lattice_memory[r]);
}

/* The answers, losses and smallest classes of all nodes, bit by bit. */
static void same_lattice(const searched_lattice *a, const searched_lattice *b)
{
    assert_int_equal(a->n_nodes, b->n_nodes);
    assert_memory_equal(a->answer, b->answer, a->n_nodes);
    assert_memory_equal(a->loss, b->loss, a->n_nodes * sizeof *a->loss);
    assert_memory_equal(a->smallest, b->smallest, a->n_nodes * sizeof *a->smallest);
}

static uint32_t count_suppressed(const uint32_t *closure, const problem *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_records; i++)
        n += closure[(size_t)i * p->n_attributes] == UINT32_MAX;
    return n;
}

static void same_answer(const rank_slices *alone, const rank_slices *shared, uint32_t n_ranks)
{
    const problem *p = alone->whole;
    for (uint32_t r = 0; r < n_ranks; r++) {
        assert_int_equal(alone->status[0], shared->status[r]);
        assert_string_equal(alone->error[0].message, shared->error[r].message);
        if (alone->status[0] != KITH_OK)
            continue;
        assert_memory_equal(alone->levels[0], shared->levels[r], sizeof alone->levels[0]);
        assert_int_equal(alone->found[0].checked, shared->found[r].checked);
        assert_int_equal(alone->found[0].n_transformations, shared->found[r].n_transformations);
        assert_string_equal(alone->found[0].stopped, shared->found[r].stopped);
        same_lattice(alone->lattice[0], shared->lattice[r]);
    }
    assert_memory_equal(alone->closure, shared->closure,
                        (size_t)p->n_records * p->n_attributes * sizeof *alone->closure);
}

static void ranks_find_what_one_process_finds(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 7};
    uint32_t n_suppressing = 0, n_found = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 16 * (uint64_t)N_ALGORITHMS; seed++) {
        rng r;
        arena *memory = arena_new();
        rng_init(&r, seed, 22);
        const problem *p = draw(memory, seed, (extra)rng_below(&r, N_EXTRAS));
        /* From dealing out everything to having everything on every rank. */
        static const uint32_t smalls[] = {1, 20, 100, 1000};
        const search_spec spec = {.small = smalls[rng_below(&r, sizeof smalls / sizeof *smalls)]};
        const size_t n = (size_t)p->n_records * p->n_attributes;
        uint32_t *closures[] = {arena_array(memory, n, sizeof *closures[0]),
                                arena_array(memory, n, sizeof *closures[0])};
        rank_slices alone = {
            .whole = p, .spec = &spec, .algorithm = algorithms[seed % N_ALGORITHMS], .seed = seed};
        alone.first[1] = p->n_records;
        search(&alone, 0, 1, closures[0]);
        n_found += alone.status[0] == KITH_OK;
        const uint32_t n_gone = count_suppressed(closures[0], p);
        n_suppressing += alone.status[0] == KITH_OK && n_gone > 0;
        for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            rank_slices shared = {
                .whole = p, .spec = &spec, .algorithm = alone.algorithm, .seed = seed};
            rank_slices_cut(&shared, sizes[i], &r);
            search(&shared, sizes[i], 1 + i % 2, closures[1]);
            same_answer(&alone, &shared, sizes[i]);
            free_lattices(&shared);
        }
        free_lattices(&alone);
        arena_free(memory);
    }
    /* Otherwise the comparison says nothing. */
    assert_true(n_found > 8 * N_ALGORITHMS && n_suppressing > 2 * N_ALGORITHMS);
}

static bool stop_at_once(void *user, const char *phase, double done)
{
    (void)user;
    (void)phase;
    (void)done;
    return false;
}

/* Of one process the best node so far would be the result; ranks may have come to different ones.
 */
static void what_is_stopped_on_one_rank_is_stopped_on_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * N_ALGORITHMS; i++) {
        arena *memory = arena_new();
        problem *p = draw(memory, 1, ONLY_K);
        const search_spec spec = {.small = i < N_ALGORITHMS ? 1 : 1000};
        rank_slices s = {
            .whole = p, .spec = &spec, .algorithm = algorithms[i % N_ALGORITHMS], .n_threads = 1};
        s.first[1] = p->n_records / 2;
        s.first[2] = p->n_records;
        s.closure = arena_array(memory, p->n_records, p->n_attributes * sizeof *s.closure);
        s.progress[1] = stop_at_once;
        thread_ranks_run(2, rank_slices_search, &s);
        for (uint32_t r = 0; r < 2; r++) {
            assert_int_equal(s.status[r], KITH_CANCELLED);
            assert_string_equal(s.error[r].message, "interrupted");
        }
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_find_what_one_process_finds),
        cmocka_unit_test(what_is_stopped_on_one_rank_is_stopped_on_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
