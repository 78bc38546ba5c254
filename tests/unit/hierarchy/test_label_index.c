/* Nodes by their label. */
#include "support/arena_state.h"
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
    label_index *all;
    assert_int_equal(label_index_new(&all, memory, h, NULL), KITH_OK);

    static const char *const labels[] = {"", "*", "1", "a", "a1", "a2", "a3", "aa", "b", "c"};
    enum { N_LABELS = sizeof labels / sizeof *labels };
    dictionary values = make_dictionary(memory, KITH_TYPE_STRING, labels, N_LABELS);
    uint32_t node_of[N_LABELS], leaf_of[N_LABELS];
    assert_int_equal(label_index_nodes(node_of, h, h->tree.n_nodes, &values, memory, NULL),
                     KITH_OK);
    assert_int_equal(label_index_nodes(leaf_of, h, h->tree.n_leaves, &values, memory, NULL),
                     KITH_OK);
    for (size_t i = 0; i < N_LABELS; i++) {
        const uint32_t node = slow_find(h, labels[i], h->tree.n_nodes);
        assert_int_equal(label_index_find(all, labels[i]), node);
        assert_int_equal(node_of[i], node);
        assert_int_equal(leaf_of[i], slow_find(h, labels[i], h->tree.n_leaves));
    }
    assert_int_equal(leaf_of[3], UINT32_MAX);
    assert_true(h->tree.level[node_of[8]] == 0);
    assert_int_equal(label_index_empty(h), slow_find(h, "", h->tree.n_leaves));
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
        dictionary values = make_dictionary(memory, KITH_TYPE_STRING, h->label, n_leaves);
        uint32_t node_of[100];
        assert_int_equal(label_index_nodes(node_of, h, n_leaves, &values, memory, NULL), KITH_OK);
        for (uint32_t i = 0; i < n_leaves; i++) {
            snprintf(label, sizeof label, "v%u", i);
            assert_int_equal(label_index_find(all, label), i);
            assert_int_equal(node_of[i], i);
        }
        assert_int_equal(label_index_empty(h), UINT32_MAX);
        snprintf(label, sizeof label, "v%u", n_leaves);
        assert_int_equal(label_index_find(all, label), UINT32_MAX);
        assert_int_equal(label_index_find(all, "*"), n_leaves);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_lowest_node),
        cmocka_unit_test(all_sizes_are_found),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
