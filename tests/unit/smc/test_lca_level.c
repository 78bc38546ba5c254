/* The level test: all tiny paths, random ones at odd sizes, views. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "smc/lca_level.h"
#include "support/ideal.h"
#include "support/session.h"

enum { DEEP = 4, MOST = 20000 };

typedef struct job {
    size_t n;
    uint32_t pivot;
    uint32_t depth[MOST];
    uint64_t node[8][MOST][DEEP];
    lca_path path[8][MOST];
    uint32_t real[8][MOST], ideal[8][MOST];
} job;

static kith_status alone(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    return lca_level(p, j->real[i], j->depth, j->path[i], j->n, j->pivot, error);
}

static kith_status both(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    TRY(alone(p, user, error));
    return ideal_lca_level(p, j->ideal[i], j->depth, j->path[i], j->n, j->pivot, error);
}

/* Node numbers of a tree in which every node has `fan` children: a path is a string of digits. */
static void set_path(job *j, uint32_t i, size_t k, unsigned digits, unsigned fan, uint32_t length,
                     bool none)
{
    uint64_t node = 1;
    for (uint32_t level = 0; level < length; level++, digits /= fan) {
        node = node * fan + digits % fan;
        j->node[i][k][level] = node;
    }
    j->path[i][k] = (lca_path){j->node[i][k], none ? 0 : length, none};
}

static void check(job *j, uint32_t m)
{
    memset(j->real, 0xee, sizeof j->real);
    memset(j->ideal, 0xee, sizeof j->ideal);
    assert_int_equal(session_run(m, both, j), KITH_OK);
    for (uint32_t i = 0; i < m; i++)
        assert_memory_equal(j->real[i], j->ideal[i], sizeof j->real[i]);
}

/* Three parties, every node of a binary tree of depth 2, or none. */
static void finds_all_tiny_ancestors(void **state)
{
    (void)state;
    static const struct {
        unsigned digits;
        uint32_t length;
        bool none;
    } place[] = {{0, 0, false}, {0, 1, false}, {1, 1, false}, {0, 2, false},
                 {1, 2, false}, {2, 2, false}, {3, 2, false}, {0, 0, true}};
    job *j = calloc(1, sizeof *j);
    for (j->pivot = 0; j->pivot < 3; j->pivot++) {
        j->n = 0;
        for (unsigned k = 0; k < 512; k++) {
            if (place[k >> 3 * j->pivot & 7].none)
                continue; /* the pivot must have a node */
            j->depth[j->n] = 2;
            for (uint32_t i = 0; i < 3; i++) {
                unsigned at = k >> 3 * i & 7;
                set_path(j, i, j->n, place[at].digits, 2, place[at].length, place[at].none);
            }
            j->n++;
        }
        assert_int_equal(j->n, 448);
        check(j, 3);
    }
    free(j);
}

static void finds_like_the_ideal_twin(void **state)
{
    (void)state;
    static const uint32_t parties[] = {3, 5, 8};
    static const size_t sizes[] = {0, 1, 63, 64, 65, MOST};
    job *j = calloc(1, sizeof *j);
    rng r;
    rng_init(&r, 12, 0);
    for (unsigned a = 0; a < 3; a++) {
        for (unsigned b = 0; b < 6; b++) {
            j->n = sizes[b];
            j->pivot = (a + b) % parties[a];
            for (size_t k = 0; k < j->n; k++) {
                unsigned shared = rng_below(&r, 81);
                j->depth[k] = rng_below(&r, DEEP + 1);
                for (uint32_t i = 0; i < parties[a]; i++) {
                    unsigned digits = rng_below(&r, 4) ? shared : rng_below(&r, 81);
                    uint32_t length =
                        rng_below(&r, 8) ? j->depth[k] : rng_below(&r, j->depth[k] + 1);
                    set_path(j, i, k, digits, 3, length, i != j->pivot && rng_below(&r, 4) == 0);
                }
            }
            check(j, parties[a]);
        }
    }
    free(j);
}

static void refuses_wrong_arguments(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    void *user[] = {j, j, j};
    j->n = 1;
    j->depth[0] = 1;
    for (uint32_t i = 0; i < 3; i++)
        set_path(j, i, 0, 0, 2, 1, false);
    assert_int_equal(inproc_run(3, NULL, NULL, alone, user, NULL), KITH_OK);
    assert_int_equal(inproc_run(2, NULL, NULL, alone, user, NULL), KITH_INVALID);
    set_path(j, 0, 0, 0, 2, 0, true); /* the pivot without a node */
    assert_int_equal(inproc_run(3, NULL, NULL, alone, user, NULL), KITH_INVALID);
    set_path(j, 0, 0, 0, 2, 2, false); /* deeper than the tree */
    assert_int_equal(inproc_run(3, NULL, NULL, alone, user, NULL), KITH_INVALID);
    set_path(j, 0, 0, 0, 2, 1, false);
    j->node[0][0][0] = UINT64_MAX;
    assert_int_equal(inproc_run(3, NULL, NULL, alone, user, NULL), KITH_INVALID);
    free(j);
}

/* Low bytes of uniform residues are uniform; the top three bits of 61 are not. */
static void low_bytes(uint64_t bin[256], const unsigned char *kept, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (i % 8 < 7)
            bin[kept[i]]++;
}

/* The same answer (nothing in common) from parties that differ or lie above. */
static void shows_uniform_residues(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        uint32_t at, from;
    } seen[] = {{"shared.share", 1, 0}, {"level.deal", 2, 0}, {"level.open", 1, 2},
                {"level.open", 2, 1},   {"level.test", 0, 1}, {"level.test", 0, 2}};
    enum { N = 4000 };
    static unsigned char kept[N * 8];
    job *j = calloc(1, sizeof *j);
    j->n = N;
    for (unsigned s = 0; s < 6; s++) {
        uint64_t bin[2][256] = {{0}};
        for (unsigned kind = 0; kind < 2; kind++) {
            session_view view = {.type = seen[s].type,
                                 .kept = kept,
                                 .at = seen[s].at,
                                 .from = seen[s].from,
                                 .room = sizeof kept};
            for (size_t k = 0; k < N; k++) {
                j->depth[k] = 1;
                set_path(j, 0, k, 0, 2, 1, false);
                set_path(j, 1, k, 1, 2, kind == 0, false);
                set_path(j, 2, k, 0, 2, kind == 1, false);
            }
            assert_int_equal(session_watch(3, alone, j, &view), KITH_OK);
            assert_int_equal(view.length, sizeof kept);
            low_bytes(bin[kind], kept, view.length);
            assert_true(session_uniform_p(bin[kind], 0, 255) > 1e-9);
            for (size_t k = 0; k < N; k++)
                assert_int_equal(j->real[0][k], 0);
        }
        assert_true(session_same_p(bin[0], bin[1], 256) > 1e-9);
    }
    free(j);
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    session_facts facts = {0};
    j->n = 5;
    for (uint32_t m = 3; m < 6; m++) {
        for (size_t k = 0; k < 5; k++) {
            j->depth[k] = 3;
            for (uint32_t i = 0; i < m; i++)
                set_path(j, i, k, 5, 2, 3, false);
        }
        assert_int_equal(session_audit(m, alone, j, &facts), KITH_OK);
        assert_int_equal(facts.rounds, 3);
        assert_int_equal(facts.sent, (m - 2) + 1 + 2 + 2);
        for (uint32_t i = 0; i < m; i++)
            assert_int_equal(facts.learned[i], i == 0 ? 5 : 0);
    }
    session_agrees(&facts, "lca_level.h");
    free(j);
}

static void ends_everywhere_after_a_fault(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    j->n = 1;
    j->depth[0] = 1;
    for (uint32_t i = 0; i < 3; i++)
        set_path(j, i, 0, 0, 2, 1, false);
    assert_true(session_faults(3, alone, j, FAULT_CORRUPT, 64) > 0);
    free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_all_tiny_ancestors),
        cmocka_unit_test(finds_like_the_ideal_twin),
        cmocka_unit_test(refuses_wrong_arguments),
        cmocka_unit_test(shows_uniform_residues),
        cmocka_unit_test(costs_what_the_header_says),
        cmocka_unit_test(ends_everywhere_after_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
