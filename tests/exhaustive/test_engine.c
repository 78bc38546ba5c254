/* Every table of 5 records x 2 attributes x 3 values (up to the order of records), against all
 * partitions of the records: what an algorithm returns satisfies the models and costs no less than
 * the best of them. By default a fixed sample of 1%, chosen by hash; KITH_EXHAUSTIVE=full takes
 * all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/search.h"
#include "support/problems.h"

enum { RECORDS = 5, KINDS = 9, PARTITIONS = 52 };

static uint32_t partitions[PARTITIONS][RECORDS]; /* as restricted growth strings */
static uint32_t partition_count;

static void list_partitions(uint32_t *prefix, uint32_t length, uint32_t n_classes)
{
    if (length == RECORDS) {
        memcpy(partitions[partition_count++], prefix, RECORDS * sizeof *prefix);
        return;
    }
    for (uint32_t c = 0; c <= n_classes; c++) {
        prefix[length] = c;
        list_partitions(prefix, length + 1, c == n_classes ? n_classes + 1 : n_classes);
    }
}

/* Smallest cost over all partitions that satisfy the models; infinite if none does. */
static double optimum(const problem *p, const double *cost)
{
    double best = INFINITY;
    for (uint32_t i = 0; i < partition_count; i++)
        if (cost[i] < best && problems_hold(p, partitions[i], RECORDS))
            best = cost[i];
    return best;
}

static uint64_t optimal, solved;

static void check(const problem *p, context *c, double best, const algorithm *a,
                  search_finish finish)
{
    search_result result;
    kith_error error;
    kith_status status =
        search_run(&result, a, p, &(search_spec){.n_restarts = 2, .finish = finish}, c, &error);
    if (status == KITH_INVALID)
        return; /* does not serve the model */
    if (best == INFINITY) {
        assert_int_equal(status, KITH_INFEASIBLE);
        return;
    }
    assert_int_equal(status, KITH_OK);
    partition *part = &result.partition;
    double cost = partition_cost(part, p);
    assert_true(problems_hold(p, part->class_of, part->n_classes));
    if (!a->global) /* global recoding shows more than a class needs */
        assert_true(fabs(cost - problems_cost(p, part->class_of, part->n_classes)) < 1e-9);
    assert_true(cost > best - 1e-9);
    solved++;
    optimal += cost < best + 1e-9;
}

static void check_table(const uint32_t *kind, uint64_t hash, const tree *const *trees,
                        measure_id measure)
{
    arena *memory = arena_new();
    context c;
    assert_int_equal(context_init(&c,
                                  &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true,
                                                          .seed = hash),
                                  NULL),
                     KITH_OK);
    uint32_t cells[2][RECORDS], sensitive_values[RECORDS];
    for (uint32_t i = 0; i < RECORDS; i++) {
        cells[0][i] = kind[i] / 3;
        cells[1][i] = kind[i] % 3;
        sensitive_values[i] = (uint32_t)(hash >> (8 + 2 * i)) % 3;
    }
    attribute a[2] = {{.tree = trees[0], .cells = cells[0]}, {.tree = trees[1], .cells = cells[1]}};
    sensitive_attribute s = {.values = sensitive_values, .count = 3};
    double cost[PARTITIONS];
    problem bare = {.n_records = RECORDS, .n_attributes = 2, .attributes = a};
    problems_costs(&bare, &a[0], measure, memory);
    problems_costs(&bare, &a[1], measure, memory);
    for (uint32_t i = 0; i < partition_count; i++)
        cost[i] = problems_cost(&bare, partitions[i], RECORDS);
    for (uint32_t k = 2; k <= 5; k++)
        for (uint32_t l = 0; l <= 2; l++) {
            model_spec models[] = {
                {.id = MODEL_K_ANONYMITY, .k = k},
                {.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 0.5 + 0.75 * l}};
            problem p = {.n_records = RECORDS,
                         .n_attributes = 2,
                         .attributes = a,
                         .n_sensitive = 1,
                         .sensitive = &s,
                         .n_models = l > 0 ? 2 : 1,
                         .models = models,
                         .k = k};
            double best = optimum(&p, cost);
            for (uint32_t i = 0; search_at(i) != NULL; i++)
                check(&p, &c, best, search_at(i), FINISH_HYBRID);
            check(&p, &c, best, search_find("sequential"), FINISH_MERGE);
        }
    context_wipe(&c);
    arena_free(memory);
}

static uint64_t hash_of(const uint32_t *kind)
{
    uint64_t hash = 0x9e3779b97f4a7c15U;
    for (uint32_t i = 0; i < RECORDS; i++)
        hash = (hash ^ kind[i]) * 0xff51afd7ed558ccdU, hash ^= hash >> 29;
    return hash;
}

static void every_tiny_table(void **state)
{
    (void)state;
    const char *asked = getenv("KITH_EXHAUSTIVE");
    bool full = asked != NULL && strcmp(asked, "full") == 0;
    arena *memory = arena_new();
    /* three leaves below the root; and a pair and a single leaf below it */
    const uint32_t paired[] = {0, 1, 2, 0, 0, 1, 0, 0, 0};
    const tree *trees[] = {trees_flat(memory, 3), trees_from_groups(memory, 3, 3, paired)};
    uint32_t prefix[RECORDS], kind[RECORDS], n_tables = 0;
    partition_count = 0;
    list_partitions(prefix, 0, 0);
    assert_int_equal(partition_count, PARTITIONS);
    for (uint32_t code = 0; code < KINDS * KINDS * KINDS * KINDS * KINDS; code++) {
        uint32_t rest = code;
        for (uint32_t i = 0; i < RECORDS; i++, rest /= KINDS)
            kind[i] = rest % KINDS;
        uint64_t hash = hash_of(kind);
        if (!full && hash % 1000 >= 10)
            continue;
        check_table(kind, hash, trees, (measure_id)(hash / 1000 % 4));
        n_tables++;
    }
    assert_true(n_tables > 400);
    print_message("%u tables, %lu answers, %.1f%% of them optimal\n", n_tables, solved,
                  100. * (double)optimal / (double)solved);
    assert_true(optimal > solved / 2); /* a search that never finds the optimum is broken */
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_tiny_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
