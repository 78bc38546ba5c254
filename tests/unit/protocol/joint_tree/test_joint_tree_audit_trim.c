/* The audit of trimming (bench/audit_trim.h): finds what was planted, and in runs only what is true
 * and what docs/protocols/weave.md says that trimming tells. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../../../bench/audit_trim.c"
#include "protocol/joint_tree/joint_tree.h"
#include "support/joint.h"
#include "support/random_problem.h"

enum { K = 10 };

static void tell(audit_trim *a, uint64_t set, uint32_t value, uint32_t own, uint32_t kept,
                 uint32_t position)
{
    audit_trim_opened(a, &(joint_tree_opened){.event = JOINT_TREE_KEPT,
                                              .set = set,
                                              .node = value,
                                              .n_rows = own,
                                              .min_size = kept,
                                              .a = position});
}

/* l = 2, k = 10: T is 4 … 31. */
static void finds_what_was_planted(void **state)
{
    (void)state;
    arena *memory = arena_new();
    audit_trim a = audit_trim_new(memory, 3, K, 2);
    assert_int_equal(a.min_most, 4);
    assert_int_equal(a.max_most, 31);
    tell(&a, 1, 0, 9, 6, 0); /* the first to keep its records: T is 6, and all are its own */
    tell(&a, 1, 1, 2, 2, 0);
    tell(&a, 2, 0, 5, 1, 1);   /* others have kept T - 1, at least 3 */
    tell(&a, 3, 1, 31, 31, 2); /* the last: T is 31, nobody else has this value */
    tell(&a, 4, 1, 3, 3, 2);
    audit_trim_opened(
        &a, &(joint_tree_opened){.event = JOINT_TREE_KEPT, .set = 5, .n_rows = 1, .bit = true});
    const audit_trim_finding f = audit_trim_deduce(&a, K);
    assert_int_equal(f.n_pairs, 5);
    assert_int_equal(f.over, 2);
    assert_int_equal(f.none, 2);
    assert_int_equal(f.most_known, 2);
    assert_int_equal(f.one, 0);
    assert_int_equal(f.wrong, 0);
    assert_int_equal(a.pairs[2].low, 3);
    assert_int_equal(a.pairs[2].high, 30);
    assert_int_equal(a.pairs[4].high, 28);
    assert_int_equal(a.n_refused, 1);
    arena_free(memory);
}

/* --- runs --- */

static audit_trim writing[PARTY_MAX];

static kith_status recorded(rows_result *result, party *p, const rows_task *task, kith_error *error)
{
    joint_tree_recorder record = {audit_trim_opened, &writing[party_self(p)]};
    return joint_tree_run_recorded(result, p, task, &record, error);
}

/* What the others keep of the value in this set, by their own audits. */
static uint32_t kept_by_others(uint32_t self, uint32_t m, const audit_trim_pair *of)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m; i++)
        for (size_t n = 0; i != self && n < writing[i].n_pairs; n++)
            if (writing[i].pairs[n].set == of->set && writing[i].pairs[n].value == of->value)
                kept += writing[i].pairs[n].kept;
    return kept;
}

/* Deductions are true. What a pair tells is about a value of the party's own. Only a site that
 * keeps its records first, or last, or keeps as many as a class may ever have, knows that nobody
 * else has the value in the class. A single foreign record is found only by a site that has nearly
 * all, which none has here. */
static void check_party(uint32_t self, uint32_t m, uint32_t k, audit_trim_finding *all)
{
    const audit_trim_finding f = audit_trim_deduce(&writing[self], k);
    assert_int_equal(f.wrong, 0);
    assert_int_equal(f.one, 0);
    for (size_t i = 0; i < writing[self].n_pairs; i++) {
        const audit_trim_pair *p = &writing[self].pairs[i];
        assert_true(p->own > 0 && p->kept <= p->own);
        assert_true(p->high > 0 || p->first || p->last || p->kept == writing[self].max_most);
        assert_in_range(kept_by_others(self, m, p), p->low, p->high);
    }
    all->over += f.over;
    all->none += f.none;
    all->n_pairs += f.n_pairs;
}

static void deduces_only_what_is_true(void **state)
{
    (void)state;
    static const double ls[] = {2, 3, 1.5};
    audit_trim_finding all = {0};
    for (uint32_t run = 0; run < 24; run++) {
        arena *memory = arena_new(), *own[3]; /* parties are threads */
        const random_shape shape = {.n_records = 900,
                                    .n_attributes = 3,
                                    .max_leaves = 12,
                                    .max_levels = 4,
                                    .k = 4 + run % 9,
                                    .skewed = true,
                                    .n_sensitive = 9,
                                    .l = ls[run % 3]};
        const protocol_options options = {.min_others = run % 2 == 0 ? PROTOCOL_MIN_OTHERS : 0};
        problem *p = random_problem(&shape, run, memory);
        uint32_t *site = joint_sites(memory, p->n_records, 3, SPLIT_RANDOM, run);
        for (uint32_t i = 0; run % 4 == 3 && i < p->n_records; i++) /* sites that specialise */
            site[i] = i % 4 == 0 ? site[i] : p->sensitive[0].values[i] % 3;
        joint_job j = {.problem = p, .options = &options, .site = site, .protocol = recorded};
        for (uint32_t i = 0; i < 3; i++)
            writing[i] = audit_trim_new(own[i] = arena_new(), 3, shape.k, shape.l);
        assert_int_equal(session_run(3, joint_fn, &j), KITH_OK);
        for (uint32_t i = 0; i < 3; i++)
            check_party(i, 3, shape.k, &all);
        for (uint32_t i = 0; i < 3; i++)
            arena_free(own[i]);
        joint_free(&j);
        arena_free(memory);
    }
    assert_true(all.over > 100);
    assert_true(all.none > 10);
    assert_true(all.over < all.n_pairs / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_planted),
        cmocka_unit_test(deduces_only_what_is_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
