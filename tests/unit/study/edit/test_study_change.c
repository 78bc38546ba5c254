/* Studies with other values and hierarchies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/findings.h"
#include "study/study.h"
#include "support/scratch.h"

#define COLUMNS                                                                               \
    "study: s\n"                                                                              \
    "columns:\n"                                                                              \
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}\n" \
    "  - {name: zip, role: quasi-identifying}\n"                                              \
    "  - {name: who, role: identifying}\n"                                                    \
    "  - {name: disease, role: sensitive}\n"

static const char text[] = COLUMNS "privacy:\n  - {model: k-anonymity, k: 5} # five\n";

static const char zips[] = "81667;8166*;*\n81669;8166*;*\n90402;9040*;*\n";

static kith_study *parse(const char *from)
{
    kith_study *study = NULL;
    kith_error error = {0};
    if (kith_study_parse(&study, from, strlen(from), scratch_directory, NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return study;
}

static kith_hierarchy *zip_hierarchy(void)
{
    kith_hierarchy *h = NULL;
    assert_int_equal(kith_hierarchy_parse(&h, zips, strlen(zips), NULL, NULL, NULL), KITH_OK);
    return h;
}

static kith_study *change(const kith_study *study, const kith_change_options *options)
{
    kith_study *changed = NULL;
    kith_error error = {0};
    if (kith_study_change(&changed, study, options, NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return changed;
}

static void same_digests(const kith_study *a, const kith_study *b, bool same)
{
    char x[65], y[65];
    kith_study_digest(x, a);
    kith_study_digest(y, b);
    assert_int_equal(strcmp(x, y) == 0, same);
}

static void values_are_set(void **state)
{
    (void)state;
    static const kith_setting settings[] = {{"k", "3"},
                                            {"utility.suppression", "0.02"},
                                            {"columns.age.max_level", "1"},
                                            {"algorithm", "flash"},
                                            {"study", "other: one"}};
    const kith_change_options options =
        KITH_OPTIONS(kith_change_options, .settings = settings, .n_settings = 5);
    kith_study *study = parse(text), *changed = change(study, &options);
    kith_study_free(study);
    assert_string_equal(kith_study_name(changed), "other: one");
    assert_int_equal(changed->models[0].k, 3);
    assert_true(changed->suppression == 0.02);
    assert_int_equal(changed->columns[0].max_level, 1);
    assert_non_null(strstr(kith_study_text(changed), "k: 3} # five\n"));
    /* The text means the same, and can be changed again. */
    study = parse(kith_study_text(changed));
    same_digests(study, changed, true);
    kith_study_free(study);
    static const kith_setting again[] = {{"privacy.k-anonymity.k", "4"}};
    study = change(changed, &(kith_change_options)KITH_OPTIONS(kith_change_options,
                                                               .settings = again, .n_settings = 1));
    assert_int_equal(study->models[0].k, 4);
    assert_true(study->suppression == 0.02);
    kith_study_free(changed);
    changed = change(study, NULL);
    same_digests(study, changed, true);
    kith_study_free(study);
    kith_study_free(changed);
}

/* Everything that is wrong is told, by path. */
static void wrong(const kith_setting *settings, size_t n, const char *const *paths,
                  const char *const *texts)
{
    const kith_change_options options =
        KITH_OPTIONS(kith_change_options, .settings = settings, .n_settings = n);
    kith_study *study = parse(text), *changed = study;
    kith_findings *findings = kith_findings_new();
    kith_error error = {0}, alone = {0};
    findings_add(findings, KITH_SEVERITY_PROBLEM, "before.csv", 7, 0, "of another call");
    assert_int_equal(kith_study_change(&changed, study, &options, findings, &error), KITH_INVALID);
    assert_null(changed);
    size_t i = 0;
    for (; texts[i] != NULL; i++) {
        const kith_finding *f = findings_item(findings, i + 1);
        assert_non_null(f);
        assert_string_equal(f->text, texts[i]);
        if (paths[i] == NULL)
            assert_null(f->path);
        else
            assert_string_equal(f->path, paths[i]);
        assert_null(f->file);
        assert_int_equal(f->line, 0);
    }
    assert_null(findings_item(findings, i + 1));
    assert_string_equal(error.message, texts[0]);
    assert_int_equal(kith_study_change(&changed, study, &options, NULL, &alone), KITH_INVALID);
    assert_string_equal(alone.message, texts[0]);
    assert_int_equal(kith_study_change(&changed, study, &options, NULL, NULL), KITH_INVALID);
    kith_findings_free(findings);
    kith_study_free(study);
}

static void findings_have_paths(void **state)
{
    (void)state;
    static const kith_setting values[] = {{"k", "1"}, {"columns.zip.type", "word"}};
    wrong(values, 2, (const char *const[]){"columns.zip.type", "privacy.0.k"},
          (const char *const[]){"type: expected string, integer, decimal or date, found 'word'",
                                "k: expected a whole number of at least 2, found '1'", NULL});
    static const kith_setting keys[] = {{"utility.supression", "0.1"}, {"privacy.0.k", "2"}};
    wrong(keys, 2, (const char *const[]){"utility.supression"},
          (const char *const[]){"utility has no key 'supression' (did you mean 'suppression'?)",
                                NULL});
    static const kith_setting top[] = {{"algoritm", "flash"}};
    wrong(
        top, 1, (const char *const[]){"algoritm"},
        (const char *const[]){"the study has no key 'algoritm' (did you mean 'algorithm'?)", NULL});
    static const kith_setting places[] = {{"columns.sip.type", "date"},
                                          {"privacy", "3"},
                                          {"k", "3"},
                                          {"privacy.0.k", "4"},
                                          {"study", "M\xfcnchen"}};
    wrong(places, 5, (const char *const[]){"columns.sip.type", "privacy", "privacy.0.k", "study"},
          (const char *const[]){
              "'columns.sip.type': no item is called 'sip' (did you mean 'zip'?)",
              "'privacy' is a list, not a single value; keys below it are written with a dot: "
              "privacy.0",
              "'k' and 'privacy.0.k' are the same key", "'study' = 'M\\xfcnchen' is not UTF-8",
              NULL});
    /* A value that makes another one wrong: the finding is about that one. */
    static const kith_setting roles[] = {{"columns.age.role", "insensitive"}};
    wrong(roles, 1, (const char *const[]){"columns.age.hierarchy"},
          (const char *const[]){"a hierarchy is of no use to an insensitive column", NULL});
}

/* As if the file of the same contents were named. */
static void hierarchies_count_as_files(void **state)
{
    (void)state;
    kith_hierarchy *h = zip_hierarchy();
    const kith_column_hierarchy zip[] = {{"zip", h}};
    const kith_change_options options =
        KITH_OPTIONS(kith_change_options, .hierarchies = zip, .n_hierarchies = 1);
    kith_study *study = parse(text), *changed = change(study, &options);
    scratch_write(scratch_path("zip.csv"), zips);
    kith_study *with_file = parse(
        "study: s\n"
        "columns:\n"
        "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}\n"
        "  - {name: zip, role: quasi-identifying, hierarchy: zip.csv}\n"
        "  - {name: who, role: identifying}\n"
        "  - {name: disease, role: sensitive}\n"
        "privacy: [{model: k-anonymity, k: 5}]\n");
    same_digests(changed, with_file, true);
    same_digests(changed, study, false);
    kith_study_free(study);
    kith_hierarchy_free(h);
    /* Later changes keep it, and a file that is named does not matter beside one that is given. */
    static const kith_setting k[] = {{"k", "6"}};
    const kith_change_options more =
        KITH_OPTIONS(kith_change_options, .settings = k, .n_settings = 1);
    kith_study *a = change(changed, &more), *b = change(with_file, &more);
    same_digests(a, b, true);
    assert_non_null(a->columns[1].hierarchy.made);
    kith_study_free(a);
    kith_study_free(changed);
    h = zip_hierarchy();
    const kith_column_hierarchy both[] = {{"zip", h}, {"age", h}};
    const kith_change_options replaced =
        KITH_OPTIONS(kith_change_options, .hierarchies = both, .n_hierarchies = 2);
    a = change(b, &replaced);
    same_digests(a, b, false);
    assert_int_equal(a->columns[0].hierarchy.kind, HIERARCHY_FILE);
    kith_study_free(a);
    kith_study_free(b);
    kith_hierarchy_free(h);
    kith_study_free(with_file);
}

static void refused(const kith_column_hierarchy *given, size_t n, const char *message)
{
    const kith_change_options options =
        KITH_OPTIONS(kith_change_options, .hierarchies = given, .n_hierarchies = n);
    kith_study *study = parse(text), *changed = NULL;
    kith_error error = {0};
    assert_int_equal(kith_study_change(&changed, study, &options, NULL, &error), KITH_INVALID);
    assert_string_equal(error.message, message);
    assert_null(changed);
    kith_study_free(study);
}

static void hierarchies_need_a_column_that_uses_them(void **state)
{
    (void)state;
    kith_hierarchy *h = zip_hierarchy();
    refused((const kith_column_hierarchy[]){{"sip", h}}, 1,
            "a hierarchy is given, but the study has no column 'sip' (did you mean 'zip'?)");
    refused((const kith_column_hierarchy[]){{"who", h}}, 1,
            "a hierarchy is of no use to an identifying column");
    refused((const kith_column_hierarchy[]){{"zip", h}, {"zip", h}}, 2,
            "two hierarchies are given for column 'zip'");
    kith_hierarchy_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_are_set, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(findings_have_paths, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(hierarchies_count_as_files, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(hierarchies_need_a_column_that_uses_them, scratch_setup,
                                        scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
