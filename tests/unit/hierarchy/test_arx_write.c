/* What is written reads back as the same hierarchy; and columns are checked with their lines. */
#include "unit/hierarchy/support.h"

#include <kith/kith.h>

typedef struct scratch {
    char directory[32];
    char path[64];
} scratch;

static scratch make_scratch(void)
{
    scratch s = {.directory = "/tmp/kith-test-XXXXXX"};
    assert_non_null(mkdtemp(s.directory));
    snprintf(s.path, sizeof s.path, "%s/file.csv", s.directory);
    return s;
}

static void remove_scratch(const scratch *s)
{
    unlink(s->path);
    assert_int_equal(rmdir(s->directory), 0);
}

static void assert_same(const kith_hierarchy *a, const kith_hierarchy *b)
{
    assert_int_equal(a->tree.n_nodes, b->tree.n_nodes);
    assert_int_equal(a->tree.n_levels, b->tree.n_levels);
    for (uint32_t node = 0; node < a->tree.n_nodes; node++) {
        assert_string_equal(a->label[node], b->label[node]);
        assert_int_equal(a->tree.parent[node], b->tree.parent[node]);
    }
}

static void reads_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "a;X;*\nb;Y;*\nc;X;*\n",
        "1;[0, 5);*\n7;[5, 10);*\n",
        "\"a;b\";\"x\ty\";*\n\"c,d\";\"say \"\"z\"\"\";*\n",
        "\"two\nlines\";X;root\n;;root\n",
        "a,b,c;*\nd,e,f;*\n",
    };
    static const char separators[] = {';', ',', '\t', 0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t j = 0; j < sizeof separators; j++) {
            arena *memory = arena_new();
            scratch s = make_scratch();
            kith_hierarchy *h, *back;
            kith_error error;
            assert_int_equal(parse_text(&h, memory, texts[i], ';', NULL), KITH_OK);
            const kith_write_options options =
                KITH_OPTIONS(kith_write_options, .separator = separators[j]);
            assert_int_equal(kith_hierarchy_write(h, s.path, &options, &error), KITH_OK);
            assert_int_equal(kith_hierarchy_read(&back, s.path, NULL, NULL, &error), KITH_OK);
            assert_same(h, back);
            kith_hierarchy_free(back);
            remove_scratch(&s);
            arena_free(memory);
        }
}

static void does_not_overwrite(void **state)
{
    (void)state;
    arena *memory = arena_new();
    scratch s = make_scratch();
    kith_hierarchy *h;
    kith_error error;
    assert_int_equal(parse_text(&h, memory, "a;*\n", 0, NULL), KITH_OK);
    assert_int_equal(kith_hierarchy_write(h, s.path, NULL, &error), KITH_OK);
    assert_int_equal(kith_hierarchy_write(h, s.path, NULL, &error), KITH_INVALID);
    kith_write_options options = KITH_OPTIONS(kith_write_options, .overwrite = true);
    assert_int_equal(kith_hierarchy_write(h, s.path, &options, &error), KITH_OK);
    options.separator = '"';
    assert_int_equal(kith_hierarchy_write(h, s.path, &options, &error), KITH_INVALID);
    remove_scratch(&s);
    arena_free(memory);
}

static void shows_the_structure(void **state)
{
    (void)state;
    arena *memory = arena_new();
    kith_hierarchy *h;
    assert_int_equal(parse_text(&h, memory, "a;X;*\nb;Y;*\nc;X;*\n", 0, NULL), KITH_OK);
    assert_int_equal(kith_hierarchy_n_nodes(h), 6);
    assert_int_equal(kith_hierarchy_n_leaves(h), 3);
    assert_int_equal(kith_hierarchy_n_levels(h), 3);
    assert_int_equal(kith_hierarchy_n_nodes_at(h, 1), 2);
    assert_int_equal(kith_hierarchy_node_parent(h, 1), 3);
    assert_int_equal(kith_hierarchy_node_level(h, 3), 1);
    assert_string_equal(kith_hierarchy_node_label(h, 3), "X");
    size_t first, leaves;
    kith_hierarchy_node_leaves(&first, &leaves, h, 3);
    assert_int_equal(leaves, 2);
    assert_int_equal(first, 0);
    arena_free(memory);
}

static void checks_columns_with_lines(void **state)
{
    (void)state;
    arena *memory = arena_new();
    scratch s = make_scratch();
    FILE *file = fopen(s.path, "w");
    fputs("id,job\n1,a\n2,b\n3,\n4,zz\n5,a\n6,zz\n", file);
    fclose(file);
    kith_hierarchy *h;
    kith_table *table;
    kith_error error;
    kith_findings *findings = kith_findings_new();
    assert_int_equal(parse_text(&h, memory, "a;*\nb;*\n", 0, NULL), KITH_OK);
    assert_int_equal(kith_table_read(&table, s.path, NULL, NULL, &error), KITH_OK);
    assert_int_equal(kith_hierarchy_check_values(h, table, 1, findings, &error), KITH_DATA);
    assert_int_equal(kith_findings_n_listed(findings), 1);
    assert_string_equal(finding_text(findings, 0),
                        "5:0: 'zz' is not in the hierarchy h.csv (column job)");
    assert_int_equal(kith_hierarchy_check_values(h, table, 2, findings, &error), KITH_INVALID);
    kith_findings_free(findings);
    kith_table_free(table);
    remove_scratch(&s);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back),
        cmocka_unit_test(does_not_overwrite),
        cmocka_unit_test(shows_the_structure),
        cmocka_unit_test(checks_columns_with_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
