#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"

static const model_spec k5 = {.id = MODEL_K_ANONYMITY, .k = 5};

static void k_anonymity_is_the_size(void **state)
{
    (void)state;
    assert_true(model_judge(&k5, &(class_view){.size = 4}).found == 4);
    assert_false(model_holds(&k5, &(class_view){.size = 4}));
    assert_true(model_holds(&k5, &(class_view){.size = 5}));
    assert_true(model_worse(&k5, 4, 5));
    assert_false(model_worse(&k5, 5, 5));
}

static bool diverse(double l, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t counts[] = {a, b, c}, other[] = {a + b + c};
    histogram sensitive[] = {{other, 1}, {counts, 3}};
    class_view view = {.size = a + b + c, .sensitive = sensitive};
    model_spec model = {
        .id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = l, .sensitive = 1};
    return model_holds(&model, &view);
}

static void l_diversity_is_the_inverse_of_the_largest_share(void **state)
{
    (void)state;
    assert_true(diverse(3, 2, 2, 2));
    assert_false(diverse(3, 3, 2, 2));
    assert_true(diverse(2, 3, 2, 1));
    assert_false(diverse(2, 3, 2, 0));
    assert_true(diverse(1, 7, 0, 0));
    assert_false(diverse(1.5, 7, 0, 0));
}

static void decimal_bounds_are_met_exactly(void **state)
{
    (void)state;
    assert_true(diverse(1.1, 10, 1, 0)); /* 11 / 10, although 10 * 1.1 > 11 in binary */
    assert_false(diverse(1.1, 11, 1, 0));
}

static void the_smallest_class_is_the_largest_k(void **state)
{
    (void)state;
    model_spec models[] = {k5,
                           {.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 9},
                           {.id = MODEL_K_ANONYMITY, .k = 7}};
    assert_int_equal(models_minimum_size(models, 3), 7);
    assert_int_equal(models_minimum_size(models + 1, 1), 1);
    assert_int_equal(models_minimum_size(NULL, 0), 1);
}

static void the_registry_knows_its_names(void **state)
{
    (void)state;
    assert_string_equal(model_name(MODEL_K_ANONYMITY), "k-anonymity");
    assert_string_equal(model_name(MODEL_L_DIVERSITY), "l-diversity");
    assert_string_equal(model_variant_name(VARIANT_FREQUENCY), "frequency");
    assert_string_equal(model_variant_name(VARIANT_NONE), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k_anonymity_is_the_size),
        cmocka_unit_test(l_diversity_is_the_inverse_of_the_largest_share),
        cmocka_unit_test(decimal_bounds_are_met_exactly),
        cmocka_unit_test(the_smallest_class_is_the_largest_k),
        cmocka_unit_test(the_registry_knows_its_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
