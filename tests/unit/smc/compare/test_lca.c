/* Least common ancestors: all nodes of small trees, odd shapes, empty parties. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "smc/compare/lca.h"
#include "support/ideal.h"
#include "support/session.h"

/*      0            a path: 0 - 1 - 2            a node alone: 0
 *    /   \
 *   1     5
 *  /|\    |
 * 2 3 4   6  */
static const uint32_t last_mixed[] = {6, 4, 2, 3, 4, 6, 6};
static const uint32_t last_path[] = {2, 2, 2};
static const uint32_t last_alone[] = {0};
static const lca_tree mixed = {7, last_mixed}, path = {3, last_path}, single = {1, last_alone};

typedef struct job {
    size_t n;
    uint32_t receiver;
    lca_query *query;
    uint32_t *node[PARTY_MAX];
    uint32_t *real[PARTY_MAX];
    uint32_t *ideal[PARTY_MAX];
} job;

static void job_open(job *j, uint32_t m, size_t n)
{
    j->n = n;
    j->query = calloc(n + 1, sizeof *j->query);
    for (uint32_t i = 0; i < m; i++) {
        j->node[i] = calloc(n + 1, 4);
        j->real[i] = calloc(n + 1, 4);
        j->ideal[i] = calloc(n + 1, 4);
    }
}

static void job_close(job *j, uint32_t m)
{
    free(j->query);
    for (uint32_t i = 0; i < m; i++) {
        free(j->node[i]);
        free(j->real[i]);
        free(j->ideal[i]);
    }
}

static kith_status alone(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    return lca(p, j->real[i], j->query, j->node[i], j->n, j->receiver, error);
}

static kith_status both(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    TRY(alone(p, user, error));
    return ideal_lca(p, j->ideal[i], j->query, j->node[i], j->n, j->receiver, error);
}

static void check(job *j, uint32_t m)
{
    assert_int_equal(session_run(m, both, j), KITH_OK);
    for (uint32_t i = 0; i < m; i++)
        assert_memory_equal(j->real[i], j->ideal[i], (j->n + 1) * 4);
}

/* Every pair or triple of nodes (or none) below every joint node of a tree. */
static void finds_all_tiny_ancestors(const lca_tree *t, uint32_t m)
{
    for (uint32_t joint = 0; joint < t->n_nodes; joint++) {
        const uint32_t choices = t->last_descendants[joint] - joint + 2;
        job j = {.receiver = SMC_ALL};
        size_t n = 1;
        for (uint32_t i = 0; i < m; i++)
            n *= choices;
        job_open(&j, m, n);
        for (size_t k = 0; k < n; k++) {
            size_t rest = k;
            j.query[k] = (lca_query){t, joint};
            for (uint32_t i = 0; i < m; i++, rest /= choices)
                j.node[i][k] =
                    rest % choices == 0 ? LCA_NONE : joint + (uint32_t)(rest % choices) - 1;
        }
        check(&j, m);
        job_close(&j, m);
    }
}

static void finds_all_of_small_trees(void **state)
{
    (void)state;
    for (uint32_t m = 2; m < 4; m++) {
        finds_all_tiny_ancestors(&mixed, m);
        finds_all_tiny_ancestors(&path, m);
        finds_all_tiny_ancestors(&single, m);
    }
}

static void knows_plain_answers(void **state)
{
    (void)state;
    static const uint32_t nodes[][3] = {{2, 3, 1}, {2, LCA_NONE, 2}, {3, 6, 0}, {6, 6, 6}};
    job j = {.receiver = SMC_ALL};
    job_open(&j, 2, 4);
    for (size_t k = 0; k < 4; k++) {
        j.query[k] = (lca_query){&mixed, 0};
        j.node[0][k] = nodes[k][0];
        j.node[1][k] = nodes[k][1];
    }
    check(&j, 2);
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(j.real[0][k], nodes[k][2]);
    job_close(&j, 2);
}

/* A random tree of `nodes` nodes, numbered depth first. */
static uint32_t grow(uint32_t *last, uint32_t node, uint32_t n_nodes, rng *r)
{
    uint32_t next = node + 1;
    while (next < n_nodes && rng_below(r, 5) < 3)
        next = grow(last, next, n_nodes, r);
    last[node] = next - 1;
    return next;
}

static void finds_like_the_ideal_twin(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5, 8};
    static const size_t sizes[] = {0, 1, 63, 64, 65, 2000};
    rng r;
    rng_init(&r, 8, 0);
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 6; b++) {
            uint32_t last[40], m = parties[a];
            lca_tree tree = {grow(last, 0, 40, &r), last};
            job j = {.receiver = b % 2 ? SMC_ALL : b % m};
            job_open(&j, m, sizes[b]);
            for (size_t k = 0; k < j.n; k++) {
                uint32_t joint = rng_below(&r, tree.n_nodes), span = last[joint] - joint + 1;
                j.query[k] = (lca_query){&tree, joint};
                for (uint32_t i = 0; i < m; i++)
                    j.node[i][k] = rng_below(&r, 4) == 0 ? LCA_NONE : joint + rng_below(&r, span);
            }
            check(&j, m);
            job_close(&j, m);
        }
    }
}

static void refuses_nodes_elsewhere(void **state)
{
    (void)state;
    job j = {.receiver = 0};
    void *user[] = {&j, &j};
    job_open(&j, 2, 1);
    j.query[0] = (lca_query){&mixed, 1};
    j.node[0][0] = 2;
    j.node[1][0] = 5;
    assert_int_equal(inproc_run(2, NULL, NULL, alone, user, NULL), KITH_INVALID);
    j.node[1][0] = 2;
    j.query[0].joint = 7;
    assert_int_equal(inproc_run(2, NULL, NULL, alone, user, NULL), KITH_INVALID);
    job_close(&j, 2);
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    session_facts facts = {0};
    for (uint32_t m = 2; m < 5; m++) {
        job j = {.receiver = m - 1};
        job_open(&j, m, 3);
        for (size_t k = 0; k < 3; k++)
            j.query[k] = (lca_query){&mixed, 0};
        assert_int_equal(session_audit(m, alone, &j, &facts), KITH_OK);
        assert_int_equal(facts.n_rounds, m == 2 ? 4 : 2);
        for (uint32_t i = 0; i < m; i++)
            assert_int_equal(facts.learned[i], i == m - 1 ? 3 : 0);
        j.receiver = SMC_ALL;
        assert_int_equal(session_audit(m, alone, &j, &facts), KITH_OK);
        for (uint32_t i = 0; i < m; i++)
            assert_int_equal(facts.learned[i], 3);
        job_close(&j, m);
    }
    session_agrees(&facts, "compare/lca.h");
}

/* What is asked does not depend on anyone's node: as many bytes, whatever the input. */
static void asks_the_same_of_all(void **state)
{
    (void)state;
    uint64_t bytes[7];
    for (uint32_t node = 0; node < 7; node++) {
        job j = {.receiver = 0};
        session_view view = {.type = "logic.test"};
        job_open(&j, 3, 1);
        j.query[0] = (lca_query){&mixed, 0};
        j.node[0][0] = node;
        assert_int_equal(session_watch(3, alone, &j, &view), KITH_OK);
        bytes[node] = view.bytes;
        assert_int_equal(bytes[node], 2 * 6);
        job_close(&j, 3);
    }
}

static void ends_everywhere_after_a_fault(void **state)
{
    (void)state;
    job j = {.receiver = SMC_ALL};
    job_open(&j, 3, 1);
    j.query[0] = (lca_query){&mixed, 0};
    assert_true(session_faults(3, alone, &j, FAULT_LOSE, 64) > 0);
    assert_true(session_faults(3, alone, &j, FAULT_TRUNCATE, 64) > 0);
    job_close(&j, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_all_of_small_trees),      cmocka_unit_test(knows_plain_answers),
        cmocka_unit_test(finds_like_the_ideal_twin),     cmocka_unit_test(refuses_nodes_elsewhere),
        cmocka_unit_test(costs_what_the_header_says),    cmocka_unit_test(asks_the_same_of_all),
        cmocka_unit_test(ends_everywhere_after_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
