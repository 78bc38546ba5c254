/* Risks of a sample, on tables small enough to count by hand. */
#include "unit/job/support.h"

static const char head[] = "study: s\n"
                           "columns:\n"
                           "  - {name: age, role: quasi-identifying, type: integer}\n"
                           "  - {name: sex, role: quasi-identifying}\n"
                           "  - {name: disease, role: sensitive}\n"
                           "privacy: [{model: k-anonymity, k: 2}]\n";

/* Classes of the data: two of age 30, three single ones. */
static const char data[] = "age,sex,disease,people\n"
                           "30,f,flu,3\n30,f,flu,5\n40,f,cold,2\n41,m,flu,4\n42,m,cold,6\n";
static const char released[] = "age,sex,disease\n30,f,flu\n30,f,flu\n*,*,cold\n*,*,flu\n*,*,cold\n";
static const char shuffled[] = "age,sex,disease\n*,*,cold\n30,f,flu\n30,f,flu\n*,*,flu\n*,*,cold\n";

typedef struct question {
    const char *study, *release, *weights;
    double population;
    size_t special;
} question;

static kith_status ask(kith_document **d, const question *q, kith_error *error)
{
    place p;
    place_make(&p);
    char text[600];
    snprintf(text, sizeof text, "%s%s", head, q->study == NULL ? "" : q->study);
    kith_study *study = study_of(text);
    const char *from = place_file(&p, "d.csv", data), *to = place_file(&p, "r.csv", q->release);
    *d = NULL;
    kith_status status = kith_measure(
        d, study,
        &(kith_measure_options)KITH_OPTIONS(
            kith_measure_options, .data = KITH_INPUT_URI(from), .release = KITH_INPUT_URI(to),
            .population = q->population, .weights = q->weights, .special_uniques = q->special),
        NULL, error);
    kith_study_free(study);
    place_wipe(&p);
    return status;
}

static kith_document *answer(const question *q)
{
    kith_document *d = NULL;
    kith_error error;
    if (ask(&d, q, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return d;
}

static void near(const kith_document *d, const char *path, double expected)
{
    double found = kith_document_number(d, path, NAN);
    if (!(fabs(found - expected) < 1e-9))
        fail_msg("%s is %.15g, not %.15g", path, found, expected);
}

static double risk_of_one(double p)
{
    return p / (1 - p) * log(1 / p);
}

static double risk_of_two(double p)
{
    return p / (1 - p) - p / (1 - p) * (p / (1 - p)) * log(1 / p);
}

static void weights_say_for_how_many_a_record_is(void **state)
{
    (void)state;
    const question q = {.release = released, .weights = "people"};
    kith_document *d = answer(&q);
    near(d, "population.size", 20);
    near(d, "population.share", 0.25);
    near(d, "population.before.sample_uniques", 3);
    near(d, "population.after.sample_uniques", 0);
    near(d, "population.after.dankar", 0);
    near(d, "individual.before.highest", risk_of_one(1.0 / 2));
    near(d, "individual.before.expected",
         2 * risk_of_two(2.0 / 8) + risk_of_one(1.0 / 2) + risk_of_one(1.0 / 4) +
             risk_of_one(1.0 / 6));
    near(d, "individual.after.highest", risk_of_two(2.0 / 8));
    kith_document_free(d);
}

static void a_share_is_a_population(void **state)
{
    (void)state;
    const question by_option = {.release = released, .population = 0.25},
                   by_study = {.release = released, .study = "population: 20\n"},
                   both = {.release = released, .study = "population: 0.5\n", .population = 20};
    const question *const all[] = {&by_option, &by_study, &both};
    for (size_t i = 0; i < 3; i++) {
        kith_document *d = answer(all[i]);
        near(d, "population.size", 20);
        near(d, "individual.before.highest", risk_of_one(1.0 / 4));
        near(d, "individual.after.highest", risk_of_two(1.0 / 4));
        kith_document_free(d);
    }
    kith_document *d = answer(&(question){.release = released});
    assert_false(kith_document_has(d, "population"));
    kith_document_free(d);
}

static void disclosure_of_the_sensitive_column(void **state)
{
    (void)state;
    kith_document *d = answer(&(question){.release = released});
    near(d, "disclosure.0.overall", 3.0 / 5);
    near(d, "disclosure.0.before.highest", 1);
    near(d, "disclosure.0.before.mean", 1);
    near(d, "disclosure.0.before.certain_records", 5);
    near(d, "disclosure.0.after.highest", 1);
    near(d, "disclosure.0.after.mean", 4.0 / 5);
    near(d, "disclosure.0.after.certain_records", 2);
    kith_document_free(d);
}

/* By age alone three records are unique; by sex alone none is. Of two columns a set of one counts
 * (2 - 1) = 1. */
static void special_uniques_before_and_after(void **state)
{
    (void)state;
    kith_document *d = answer(&(question){.release = released, .special = 3});
    near(d, "special_uniques.max_size", 2);
    near(d, "special_uniques.before.records", 3);
    near(d, "special_uniques.before.sets.0", 3);
    near(d, "special_uniques.before.sets.1", 0);
    near(d, "special_uniques.before.top.0.row", 3);
    near(d, "special_uniques.before.top.0.score", 1);
    near(d, "special_uniques.before.columns.0.share", 1);
    near(d, "special_uniques.after.records", 0);
    near(d, "special_uniques.after.mean_score", 0);
    kith_document_free(d);
}

static void another_order_has_no_weights(void **state)
{
    (void)state;
    const question weighted = {.release = shuffled, .weights = "people"},
                   even = {.release = shuffled, .population = 20};
    kith_document *d = answer(&weighted);
    assert_true(kith_document_has(d, "individual.before.highest"));
    assert_false(kith_document_has(d, "individual.after.highest"));
    kith_document_free(d);
    d = answer(&even);
    near(d, "individual.after.highest", risk_of_two(1.0 / 4));
    kith_document_free(d);
}

static void refuses(const question *q, kith_status wanted, const char *words)
{
    kith_document *d;
    kith_error error;
    assert_int_equal(ask(&d, q, &error), wanted);
    if (strstr(error.message, words) == NULL)
        fail_msg("%s", error.message);
}

static void what_cannot_be(void **state)
{
    (void)state;
    refuses(&(question){.release = released, .population = 4}, KITH_INVALID,
            "smaller than the data, which has 5 records");
    refuses(&(question){.release = released, .population = -1}, KITH_INVALID, "population");
    refuses(&(question){.release = released, .special = 7}, KITH_INVALID, "exceed the limit of 6");
    refuses(&(question){.release = released, .weights = "disease"}, KITH_DATA, "flu");
    refuses(&(question){.release = released, .weights = "nothing"}, KITH_DATA, "nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_say_for_how_many_a_record_is),
        cmocka_unit_test(a_share_is_a_population),
        cmocka_unit_test(disclosure_of_the_sensitive_column),
        cmocka_unit_test(special_uniques_before_and_after),
        cmocka_unit_test(another_order_has_no_weights),
        cmocka_unit_test(what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
