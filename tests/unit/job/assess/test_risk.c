/* Risk before and after, counted by hand. */
#include "unit/job/support.h"

static const char study_text[] = "study: s\n"
                                 "columns:\n"
                                 "  - {name: age, role: quasi-identifying, type: integer,\n"
                                 "     hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}\n"
                                 "privacy: [{model: k-anonymity, k: 3}]\n"
                                 "algorithm: mondrian\n";

static void summaries_tell_the_risk(void **state)
{
    (void)state;
    const char *cells[] = {"21", "21", "25", "31", "33", "34"};
    kith_study *study = study_of(study_text);
    kith_table *table = table_of(study, cells, 6), *release = NULL;
    kith_document *d = NULL;
    assert_int_equal(kith_anonymize_table(&release, &d, study, table, NULL, NULL), KITH_OK);
    /* 21 is shared by two, the other four ages by nobody */
    assert_true(kith_document_number(d, "risk.before.classes", 0) == 5);
    assert_true(kith_document_number(d, "risk.before.unique_records", 0) == 4);
    assert_true(kith_document_number(d, "risk.before.records_at_risk", 0) == 6);
    assert_true(kith_document_number(d, "risk.before.prosecutor_highest", 0) == 1);
    /* 20-29 and 30-39 with three records each: one in three is above one in five */
    assert_true(kith_document_number(d, "risk.after.classes", 0) == 2);
    assert_true(kith_document_number(d, "risk.after.records_at_risk", 0) == 6);
    assert_true(kith_document_number(d, "risk.after.share_at_risk", 0) == 1);
    assert_true(fabs(kith_document_number(d, "risk.after.marketer", 0) - 2. / 6) < 1e-12);
    assert_true(kith_document_number(d, "risk.after.uniqueness", 1) == 0);
    assert_false(kith_document_has(d, "risk.after.journalist_highest"));
    kith_document_free(d);
    kith_table_free(release);
    kith_table_free(table);
    kith_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(summaries_tell_the_risk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
