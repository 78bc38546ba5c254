/* What the joint tree asks of sensitive values (joint_tree_diversity.h): all small histograms that
 * keep the rule keep the model; where the rule is the model, also the other way round. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "protocol/joint_rules/joint_tree_diversity.h"
#include "protocol/supports.h"

enum { VALUES = 4, MOST = 7 };

static bool keeps_rule(const joint_tree_diversity *d, const uint32_t *counts, uint32_t size)
{
    uint32_t distinct = 0;
    for (uint32_t v = 0; v < VALUES; v++) {
        distinct += counts[v] > 0;
        if (d->asks == JOINT_TREE_ASKS_FREQUENCY && d->scale * size < d->times * counts[v])
            return false;
    }
    return d->asks != JOINT_TREE_ASKS_DISTINCT || distinct >= d->least;
}

/* All histograms of up to MOST records of each of VALUES values. */
static void compare_all(const model_spec *m, bool exact)
{
    const joint_tree_diversity d = joint_tree_diversity_of(m);
    unsigned agree = 0;
    for (uint32_t n = 1; n < (MOST + 1) * (MOST + 1) * (MOST + 1) * (MOST + 1); n++) {
        uint32_t counts[VALUES], size = 0;
        for (uint32_t v = 0, left = n; v < VALUES; v++, left /= MOST + 1)
            size += counts[v] = left % (MOST + 1);
        const histogram h = {counts, VALUES};
        const bool rule = keeps_rule(&d, counts, size);
        const bool model = model_holds(m, &(class_view){.size = size, .sensitive = &h});
        assert_true(model || !rule);
        assert_true(rule || !model || !exact);
        agree += rule && model;
    }
    assert_true(agree > 0 || m->l > VALUES);
    assert_int_equal(supports_by_stricter_rule(m), !exact && d.asks != JOINT_TREE_ASKS_NOTHING);
}

static void is_the_model_of_shares_and_distinct_values(void **state)
{
    (void)state;
    static const double ls[] = {1, 1.5, 2, 2.25, 3, 4};
    static const double alphas[] = {.25, .3, 1 / 3., .35, .4, .5, .55, 2 / 3., .7, .999, 1};
    for (size_t i = 0; i < sizeof ls / sizeof *ls; i++)
        compare_all(&(model_spec){MODEL_L_DIVERSITY, VARIANT_FREQUENCY, .l = ls[i]}, true);
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++)
        compare_all(&(model_spec){MODEL_ALPHA_K, VARIANT_NONE, .alpha = alphas[i]}, true);
    for (uint32_t n = 1; n <= VALUES; n++) {
        compare_all(&(model_spec){MODEL_L_DIVERSITY, VARIANT_DISTINCT, .l = n}, true);
        compare_all(&(model_spec){MODEL_P_SENSITIVE, VARIANT_NONE, .p = n}, true);
    }
}

static void implies_entropy_and_recursive_diversity(void **state)
{
    (void)state;
    static const double cs[] = {.5, .75, 1, 1.5, 2, 3, 10};
    static const double ls[] = {1.2, 1.5, 2, 2.7, 3, 3.9};
    for (size_t i = 0; i < sizeof ls / sizeof *ls; i++)
        compare_all(&(model_spec){MODEL_L_DIVERSITY, VARIANT_ENTROPY, .l = ls[i]}, false);
    for (size_t i = 0; i < sizeof cs / sizeof *cs; i++)
        for (uint32_t l = 1; l < VALUES; l++)
            if (l - 1 + 1 / cs[i] < VALUES)
                compare_all(&(model_spec){MODEL_L_DIVERSITY, VARIANT_RECURSIVE, .l = l, .c = cs[i]},
                            false);
}

/* The rule is recursive diversity itself where the l - 1 most frequent values are equally frequent;
 * a bound that is met exactly is no violation of a share, but one of recursive diversity. */
static void takes_bounds_exactly(void **state)
{
    (void)state;
    joint_tree_diversity d =
        joint_tree_diversity_of(&(model_spec){.id = MODEL_ALPHA_K, .alpha = .3});
    assert_int_equal(d.scale, 3);
    assert_int_equal(d.times, 10);
    d = joint_tree_diversity_of(
        &(model_spec){.id = MODEL_L_DIVERSITY, .variant = VARIANT_RECURSIVE, .l = 3, .c = 2});
    assert_true(keeps_rule(&d, (const uint32_t[VALUES]){4, 4, 2, 1}, 11));
    assert_false(keeps_rule(&d, (const uint32_t[VALUES]){4, 4, 1, 1}, 10));
    assert_int_equal(joint_tree_diversity_of(&(model_spec){.id = MODEL_K_ANONYMITY, .k = 9}).asks,
                     JOINT_TREE_ASKS_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_model_of_shares_and_distinct_values),
        cmocka_unit_test(implies_entropy_and_recursive_diversity),
        cmocka_unit_test(takes_bounds_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
