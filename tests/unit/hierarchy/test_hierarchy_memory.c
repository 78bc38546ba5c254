/* Hierarchies from texts and labels in memory: the same trees and the same findings as from files.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "core/findings.h"
#include "hierarchy/hierarchy.h"
#include "support/scratch.h"

static const char text[] = "81667;8166*;*\n\"81;25\";81*;*\n81669;8166*;*\n;;*\n";
static const char *const labels[] = {"81667", "8166*", "*", "81;25", "81*", "*",
                                     "81669", "8166*", "*", NULL,    "",    "*"};

static void same_hierarchies(const kith_hierarchy *a, const kith_hierarchy *b)
{
    assert_int_equal(a->tree.n_nodes, b->tree.n_nodes);
    assert_int_equal(a->tree.n_leaves, b->tree.n_leaves);
    assert_int_equal(a->tree.n_levels, b->tree.n_levels);
    assert_int_equal(a->missing_leaf, b->missing_leaf);
    assert_int_equal(a->n_file_rows, b->n_file_rows);
    for (uint32_t node = 0; node < a->tree.n_nodes; node++) {
        assert_int_equal(a->tree.parent[node], b->tree.parent[node]);
        assert_string_equal(a->label[node], b->label[node]);
    }
}

static void texts_and_labels_are_like_files(void **state)
{
    (void)state;
    kith_hierarchy *file = NULL, *parsed = NULL, *labelled = NULL;
    const char *path = scratch_path("zip.csv");
    scratch_write(path, text);
    assert_int_equal(kith_hierarchy_read(&file, path, NULL, NULL, NULL), KITH_OK);
    assert_int_equal(kith_hierarchy_parse(&parsed, text, strlen(text), NULL, NULL, NULL), KITH_OK);
    assert_int_equal(kith_hierarchy_from_labels(&labelled, labels, 4, 3, NULL, NULL), KITH_OK);
    same_hierarchies(file, parsed);
    same_hierarchies(file, labelled);
    assert_null(parsed->file);
    assert_null(labelled->file);
    kith_hierarchy_free(file);
    kith_hierarchy_free(parsed);
    kith_hierarchy_free(labelled);
    kith_hierarchy_options comma = KITH_OPTIONS(kith_hierarchy_options, .separator = ',');
    assert_int_equal(kith_hierarchy_parse(&parsed, "a;b,*\n", 6, &comma, NULL, NULL), KITH_OK);
    assert_string_equal(kith_hierarchy_node_label(parsed, 0), "a;b");
    kith_hierarchy_free(parsed);
}

/* hierarchy_make takes one that is made as it takes a file. */
static void a_made_one_is_like_its_file(void **state)
{
    (void)state;
    static const char *const cells[] = {"81669", "81;25", "12345"};
    const char *path = scratch_path("zip.csv");
    const kith_column_spec zip = {.name = "zip"};
    const domain_spec domains[] = {{.kind = DOMAIN_HIERARCHY}, {.kind = DOMAIN_DATA}};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = &zip, .n_columns = 1);
    kith_table *table = NULL;
    kith_hierarchy *made = NULL;
    scratch_write(path, "81667;8166*;*\n\"81;25\";81*;*\n81669;8166*;*\n");
    assert_int_equal(kith_table_from_cells(&table, cells, 3, &options, NULL), KITH_OK);
    assert_int_equal(kith_hierarchy_read(&made, path, NULL, NULL, NULL), KITH_OK);
    for (int i = 0; i < 4; i++) {
        arena *memory = arena_new();
        const hierarchy_spec file = {.kind = HIERARCHY_FILE, .path = path};
        const hierarchy_spec given = {.kind = HIERARCHY_FILE, .made = made};
        kith_hierarchy *a, *b;
        const bool missing = i / 2 == 1;
        assert_int_equal(hierarchy_make(&a, memory, &file, &domains[i % 2],
                                        &table->columns[0].values, missing, NULL, NULL),
                         KITH_OK);
        assert_int_equal(hierarchy_make(&b, memory, &given, &domains[i % 2],
                                        &table->columns[0].values, missing, NULL, NULL),
                         KITH_OK);
        same_hierarchies(a, b);
        assert_string_equal(b->file, path);
        arena_free(memory);
    }
    kith_hierarchy_free(made);
    kith_table_free(table);
}

static void finds(const char *const *wrong, size_t n_leaves, size_t line, const char *expected)
{
    kith_hierarchy *h = NULL;
    kith_findings *findings = kith_findings_new();
    kith_error error = {0};
    assert_int_equal(kith_hierarchy_from_labels(&h, wrong, n_leaves, 3, findings, &error),
                     KITH_DATA);
    assert_null(h);
    assert_int_equal(findings_item(findings, 0)->line, line);
    assert_string_equal(findings_item(findings, 0)->text, expected);
    assert_string_equal(findings_item(findings, 0)->file, "<labels>");
    kith_findings_free(findings);
    char message[600];
    assert_int_equal(kith_hierarchy_from_labels(&h, wrong, n_leaves, 3, NULL, &error), KITH_DATA);
    snprintf(message, sizeof message, "<labels>:%zu: %s", line, expected);
    assert_string_equal(error.message, message);
}

static void wrong_labels_are_named_by_their_leaf(void **state)
{
    (void)state;
    finds((const char *const[]){"a", "x", "*", "b", "x", "+"}, 2, 2,
          "no root: the last column must have the same label (such as *) in every row, but has 2, "
          "of them '*' in line 1 and '+' here");
    finds((const char *const[]){"a", "x", "*", "b", "x", "*", "a", "y", "*"}, 3, 3,
          "'a' is below 'y' here, but below 'x' in line 1");
    finds((const char *const[]){"a", "M\xfcller", "*"}, 1, 1,
          "'M\\xfcller' is not valid UTF-8 (name the encoding of the file, such as "
          "WINDOWS-1252)");
    finds((const char *const[]){"a", NULL, "*"}, 1, 1,
          "the label above 'a' is empty, which in a release means a missing value");
}

static void too_little_and_too_much(void **state)
{
    (void)state;
    static const char *many[65]; /* a leaf with empty labels */
    many[64] = "*";
    kith_hierarchy *h = NULL;
    kith_error error = {0};
    assert_int_equal(kith_hierarchy_from_labels(&h, labels, 0, 3, NULL, &error), KITH_INVALID);
    assert_string_equal(error.message,
                        "a hierarchy needs a value and, above it, a root: 0 values with 3 levels");
    assert_int_equal(kith_hierarchy_from_labels(&h, labels, 2, 1, NULL, &error), KITH_INVALID);
    assert_int_equal(kith_hierarchy_from_labels(&h, many, 1, 65, NULL, NULL), KITH_DATA);
    assert_int_equal(kith_hierarchy_parse(&h, "", 0, NULL, NULL, &error), KITH_DATA);
    assert_null(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts_and_labels_are_like_files, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(a_made_one_is_like_its_file, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test(wrong_labels_are_named_by_their_leaf),
        cmocka_unit_test(too_little_and_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
