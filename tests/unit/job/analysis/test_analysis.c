/* Numbers, associations and classifiers of small releases, counted by hand. */
#include "unit/job/support.h"

static const char study_text[] =
    "study: s\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n"
    "  - {name: pay, role: quasi-identifying, type: decimal, hierarchy: {intervals: [2.5]}}\n"
    "  - {name: sex, role: quasi-identifying}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy: [{model: k-anonymity, k: 2}]\n";

static const char data[] = "age,pay,sex,disease\n"
                           "11,0.5,f,flu\n12,1,f,flu\n25,2.5,m,cold\n28,3,m,cold\n31,6,m,cold\n"
                           ",9,f,flu\n";

static kith_status measure(kith_document **d, const char *released, const char *class,
                           kith_error *error)
{
    place p;
    place_make(&p);
    kith_study *study = study_of(study_text);
    const char *from = place_file(&p, "d.csv", data), *to = place_file(&p, "r.csv", released);
    kith_status status = kith_measure(
        d, study,
        &(kith_measure_options)KITH_OPTIONS(kith_measure_options, .data = KITH_INPUT_URI(from),
                                            .release = KITH_INPUT_URI(to), .classify = class),
        NULL, error);
    kith_study_free(study);
    place_wipe(&p);
    return status;
}

static kith_document *measured(const char *released)
{
    kith_document *d = NULL;
    kith_error error;
    if (measure(&d, released, NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return d;
}

static void near(const kith_document *d, const char *path, double expected)
{
    double found = kith_document_number(d, path, NAN);
    if (!(fabs(found - expected) < 1e-12))
        fail_msg("%s is %.15g, not %.15g", path, found, expected);
}

/* Middles: 10-19 is 14.5, 20-29 is 24.5, [0, 2.5) is 1.25, [2.5, 5) is 3.75. The last two rows
 * show * or nothing of the age: they say nothing of it. */
static void intervals_count_as_their_middles(void **state)
{
    (void)state;
    kith_document *d =
        measured("age,pay,sex,disease\n"
                 "10-19,\"[0, 2.5)\",f,flu\n10-19,\"[0, 2.5)\",f,flu\n20-29,\"[2.5, 5)\",m,cold\n"
                 "20-29,\"[2.5, 5)\",m,cold\n*,6,*,cold\n,9,f,flu\n");
    near(d, "statistics.0.before.records", 5);
    near(d, "statistics.0.before.mean", (11 + 12 + 25 + 28 + 31) / 5.0);
    near(d, "statistics.0.before.median", 25);
    near(d, "statistics.0.after.records", 4);
    near(d, "statistics.0.after.mean", 19.5);
    near(d, "statistics.0.after.standard_deviation", sqrt(100 / 3.0));
    near(d, "statistics.0.after.q75", 24.5);
    near(d, "statistics.1.after.records", 6);
    near(d, "statistics.1.after.mean", (2 * 1.25 + 2 * 3.75 + 6 + 9) / 6);
    assert_int_equal(kith_document_n_items(d, "statistics"), 2);
    kith_document_free(d);
}

/* age: 10-19 stands for the ages of the data in it, 11 and 12, each for half of the class; * for
 * all five. pay has as many bins as values; sex goes by frequency. */
static void cells_count_for_all_their_values(void **state)
{
    (void)state;
    kith_document *d = measured("age,pay,sex,disease\n"
                                "10-19,0.5,f,flu\n10-19,1,f,flu\n25,2.5,m,cold\n28,3,m,cold\n"
                                "*,6,*,cold\n,9,f,flu\n");
    assert_int_equal(kith_document_n_items(d, "distributions"), 3);
    assert_string_equal(kith_document_text(d, "distributions.0.column", ""), "age");
    assert_int_equal(kith_document_n_items(d, "distributions.0.values"), 5);
    assert_string_equal(kith_document_text(d, "distributions.0.values.0.value", ""), "11");
    near(d, "distributions.0.values.0.before", 1 / 5.0);
    double rest = kith_document_number(d, "distributions.0.values.4.after", 0); /* 31: of * alone */
    near(d, "distributions.0.values.0.after", 1 / 4.0 * (1 - 5 * rest) + rest);
    near(d, "distributions.0.values.2.after", 1 / 4.0 * (1 - 5 * rest) + rest);
    double sum = 0;
    for (int i = 0; i < 5; i++) {
        char path[60];
        snprintf(path, sizeof path, "distributions.0.values.%d.after", i);
        sum += kith_document_number(d, path, NAN);
    }
    assert_true(fabs(sum - 1) < 1e-12 && rest > 0);
    assert_string_equal(kith_document_text(d, "distributions.1.values.5.value", ""), "9");
    near(d, "distributions.1.values.5.after", 1 / 6.0);
    near(d, "distributions.2.values.0.before", 1 / 2.0);
    near(d, "distributions.2.values.0.after", 3.5 / 6);
    kith_document_free(d);
}

/* The data itself: what is associated stays so, and nothing else appears. */
static void the_data_keeps_its_associations(void **state)
{
    (void)state;
    kith_document *d = measured(data);
    near(d, "associations.pairs", 6);
    double associated = kith_document_number(d, "associations.associated", 0);
    assert_true(associated >= 1);
    near(d, "associations.surviving", associated);
    near(d, "associations.created", 0);
    for (int i = 0; i < 6; i++) {
        char path[60];
        snprintf(path, sizeof path, "associations.list.%d.before", i);
        double before = kith_document_number(d, path, NAN);
        snprintf(path, sizeof path, "associations.list.%d.after", i);
        near(d, path, before);
    }
    /* sex and disease, the last pair, tell each other exactly: phi^2 = 1, and by Bergsma's
     * correction (1 - 1/5) / (2 - 1/5 - 1) = 1. */
    near(d, "associations.list.5.before", 1);
    kith_document_free(d);
}

static void what_is_hidden_is_not_associated(void **state)
{
    (void)state;
    kith_document *d = measured("age,pay,sex,disease\n*,*,*,flu\n*,*,*,flu\n*,*,*,cold\n"
                                "*,*,*,cold\n*,*,*,cold\n*,*,*,flu\n");
    near(d, "associations.surviving", 0);
    near(d, "associations.list.5.after", 0);
    near(d, "statistics.0.after.records", 0);
    assert_false(kith_document_number(d, "statistics.0.after.mean", -1) >= 0); /* null */
    kith_document_free(d);
}

static void refuses_what_it_cannot_classify(void **state)
{
    (void)state;
    kith_document *d = NULL;
    kith_error error;
    assert_int_equal(measure(&d, data, "sex", &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "quasi-identifying"));
    assert_int_equal(measure(&d, data, "ward", &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "no column 'ward'"));
    assert_int_equal(measure(&d, data, "disease", &error), KITH_OK);
    near(d, "classify.records", 6);
    assert_string_equal(kith_document_text(d, "classify.column", ""), "disease");
    kith_document_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_count_as_their_middles),
        cmocka_unit_test(cells_count_for_all_their_values),
        cmocka_unit_test(the_data_keeps_its_associations),
        cmocka_unit_test(what_is_hidden_is_not_associated),
        cmocka_unit_test(refuses_what_it_cannot_classify),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
