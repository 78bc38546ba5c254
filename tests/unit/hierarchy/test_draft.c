/* Drafts: labels cell by cell, the missing value, copies. */
#include "unit/hierarchy/support.h"

typedef struct fixture {
    arena *memory, *scratch;
    draft d;
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    *f = (fixture){.memory = arena_new(), .scratch = arena_new()};
    assert_int_equal(draft_init(&f->d, f->memory, f->scratch, NULL), KITH_OK);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    arena_free(f->memory);
    arena_free(f->scratch);
    free(f);
    return 0;
}

static void set(draft *d, uint32_t leaf, uint32_t level, const char *text)
{
    assert_int_equal(draft_set(d, leaf, level, text, strlen(text), NULL), KITH_OK);
}

static void fill(draft *d, uint32_t n_leaves, uint32_t n_levels, const char *const *cells)
{
    assert_int_equal(draft_reserve(d, n_leaves, n_levels, NULL), KITH_OK);
    for (uint32_t i = 0; i < n_leaves * n_levels; i++)
        set(d, i / n_levels, i % n_levels, cells[i]);
}

/* Labels that repeat the one before, return after another one, begin with it, or stand at another
 * level as well. */
static void a_cell_has_the_code_of_its_label(void **state)
{
    fixture *f = *state;
    static const char *const cells[] = {"a",  "x", "*", "b", "x",  "*",  "c", "xx",
                                        "*",  "d", "x", "*", "e",  "",   "*", "f",
                                        "x1", "*", "x", "x", "x1", "g,", "",  "*"};
    const uint32_t n_cells = sizeof cells / sizeof *cells;
    fill(&f->d, n_cells / 3, 3, cells);
    for (uint32_t i = 0; i < n_cells; i++) {
        const uint32_t code = draft_cell(&f->d, i / 3, i % 3);
        assert_string_equal(intern_text(&f->d.labels, code), cells[i]);
        for (uint32_t j = 0; j < n_cells; j++)
            assert_int_equal(code == draft_cell(&f->d, j / 3, j % 3),
                             strcmp(cells[i], cells[j]) == 0);
    }
}

static void the_missing_value_is_a_leaf_of_its_own(void **state)
{
    fixture *f = *state;
    static const char *const cells[] = {"a", "x", "*", "b", "x", "*"};
    kith_hierarchy *h;
    fill(&f->d, 2, 3, cells);
    assert_int_equal(draft_add_missing(&f->d, NULL), KITH_OK);
    assert_int_equal(draft_add_missing(&f->d, NULL), KITH_OK); /* there is one already */
    assert_int_equal(draft_finish(&f->d, &h, NULL), KITH_OK);
    check_tree(&h->tree);
    assert_int_equal(h->tree.n_leaves, 3);
    assert_string_equal(h->label[h->missing_leaf], "");
    assert_string_equal(path_of(h, ""), " >  > *");
    assert_string_equal(path_of(h, "b"), "b > x > *");
}

static void a_copy_has_the_same_tree(void **state)
{
    fixture *f = *state;
    static const char *const cells[] = {"a", "x", "*", "b", "y", "*", "c", "x", "*"};
    kith_hierarchy *first, *second;
    draft copy;
    fill(&f->d, 3, 3, cells);
    assert_int_equal(draft_finish(&f->d, &first, NULL), KITH_OK);
    assert_int_equal(draft_init(&copy, f->memory, f->scratch, NULL), KITH_OK);
    assert_int_equal(draft_copy(&copy, first, NULL), KITH_OK);
    assert_int_equal(draft_finish(&copy, &second, NULL), KITH_OK);
    check_tree(&second->tree);
    assert_int_equal(second->tree.n_nodes, first->tree.n_nodes);
    for (uint32_t node = 0; node < first->tree.n_nodes; node++) {
        assert_string_equal(second->label[node], first->label[node]);
        assert_int_equal(second->tree.parent[node], first->tree.parent[node]);
    }
}

static void too_many_leaves_are_refused(void **state)
{
    fixture *f = *state;
    kith_error error;
    assert_int_equal(draft_reserve(&f->d, HIERARCHY_MAX_LEAVES + 1, 2, &error), KITH_DATA);
    assert_string_equal(error.message,
                        "10000001 values are too many for a hierarchy (most: 10000000)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_cell_has_the_code_of_its_label, setup, teardown),
        cmocka_unit_test_setup_teardown(the_missing_value_is_a_leaf_of_its_own, setup, teardown),
        cmocka_unit_test_setup_teardown(a_copy_has_the_same_tree, setup, teardown),
        cmocka_unit_test_setup_teardown(too_many_leaves_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
