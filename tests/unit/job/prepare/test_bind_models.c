/* What models are told about a table. */
#include "unit/job/support.h"

#include "job/prepare/prepare.h"

static const char study_text[] =
    "study: s\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer}\n"
    "  - {name: stay, role: sensitive, type: integer}\n"
    "  - {name: ward, role: sensitive}\n"
    "privacy:\n"
    "  - {model: t-closeness, variant: ordered, t: 0.5, attribute: stay}\n"
    "  - {model: lkc, l: 1, k: 2, c: 0.9, attribute: ward, values: [b, z]}\n"
    "  - {model: delta-presence, min: 0.1, max: 0.9, subset: {column: ward, values: [a]}}\n";

/* Wards a and b (b as often as asked for), a missing stay. */
static kith_status bind(prepared *p, kith_study **study, kith_table **table, context *c,
                        const char *second, const char *third, kith_error *error)
{
    const char *cells[] = {"30", "10", "a", "31", "9", second, "32", NULL, third, "33", "10", "a"};
    *study = study_of(study_text);
    *table = table_of(*study, cells, 4);
    assert_int_equal(context_init(c, NULL, NULL), KITH_OK);
    return prepare_table(p, *study, *table, c, error);
}

static void done(kith_study *study, kith_table *table, context *c)
{
    context_wipe(c);
    kith_table_free(table);
    kith_study_free(study);
}

static void values_are_counted_ranked_and_listed(void **state)
{
    (void)state;
    prepared p;
    kith_study *study;
    kith_table *table;
    context c;
    assert_int_equal(bind(&p, &study, &table, &c, "b", "b", NULL), KITH_OK);
    const model_facts *stay = p.problem.models[0].facts, *ward = p.problem.models[1].facts;
    assert_int_equal(stay->n_records, 4);
    assert_int_equal(stay->occurring, 3); /* 9, 10 and missing, in this order */
    assert_int_equal(stay->overall[0], 1);
    assert_int_equal(stay->overall[1], 2);
    assert_int_equal(stay->overall[2], 1);
    for (uint32_t v = 0; v < 3; v++) {
        assert_int_equal(stay->rank[v], v);
        assert_int_equal(stay->by_rank[v], v);
    }
    assert_int_equal(ward->occurring, 2);
    assert_false(ward->listed[0]);
    assert_true(ward->listed[1]);
    assert_true(p.problem.models[2].facts->listed[0]);
    assert_null(study->models[0].facts); /* the study itself is not bound */
    done(study, table, &c);
}

static void a_subset_that_is_everything_is_refused(void **state)
{
    (void)state;
    prepared p;
    kith_study *study;
    kith_table *table;
    context c;
    kith_error error = {0};
    assert_int_equal(bind(&p, &study, &table, &c, "a", "a", &error), KITH_DATA);
    assert_non_null(strstr(error.message, "the research subset is the whole table"));
    done(study, table, &c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_counted_ranked_and_listed),
        cmocka_unit_test(a_subset_that_is_everything_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
