/* Nodes of a table with enough records that groups of one node are made from those of another, where
 * records belong to units: against counting the units of each group from the records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "search/lattice/checker.h"
#include "support/problems.h"

enum { RECORDS = 6000, UNITS = 2500, LEAVES = 16, ATTRIBUTES = 3, LEVELS = 3 };

/* Records of groups with fewer than k units. */
static uint32_t count_suppressed(const problem *p, const uint8_t *levels, arena *memory)
{
    const size_t n_groups = (size_t)LEAVES * LEAVES * LEAVES;
    uint32_t *group = arena_zalloc(memory, RECORDS, sizeof *group);
    uint32_t *n_units = arena_zalloc(memory, n_groups, sizeof *n_units), suppressed = 0;
    bool *seen = arena_zalloc(memory, n_groups * UNITS, sizeof *seen);
    for (uint32_t i = 0; i < RECORDS; i++) {
        for (uint32_t j = 0; j < ATTRIBUTES; j++) {
            const tree *t = p->attributes[j].tree;
            const uint32_t node = tree_up(t, p->attributes[j].cells[i], levels[j]);
            group[i] = group[i] * LEAVES + node - t->level_start[levels[j]];
        }
        bool *own = &seen[(size_t)group[i] * UNITS + p->unit[i]];
        n_units[group[i]] += !*own;
        *own = true;
    }
    for (uint32_t i = 0; i < RECORDS; i++)
        suppressed += n_units[group[i]] < p->k;
    return suppressed;
}

/* Units have records that are mostly alike, so that groups have fewer units than records. */
static problem *draw(arena *memory, measure_id measure, uint32_t k, uint32_t may_suppress)
{
    const problem_shape shape = {.n_records = RECORDS,
                                 .n_attributes = ATTRIBUTES,
                                 .n_leaves = LEAVES,
                                 .width = 4,
                                 .skew = 1,
                                 .measure = measure,
                                 .k = k};
    problem *p = problems_random(memory, &shape, k);
    uint32_t *unit = arena_zalloc(memory, RECORDS, sizeof *unit);
    model_spec *model = arena_zalloc(memory, 1, sizeof *model);
    rng r;
    rng_init(&r, k, 2);
    for (uint32_t i = 0; i < RECORDS; i++)
        unit[i] = rng_below(&r, 3) == 0 ? rng_below(&r, UNITS)
                                        : p->attributes[0].cells[i] * (UNITS / LEAVES) +
                                              rng_below(&r, UNITS / LEAVES);
    *model = (model_spec){.id = MODEL_K_ANONYMITY, .k = k, .by_units = true};
    p->models = model;
    p->unit = unit;
    p->n_units = UNITS;
    p->may_suppress = may_suppress;
    return p;
}

/* The finest nodes are asked first, so that those above can start from them. Returns how many have
 * both groups that are kept and others. */
static uint32_t check_nodes(measure_id measure, uint32_t k, uint32_t may_suppress)
{
    uint32_t n_mixed = 0;
    arena *memory = arena_new();
    const problem *p = draw(memory, measure, k, may_suppress);
    checker *c = NULL;
    assert_int_equal(checker_new(&c, p, NULL, 0, NULL, memory, NULL), KITH_OK);
    for (uint32_t sum = 0; sum <= ATTRIBUTES * (LEVELS - 1); sum++)
        for (uint32_t node = 0; node < LEVELS * LEVELS * LEVELS; node++) {
            const uint8_t levels[1][LATTICE_MAX_ATTRIBUTES] = {{(uint8_t)(node % LEVELS),
                                                                (uint8_t)(node / LEVELS % LEVELS),
                                                                (uint8_t)(node / LEVELS / LEVELS)}};
            if (levels[0][0] + levels[0][1] + levels[0][2] != (int)sum)
                continue;
            arena *scratch = arena_new();
            node_value value;
            bool stop = false;
            const checker_batch one = {.count = 1, .levels = levels, .value = &value};
            const uint32_t suppressed = count_suppressed(p, levels[0], scratch);
            assert_int_equal(checker_nodes(c, &one, &stop, NULL), KITH_OK);
            assert_int_equal(value.satisfied, suppressed <= may_suppress);
            assert_true(!value.satisfied || value.suppressed == suppressed);
            n_mixed += suppressed > 0 && suppressed < RECORDS;
            arena_free(scratch);
        }
    arena_free(memory);
    return n_mixed;
}

static void groups_have_the_units_of_their_records(void **state)
{
    (void)state;
    uint32_t n_mixed = 0;
    const uint32_t ks[] = {2, 5, 40, 64, 65, 150};
    for (uint32_t i = 0; i < sizeof ks / sizeof *ks; i++)
        for (uint32_t may = 0; may < 3; may++) {
            n_mixed += check_nodes(MEASURE_LM, ks[i], may * RECORDS / 2);
            n_mixed += check_nodes(MEASURE_ENTROPY, ks[i], may * RECORDS / 2);
        }
    assert_true(n_mixed > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_have_the_units_of_their_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
