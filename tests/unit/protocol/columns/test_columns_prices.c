/* Prices: those of parts of the columns add up to those of all, they are what a move then costs,
 * and noise depends on the question alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "core/rng.h"
#include "protocol/columns/columns_prices.h"
#include "support/aborts.h"
#include "support/problems.h"

enum { RECORDS = 90, CLUSTERS = 12, TRIES = 300 };

static uint64_t tag_of(void *user, uint32_t record)
{
    (void)user;
    return UINT64_C(0x9e3779b97f4a7c15) * (record + 1);
}

static int64_t noise_of(void *user, uint32_t record, uint64_t from, uint64_t to)
{
    uint64_t mixed =
        (record ^ from * 31 ^ to * 17 ^ *(uint64_t *)user) * UINT64_C(0xff51afd7ed558ccd);
    return (int64_t)(mixed >> 44) - (INT64_C(1) << 19);
}

typedef struct scene {
    arena *memory;
    problem part;
    columns_clusters c;
    columns_prices prices;
} scene;

/* Some columns of a problem, records distributed to clusters in turn. */
static void open_scene(scene *s, const problem *whole, uint32_t first, uint32_t end)
{
    *s = (scene){.memory = arena_new(), .part = *whole};
    s->part.attributes += first;
    s->part.n_attributes = end - first;
    assert_int_equal(columns_clusters_init(&s->c, &s->part, tag_of, NULL, s->memory, NULL),
                     KITH_OK);
    for (uint32_t i = 0; i < CLUSTERS; i++) {
        uint32_t id;
        assert_int_equal(columns_clusters_add(&s->c, &id, NULL), KITH_OK);
        assert_int_equal(id, i);
    }
    for (uint32_t i = 0; i < whole->n_records; i++)
        assert_int_equal(columns_clusters_append(&s->c, i % CLUSTERS, i, NULL), KITH_OK);
    for (uint32_t i = 0; i < CLUSTERS; i++)
        columns_clusters_close(&s->c, i);
    assert_int_equal(columns_prices_init(&s->prices, &s->c, NULL, NULL), KITH_OK);
}

static problem *make_problem(arena *memory, uint64_t seed)
{
    problem_shape shape = {.n_records = RECORDS,
                           .n_attributes = 5,
                           .n_leaves = seed % 2 ? 12 : 900, /* small and large trees */
                           .width = 3,
                           .wildcards = 0.05,
                           .measure = seed % 3 ? MEASURE_LM : MEASURE_EM,
                           .k = 3};
    return problems_random(memory, &shape, seed);
}

static void look(scene *s)
{
    assert_int_equal(columns_prices_set_columns(&s->prices, UINT32_MAX, NULL), KITH_OK);
}

/* Random moves and unions: the change of the total is the price, and parts add up. */
static void are_what_changes_cost(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        arena *memory = arena_new();
        scene all, part[3];
        rng r;
        rng_init(&r, seed, 0);
        problem *p = make_problem(memory, seed);
        open_scene(&all, p, 0, 5);
        open_scene(&part[0], p, 0, 2);
        open_scene(&part[1], p, 2, 2); /* no columns at all */
        open_scene(&part[2], p, 2, 5);
        for (int i = 0; i < TRIES && columns_clusters_count(&all.c) > 2; i++) {
            bool unites = i % 50 == 49;
            uint32_t record = rng_below(&r, RECORDS), own = all.c.of[record];
            int64_t price[CLUSTERS], sum[CLUSTERS] = {0}, piece[CLUSTERS];
            look(&all);
            uint32_t column = rng_below(&r, all.prices.count), to = all.prices.clusters[column];
            if (to == own)
                continue;
            if (unites)
                columns_prices_unions(&all.prices, price, &own, 1);
            else
                columns_prices_moves(&all.prices, price, &record, 1);
            for (uint32_t j = 0; j < 3; j++) {
                look(&part[j]);
                if (unites)
                    columns_prices_unions(&part[j].prices, piece, &own, 1);
                else
                    columns_prices_moves(&part[j].prices, piece, &record, 1);
                for (uint32_t k = 0; k < all.prices.count; k++)
                    sum[k] += piece[k];
            }
            assert_memory_equal(price, sum, all.prices.count * sizeof *price);
            assert_int_equal(price[all.prices.column[own]], 0);
            int64_t before = columns_clusters_total(&all.c);
            for (uint32_t j = 0; j < 4; j++) {
                columns_clusters *c = j == 3 ? &all.c : &part[j].c;
                assert_int_equal(unites ? columns_clusters_merge(c, to, own, NULL)
                                        : columns_clusters_move(c, record, to, NULL),
                                 KITH_OK);
            }
            assert_int_equal(columns_clusters_total(&all.c) - before, price[column]);
        }
        for (uint32_t j = 0; j < 3; j++)
            arena_free(part[j].memory);
        arena_free(all.memory);
        arena_free(memory);
    }
}

/* A dissolved cluster: members' prices hold if each goes to a cluster of its own. */
static void tell_what_dissolving_costs(void **state)
{
    (void)state;
    arena *memory = arena_new();
    scene s;
    problem *p = make_problem(memory, 1);
    static int64_t price[RECORDS * CLUSTERS];
    open_scene(&s, p, 0, 5);
    look(&s);
    const uint32_t size = s.c.size[0], last = s.c.member[0][size - 1];
    columns_prices_members(&s.prices, price, 0);
    int64_t expected = 0, before = columns_clusters_total(&s.c);
    for (uint32_t m = 0; m < size; m++)
        expected += price[m * CLUSTERS + m + 1];
    for (uint32_t m = size; m-- > 0;)
        assert_int_equal(columns_clusters_move(&s.c, s.c.member[0][m], m + 1, NULL), KITH_OK);
    assert_int_equal(columns_clusters_total(&s.c) - before, expected);
    assert_int_equal(s.c.of[last], size);
    arena_free(s.memory);
    arena_free(memory);
}

static void have_noise_that_stays(void **state)
{
    (void)state;
    arena *memory = arena_new();
    scene s;
    uint64_t key = 7;
    uint32_t record = 5, one = 2, two = 3;
    int64_t plain[CLUSTERS], first[CLUSTERS], again[CLUSTERS], there[CLUSTERS], back[CLUSTERS];
    problem *p = make_problem(memory, 3);
    open_scene(&s, p, 0, 5);
    look(&s);
    columns_prices_moves(&s.prices, plain, &record, 1);
    s.prices.noise = noise_of;
    s.prices.user = &key;
    columns_prices_moves(&s.prices, first, &record, 1);
    uint32_t changed = 0;
    for (uint32_t i = 0; i < CLUSTERS; i++)
        changed += first[i] != plain[i];
    assert_int_equal(changed, CLUSTERS - 1); /* not its own */
    /* Another record goes to cluster 9 and comes back: only while it is there is it another
     * question. */
    assert_int_equal(columns_clusters_move(&s.c, 0, 9, NULL), KITH_OK);
    look(&s);
    columns_prices_moves(&s.prices, again, &record, 1);
    assert_int_equal(again[2], first[2]);
    assert_int_equal(columns_clusters_move(&s.c, 0, 0, NULL), KITH_OK);
    look(&s);
    columns_prices_moves(&s.prices, again, &record, 1);
    assert_memory_equal(again, first, sizeof first);
    /* A union is the same question from both sides. */
    columns_prices_unions(&s.prices, there, &one, 1);
    columns_prices_unions(&s.prices, back, &two, 1);
    assert_int_equal(there[two], back[one]);
    arena_free(s.memory);
    arena_free(memory);
}

static void refuse_costs_beyond_sums(void **state)
{
    (void)state;
    arena *memory = arena_new();
    kith_error error = {0};
    columns_clusters c;
    problem *p = make_problem(memory, 1);
    double *cost = arena_zalloc(memory, p->attributes[0].tree->n_nodes, sizeof *cost);
    attribute heavy = p->attributes[0];
    cost[0] = 1e12;
    heavy.cost = cost;
    p->attributes = &heavy;
    p->n_attributes = 1;
    assert_int_equal(columns_clusters_init(&c, p, NULL, NULL, memory, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "too large"));
    cost[0] = -1;
    assert_int_equal(columns_clusters_init(&c, p, NULL, NULL, memory, &error), KITH_INVALID);
    arena_free(memory);
}

#if KITH_DEBUG
static void price_after_a_move(void)
{
    scene s;
    int64_t price[CLUSTERS];
    const uint32_t record = 0;
    open_scene(&s, make_problem(arena_new(), 1), 0, 5);
    look(&s);
    (void)!columns_clusters_move(&s.c, 1, s.c.of[2], NULL);
    columns_prices_moves(&s.prices, price, &record, 1);
}

static void check_a_wrong_closure(void)
{
    scene s;
    open_scene(&s, make_problem(arena_new(), 1), 0, 5);
    s.c.sides[0].closure[0] = s.c.sides[0].cells[s.c.member[0][0]];
    columns_clusters_check(&s.c);
}

static void move_to_its_own_cluster(void)
{
    scene s;
    open_scene(&s, make_problem(arena_new(), 1), 0, 5);
    (void)!columns_clusters_move(&s.c, 1, s.c.of[1], NULL);
}

static void debug_builds_notice_broken_clusters(void **state)
{
    (void)state;
    assert_true(aborts(price_after_a_move));
    assert_true(aborts(check_a_wrong_closure));
    assert_true(aborts(move_to_its_own_cluster));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_what_changes_cost),
        cmocka_unit_test(tell_what_dissolving_costs),
        cmocka_unit_test(have_noise_that_stays),
        cmocka_unit_test(refuse_costs_beyond_sums),
#if KITH_DEBUG
        cmocka_unit_test(debug_builds_notice_broken_clusters),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
