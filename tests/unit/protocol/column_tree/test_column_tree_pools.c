/* Pools of the joint tree of columns. A party that lies can make a chain of pools that is as long
 * as half the table: it lets single records leave, step by step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "protocol/column_tree/column_tree_internal.h"

enum { LONG = 1000000, K = 2 };

/* A set of K records below a chain of pools, each of which has got one record. */
static void make_chain(column_tree *w, kith_error *error)
{
    assert_int_equal(column_tree_pools_begin(w, error), KITH_OK);
    for (uint32_t pool = 0; pool + 1 < LONG; pool++) {
        uint32_t next;
        const column_tree_set n = {.pool = pool, .depth = pool};
        assert_int_equal(column_tree_pools_eject(w, pool, K + pool, error), KITH_OK);
        assert_int_equal(column_tree_pools_add(w, &n, &next, error), KITH_OK);
        assert_int_equal(next, pool + 1);
        w->pools[next].n_open = 1;
    }
}

/* Two records make a class, which settles the pool, and so on to the first one. */
static void a_long_chain_settles(void **state)
{
    (void)state;
    kith_error error = {0};
    const protocol_options options = {.pools = true};
    const columns_task task = {.options = &options};
    column_tree w = {.task = &task, .k = K, .memory = arena_new()};
    make_chain(&w, &error);
    assert_int_equal(
        column_tree_add_class(&w, (column_tree_set){.size = K, .pool = LONG - 1}, &error), KITH_OK);
    assert_int_equal(w.classes.count, LONG / 2);
    assert_int_equal(w.pools[0].count, 1);
    for (size_t c = 1; c < w.classes.count; c++) {
        const column_tree_set *n = &w.classes.items[c];
        assert_int_equal(n->size, K);
        assert_int_equal(w.members[n->first] + w.members[n->first + 1], 2 * n->pool + 2 * K + 1);
    }
    arena_free(w.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_long_chain_settles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
