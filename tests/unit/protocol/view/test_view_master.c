/* What a master holds: the union of all sites, under encryption and in no order. */
#include "unit/protocol/view_scene.h"

#include <math.h>

#include "protocol/view/view_tree.h"

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

/* Rank correlation of a permutation with the order it stands in: 0 ± 1/sqrt(n) by chance. */
static double order_left(const uint32_t *value, uint32_t n)
{
    double squares = 0, count = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rank = 0;
        for (uint32_t k = 0; k < n; k++)
            rank += value[k] < value[i];
        squares += pow((double)rank - i, 2);
    }
    return 1 - 6 * squares / (count * (count * count - 1));
}

static void compare_hierarchy(const scene *s, const view *v, uint32_t j, const uint32_t *node_of)
{
    const view_column *c = &v->packet.columns[j];
    for (uint32_t e = 0; e < c->n_entries; e++) {
        uint32_t parent = s->column[j].parent[node_of[e]];
        assert_int_equal(c->mark[e], s->column[j].mark[node_of[e]]);
        if (parent == VIEW_NONE)
            assert_int_equal(c->parent[e], VIEW_NONE);
        else
            assert_int_equal(node_of[c->parent[e]], parent);
    }
}

static void compare_tree(const view *v, uint32_t j)
{
    view_tree t;
    const view_column *c = &v->packet.columns[j];
    assert_int_equal(view_tree_make(&t, c, v->memory, NULL), KITH_OK);
    assert_int_equal(t.tree.n_nodes, c->n_entries);
    for (uint32_t e = 0; e < c->n_entries; e++) {
        assert_int_equal(t.entry_of[t.node_of[e]], e);
        if (c->parent[e] != VIEW_NONE)
            assert_int_equal(t.tree.parent[t.node_of[e]], t.node_of[c->parent[e]]);
    }
}

/* Every row is a row of the table, each once; hierarchies and marks are those of the sites; and
 * neither all rows nor those of one site stand in an order that resembles the sites'. */
static void look_at_view(scene *s, view *v)
{
    uint32_t node_of[COLUMNS][MAX_ROWS + NODES], row_of[MAX_ROWS], own[MAX_ROWS], owned = 0;
    bool seen[MAX_ROWS] = {false};
    assert_int_equal(v->packet.n_rows, s->n_rows);
    assert_null(v->packet.tid);
    for (uint32_t j = 0; j < COLUMNS; j++) {
        scene_decode(s, v, j, node_of[j]);
        compare_hierarchy(s, v, j, node_of[j]);
    }
    compare_tree(v, 0);
    compare_tree(v, 1);
    for (uint32_t i = 0; i < s->n_rows; i++) {
        row_of[i] = node_of[3][v->packet.columns[3].codes[i]];
        assert_false(seen[row_of[i]]);
        seen[row_of[i]] = true;
        for (uint32_t j = 0; j < COLUMNS; j++)
            assert_int_equal(node_of[j][v->packet.columns[j].codes[i]], s->value[row_of[i]][j]);
        if (scene_has_row(s, v->master, v->n_holders, row_of[i]))
            own[owned++] = row_of[i];
    }
    /* more than seven standard deviations */
    assert_true(fabs(order_left(row_of, s->n_rows)) < 7 / sqrt(s->n_rows));
    if (!view_external(v))
        assert_true(fabs(order_left(own, owned)) < 7 / sqrt(owned));
    *(int *)s->looked += 1;
}

static void look(uint32_t m, partition_kind kind, uint32_t master, uint32_t n_replicas)
{
    int looked = 0;
    scene *s = scene_new(
        m, 300,
        (protocol_options){
            .partition = kind, .master = master, .n_replicas = n_replicas, .drop_unmatched = true});
    s->look = look_at_view;
    s->looked = &looked;
    assert_int_equal(session_run(m, scene_take_part, s), KITH_OK);
    assert_int_equal(looked, n_replicas);
    scene_check(s, NULL);
    free(s);
}

static void holds_the_union_of_rows(void **state)
{
    (void)state;
    look(3, PARTITION_HORIZONTAL, PROTOCOL_MASTER_EXTERNAL, 1);
    look(3, PARTITION_HORIZONTAL, 2, 1);
}

static void holds_the_join_of_columns(void **state)
{
    (void)state;
    look(3, PARTITION_VERTICAL, PROTOCOL_MASTER_EXTERNAL, 1);
    look(3, PARTITION_VERTICAL, 1, 1);
}

static void holds_rows_and_columns(void **state)
{
    (void)state;
    look(5, PARTITION_HYBRID, PROTOCOL_MASTER_EXTERNAL, 1);
}

/* --- masters that fail, or do not agree --- */

static kith_status run_quietly(scene *s, kith_error *errors)
{
    void *users[PARTY_MAX];
    for (uint32_t i = 0; i < s->m; i++)
        users[i] = s;
    return inproc_run(s->m, NULL, NULL, scene_take_part, users, errors);
}

static scene *small_scene(uint32_t m, uint32_t n_replicas)
{
    return scene_new(m, 20,
                     (protocol_options){.partition = PARTITION_HORIZONTAL,
                                        .master = PROTOCOL_MASTER_EXTERNAL,
                                        .n_replicas = n_replicas});
}

static void says_that_models_cannot_be_met(void **state)
{
    (void)state;
    kith_error errors[PARTY_MAX] = {0};
    scene *s = small_scene(3, 1);
    s->verdict = KITH_INFEASIBLE;
    assert_int_equal(run_quietly(s, errors), KITH_INFEASIBLE);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(errors[i].status, KITH_INFEASIBLE);
        assert_string_equal(errors[i].message,
                            "the privacy models cannot be met on the joint table, says site3");
    }
    free(s);
}

/* One replica anonymizes less than the others. */
static void cheat(scene *s, view *v)
{
    if (v->self == v->master + 1)
        v->packet.columns[2].codes[0] ^= 1;
    (void)s;
}

static void notices_replicas_that_differ(void **state)
{
    (void)state;
    kith_error errors[PARTY_MAX] = {0};
    scene *s = small_scene(4, 2);
    s->look = cheat;
    assert_int_equal(run_quietly(s, errors), KITH_PEER);
    static const char complaint[] = "site4 has another result than site3";
    assert_true(strstr(errors[0].message, complaint) != NULL ||
                strstr(errors[1].message, complaint) != NULL); /* whoever hears it first */
    assert_false(s->party[0].released || s->party[1].released);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_the_union_of_rows),
        cmocka_unit_test(holds_the_join_of_columns),
        cmocka_unit_test(holds_rows_and_columns),
        cmocka_unit_test(says_that_models_cannot_be_met),
        cmocka_unit_test(notices_replicas_that_differ),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}
