#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "core/findings.h"

static void keeps_order_and_places(void **state)
{
    (void)state;
    kith_findings *f = kith_findings_new();
    findings_add(f, KITH_SEVERITY_WARNING, "a.csv", 3, 4, "odd %d", 1);
    findings_add(f, KITH_SEVERITY_PROBLEM, NULL, 0, 0, "bad");
    assert_int_equal(kith_findings_n_listed(f), 2);
    assert_int_equal(kith_findings_n_problems(f), 1);
    kith_finding first = KITH_INIT(kith_finding), second = KITH_INIT(kith_finding);
    assert_true(kith_findings_at(&first, f, 0));
    assert_true(kith_findings_at(&second, f, 1));
    assert_false(kith_findings_at(&second, f, 2));
    assert_int_equal(first.severity, KITH_SEVERITY_WARNING);
    assert_string_equal(first.file, "a.csv");
    assert_string_equal(first.text, "odd 1");
    assert_int_equal(first.line, 3);
    assert_int_equal(first.column, 4);
    assert_null(second.file);
    kith_findings_free(f);
}

static void no_list_is_no_trouble(void **state)
{
    (void)state;
    findings_add(NULL, KITH_SEVERITY_PROBLEM, "a", 1, 1, "x");
    assert_int_equal(kith_findings_n_listed(NULL), 0);
    assert_int_equal(kith_findings_n_problems(NULL), 0);
    assert_int_equal(kith_findings_n_dropped(NULL), 0);
    assert_int_equal(findings_status(NULL, 0, KITH_DATA, NULL), KITH_OK);
    kith_findings_free(NULL);
}

static void keeps_a_thousand_and_counts_the_rest(void **state)
{
    (void)state;
    kith_findings *f = kith_findings_new();
    for (int i = 0; i < 2500; i++)
        findings_add(f, KITH_SEVERITY_PROBLEM, "a.csv", (size_t)i, 0, "number %d", i);
    assert_int_equal(kith_findings_n_listed(f), 1000);
    assert_int_equal(kith_findings_n_dropped(f), 1500);
    assert_int_equal(kith_findings_n_problems(f), 2500);
    assert_string_equal(findings_item(f, 999)->text, "number 999");
    kith_error e;
    assert_int_equal(findings_status(f, 2400, KITH_DATA, &e), KITH_DATA);
    assert_string_equal(e.message, "100 problems were found beyond what the list keeps");
    kith_findings_free(f);
}

static void status_is_the_first_problem_since(void **state)
{
    (void)state;
    kith_findings *f = kith_findings_new();
    kith_error e;
    findings_add(f, KITH_SEVERITY_WARNING, "a.csv", 1, 0, "odd");
    assert_int_equal(findings_status(f, 0, KITH_DATA, &e), KITH_OK);
    findings_add(f, KITH_SEVERITY_PROBLEM, "a.csv", 2, 5, "first");
    assert_int_equal(findings_status(f, 0, KITH_DATA, &e), KITH_DATA);
    assert_string_equal(e.message, "a.csv:2:5: first");
    assert_string_equal(e.hint, "");
    size_t before = kith_findings_n_problems(f);
    assert_int_equal(findings_status(f, before, KITH_DATA, &e), KITH_OK);
    findings_add(f, KITH_SEVERITY_WARNING, "a.csv", 3, 0, "odd");
    findings_add(f, KITH_SEVERITY_PROBLEM, NULL, 0, 0, "second");
    assert_int_equal(findings_status(f, before, KITH_INVALID, &e), KITH_INVALID);
    assert_string_equal(e.message, "second");
    findings_status(f, 0, KITH_DATA, &e);
    assert_string_equal(e.hint, "1 more problem was found");
    findings_add(f, KITH_SEVERITY_PROBLEM, NULL, 0, 0, "third");
    findings_status(f, 0, KITH_DATA, &e);
    assert_string_equal(e.hint, "2 more problems were found");
    kith_findings_free(f);
}

static void long_texts_are_cut_at_a_character(void **state)
{
    (void)state;
    kith_findings *f = kith_findings_new();
    char text[3001];
    for (size_t i = 0; i < 3000; i += 3)
        memcpy(text + i, "\xe2\x82\xac", 4);
    findings_add(f, KITH_SEVERITY_WARNING, NULL, 0, 0, "%s", text);
    assert_int_equal(strlen(findings_item(f, 0)->text) % 3, 0);
    assert_true(strlen(findings_item(f, 0)->text) > 1000);
    kith_findings_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_order_and_places),
        cmocka_unit_test(no_list_is_no_trouble),
        cmocka_unit_test(keeps_a_thousand_and_counts_the_rest),
        cmocka_unit_test(status_is_the_first_problem_since),
        cmocka_unit_test(long_texts_are_cut_at_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
