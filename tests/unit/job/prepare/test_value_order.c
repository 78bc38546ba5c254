/* The order of leaves behind min..max. */
#include "support/arena_state.h"
#include "unit/job/support.h"

#include "job/prepare/value_order.h"

static uint32_t *ranks(arena *memory, const char *const *cells, size_t n_rows, kith_type type,
                       const hierarchy_spec *spec, bool missing, bool by_hierarchy,
                       kith_hierarchy **h)
{
    kith_column_spec one = {.name = "c", .type = type};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = &one, .n_columns = 1);
    domain_spec domain = {0};
    kith_table *table;
    assert_int_equal(kith_table_from_cells(&table, cells, n_rows, &options, NULL), KITH_OK);
    const dictionary *values = &table->columns[0].values;
    uint32_t leaf_of[16], *rank;
    assert_int_equal(hierarchy_make(h, memory, spec, &domain, values, missing, NULL, NULL),
                     KITH_OK);
    assert_int_equal(hierarchy_bind(*h, values, leaf_of, "t", "c", NULL, NULL), KITH_OK);
    assert_int_equal(value_order_leaves(&rank, *h, values, leaf_of, by_hierarchy, memory, NULL),
                     KITH_OK);
    kith_table_free(table);
    return rank;
}

static uint32_t rank_of(const kith_hierarchy *h, const uint32_t *rank, const char *label)
{
    for (uint32_t leaf = 0; leaf < h->tree.n_leaves; leaf++)
        if (strcmp(h->label[leaf], label) == 0)
            return rank[leaf];
    fail_msg("no leaf %s", label);
    return 0;
}

static const hierarchy_spec suppress = {.kind = HIERARCHY_SUPPRESS};

static void numbers_go_by_size(void **state)
{
    const char *cells[] = {"10", "9", "-3", NULL};
    kith_hierarchy *h;
    uint32_t *rank = ranks(*state, cells, 4, KITH_TYPE_INTEGER, &suppress, true, false, &h);
    assert_int_equal(rank_of(h, rank, "-3"), 0);
    assert_int_equal(rank_of(h, rank, "9"), 1);
    assert_int_equal(rank_of(h, rank, "10"), 2);
    assert_int_equal(rank_of(h, rank, ""), 3); /* missing comes last */
}

static void texts_go_by_bytes(void **state)
{
    const char *cells[] = {"10", "9", "a"};
    kith_hierarchy *h;
    uint32_t *rank = ranks(*state, cells, 3, KITH_TYPE_STRING, &suppress, false, false, &h);
    assert_int_equal(rank_of(h, rank, "10"), 0);
    assert_int_equal(rank_of(h, rank, "9"), 1);
    assert_int_equal(rank_of(h, rank, "a"), 2);
}

static void leaf_order_can_be_asked_for(void **state)
{
    const char *cells[] = {"a1", "b1", "a2", NULL};
    const hierarchy_spec mask = {.kind = HIERARCHY_MASK, .mask_left = true, .mask_character = '*'};
    kith_hierarchy *h;
    uint32_t *rank = ranks(*state, cells, 4, KITH_TYPE_STRING, &mask, true, true, &h);
    uint32_t before = 0;
    for (uint32_t leaf = 0; leaf < h->tree.n_leaves; leaf++)
        if (leaf != h->missing_leaf)
            assert_int_equal(rank[leaf], before++);
    assert_int_equal(rank[h->missing_leaf], before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_go_by_size),
        cmocka_unit_test(texts_go_by_bytes),
        cmocka_unit_test(leaf_order_can_be_asked_for),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
