/* Weave over ranks: whatever the number of ranks and threads, and wherever the records lie, every
 * record gets the closure that it gets in one process. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/k_map.h"
#include "search/records/records_ranks.h"
#include "support/rank_slices.h"

typedef enum extra { ONLY_K, DIVERSITY, ENTROPY, CLOSENESS, K_MAP, N_EXTRAS } extra;

/* The records themselves, each standing for two people. */
static const model_facts *make_population(const problem *p, arena *memory)
{
    model_facts *facts = arena_zalloc(memory, 1, sizeof *facts);
    population *people = arena_zalloc(memory, 1, sizeof *people);
    const tree **trees = arena_array(memory, p->n_attributes, sizeof *trees);
    uint32_t *weight = arena_array(memory, p->n_records, sizeof *weight);
    uint32_t *cells = arena_array(memory, p->n_records, p->n_attributes * sizeof *cells);
    for (uint32_t i = 0; i < p->n_records; i++) {
        weight[i] = 2;
        for (uint32_t a = 0; a < p->n_attributes; a++)
            cells[(size_t)i * p->n_attributes + a] = p->attributes[a].cells[i];
    }
    for (uint32_t a = 0; a < p->n_attributes; a++)
        trees[a] = p->attributes[a].tree;
    *people = (population){.n_rows = p->n_records,
                           .n_attributes = p->n_attributes,
                           .tree = trees,
                           .cells = cells,
                           .weight = weight,
                           .people = 2 * (uint64_t)p->n_records};
    assert_int_equal(k_map_population_index(people, memory, NULL), KITH_OK);
    facts->population = people;
    return facts;
}

static problem *draw(arena *memory, uint64_t seed, extra kind)
{
    rng r;
    rng_init(&r, seed, 11);
    const problem_shape s = {.n_records = 400 + rng_below(&r, 500),
                             .n_attributes = 2 + rng_below(&r, 3),
                             .n_leaves = 4 + rng_below(&r, 300),
                             .width = rng_below(&r, 4) == 0 ? 0 : 2 + rng_below(&r, 4),
                             .wildcards = rng_below(&r, 2) == 0 ? 0 : 0.1,
                             .skew = 1 + 2 * rng_unit(&r),
                             .n_sensitive = kind == ONLY_K || kind == K_MAP ? 0 : 4,
                             .l = kind == ONLY_K || kind == K_MAP ? 0 : 2.2,
                             .k = 2 + rng_below(&r, 5)};
    problem *p = problems_random(memory, &s, seed);
    model_spec *models = arena_zalloc(memory, 2, sizeof *models);
    memcpy(models, p->models, p->n_models * sizeof *models);
    if (kind == ENTROPY)
        models[1].variant = VARIANT_ENTROPY;
    if (kind == CLOSENESS)
        models[1] = problems_closeness(p, 0.3, memory);
    if (kind == K_MAP)
        models[p->n_models++] =
            (model_spec){.id = MODEL_K_MAP, .k = 9, .facts = make_population(p, memory)};
    p->models = models;
    p->k = models_minimum_size(models, p->n_models);
    return p;
}

static uint32_t *search(rank_slices *s, uint32_t n_ranks, uint32_t n_threads, uint32_t *closure)
{
    s->n_threads = n_threads;
    s->closure = closure;
    memset(closure, 0xff, (size_t)s->whole->n_records * s->whole->n_attributes * sizeof *closure);
    if (n_ranks == 0)
        rank_slices_search(NULL, s);
    else
        thread_ranks_run(n_ranks, rank_slices_search, s);
    for (uint32_t r = 0; r < (n_ranks == 0 ? 1 : n_ranks); r++)
        if (s->status[r] != KITH_OK)
            fail_msg("rank %u of %u: %s", r, n_ranks, s->error[r].message);
    return closure;
}

static void ranks_find_what_one_process_finds(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 7};
    (void)state;
    for (uint64_t seed = 0; seed < 3 * (uint64_t)N_EXTRAS; seed++) {
        rng r;
        arena *memory = arena_new();
        rng_init(&r, seed, 12);
        const problem *p = draw(memory, seed, (extra)(seed % N_EXTRAS));
        /* The last tables are searched whole: the limit is larger than they are. */
        const search_spec spec = {.piece = seed < 2 * (uint64_t)N_EXTRAS ? 120 : 5000};
        const size_t n = (size_t)p->n_records * p->n_attributes;
        uint32_t *alone = arena_array(memory, n, sizeof *alone);
        uint32_t *shared = arena_array(memory, n, sizeof *shared);
        rank_slices s = {.whole = p, .spec = &spec, .seed = seed};
        s.first[1] = p->n_records;
        search(&s, 0, 1, alone);
        for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            rank_slices_cut(&s, sizes[i], &r);
            search(&s, sizes[i], 1 + i % 2, shared);
            assert_memory_equal(alone, shared, n * sizeof *alone);
        }
        arena_free(memory);
    }
}

static void pieces_are_distributed_evenly(void **state)
{
    (void)state;
    arena *memory = arena_new();
    const uint64_t sizes[] = {10, 70, 20, 40, 70, 5, 1};
    uint32_t rank_of[7];
    assert_int_equal(records_ranks_distribute(rank_of, sizes, 7, 3, memory, NULL), KITH_OK);
    /* 70 (1), 70 (4), 40 (3) to ranks 0, 1, 2; 20 (2) to 2; 10 (0) to 2; 5 (5) to 0, 1 (6) to 1 */
    const uint32_t expected[] = {2, 0, 2, 2, 1, 0, 1};
    assert_memory_equal(rank_of, expected, sizeof expected);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_distributed_evenly),
        cmocka_unit_test(ranks_find_what_one_process_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
