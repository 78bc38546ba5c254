#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "model/k_map.h"
#include "search/search.h"
#include "support/problems.h"

static kith_status run(const problem_shape *shape, const char *name, kith_error *error)
{
    arena *memory = arena_new();
    context c;
    search_result result;
    search_spec spec = {0};
    assert_int_equal(
        context_init(&c, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true), NULL),
        KITH_OK);
    problem *p = problems_random(memory, shape, 5);
    kith_status status = search_run(&result, search_find(name), p, &spec, &c, error);
    context_wipe(&c);
    arena_free(memory);
    return status;
}

static void the_registry_is_complete(void **state)
{
    (void)state;
    assert_non_null(search_find("sequential"));
    assert_null(search_find("Sequential"));
    assert_null(search_find(""));
    for (uint32_t i = 0; search_at(i) != NULL; i++)
        assert_ptr_equal(search_find(search_at(i)->name), search_at(i));
}

static void too_few_records_are_infeasible(void **state)
{
    (void)state;
    for (uint32_t i = 0; search_at(i) != NULL; i++) {
        kith_error error;
        problem_shape shape = {.n_records = 4, .n_attributes = 2, .n_leaves = 3, .k = 5};
        assert_int_equal(run(&shape, search_at(i)->name, &error), KITH_INFEASIBLE);
        assert_string_equal(error.message, "only 4 records: k-anonymity with k = 5 cannot be met");
        shape.n_records = 1;
        assert_int_equal(run(&shape, search_at(i)->name, &error), KITH_INFEASIBLE);
        assert_string_equal(error.message, "only 1 record: k-anonymity with k = 5 cannot be met");
        shape.n_records = 0;
        shape.k = 0;
        assert_int_equal(run(&shape, search_at(i)->name, &error), KITH_INFEASIBLE);
    }
}

static void unreachable_diversity_names_what_is_reachable(void **state)
{
    (void)state;
    for (uint32_t i = 0; search_at(i) != NULL; i++) {
        kith_error error;
        problem_shape shape = {
            .n_records = 40, .n_attributes = 2, .n_leaves = 3, .k = 2, .n_sensitive = 1, .l = 1.5};
        model_spec diversity = {.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY};
        if (!search_at(i)->supports_model(&diversity))
            continue;
        assert_int_equal(run(&shape, search_at(i)->name, &error), KITH_INFEASIBLE);
        assert_string_equal(error.message,
                            "l-diversity with l = 1.5 cannot be met for secret: the largest l "
                            "that this table allows is 1");
        assert_non_null(strstr(error.hint, "100.0%"));
    }
}

/* All records have the first value, which one person of the population has; three have the others.
 * Only global recoding shows the root of such a table. */
static void people_beyond_the_records_need_global_recoding(void **state)
{
    (void)state;
    for (uint32_t i = 0; search_at(i) != NULL; i++) {
        const algorithm *a = search_at(i);
        arena *memory = arena_new();
        context c;
        kith_error error = {0};
        search_result result;
        problem_shape shape = {
            .n_records = 3, .n_attributes = 1, .n_leaves = 3, .n_kinds = 1, .n_sensitive = 1};
        assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
        problem *p = problems_random(memory, &shape, 5);
        const tree *t = p->attributes[0].tree;
        const uint32_t own = p->attributes[0].cells[0], other = own == 0 ? 1 : 0;
        const uint32_t people[] = {own, other, other, tree_root(t)}, weight[] = {1, 1, 1, 1};
        population all = {.n_rows = 4,
                          .n_attributes = 1,
                          .tree = &t,
                          .cells = people,
                          .weight = weight,
                          .people = 4};
        assert_int_equal(k_map_population_index(&all, memory, NULL), KITH_OK);
        const uint32_t overall[] = {3};
        const model_facts values = {
            .n_records = 3, .n_values = 1, .overall = overall, .occurring = 1};
        const model_facts facts = {.population = &all};
        const model_spec models[] = {
            {.id = MODEL_K_MAP, .k = 2, .facts = &facts},
            {.id = MODEL_T_CLOSENESS, .variant = VARIANT_EQUAL, .t = 0.5, .facts = &values}};
        p->models = models;
        p->n_models = 2;
        p->k = models_minimum_size(models, 2);
        if (a->supports_model(&models[0])) {
            kith_status status = search_run(&result, a, p, &(search_spec){0}, &c, &error);
            assert_int_equal(status, a->global ? KITH_OK : KITH_INFEASIBLE);
            if (!a->global) {
                assert_non_null(strstr(error.message, "in the whole table: 1, needed: at least 2"));
                assert_non_null(strstr(error.hint, "flash"));
            }
        }
        context_wipe(&c);
        arena_free(memory);
    }
}

static bool nothing(const model_spec *model)
{
    return model->id == MODEL_K_ANONYMITY;
}

static void an_unsupported_model_names_who_serves_it(void **state)
{
    (void)state;
    arena *memory = arena_new();
    context c;
    kith_error error;
    search_result result;
    algorithm limited = {.name = "limited", .supports_model = nothing};
    problem_shape shape = {
        .n_records = 9, .n_attributes = 1, .n_leaves = 3, .k = 2, .n_sensitive = 3, .l = 1};
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    problem *p = problems_random(memory, &shape, 5);
    assert_int_equal(search_run(&result, &limited, p, &(search_spec){0}, &c, &error), KITH_INVALID);
    assert_string_equal(error.message,
                        "algorithm limited does not serve the model l-diversity (frequency)");
    assert_non_null(strstr(error.hint, "sequential"));
    context_wipe(&c);
    arena_free(memory);
}

static bool stop(void *user, const char *phase, double done)
{
    (void)phase;
    (void)done;
    return --*(int *)user > 0;
}

static void a_run_can_be_stopped(void **state)
{
    (void)state;
    for (int n_calls = 1; n_calls < 8; n_calls++) {
        arena *memory = arena_new();
        context c;
        search_result result;
        int left = n_calls;
        problem_shape shape = {.n_records = 2000, .n_attributes = 4, .n_leaves = 9, .k = 5};
        kith_run r =
            KITH_OPTIONS(kith_run, .seeded = true, .n_threads = 1, .progress = stop, .user = &left);
        assert_int_equal(context_init(&c, &r, NULL), KITH_OK);
        problem *p = problems_random(memory, &shape, 5);
        kith_error error;
        assert_int_equal(
            search_run(&result, search_find("sequential"), p, &(search_spec){0}, &c, &error),
            KITH_CANCELLED);
        context_wipe(&c);
        arena_free(memory);
    }
}

static void sensitive_costs_name_who_minimizes_them(void **state)
{
    (void)state;
    for (uint32_t i = 0; search_at(i) != NULL; i++) {
        kith_error error;
        problem_shape shape = {.n_records = 40,
                               .n_attributes = 2,
                               .n_leaves = 3,
                               .k = 2,
                               .n_sensitive = 2,
                               .by_sensitive = true};
        kith_status status = run(&shape, search_at(i)->name, &error);
        assert_int_equal(status, search_at(i)->sensitive_costs ? KITH_OK : KITH_INVALID);
        if (status != KITH_OK)
            assert_string_equal(error.hint, "these can: sequential, agglomerative, k-member");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_registry_is_complete),
        cmocka_unit_test(too_few_records_are_infeasible),
        cmocka_unit_test(unreachable_diversity_names_what_is_reachable),
        cmocka_unit_test(people_beyond_the_records_need_global_recoding),
        cmocka_unit_test(an_unsupported_model_names_who_serves_it),
        cmocka_unit_test(sensitive_costs_name_who_minimizes_them),
        cmocka_unit_test(a_run_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
