/* Nodes by their label. */
#include "unit/hierarchy/support.h"

static kith_hierarchy *parsed(arena *memory, const char *text)
{
    kith_hierarchy *h = NULL;
    assert_int_equal(parse_text(&h, memory, text, ';', NULL), KITH_OK);
    return h;
}

/* The lowest node with a label, by looking at all of them. */
static uint32_t slow_find(const kith_hierarchy *h, const char *label, uint32_t n_nodes)
{
    for (uint32_t node = 0; node < n_nodes; node++)
        if (strcmp(h->label[node], label) == 0)
            return node;
    return UINT32_MAX;
}

static void finds_the_lowest_node(void **state)
{
    arena *memory = *state;
    /* b is alone in its group, which has its name; prefixes of labels are no labels. */
    kith_hierarchy *h = parsed(memory, "a1;a;*\na2;a;*\nb;b;*\n;c;*\n");
    label_index *all, *leaves;
    assert_int_equal(label_index_new(&all, memory, h, NULL), KITH_OK);
    assert_int_equal(label_index_leaves(&leaves, memory, h, NULL), KITH_OK);
    static const char *const labels[] = {"a1", "a2", "a", "b", "", "c", "*", "a3", "aa", "1"};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        assert_int_equal(label_index_find(all, labels[i]),
                         slow_find(h, labels[i], h->tree.n_nodes));
        assert_int_equal(label_index_find(leaves, labels[i]),
                         slow_find(h, labels[i], h->tree.n_leaves));
    }
    assert_int_equal(label_index_find(leaves, "a"), UINT32_MAX);
    assert_true(h->tree.level[label_index_find(all, "b")] == 0);
}

/* Every size around those at which the number of slots doubles. */
static void all_sizes_are_found(void **state)
{
    arena *memory = *state;
    for (uint32_t n_leaves = 1; n_leaves < 100; n_leaves++) {
        char text[100 * 8], label[16];
        size_t used = 0;
        for (uint32_t i = 0; i < n_leaves; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "v%u;*\n", i);
        kith_hierarchy *h = parsed(memory, text);
        label_index *all;
        assert_int_equal(label_index_new(&all, memory, h, NULL), KITH_OK);
        for (uint32_t i = 0; i < n_leaves; i++) {
            snprintf(label, sizeof label, "v%u", i);
            assert_int_equal(label_index_find(all, label), i);
        }
        snprintf(label, sizeof label, "v%u", n_leaves);
        assert_int_equal(label_index_find(all, label), UINT32_MAX);
        assert_int_equal(label_index_find(all, "*"), n_leaves);
    }
}

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_lowest_node),
        cmocka_unit_test(all_sizes_are_found),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
