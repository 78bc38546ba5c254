#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/losses.h"
#include "support/trees.h"

static void assert_near(double a, double b)
{
    if (fabs(a - b) > 1e-9)
        fail_msg("%.12f is not %.12f", a, b);
}

/* Six records; age has four leaves in pairs, sex two. Two classes of two and two suppressed. */
static const uint32_t age[] = {0, 1, 2, 2, 3, 0}, sex[] = {0, 0, 1, 1, 0, 1};
static const uint32_t label[] = {0, 1, 2, 2, 0, 0};

static loss_report measured(arena *memory, const uint32_t *class_of, uint32_t n_classes,
                            const uint32_t *closure, const uint32_t *labels)
{
    loss_column column[] = {{trees_grouped(memory, 4, 2), age}, {trees_flat(memory, 2), sex}};
    loss_input in = {.n_records = 6,
                     .n_attributes = 2,
                     .column = column,
                     .n_classes = n_classes,
                     .class_of = class_of,
                     .closure = closure,
                     .label = labels,
                     .n_labels = 3};
    loss_report report;
    assert_int_equal(losses_measure(&report, &in, memory), KITH_OK);
    return report;
}

static void a_release_with_two_classes(void **state)
{
    (void)state;
    arena *memory = arena_new();
    /* class 0: records 0 1 5 at root and *, class 1: 2 3 4 at pair 5 (leaves 2, 3) and * */
    loss_report r =
        measured(memory, (uint32_t[]){0, 0, 1, 1, 1, 0}, 2, (uint32_t[]){6, 2, 5, 2}, label);
    assert_near(r.attribute[0].lm, (3 * 1 + 3 / 3.) / 6);
    assert_near(r.attribute[1].lm, 1);
    assert_near(r.all.lm, (r.attribute[0].lm + 1) / 2);
    assert_near(r.attribute[0].tree, (3 * 1 + 3 * .5) / 6);
    assert_near(r.attribute[1].em, 1);
    assert_near(r.attribute[1].entropy, 1);
    double pair = -(2 / 3. * log2(2 / 3.) + 1 / 3. * log2(1 / 3.));
    double root = -(2 * (1 / 3. * log2(1 / 3.)) + 2 * (1 / 6. * log2(1 / 6.)));
    assert_near(r.attribute[0].em, (3 * pair + 3 * root) / 6);
    double entropy = 3 * log2(6) - (1 + 0 + 1) + 3 * log2(3) - (1 + 1 + 0);
    assert_near(r.attribute[0].entropy, entropy / 6);
    assert_near(r.dm, 18);
    assert_near(r.cm, 2 / 6.);
    assert_near(r.average_class, 3);
    assert_int_equal(r.smallest_class, 3);
    assert_int_equal(r.suppressed, 0);
    arena_free(memory);
}

static void suppressed_records_cost_the_whole_table(void **state)
{
    (void)state;
    arena *memory = arena_new();
    uint32_t class_of[] = {0, 0, 1, 1, LOSS_SUPPRESSED, LOSS_SUPPRESSED};
    loss_report r = measured(memory, class_of, 2, (uint32_t[]){4, 0, 2, 1}, label);
    assert_near(r.attribute[0].lm, (2 / 3. + 2) / 6);
    assert_near(r.attribute[1].lm, 2 / 6.);
    assert_near(r.dm, 4 + 4 + 2 * 6);
    assert_near(r.cm, 3 / 6.);
    assert_near(r.average_class, 2);
    assert_int_equal(r.suppressed, 2);
    /* suppressed: ages 3 and 0, sexes 0 and 1, so one bit each in both attributes */
    assert_near(r.attribute[1].entropy, 2 / 6.);
    assert_near(r.attribute[0].entropy, (2 * log2(3) - 1 + 2) / 6);
    arena_free(memory);
}

/* Which records are suppressed is not known then, and their entropy depends on it. */
static void shuffled_suppressed_records_have_no_entropy(void **state)
{
    (void)state;
    arena *memory = arena_new();
    tree *flat = trees_flat(memory, 2);
    loss_column column = {flat, (uint32_t[]){0, 0, 0, 1}};
    uint32_t class_of[] = {0, 0, LOSS_SUPPRESSED, LOSS_SUPPRESSED};
    loss_input in = {.n_records = 4,
                     .n_attributes = 1,
                     .column = &column,
                     .n_classes = 1,
                     .class_of = class_of,
                     .closure = (uint32_t[]){2},
                     .shuffled = true};
    loss_report r;
    assert_int_equal(losses_measure(&r, &in, memory), KITH_OK);
    assert_true(isnan(r.all.entropy) && isnan(r.attribute[0].entropy));
    assert_near(r.all.lm, 1);
    class_of[2] = class_of[3] = 0;
    assert_int_equal(losses_measure(&r, &in, memory), KITH_OK);
    assert_near(r.all.entropy, (4 * log2(4) - 3 * log2(3)) / 4);
    arena_free(memory);
}

static void nothing_touched_costs_nothing(void **state)
{
    (void)state;
    arena *memory = arena_new();
    uint32_t closure[] = {0, 0, 1, 0, 2, 1, 2, 1, 3, 0, 0, 1};
    loss_report r = measured(memory, (uint32_t[]){0, 1, 2, 3, 4, 5}, 6, closure, NULL);
    assert_near(r.all.lm + r.all.em + r.all.entropy + r.all.tree, 0);
    assert_true(isnan(r.cm));
    assert_near(r.dm, 6);
    arena_free(memory);
}

static void wildcards_cost_nothing(void **state)
{
    (void)state;
    arena *memory = arena_new();
    tree *flat = trees_flat(memory, 2);
    loss_column column = {flat, (uint32_t[]){2, 2, 0, 1}};
    loss_input in = {.n_records = 4,
                     .n_attributes = 1,
                     .column = &column,
                     .n_classes = 2,
                     .class_of = (uint32_t[]){0, 0, 1, 1},
                     .closure = (uint32_t[]){2, 2}};
    loss_report r;
    assert_int_equal(losses_measure(&r, &in, memory), KITH_OK);
    assert_near(r.all.lm, .5);
    assert_near(r.all.tree, .5);
    assert_near(r.all.em, .5);
    assert_near(r.all.entropy, .5);
    arena_free(memory);
}

static void an_empty_table_and_empty_classes(void **state)
{
    (void)state;
    arena *memory = arena_new();
    loss_report r;
    loss_input none = {0};
    assert_int_equal(losses_measure(&r, &none, memory), KITH_OK);
    assert_near(r.all.lm, 0);
    assert_near(r.average_class, 0);
    r = measured(memory, (uint32_t[]){2, 2, 2, 2, 2, 2}, 3, (uint32_t[]){9, 9, 9, 9, 6, 2}, label);
    assert_near(r.all.lm, 1);
    assert_near(r.average_class, 6);
    assert_near(r.dm, 36);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_release_with_two_classes),
        cmocka_unit_test(suppressed_records_cost_the_whole_table),
        cmocka_unit_test(shuffled_suppressed_records_have_no_entropy),
        cmocka_unit_test(nothing_touched_costs_nothing),
        cmocka_unit_test(wildcards_cost_nothing),
        cmocka_unit_test(an_empty_table_and_empty_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
