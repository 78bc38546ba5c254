/* Numbering of random hierarchies, against promises checked naively; lca against brute force. */
#include "unit/hierarchy/support.h"

#include "core/rng.h"
#include "hierarchy/tree_numbering.h"
#include "support/aborts.h"

enum { MAX_LEAVES = 60, MAX_LEVELS = 7 };

typedef struct sample {
    uint32_t n_leaves, n_levels, n_ids;
    uint32_t cell[MAX_LEAVES * MAX_LEVELS];
} sample;

/* A random tree, from the root downwards: every node of a level picks a parent, then the rows are
 * shuffled. Ids are shared by all levels in some samples, as labels are. */
static void make_sample(sample *s, rng *r)
{
    s->n_leaves = 1 + rng_below(r, MAX_LEAVES);
    s->n_levels = 2 + rng_below(r, MAX_LEVELS - 1);
    uint32_t rows[MAX_LEAVES], parent[MAX_LEAVES], above = 1;
    uint32_t chain[MAX_LEVELS][MAX_LEAVES] = {{0}};
    for (uint32_t level = s->n_levels - 1; level-- > 0;) {
        uint32_t n_nodes = level == 0 ? s->n_leaves : 1 + rng_below(r, s->n_leaves);
        n_nodes = n_nodes < above ? above : n_nodes;
        for (uint32_t n = 0; n < n_nodes; n++)
            parent[n] = n < above ? n : rng_below(r, above); /* none without children */
        memcpy(chain[level], parent, n_nodes * sizeof *parent);
        above = n_nodes;
    }
    s->n_leaves = above;
    for (uint32_t i = 0; i < s->n_leaves; i++)
        rows[i] = i;
    rng_shuffle(r, rows, s->n_leaves);
    for (uint32_t i = 0; i < s->n_leaves; i++) {
        uint32_t node = rows[i];
        for (uint32_t level = 0; level < s->n_levels; level++) {
            s->cell[i * s->n_levels + level] = node * 3 + level % 3;
            node = chain[level][node];
        }
    }
    s->n_ids = 3 * MAX_LEAVES;
}

static bool same_node(const sample *s, uint32_t a, uint32_t b, uint32_t level)
{
    return s->cell[a * s->n_levels + level] == s->cell[b * s->n_levels + level];
}

/* The tree says the same as the table it was made from. */
static void check_against(const sample *s, const tree *t, const uint32_t *order)
{
    bool seen[MAX_LEAVES] = {false};
    for (uint32_t i = 0; i < s->n_leaves; i++) {
        assert_true(order[i] < s->n_leaves && !seen[order[i]]);
        seen[order[i]] = true;
        for (uint32_t j = 0; j < s->n_leaves; j++)
            for (uint32_t level = 0; level < s->n_levels; level++)
                assert_int_equal(same_node(s, order[i], order[j], level),
                                 tree_up(t, i, level) == tree_up(t, j, level));
    }
}

/* Siblings stand in the order of their first rows. */
static void check_order(const sample *s, const tree *t, const uint32_t *order)
{
    uint32_t first_row[MAX_LEAVES * MAX_LEVELS];
    for (uint32_t node = 0; node < t->n_nodes; node++) {
        first_row[node] = UINT32_MAX;
        for (uint32_t i = t->first[node]; i < t->end[node]; i++)
            first_row[node] = order[i] < first_row[node] ? order[i] : first_row[node];
        if (node > 0 && t->level[node] == t->level[node - 1] &&
            t->parent[node] == t->parent[node - 1])
            assert_true(first_row[node - 1] < first_row[node]);
    }
    (void)s;
}

static uint32_t slow_lca(const tree *t, uint32_t a, uint32_t b)
{
    for (uint32_t up = a;; up = t->parent[up])
        for (uint32_t other = b;; other = t->parent[other]) {
            if (up == other)
                return up;
            if (other == t->parent[other])
                break;
        }
}

static bool slow_covers(const tree *t, uint32_t ancestor, uint32_t node)
{
    while (node != ancestor && node != t->parent[node])
        node = t->parent[node];
    return node == ancestor;
}

static void check_pairs(const tree *t)
{
    for (uint32_t a = 0; a < t->n_nodes; a++)
        for (uint32_t b = 0; b < t->n_nodes; b++) {
            assert_int_equal(tree_lca(t, a, b), slow_lca(t, a, b));
            assert_int_equal(tree_covers(t, a, b), slow_covers(t, a, b));
        }
}

static void numbers_random_trees(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 7, 0);
    for (int round = 0; round < 300; round++) {
        sample s;
        make_sample(&s, &r);
        arena *memory = arena_new();
        tree t;
        uint32_t order[MAX_LEAVES];
        kith_error error;
        const tree_paths paths = {s.cell, s.n_leaves, s.n_levels, s.n_ids, false};
        assert_int_equal(tree_numbering_make(&t, order, &paths, memory, memory, &error), KITH_OK);
        assert_int_equal(t.n_leaves, s.n_leaves);
        check_tree(&t);
        check_against(&s, &t, order);
        check_order(&s, &t, order);
        if (round < 60)
            check_pairs(&t);
        arena_free(memory);
    }
}

static void refuses_two_roots(void **state)
{
    (void)state;
    arena *memory = arena_new();
    tree t;
    uint32_t order[2];
    const uint32_t cell[] = {0, 2, 1, 3};
    const tree_paths paths = {cell, 2, 2, 4, false};
    assert_int_equal(tree_numbering_make(&t, order, &paths, memory, memory, NULL), KITH_BUG);
    arena_free(memory);
}

#if KITH_DEBUG
/* Two leaves below the root, of which the second has a wrong interval. */
static void check_a_tree_with_a_gap(void)
{
    tree t;
    uint32_t order[2];
    const uint32_t cell[] = {0, 2, 1, 2};
    arena *memory = arena_new();
    const tree_paths paths = {cell, 2, 2, 3, false};
    (void)!tree_numbering_make(&t, order, &paths, memory, memory, NULL);
    const uint32_t first[] = {0, 0, 0};
    t.first = first;
    tree_check(&t);
}

static void debug_builds_notice_broken_trees(void **state)
{
    (void)state;
    assert_true(aborts(check_a_tree_with_a_gap));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_random_trees),
        cmocka_unit_test(refuses_two_roots),
#if KITH_DEBUG
        cmocka_unit_test(debug_builds_notice_broken_trees),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
