/* Counting people against a naive count, and the models that ask for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/rng.h"
#include "model/k_map.h"
#include "support/trees.h"

enum { ROWS = 60, ATTRIBUTES = 3, LEAVES = 8 };

static uint64_t naive_count(const population *p, const uint32_t *closure)
{
    uint64_t people = 0;
    for (uint32_t row = 0; row < p->n_rows; row++) {
        bool fits = true;
        for (uint32_t j = 0; j < p->n_attributes; j++) {
            uint32_t node = p->cells[row * p->n_attributes + j];
            while (node != closure[j] && node != tree_root(p->tree[j]))
                node = p->tree[j]->parent[node];
            fits = fits && node == closure[j];
        }
        people += fits ? p->weight[row] : 0;
    }
    return people;
}

static void counts_agree_with_a_naive_count(void **state)
{
    (void)state;
    uint32_t reached = 0, missed = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        arena *memory = arena_new();
        rng r;
        rng_init(&r, seed, 1);
        const tree *trees[ATTRIBUTES] = {trees_flat(memory, LEAVES),
                                         trees_grouped(memory, LEAVES, 2),
                                         trees_grouped(memory, LEAVES, 3)};
        uint32_t cells[ROWS * ATTRIBUTES], weight[ROWS];
        for (uint32_t row = 0; row < ROWS; row++) {
            weight[row] = 1 + rng_below(&r, 3);
            for (uint32_t j = 0; j < ATTRIBUTES; j++)
                cells[row * ATTRIBUTES + j] =
                    rng_below(&r, rng_below(&r, 4) == 0 ? trees[j]->n_nodes : LEAVES);
        }
        population p = {.n_rows = rng_below(&r, ROWS + 1),
                        .n_attributes = ATTRIBUTES,
                        .tree = trees,
                        .cells = cells,
                        .weight = weight};
        assert_int_equal(k_map_population_index(&p, memory, NULL), KITH_OK);
        for (int i = 0; i < 20; i++) {
            uint32_t closure[ATTRIBUTES], k = 1 + rng_below(&r, 12);
            for (uint32_t j = 0; j < ATTRIBUTES; j++)
                closure[j] = rng_below(&r, trees[j]->n_nodes);
            uint64_t people = naive_count(&p, closure);
            assert_int_equal(k_map_population_covered(&p, closure), people);
            assert_int_equal(k_map_population_reaches(&p, closure, k), people >= k);
            model_facts facts = {.population = &p};
            model_spec m = {.id = MODEL_K_MAP, .k = k, .facts = &facts};
            class_view view = {.size = 1, .closure = closure};
            assert_int_equal(model_holds(&m, &view), people >= k);
            assert_int_equal(model_judge(&m, &view).holds, people >= k);
            assert_true(model_judge(&m, &view).found == (double)people);
            reached += people >= k;
            missed += people < k;
        }
        arena_free(memory);
    }
    assert_true(reached > 500 && missed > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_agree_with_a_naive_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
