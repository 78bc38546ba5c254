/* Hierarchies and findings as documents. */
#include "unit/hierarchy/support.h"

static void describes_the_tree(void **state)
{
    (void)state;
    arena *memory = arena_new();
    kith_hierarchy *h;
    kith_document *d;
    assert_int_equal(parse_text(&h, memory, "a;X;*\nb;Y;*\nc;X;*\n", 0, NULL), KITH_OK);
    assert_int_equal(kith_hierarchy_describe(&d, h, NULL), KITH_OK);
    assert_string_equal(kith_document_text(d, "file", ""), "h.csv");
    assert_int_equal(kith_document_number(d, "leaves", 0), 3);
    assert_int_equal(kith_document_number(d, "nodes", 0), 6);
    assert_int_equal(kith_document_number(d, "level_sizes.1", 0), 2);
    assert_int_equal(kith_document_n_items(d, "root.children"), 2);
    assert_string_equal(kith_document_text(d, "root.children.0.label", ""), "X");
    assert_int_equal(kith_document_number(d, "root.children.0.leaves", 0), 2);
    assert_string_equal(kith_document_text(d, "root.children.0.children.1.label", ""), "c");
    assert_string_equal(kith_document_text(d, "root.children.1.children.0.label", ""), "b");
    assert_false(kith_document_has(d, "root.children.1.children.0.leaves"));
    kith_document_free(d);
    arena_free(memory);
}

static void describes_findings(void **state)
{
    (void)state;
    kith_findings *findings = kith_findings_new();
    findings_add(findings, KITH_SEVERITY_WARNING, "f", 3, 0, "odd");
    findings_add(findings, KITH_SEVERITY_PROBLEM, NULL, 0, 0, "wrong");
    kith_document *d;
    assert_int_equal(kith_findings_describe(&d, findings, NULL), KITH_OK);
    assert_int_equal(kith_document_number(d, "problems", 0), 1);
    assert_int_equal(kith_document_number(d, "warnings", 0), 1);
    assert_string_equal(kith_document_text(d, "findings.0.severity", ""), "warning");
    assert_int_equal(kith_document_number(d, "findings.0.line", 0), 3);
    assert_string_equal(kith_document_text(d, "findings.1.text", ""), "wrong");
    assert_false(kith_document_has(d, "findings.1.file"));
    kith_document_free(d);
    kith_findings_free(findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(describes_the_tree),
        cmocka_unit_test(describes_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
