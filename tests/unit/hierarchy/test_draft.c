/* Drafts: labels cell by cell, values as labels, the order of leaves, the missing value, copies. */
#include "unit/hierarchy/support.h"

#include "core/rng.h"

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

/* Every text from every place, against a look at all of them. */
static void find_everywhere(const dictionary *values, const char *const *texts, size_t n_texts)
{
    assert_true(draft_values_sorted(values));
    for (size_t i = 0; i < n_texts; i++) {
        uint32_t expected = UINT32_MAX;
        for (uint32_t code = 0; code < values->count; code++)
            if (strcmp(dictionary_text(values, code), texts[i]) == 0)
                expected = code;
        const size_t length = strlen(texts[i]);
        char longer[16];
        snprintf(longer, sizeof longer, "%s1", texts[i]); /* nothing behind the length counts */
        for (uint32_t near = 0; near < values->count + 2; near++)
            assert_int_equal(draft_values_find(values, longer, length, near), expected);
    }
}

static void texts_are_found_among_values(void **state)
{
    fixture *f = *state;
    static const char *const texts[] = {"",   "*",  "1",    "1.0", "01",  "2",  "7",  "007", "10",
                                        "1x", "9*", "2-10", "a",   "abc", "zz", "-3", "5e1", "99"};
    const size_t n = sizeof texts / sizeof *texts;
    const dictionary strings = DICTIONARY(f->memory, KITH_TYPE_STRING, "", "1", "10", "1x", "2",
                                          "7", "9*", "a", "ab", "b", "z");
    const dictionary one = DICTIONARY(f->memory, KITH_TYPE_STRING, "a");
    const dictionary integers =
        DICTIONARY(f->memory, KITH_TYPE_INTEGER, "-3", "01", "1", "2", "007", "7", "10", "99");
    const dictionary decimals =
        DICTIONARY(f->memory, KITH_TYPE_DECIMAL, "-3", "1", "1.0", "2", "7", "10");
    find_everywhere(&strings, texts, n);
    find_everywhere(&one, texts, n);
    find_everywhere(&integers, texts, n);
    find_everywhere(&decimals, texts, n);
    const dictionary dates = DICTIONARY(f->memory, KITH_TYPE_DATE, "2024-03-01");
    assert_false(draft_values_sorted(&dates));
}

/* A group may have the name of one of its values, or of another one. */
static void values_and_labels_share_codes(void **state)
{
    fixture *f = *state;
    const dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, "a", "b", "c*");
    static const char *const above[] = {"b", "b", "c*"};
    assert_int_equal(draft_reserve(&f->d, 3, 3, NULL), KITH_OK);
    assert_int_equal(draft_take_values(&f->d, &values, NULL), KITH_OK);
    for (uint32_t leaf = 0; leaf < 3; leaf++) {
        set(&f->d, leaf, 1, above[leaf]);
        set(&f->d, leaf, 2, "*");
        assert_string_equal(draft_text(&f->d, draft_cell(&f->d, leaf, 0)),
                            dictionary_text(&values, leaf));
    }
    assert_int_equal(draft_cell(&f->d, 0, 1), 1);
    assert_int_equal(draft_cell(&f->d, 2, 1), 2);
    assert_int_equal(draft_n_labels(&f->d), 4);
    assert_int_equal(draft_find(&f->d, "*", 1), 3);
    assert_int_equal(draft_find(&f->d, "c*", 2), 2);
    assert_int_equal(draft_find(&f->d, "d", 1), INTERN_NONE);
    kith_findings *findings = kith_findings_new();
    assert_int_equal(draft_validate(&f->d, findings, NULL), KITH_OK);
    assert_string_equal(finding_text(findings, 0),
                        "0:0: 'b' stands for 1 value at level 0 and for 2 at level 1: a release "
                        "shows only labels, so each must stand for one set of values");
    kith_findings_free(findings);
}

/* What draft_in_order promises, by pairs of leaves: those of a label are neighbours, the same at
 * all levels where it stands, and share what is above. */
static bool slow_in_order(const draft *d)
{
    const uint32_t top = d->n_levels - 1;
    for (uint32_t level = 0; level <= top; level++)
        for (uint32_t a = 0; a < d->n_leaves; a++)
            for (uint32_t b = 0; b < d->n_leaves; b++) {
                const uint32_t code = draft_cell(d, a, level);
                if (level == top && draft_cell(d, b, top) != code)
                    return false;
                for (uint32_t other = 0; other <= top; other++)
                    for (uint32_t c = 0; c < d->n_leaves; c++)
                        if (draft_cell(d, c, other) == code &&
                            (draft_cell(d, b, level) == code) != (draft_cell(d, b, other) == code))
                            return false;
                if (draft_cell(d, b, level) != code)
                    continue;
                if (level < top && draft_cell(d, a, level + 1) != draft_cell(d, b, level + 1))
                    return false;
                for (uint32_t c = a; c < b; c++)
                    if (draft_cell(d, c, level) != code)
                        return false;
            }
    return true;
}

/* Tiny drafts of few labels, most of them wrong. */
static void order_is_recognized(void **state)
{
    (void)state;
    static const char *const labels[] = {"a", "b", "c", "d", "x", "*"};
    rng r;
    uint32_t n_in_order = 0;
    rng_init(&r, 7, 0);
    for (int i = 0; i < 20000; i++) {
        fixture *f;
        setup((void **)&f);
        const uint32_t n_leaves = 1 + rng_below(&r, 4), n_levels = 2 + rng_below(&r, 2);
        assert_int_equal(draft_reserve(&f->d, n_leaves, n_levels, NULL), KITH_OK);
        for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
            for (uint32_t level = 0; level < n_levels; level++)
                set(&f->d, leaf, level, labels[rng_below(&r, 6)]);
            if (rng_below(&r, 4) > 0) /* some must be right */
                set(&f->d, leaf, 0, labels[leaf]);
            if (rng_below(&r, 8) > 0)
                set(&f->d, leaf, n_levels - 1, "*");
        }
        bool found;
        assert_int_equal(draft_in_order(&found, &f->d, NULL), KITH_OK);
        assert_int_equal(found, slow_in_order(&f->d));
        n_in_order += found;
        teardown((void **)&f);
    }
    assert_in_range(n_in_order, 1000, 19000);
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
        cmocka_unit_test_setup_teardown(texts_are_found_among_values, setup, teardown),
        cmocka_unit_test_setup_teardown(values_and_labels_share_codes, setup, teardown),
        cmocka_unit_test(order_is_recognized),
        cmocka_unit_test_setup_teardown(the_missing_value_is_a_leaf_of_its_own, setup, teardown),
        cmocka_unit_test_setup_teardown(a_copy_has_the_same_tree, setup, teardown),
        cmocka_unit_test_setup_teardown(too_many_leaves_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
