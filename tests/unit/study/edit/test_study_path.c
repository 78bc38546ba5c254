/* Paths of places in a text, and of findings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/findings.h"
#include "study/edit/study_path.h"

static const char text[] = "study: s\n"                                /* 1 */
                           "columns:\n"                                /* 2 */
                           "  - {name: age, role: x}\n"                /* 3 */
                           "  - name: zip\n"                           /* 4 */
                           "    hierarchy: {mask: right}\n"            /* 5 */
                           "  - {name: \"7\"}\n"                       /* 6 */
                           "  - {name: a.b}\n"                         /* 7 */
                           "privacy: [{model: m, k: 2}, {model: m}]\n" /* 8 */
                           "utility:\n"                                /* 9 */
                           "  weights: {age: 2, a.b: 3}\n";            /* 10 */

static void is_at(size_t line, size_t column, const char *expected)
{
    arena *memory = arena_new();
    kith_findings *findings = kith_findings_new();
    yaml_walk *walk;
    const yaml_node_t *root;
    char path[STUDY_PATH_BYTES];
    assert_int_equal(
        yaml_walk_parse(&walk, &root, memory, "s.yaml", text, strlen(text), findings, NULL),
        KITH_OK);
    assert_non_null(root);
    bool found = study_path_at(path, walk, root, line, column);
    if (found != (expected != NULL))
        fail_msg("%zu:%zu: '%s'", line, column, found ? path : "");
    if (found)
        assert_string_equal(path, expected);
    kith_findings_free(findings);
    arena_free(memory);
}

static void places_have_paths(void **state)
{
    (void)state;
    is_at(1, 1, NULL); /* the whole text */
    is_at(1, 8, "study");
    is_at(2, 1, "columns");
    is_at(3, 3, "columns");
    is_at(3, 5, "columns.age");
    is_at(3, 12, "columns.age.name");
    is_at(3, 17, "columns.age.role");
    is_at(4, 5, "columns.zip"); /* the outermost that begins here */
    is_at(5, 16, "columns.zip.hierarchy");
    is_at(5, 23, "columns.zip.hierarchy.mask");
    is_at(6, 12, "columns.2.name"); /* not the column 7 */
    is_at(7, 12, "columns.3.name"); /* a dot would divide it */
    is_at(8, 22, "privacy.0.k");    /* two items have this name */
    is_at(8, 29, "privacy.1");
    is_at(10, 18, "utility.weights.age");
    is_at(10, 21, NULL);
    is_at(10, 22, NULL);
    is_at(0, 0, NULL);
    is_at(99, 1, NULL);
}

static void lines_have_paths_of_items(void **state)
{
    (void)state;
    is_at(3, 0, "columns.age");
    is_at(4, 0, "columns.zip");
    is_at(5, 0, NULL);
    is_at(8, 0, NULL); /* two of them */
    is_at(1, 0, NULL);
}

static void findings_are_told_their_paths(void **state)
{
    (void)state;
    kith_findings *f = kith_findings_new();
    findings_add(f, KITH_SEVERITY_PROBLEM, "s.yaml", 3, 17, "before");
    findings_add(f, KITH_SEVERITY_PROBLEM, "s.yaml", 3, 17, "a");
    findings_add(f, KITH_SEVERITY_PROBLEM, "other.csv", 3, 17, "b");
    findings_add(f, KITH_SEVERITY_WARNING, NULL, 0, 0, "c");
    findings_add(f, KITH_SEVERITY_WARNING, "s.yaml", 4, 0, "d");
    study_path_tell(f, 1, "s.yaml", text);
    assert_null(findings_item(f, 0)->path);
    assert_string_equal(findings_item(f, 1)->path, "columns.age.role");
    assert_null(findings_item(f, 2)->path);
    assert_null(findings_item(f, 3)->path);
    assert_string_equal(findings_item(f, 4)->path, "columns.zip");
    study_path_tell(f, 0, "s.yaml", "[ this is no YAML");
    assert_null(findings_item(f, 0)->path);
    kith_findings_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_have_paths),
        cmocka_unit_test(lines_have_paths_of_items),
        cmocka_unit_test(findings_are_told_their_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
