/* Values and their leaves. */
#include "unit/hierarchy/support.h"

static kith_hierarchy *parsed(arena *memory, const char *text)
{
    kith_hierarchy *h = NULL;
    assert_int_equal(parse_text(&h, memory, text, 0, NULL), KITH_OK);
    return h;
}

static void finds_leaves_by_label(void **state)
{
    (void)state;
    arena *memory = arena_new();
    kith_hierarchy *h = parsed(memory, "b;X;*\na;Y;*\nc;X;*\n");
    dictionary values = DICTIONARY(memory, KITH_TYPE_STRING, "a", "b", "c");
    uint32_t leaf_of[3];
    assert_int_equal(hierarchy_bind(h, &values, leaf_of, "d.csv", "x", NULL, NULL), KITH_OK);
    for (uint32_t code = 0; code < 3; code++)
        assert_string_equal(h->label[leaf_of[code]], dictionary_text(&values, code));
    arena_free(memory);
}

static void finds_numbers_and_dates_by_value(void **state)
{
    (void)state;
    arena *memory = arena_new();
    uint32_t leaf_of[2];
    kith_hierarchy *h = parsed(memory, "007;*\n-1.50;*\n2024-03-01;*\n");
    dictionary integers = DICTIONARY(memory, KITH_TYPE_INTEGER, "7");
    assert_int_equal(hierarchy_bind(h, &integers, leaf_of, "d.csv", "x", NULL, NULL), KITH_OK);
    assert_int_equal(leaf_of[0], 0);
    dictionary decimals = DICTIONARY(memory, KITH_TYPE_DECIMAL, "-1.5", "7");
    assert_int_equal(hierarchy_bind(h, &decimals, leaf_of, "d.csv", "x", NULL, NULL), KITH_OK);
    assert_int_equal(leaf_of[0], 1);
    assert_int_equal(leaf_of[1], 0);
    dictionary dates = DICTIONARY(memory, KITH_TYPE_DATE, "2024-03-01");
    assert_int_equal(hierarchy_bind(h, &dates, leaf_of, "d.csv", "x", NULL, NULL), KITH_OK);
    assert_int_equal(leaf_of[0], 2);
    dictionary strings = DICTIONARY(memory, KITH_TYPE_STRING, "7");
    assert_int_equal(hierarchy_bind(h, &strings, leaf_of, "d.csv", "x", NULL, NULL), KITH_DATA);
    arena_free(memory);
}

static void reports_strangers(void **state)
{
    (void)state;
    arena *memory = arena_new();
    kith_findings *findings = kith_findings_new();
    kith_error error;
    kith_hierarchy *h = parsed(memory, "a;*\nb;*\n");
    dictionary values = DICTIONARY(memory, KITH_TYPE_STRING, "a", "c", "d");
    uint32_t leaf_of[3];
    assert_int_equal(hierarchy_bind(h, &values, leaf_of, "d.csv", "x", findings, &error),
                     KITH_DATA);
    assert_int_equal(kith_findings_n_problems(findings), 2);
    assert_string_equal(error.message, "d.csv: 'c' is not in the hierarchy h.csv (column x)");
    assert_int_equal(hierarchy_bind(h, &values, leaf_of, "d.csv", "x", NULL, &error), KITH_DATA);
    kith_findings_free(findings);
    arena_free(memory);
}

static void finds_the_lowest_node_of_a_label(void **state)
{
    (void)state;
    arena *memory = arena_new();
    kith_hierarchy *h = parsed(memory, "a;a;X;*\nb;B;X;*\nc;B;X;*\n;;;*\n");
    label_index *index;
    assert_int_equal(label_index_new(&index, memory, h, NULL), KITH_OK);
    for (uint32_t node = 0; node < h->tree.n_nodes; node++) {
        uint32_t found = label_index_find(index, h->label[node]);
        assert_string_equal(h->label[found], h->label[node]);
        assert_true(h->tree.level[found] <= h->tree.level[node]);
        assert_int_equal(h->tree.first[found], h->tree.first[node]);
        assert_int_equal(h->tree.end[found], h->tree.end[node]);
    }
    assert_int_equal(label_index_find(index, "a"), 0);
    assert_int_equal(label_index_find(index, "*"), tree_root(&h->tree));
    assert_int_equal(label_index_find(index, ""), h->missing_leaf);
    assert_int_equal(label_index_find(index, "nobody"), UINT32_MAX);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_leaves_by_label),
        cmocka_unit_test(finds_numbers_and_dates_by_value),
        cmocka_unit_test(reports_strangers),
        cmocka_unit_test(finds_the_lowest_node_of_a_label),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
