/* What the ID-based protocol sends: ledger and header agree, lengths follow the formula, no message
 * depends on what is suppressed, and a run that breaks anywhere ends at both parties. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "protocol/id_based/id_based_bins.h"
#include "support/id_based_view.h"

/* --- ledger --- */

/* Both have k rows of value 0; value 1 is suppressed at both, if it is there. */
static id_based_job *small_job(uint32_t lists, bool already)
{
    id_based_job *j = id_based_job_new(2, lists);
    id_based_job_put(j, 0, 5, 2);
    if (!already)
        id_based_job_put(j, 1, 0, 1);
    id_based_job_put(j, 2, 1, 1);
    return j;
}

static void costs_and_leaks_what_the_header_says(void **state)
{
    (void)state;
    session_facts facts = {0};
    id_based_keys *keys = id_based_keys_new();
    for (int i = 0; i < 3; i++) {
        id_based_job *j = small_job(i == 0 ? 0 : 3, i == 2);
        if (i == 1)
            id_based_keys_lend(keys, j);
        assert_int_equal(session_audit(2, id_based_job_fn, j, &facts), KITH_OK);
        assert_int_equal(j->already[0], i == 2);
        /* The roles, "already", the classes; Bob's one frequent value; and own lists 32 bits. Bob
         * learns the remaining ones, too. */
        const uint64_t all = 3 + 1 + (i == 0 ? 32 : 0), remaining = i == 2 ? 2 : 1;
        assert_int_equal(facts.learned[0], all);
        assert_int_equal(facts.learned[1], all + remaining);
        free(j);
    }
    session_agrees(&facts, "../protocol/id_based/id_based.h");
    id_based_keys_free(keys);
}

/* Bytes of all messages of a type that a party got. */
static uint64_t bytes_of(const id_based_view *v, const char *type)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < v->count; i++)
        sum += strcmp(v->messages[i].type, type) == 0 ? v->messages[i].length : 0;
    return sum;
}

static void lengths_follow_the_formula(void **state)
{
    static const struct {
        uint32_t k, lists;
        bool already;
    } cases[] = {{2, 3, false}, {2, 6, true}, {5, 4, false}, {20, 4, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t k = cases[i].k, lists = cases[i].lists;
        const id_based_bins shape = id_based_bins_for(lists, true);
        const uint64_t bins = cases[i].already ? 0 : shape.n_bins;
        id_based_job *j = id_based_job_new(k, lists);
        id_based_job_put(j, 0, 3 * k, k);
        id_based_job_put(j, 1, 0, cases[i].already ? k : k - 1);
        id_based_view *alice = id_based_view_of(j, 0), *bob = id_based_view_of(j, 1);
        assert_int_equal(j->already[0], cases[i].already);
        assert_int_equal(bytes_of(bob, "id.public"), 624);
        assert_int_equal(bytes_of(bob, "id.lists"), (2 * lists + bins) * k * 672);
        assert_int_equal(bytes_of(bob, "id.already"), 1);
        assert_int_equal(bytes_of(bob, "id.count"), 2 * 4);
        assert_int_equal(bytes_of(bob, "id.names"), 2 * 32); /* frequent, remaining */
        assert_int_equal(bytes_of(alice, "id.products"), 2 * 672);
        assert_int_equal(bytes_of(alice, "id.gammas"), bins * shape.capacity * 672);
        assert_int_equal(bytes_of(alice, "id.count"), 4);
        assert_int_equal(bytes_of(alice, "id.names"), cases[i].already ? 2 * 32 : 32);
        id_based_view_free(alice);
        id_based_view_free(bob);
        free(j);
    }
}

/* --- views --- */

/* Rows of the same output: value 0 remains, everything else is suppressed. How many different
 * values that is, which, and how the rows are divided among them, is private. */
static id_based_job *hidden_job(uint32_t variant)
{
    id_based_job *j = id_based_job_new(3, 6);
    id_based_job_put(j, 0, 4, 4);
    switch (variant) {
    case 0: /* nothing in common */
        id_based_job_put(j, 1, 2, 0);
        id_based_job_put(j, 2, 2, 0);
        id_based_job_put(j, 3, 0, 1);
        id_based_job_put(j, 4, 0, 1);
        break;
    case 1: /* four values, and one of two rows */
        for (uint32_t v = 11; v < 15; v++)
            id_based_job_put(j, v, 1, 0);
        id_based_job_put(j, 16, 0, 2);
        break;
    default: /* in common, but too few without sigma */
        id_based_job_put(j, 1, 1, 1);
        id_based_job_put(j, 2, 1, 1);
        id_based_job_put(j, 3, 2, 0);
    }
    return j;
}

static void messages_do_not_depend_on_what_is_suppressed(void **state)
{
    (void)state;
    for (uint32_t at = 0; at < 2; at++) {
        id_based_view *first = NULL;
        for (uint32_t variant = 0; variant < 3; variant++) {
            id_based_job *j = hidden_job(variant);
            id_based_view *v = id_based_view_of(j, at);
            for (uint32_t p = 0; p < 2; p++)
                for (uint32_t i = 0; i < j->n_rows[p]; i++)
                    assert_int_equal(j->suppressed[p][i], j->value[p][i] != 0);
            for (size_t m = 0; first != NULL && m < v->count; m++) {
                assert_string_equal(v->messages[m].type, first->messages[m].type);
                assert_int_equal(v->messages[m].length, first->messages[m].length);
                if (strcmp(v->messages[m].type, "id.names") == 0)
                    assert_memory_equal(v->messages[m].bytes, first->messages[m].bytes,
                                        v->messages[m].length);
            }
            if (first != NULL) {
                assert_int_equal(v->count, first->count);
                id_based_view_free(v);
            } else {
                first = v;
            }
            free(j);
        }
        id_based_view_free(first);
    }
}

/* --- faults --- */

static void ends_at_both_after_a_fault(void **state)
{
    static const frame_fault faults[] = {FAULT_LOSE, FAULT_DUPLICATE, FAULT_TRUNCATE,
                                         FAULT_CORRUPT};
    (void)state;
    id_based_job *j = small_job(3, false);
    const size_t n = session_frames(2, id_based_job_fn, j);
    const size_t stride = session_samples(0) > 0 ? 1 : 9;
    assert_true(n > 20);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (size_t victim = 2 * i; victim < n; victim += stride) {
            const char *wrong = session_fault(2, id_based_job_fn, j, faults[i], victim);
            if (wrong != NULL)
                fail_msg("fault %d at frame %zu: %s", (int)faults[i], victim, wrong);
        }
    free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_and_leaks_what_the_header_says),
        cmocka_unit_test(lengths_follow_the_formula),
        cmocka_unit_test(messages_do_not_depend_on_what_is_suppressed),
        cmocka_unit_test(ends_at_both_after_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
