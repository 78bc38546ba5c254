/* Cells of a release from closures, ranges and untouched columns. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "release/release.h"

/* zip (masked) and disease of five people, the fourth of whom is left out. */
static const char *const cells[] = {"81",  "flu", "82",   "cold", NULL,
                                    "flu", "91",  "gout", "92",   NULL};

typedef struct scene {
    arena *memory;
    kith_table *table;
    kith_hierarchy *h;
    uint32_t class_of[4], closure[2], low[2], high[2], row[4];
    search_result result;
    release_column columns[2];
    release r;
} scene;

static uint32_t node(const scene *s, const char *label)
{
    label_index *index;
    assert_int_equal(label_index_new(&index, s->memory, s->h, NULL), KITH_OK);
    return label_index_find(index, label);
}

static int setup(void **state)
{
    scene *s = calloc(1, sizeof *s);
    kith_column_spec specs[] = {{.name = "zip"}, {.name = "disease"}};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = 2);
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_character = '*'};
    domain_spec domain = {0};
    s->memory = arena_new();
    assert_int_equal(kith_table_from_cells(&s->table, cells, 5, &options, NULL), KITH_OK);
    assert_int_equal(hierarchy_make(&s->h, s->memory, &spec, &domain, &s->table->columns[0].values,
                                    true, NULL, NULL),
                     KITH_OK);
    const uint32_t rows[] = {0, 1, 2, 4}, class_of[] = {0, 0, 1, 1};
    memcpy(s->row, rows, sizeof rows);
    memcpy(s->class_of, class_of, sizeof class_of);
    s->closure[0] = node(s, "8*");
    s->closure[1] = tree_root(&s->h->tree);
    s->result.partition =
        (partition){.n_classes = 2, .class_of = s->class_of, .closure = s->closure};
    s->columns[0] = (release_column){0, true, 0, s->h, NULL};
    s->columns[1] = (release_column){1, false, 0, NULL, NULL};
    s->r = (release){s->table, 2, s->columns, 1, 4, s->row, &s->result, false};
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    scene *s = *state;
    kith_table_free(s->table);
    arena_free(s->memory);
    free(s);
    return 0;
}

static const char *cell(const scene *s, uint32_t record, uint32_t index)
{
    static char scratch[RELEASE_CELL_BYTES];
    return release_cell(&s->r, record, index, scratch);
}

static void shows_labels_and_untouched_cells(void **state)
{
    scene *s = *state;
    assert_string_equal(cell(s, 0, 0), "8*");
    assert_string_equal(cell(s, 1, 0), "8*");
    assert_string_equal(cell(s, 2, 0), "*");
    assert_string_equal(cell(s, 0, 1), "flu");
    assert_string_equal(cell(s, 1, 1), "cold");
    assert_null(cell(s, 3, 1));
}

static void releases_a_class_of_missing_values_as_missing(void **state)
{
    scene *s = *state;
    s->closure[0] = s->h->missing_leaf;
    assert_null(cell(s, 0, 0));
}

static void shows_ranges(void **state)
{
    scene *s = *state;
    s->r.ranges = true;
    s->result.low = s->low;
    s->result.high = s->high;
    s->low[0] = node(s, "81");
    s->high[0] = node(s, "91");
    s->low[1] = s->high[1] = node(s, "92");
    assert_string_equal(cell(s, 0, 0), "81..91");
    assert_string_equal(cell(s, 2, 0), "92");
    s->high[1] = s->h->missing_leaf;
    assert_string_equal(cell(s, 2, 0), "*");
}

static void makes_a_table_of_texts(void **state)
{
    scene *s = *state;
    kith_table *t;
    assert_int_equal(release_table(&s->r, &t, NULL), KITH_OK);
    assert_int_equal(kith_table_n_rows(t), 4);
    assert_string_equal(kith_table_column_name(t, 0), "zip");
    assert_string_equal(kith_table_column_name(t, 1), "disease");
    assert_string_equal(kith_table_cell(t, 1, 0), "8*");
    assert_string_equal(kith_table_cell(t, 2, 1), "flu");
    assert_null(kith_table_cell(t, 3, 1));
    kith_table_free(t);
}

/* Writes to a file in a fresh directory and reads it back as text. */
static void write_rows(scene *s, bool shuffle, char *text, size_t size)
{
    char directory[] = "/tmp/kith-release-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/r.csv", directory);
    table_writer *w;
    const char *const names[] = {"zip", "disease"};
    arena *memory = arena_new();
    assert_int_equal(table_writer_open(&w, memory, path, ',', false, names, 2, NULL), KITH_OK);
    uint32_t *order = NULL;
    if (shuffle)
        assert_int_equal(release_random_order(&order, s->r.n_rows, memory, NULL), KITH_OK);
    assert_int_equal(release_write(&s->r, w, memory, order, NULL), KITH_OK);
    assert_int_equal(table_writer_commit(w, NULL), KITH_OK);
    arena_free(memory);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    rmdir(directory);
}

static void writes_rows_in_order(void **state)
{
    char text[256];
    write_rows(*state, false, text, sizeof text);
    assert_string_equal(text, "zip,disease\n8*,flu\n8*,cold\n*,flu\n*,\n");
}

static void shuffles_rows(void **state)
{
    char ordered[256], text[256];
    write_rows(*state, false, ordered, sizeof ordered);
    bool moved = false;
    for (int i = 0; i < 40; i++) { /* all 40 in order: once in 24^40 */
        write_rows(*state, true, text, sizeof text);
        assert_int_equal(strlen(text), strlen(ordered));
        assert_non_null(strstr(text, "8*,flu\n"));
        assert_non_null(strstr(text, "8*,cold\n"));
        moved = moved || strcmp(text, ordered) != 0;
    }
    assert_true(moved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(shows_labels_and_untouched_cells, setup, teardown),
        cmocka_unit_test_setup_teardown(releases_a_class_of_missing_values_as_missing, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(shows_ranges, setup, teardown),
        cmocka_unit_test_setup_teardown(makes_a_table_of_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(writes_rows_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(shuffles_rows, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
