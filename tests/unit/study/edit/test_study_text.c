/* The text of a study while it is being written: outlines, edits that keep comments, and files that
 * may not be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <kith/kith.h>
#include <kith/tools.h>

static const char text[] = "study: s # the name\n"
                           "columns:\n"
                           "  # about age\n"
                           "  - name: age  # years\n"
                           "    role: quasi-identifying\n"
                           "    hierarchy: {intervals: [5, 10]} # two steps\n"
                           "  - {name: sex, role: quasi-identifying}\n"
                           "  # the last one\n"
                           "  - name: disease\n"
                           "    role: sensitive\n"
                           "\n"
                           "# what is promised\n"
                           "privacy: [{model: k-anonymity, k: 5}]\n";

/* The text with one piece replaced by another; static storage. */
static const char *with(const char *old, const char *new)
{
    static char made[2048];
    const char *at = strstr(text, old);
    assert_non_null(at);
    snprintf(made, sizeof made, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return made;
}

static void expect(const char *path, const char *yaml, const char *expected)
{
    char *changed = NULL;
    kith_error error = {0};
    if (kith_study_edit(&changed, text, path, yaml, &error) != KITH_OK)
        fail_msg("%s: %s", path, error.message);
    assert_string_equal(changed, expected);
    kith_free(changed);
}

static void values_are_set(void **state)
{
    (void)state;
    expect("study", "other", with("study: s", "study: other"));
    expect("privacy.0.k", "7", with("k: 5", "k: 7"));
    expect("columns.age.hierarchy", "{mask: right}", with("{intervals: [5, 10]}", "{mask: right}"));
    expect("columns.disease.role", "insensitive", with("role: sensitive", "role: insensitive"));
    expect("columns.age.hierarchy.intervals", "[2]", with("[5, 10]", "[2]"));
}

static void keys_are_added(void **state)
{
    (void)state;
    expect("columns.age.type", "integer",
           with("# two steps\n", "# two steps\n    type: integer\n"));
    expect("columns.sex.hierarchy", "suppress",
           with("{name: sex, role: quasi-identifying}",
                "{name: sex, role: quasi-identifying, hierarchy: suppress}"));
    expect("utility.suppression", "0.1", with("k: 5}]\n", "k: 5}]\nutility: {suppression: 0.1}\n"));
    expect("privacy.+", "{model: k-anonymity, k: 2}",
           with("k: 5}]", "k: 5}, {model: k-anonymity, k: 2}]"));
    expect("columns.+", "{name: zip}",
           with("    role: sensitive\n", "    role: sensitive\n  - {name: zip}\n"));
    expect("parties.+", "{name: a}", with("k: 5}]\n", "k: 5}]\nparties: [{name: a}]\n"));
}

static void keys_are_removed(void **state)
{
    (void)state;
    expect("columns.age.hierarchy", NULL,
           with("    hierarchy: {intervals: [5, 10]} # two steps\n", ""));
    expect("columns.sex", NULL, with("  - {name: sex, role: quasi-identifying}\n", ""));
    expect("columns.disease", NULL, with("  - name: disease\n    role: sensitive\n", ""));
    expect("columns.sex.role", NULL, with(", role: quasi-identifying}", "}"));
    expect("columns.sex.name", NULL, with("name: sex, ", ""));
}

static void bad_edits_are_refused(void **state)
{
    (void)state;
    char *changed = NULL;
    kith_error error = {0};
    static const char *const bad[][2] = {{"privacy.0.k", "5 # x"},
                                         {"privacy.0.k", "a\nb: c"},
                                         {"privacy.0.k", ""},
                                         {"privacy.0.k", "{"},
                                         {"columns.no.role", "x"},
                                         {"study.+", "x"},
                                         {"none", NULL},
                                         {"", "x"},
                                         {"privacy.0.k", "5}, {model: x"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(kith_study_edit(&changed, text, bad[i][0], bad[i][1], &error),
                         KITH_INVALID);
        assert_null(changed);
    }
    assert_int_equal(kith_study_edit(&changed, "- a", "x", "y", &error), KITH_INVALID);
    assert_int_equal(kith_study_edit(&changed, "a: [", "x", "y", &error), KITH_INVALID);
}

static void outlines_need_no_right_study(void **state)
{
    (void)state;
    kith_document *outline = NULL;
    static const char odd[] = "study: 5\nwrong: [a, {b: c}]\n";
    assert_int_equal(kith_study_outline(&outline, odd, strlen(odd), NULL), KITH_OK);
    assert_string_equal(kith_document_text(outline, "study", ""), "5");
    assert_string_equal(kith_document_text(outline, "wrong.1.b", ""), "c");
    kith_document_free(outline);
    assert_int_equal(kith_study_outline(&outline, "a: [", 4, NULL), KITH_INVALID);
    assert_int_equal(kith_study_outline(&outline, "- a", 3, NULL), KITH_INVALID);
}

static bool never(void *user, const char *path)
{
    ++*(int *)user;
    assert_string_equal(path, "there/jobs.csv");
    return false;
}

static void files_are_asked_for(void **state)
{
    (void)state;
    int asked = 0;
    kith_study *study = NULL;
    kith_error error = {0};
    const char *named = with("{intervals: [5, 10]}", "jobs.csv");
    assert_int_equal(kith_study_parse_guarded(&study, named, strlen(named), "there", never, &asked,
                                              NULL, &error),
                     KITH_INVALID);
    assert_int_equal(asked, 1);
    assert_non_null(strstr(error.message, "jobs.csv: this file may not be read here"));
    named = with("{intervals: [5, 10]}", "{file: jobs.csv}");
    assert_int_equal(kith_study_parse_guarded(&study, named, strlen(named), "there", never, &asked,
                                              NULL, &error),
                     KITH_INVALID);
    assert_int_equal(asked, 2);
    named = with("{intervals: [5, 10]}", "suppress");
    assert_int_equal(kith_study_parse_guarded(&study, named, strlen(named), "there", never, &asked,
                                              NULL, &error),
                     KITH_OK);
    assert_int_equal(asked, 2);
    kith_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_set),
                                       cmocka_unit_test(keys_are_added),
                                       cmocka_unit_test(keys_are_removed),
                                       cmocka_unit_test(bad_edits_are_refused),
                                       cmocka_unit_test(outlines_need_no_right_study),
                                       cmocka_unit_test(files_are_asked_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
