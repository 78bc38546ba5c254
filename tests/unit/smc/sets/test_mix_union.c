/* The union of rows: sets and multisets, with and without a capacity, nothing to see on the way. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "smc/sets/mix_union.h"
#include "support/ideal.h"
#include "support/session.h"

enum { MAX_ROWS = 100, WIDE = 40 };

typedef struct job {
    mix_union_shape shape;
    size_t count[PARTY_MAX];
    unsigned char rows[PARTY_MAX][MAX_ROWS * WIDE];
    size_t real_count[PARTY_MAX], ideal_count[PARTY_MAX];
    unsigned char real[PARTY_MAX][8 * MAX_ROWS * WIDE], ideal[PARTY_MAX][8 * MAX_ROWS * WIDE];
} job;

static kith_status alone(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    mix_union_rows mine = {j->rows[i], j->count[i]}, out;
    TRY(mix_union(p, &out, &mine, j->shape, error));
    j->real_count[i] = out.count;
    memcpy(j->real[i], out.bytes, out.count * j->shape.row_bytes);
    return KITH_OK;
}

static kith_status both(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    mix_union_rows mine = {j->rows[i], j->count[i]}, out;
    TRY(alone(p, user, error));
    TRY(ideal_union(p, &out, &mine, j->shape, error));
    j->ideal_count[i] = out.count;
    memcpy(j->ideal[i], out.bytes, out.count * j->shape.row_bytes);
    return KITH_OK;
}

static void check(job *j, uint32_t m)
{
    assert_int_equal(session_run(m, both, j), KITH_OK);
    for (uint32_t i = 0; i < m; i++) {
        assert_int_equal(j->real_count[i], j->ideal_count[i]);
        assert_memory_equal(j->real[i], j->ideal[i], j->real_count[i] * j->shape.row_bytes);
    }
}

static void unites_like_the_ideal_twin(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5, 8};
    static const size_t counts[] = {0, 1, 7, 20};
    job *j = calloc(1, sizeof *j);
    rng r;
    rng_init(&r, 2, 0);
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 4; b++) {
            j->shape = (mix_union_shape){.row_bytes = b == 1 ? WIDE : 1,
                                         .multiset = (a + b) % 2,
                                         .capacity = b >= 2 && a < 3 ? 25 : 0};
            for (uint32_t i = 0; i < parties[a]; i++) {
                j->count[i] = counts[b] > 1 ? rng_below(&r, (uint32_t)counts[b]) : counts[b];
                for (size_t k = 0; k < j->count[i] * j->shape.row_bytes; k++)
                    j->rows[i][k] = (unsigned char)rng_below(&r, 9);
            }
            check(j, parties[a]);
        }
    }
    free(j);
}

/* Two parties, every pair of multisets of up to two rows out of two. */
static void unites_all_tiny_inputs(void **state)
{
    (void)state;
    static const char *const sets[] = {"", "a", "b", "aa", "ab", "bb"};
    job *j = calloc(1, sizeof *j);
    for (unsigned k = 0; k < 6 * 6 * 2; k++) {
        const char *set[] = {sets[k % 6], sets[k / 6 % 6]};
        char expected[5] = "";
        j->shape = (mix_union_shape){.row_bytes = 1, .multiset = k >= 36};
        for (uint32_t i = 0; i < 2; i++) {
            j->count[i] = strlen(set[i]);
            memcpy(j->rows[i], set[i], j->count[i]);
        }
        for (char c = 'a'; c <= 'b'; c++) {
            unsigned times = 0;
            for (unsigned i = 0; i < 2; i++)
                for (const char *at = set[i]; *at != '\0'; at++)
                    times += *at == c;
            for (unsigned t = 0; t < (k >= 36 ? times : times > 0); t++)
                strncat(expected, &c, 1);
        }
        assert_int_equal(session_run(2, alone, j), KITH_OK);
        for (uint32_t i = 0; i < 2; i++) {
            assert_int_equal(j->real_count[i], strlen(expected));
            assert_memory_equal(j->real[i], expected, strlen(expected));
        }
    }
    free(j);
}

static void refuses_too_many_rows(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    void *user[] = {j, j};
    j->shape = (mix_union_shape){.row_bytes = 1, .capacity = 2};
    j->count[1] = 3;
    assert_int_equal(inproc_run(2, NULL, NULL, alone, user, NULL), KITH_INVALID);
    j->shape = (mix_union_shape){.row_bytes = 0};
    assert_int_equal(inproc_run(2, NULL, NULL, alone, user, NULL), KITH_INVALID);
    free(j);
}

/* Boxes are ciphertexts and ephemeral keys: bytes of X25519 points lack the top bit, so only the
 * other bytes are held to be uniform here: 48 of overhead, of which 32 are a point. */
static void boxes_look_alike(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    session_view view[3] = {
        {.type = "union.boxes"}, {.type = "union.boxes"}, {.type = "union.boxes"}};
    j->shape = (mix_union_shape){.row_bytes = WIDE, .multiset = true};
    for (uint32_t i = 0; i < 3; i++)
        j->count[i] = MAX_ROWS;
    assert_int_equal(session_watch(3, alone, j, &view[0]), KITH_OK);
    assert_int_equal(session_watch(3, alone, j, &view[1]), KITH_OK);
    memset(j->rows, 0xff, sizeof j->rows);
    assert_int_equal(session_watch(3, alone, j, &view[2]), KITH_OK);
    assert_true(session_same_p(view[0].bin, view[2].bin, 256) > 1e-9);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(view[0].fingerprint[i] != view[1].fingerprint[i]);
    free(j);
}

/* With a capacity the number of boxes does not depend on anyone's number of rows. */
static void capacity_hides_counts(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    uint64_t bytes[3];
    j->shape = (mix_union_shape){.row_bytes = 3, .multiset = true, .capacity = 10};
    for (unsigned k = 0; k < 3; k++) {
        session_view view = {.type = "union.boxes"};
        j->count[1] = 5 * k;
        assert_int_equal(session_watch(3, alone, j, &view), KITH_OK);
        bytes[k] = view.bytes;
        assert_int_equal(j->real_count[0], 5 * k);
    }
    assert_true(bytes[0] > 0 && bytes[0] == bytes[1] && bytes[1] == bytes[2]);
    free(j);
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    session_facts facts = {0};
    for (uint32_t m = 2; m < 5; m++) {
        for (unsigned k = 0; k < 3; k++) {
            j->shape =
                (mix_union_shape){.row_bytes = 3, .multiset = k == 1, .capacity = k == 2 ? 4 : 0};
            for (uint32_t i = 0; i < m; i++)
                j->count[i] = 2;
            assert_int_equal(session_audit(m, alone, j, &facts), KITH_OK);
            assert_int_equal(facts.n_rounds, m + 2);
        }
    }
    session_agrees(&facts, "sets/mix_union.h");
    free(j);
}

static void ends_everywhere_after_a_fault(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    j->shape = (mix_union_shape){.row_bytes = 3};
    for (uint32_t i = 0; i < 3; i++)
        j->count[i] = 1;
    assert_true(session_faults(3, alone, j, FAULT_LOSE, 64) > 0);
    assert_true(session_faults(3, alone, j, FAULT_CORRUPT, 64) > 0);
    free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unites_like_the_ideal_twin),
        cmocka_unit_test(unites_all_tiny_inputs),
        cmocka_unit_test(refuses_too_many_rows),
        cmocka_unit_test(boxes_look_alike),
        cmocka_unit_test(capacity_hides_counts),
        cmocka_unit_test(costs_what_the_header_says),
        cmocka_unit_test(ends_everywhere_after_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
