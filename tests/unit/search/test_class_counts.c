/* What models see of a class: records, or the units to whom they belong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "search/class_counts.h"

/* Five units, of whom one has three records of value 0, and two share it. */
static const uint32_t units[] = {0, 0, 0, 1, 2, 3, 3, 4};
static const uint32_t values[] = {0, 0, 0, 1, 0, 2, 0, 1};
static const uint32_t pairs[] = {0, 0, 0, 1, 2, 3, 4, 5}, of_pair[] = {0, 1, 0, 2, 0, 1};
enum { RECORDS = 8 };

static problem table_of(sensitive_attribute *s, bool by_units)
{
    *s = (sensitive_attribute){.values = values, .count = 3};
    problem p = {.n_records = RECORDS, .n_sensitive = 1, .sensitive = s};
    if (!by_units)
        return p;
    s->pair = pairs;
    s->n_pairs = 6;
    s->value_of_pair = of_pair;
    p.unit = units;
    p.n_units = 5;
    return p;
}

static void counts_are(const class_view *view, uint32_t size, uint32_t first, uint32_t second,
                       uint32_t third)
{
    assert_int_equal(view->size, size);
    assert_int_equal(view->sensitive[0].counts[0], first);
    assert_int_equal(view->sensitive[0].counts[1], second);
    assert_int_equal(view->sensitive[0].counts[2], third);
}

static void a_unit_counts_once_for_each_of_its_values(void **state)
{
    (void)state;
    arena *memory = arena_new();
    sensitive_attribute s;
    const problem p = table_of(&s, true);
    class_counts c;
    assert_int_equal(class_counts_init(&c, &p, NULL, memory, NULL), KITH_OK);
    class_counts_add(&c, NULL, RECORDS);
    class_view view = class_counts_view(&c, NULL, NULL, RECORDS);
    counts_are(&view, 5, 3, 2, 1); /* more than five in all: unit 3 has two values */
    assert_int_equal(view.units->n_records, 8);
    assert_int_equal(view.units->most_records, 3);
    assert_int_equal(view.units->most_shown[0], 5);
    for (uint32_t i = 0; i < RECORDS; i++) {
        class_units units_less;
        class_counts_take_out(&c, i);
        const class_view less = class_counts_view_less(&c, NULL, &units_less, i);
        const uint32_t n = units_less.most_records, shown = units_less.most_shown[0];
        const uint32_t size = less.size;
        view = class_counts_view(&c, NULL, NULL, RECORDS);
        assert_int_equal(size, view.size);
        assert_int_equal(units_less.n_records, view.units->n_records);
        assert_int_equal(n, view.units->most_records);
        assert_int_equal(shown, view.units->most_shown[0]);
        class_counts_put_back(&c, i);
        view = class_counts_view(&c, NULL, NULL, RECORDS);
    }
    class_counts_take_out(&c, 0); /* unit 0 still has two records of value 0 */
    class_counts_take_out(&c, 6); /* unit 3 has it no more */
    view = class_counts_view(&c, NULL, NULL, RECORDS);
    counts_are(&view, 5, 2, 2, 1);
    assert_int_equal(view.units->n_records, 6);
    assert_int_equal(view.units->most_records, 2);
    assert_int_equal(view.units->most_shown[0], 3);
    class_counts_put_back(&c, 6);
    class_counts_put_back(&c, 0);
    view = class_counts_view(&c, NULL, NULL, RECORDS);
    counts_are(&view, 5, 3, 2, 1);
    class_counts_clear(&c, NULL, RECORDS);
    class_counts_add(&c, (const uint32_t[]){1, 2, 7}, 3);
    view = class_counts_view(&c, NULL, (const uint32_t[]){1, 2, 7}, 3);
    counts_are(&view, 2, 1, 1, 0);
    assert_int_equal(view.units->most_records, 2);
    arena_free(memory);
}

static void without_units_each_record_counts(void **state)
{
    (void)state;
    arena *memory = arena_new();
    sensitive_attribute s;
    problem p = table_of(&s, false);
    class_counts c;
    assert_int_equal(class_counts_init(&c, &p, NULL, memory, NULL), KITH_OK);
    class_counts_add(&c, NULL, RECORDS);
    class_view view = class_counts_view(&c, NULL, NULL, RECORDS);
    counts_are(&view, 8, 5, 2, 1);
    assert_null(view.units);
    class_counts_clear(&c, NULL, RECORDS);
    p.weight = (const uint32_t[]){4, 1, 1, 1, 1, 1, 1, 1};
    class_counts_add(&c, (const uint32_t[]){0, 3}, 2);
    class_counts_take_out(&c, 0);
    view = class_counts_view(&c, NULL, (const uint32_t[]){0, 3}, 2);
    counts_are(&view, 4, 3, 1, 0);
    arena_free(memory);
}

/* One unit with seven records of a value, four others with one record of another value each: whoever
 * knows of the seven knows the value, though each value is that of one unit in five. */
static void a_value_can_be_certain_where_shares_are_low(void **state)
{
    (void)state;
    const histogram h = {(const uint32_t[]){1, 1, 1, 1, 1}, 5};
    const model_spec frequency = {
        .id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 2, .by_units = true};
    const model_spec k = {.id = MODEL_K_ANONYMITY, .k = 5, .by_units = true};
    const model_spec half = {.id = MODEL_DOMINANCE, .share = 0.5, .by_units = true};
    class_units of = {.n_records = 11, .most_records = 7, .most_shown = (const uint32_t[]){7}};
    const class_view view = {.size = 5, .sensitive = &h, .units = &of};
    assert_true(model_holds(&k, &view));
    assert_false(model_holds(&frequency, &view));
    assert_false(model_holds(&half, &view));
    of = (class_units){.n_records = 8, .most_records = 4, .most_shown = (const uint32_t[]){4}};
    assert_true(model_holds(&frequency, &view));
    assert_true(model_holds(&half, &view));
}

/* Two classes of two units each, without a value in more than half of them; together a value is in
 * two of three units. */
static void unions_are_worse_where_a_unit_is_in_both(void **state)
{
    (void)state;
    arena *memory = arena_new();
    sensitive_attribute s = {.values = (const uint32_t[]){0, 1, 0, 1},
                             .count = 2,
                             .pair = (const uint32_t[]){0, 1, 2, 1},
                             .n_pairs = 3,
                             .value_of_pair = (const uint32_t[]){0, 1, 0}};
    const problem p = {.n_records = 4,
                       .n_sensitive = 1,
                       .sensitive = &s,
                       .unit = (const uint32_t[]){0, 1, 2, 1},
                       .n_units = 3};
    model_spec half = {.id = MODEL_ALPHA_K, .k = 2, .alpha = 0.5, .by_units = true};
    class_counts c;
    assert_int_equal(class_counts_init(&c, &p, NULL, memory, NULL), KITH_OK);
    for (uint32_t from = 0; from < 4; from += 2) {
        const uint32_t members[] = {from, from + 1};
        class_counts_add(&c, members, 2);
        const class_view part = class_counts_view(&c, NULL, members, 2);
        assert_true(model_holds(&half, &part));
        class_counts_clear(&c, members, 2);
    }
    class_counts_add(&c, NULL, 4);
    const class_view whole = class_counts_view(&c, NULL, NULL, 4);
    assert_false(model_holds(&half, &whole));
    assert_false(model_closed(&half));
    half.by_units = false;
    assert_true(model_closed(&half));
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_counts_once_for_each_of_its_values),
        cmocka_unit_test(without_units_each_record_counts),
        cmocka_unit_test(a_value_can_be_certain_where_shares_are_low),
        cmocka_unit_test(unions_are_worse_where_a_unit_is_in_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
