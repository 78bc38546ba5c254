/* What was lost and what risk is left, on a release small enough to count by hand. */
#include "unit/job/support.h"

static const char study_text[] =
    "study: s\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: suppress}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy: [{model: k-anonymity, k: 2}]\n"
    "algorithm: mondrian\nranges: true\n";

static const char data[] = "age,disease\n1,flu\n2,flu\n3,cold\n4,cold\n5,flu\n";

static kith_document *measure(const char *released)
{
    place p;
    place_make(&p);
    kith_study *study = study_of(study_text);
    kith_document *d = NULL;
    kith_error error;
    const char *from = place_file(&p, "d.csv", data), *to = place_file(&p, "r.csv", released);
    if (kith_measure(&d, study,
                     &(kith_measure_options)KITH_OPTIONS(kith_measure_options,
                                                         .data = KITH_INPUT_URI(from),
                                                         .release = KITH_INPUT_URI(to)),
                     NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    kith_study_free(study);
    place_wipe(&p);
    return d;
}

static void near(const kith_document *d, const char *path, double expected)
{
    double found = kith_document_number(d, path, NAN);
    if (!(fabs(found - expected) < 1e-12))
        fail_msg("%s is %.15g, not %.15g", path, found, expected);
}

/* Five values: a range of two costs 1/4, one of three 2/4. */
static void ranges_cost_what_they_cover(void **state)
{
    (void)state;
    kith_document *d = measure("age,disease\n1..2,flu\n1..2,flu\n3..5,cold\n3..5,cold\n3..5,flu\n");
    near(d, "loss.lm", (2 * 0.25 + 3 * 0.5) / 5);
    near(d, "attribute_loss.age.lm", (2 * 0.25 + 3 * 0.5) / 5);
    near(d, "loss.tree", 1); /* the lowest common ancestor of two values is the root */
    near(d, "loss.dm", 4 + 9);
    near(d, "loss.cm", 1.0 / 5);
    near(d, "loss.average_class", 2.5);
    assert_true(kith_document_flag(d, "cover.holds", false));
    kith_document_free(d);
}

static void the_data_itself_has_lost_nothing(void **state)
{
    (void)state;
    kith_document *d = measure(data);
    static const char *const losses[] = {"loss.lm", "loss.em", "loss.entropy", "loss.tree",
                                         "objective"};
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        near(d, losses[i], 0);
    near(d, "risk.after.uniqueness", 1);
    kith_document_free(d);
}

static void risk_before_and_after(void **state)
{
    (void)state;
    kith_document *d = measure("age,disease\n*,flu\n*,flu\n*,cold\n4..5,cold\n4..5,flu\n");
    near(d, "risk.threshold", 0.2);
    near(d, "risk.before.classes", 5);
    near(d, "risk.before.unique_records", 5);
    near(d, "risk.before.prosecutor_highest", 1);
    near(d, "risk.after.classes", 2);
    near(d, "risk.after.prosecutor_highest", 0.5);
    near(d, "risk.after.prosecutor_average", 0.4);
    near(d, "risk.after.marketer", 0.4);
    near(d, "risk.after.share_at_risk", 1);
    near(d, "risk.after.unique_records", 0);
    near(d, "attribute_values.age.before", 5);
    near(d, "attribute_values.age.after", 2);
    kith_document_free(d);
}

/* Everyone in one class of five: 1/5 is not above 0.2. */
static void the_threshold_itself_is_no_risk(void **state)
{
    (void)state;
    kith_document *d = measure("age,disease\n*,flu\n*,flu\n*,cold\n*,cold\n*,flu\n");
    near(d, "risk.after.records_at_risk", 0);
    near(d, "loss.lm", 1);
    kith_document_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_cost_what_they_cover),
        cmocka_unit_test(the_data_itself_has_lost_nothing),
        cmocka_unit_test(risk_before_and_after),
        cmocka_unit_test(the_threshold_itself_is_no_risk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
