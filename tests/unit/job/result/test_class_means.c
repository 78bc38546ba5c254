/* Means of classes: how they are written, and what classes show. */
#include "job/result/class_means.h"

#include "core/rng.h"
#include "unit/job/support.h"

static void writes(const char *expected, int64_t whole, uint64_t rest, uint64_t n,
                   uint32_t decimals, char mark)
{
    char text[MEAN_FORM_BYTES];
    class_means_write(text, whole, rest, n, decimals, mark);
    assert_string_equal(text, expected);
}

static void whole_numbers_show_up_to_two_decimals(void **state)
{
    (void)state;
    writes("37", 37, 0, 3, 0, 0);
    writes("37.33", 37, 1, 3, 0, 0);
    writes("37.5", 37, 1, 2, 0, 0);
    writes("37.05", 37, 1, 20, 0, 0);
    writes("38", 37, 999, 1000, 0, 0); /* 37.999 */
    writes("37.01", 37, 1, 200, 0, 0); /* 37.005: halves up */
    writes("0", 0, 0, 7, 0, 0);
    writes("0,25", 0, 1, 4, 0, ',');
}

static void numbers_below_zero(void **state)
{
    (void)state;
    writes("-3.25", -4, 3, 4, 0, 0);
    writes("-4", -4, 0, 4, 0, 0);
    writes("-0.33", -1, 2, 3, 0, 0);
    writes("0", -1, 999, 1000, 0, 0);      /* -0.001 */
    writes("0", -1, 199, 200, 0, 0);       /* -0.005: halves up */
    writes("-0.01", -1, 1989, 2000, 0, 0); /* -0.0055 */
    writes("-1.50", -150, 0, 3, 2, 0);
    writes("-1.49", -150, 1, 2, 2, 0); /* -1.495 */
    writes("-0.1", -1, 0, 1, 1, 0);
    writes("0.0", -1, 1, 2, 1, 0); /* -0.05 */
}

static void decimals_are_those_of_the_data(void **state)
{
    (void)state;
    writes("1234.50", 123450, 0, 2, 2, 0);
    writes("1234,51", 123450, 1, 2, 2, ',');
    writes("0.004", 4, 1, 3, 3, 0);
    writes("99999999999999.9", 999999999999998, 2, 3, 1, 0);
}

static void the_largest_integers(void **state)
{
    (void)state;
    writes("9223372036854775807", INT64_MAX, 0, 5, 0, 0);
    writes("-9223372036854775808", INT64_MIN, 0, 5, 0, 0);
    writes("-9223372036854775807.5", INT64_MIN, 1, 2, 0, 0);
}

static kith_table *released(const char *text, const char *const *cells, size_t n_rows)
{
    kith_study *study = study_of(text);
    kith_table *table = table_of(study, cells, n_rows), *shown = NULL;
    kith_error error;
    if (kith_anonymize_table(&shown, NULL, study, table, NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    kith_table_free(table);
    kith_study_free(study);
    return shown;
}

#define STUDY(type, more)                                                \
    "study: s\ncolumns: [{name: a, role: quasi-identifying, type: " type \
    ", microaggregate: mean" more "}]\nprivacy: [{model: k-anonymity, k: 3}]\n"

/* Sums of extreme values do not fit 64 bits. */
static void extreme_values_have_exact_means(void **state)
{
    (void)state;
    static const char *const large[] = {"9223372036854775807", "9223372036854775807",
                                        "9223372036854775806"};
    static const char *const small[] = {"-9223372036854775808", "-9223372036854775808",
                                        "-9223372036854775808"};
    kith_table *t = released(STUDY("integer", ""), large, 3);
    assert_string_equal(cell_of(t, 0, 0), "9223372036854775806.67");
    kith_table_free(t);
    t = released(STUDY("integer", ""), small, 3);
    assert_string_equal(cell_of(t, 2, 0), "-9223372036854775808");
    kith_table_free(t);
}

static void values_are_changed_before_the_mean(void **state)
{
    (void)state;
    static const char *const cells[] = {"12", "14", "200"};
    kith_table *t = released(STUDY("integer", ", round: 5, top: 90"), cells, 3);
    assert_string_equal(cell_of(t, 0, 0), "38.33"); /* 10, 15, 90 */
    kith_table_free(t);
}

static void a_decimal_comma_is_kept(void **state)
{
    (void)state;
    static const char *const cells[] = {"1.234,50", "1.000,5", "0,05"};
    kith_table *t = released(STUDY("decimal", ", decimal: comma"), cells, 3);
    assert_string_equal(cell_of(t, 1, 0), "745,02"); /* 745.0166… */
    kith_table_free(t);
}

/* The mean of the others would be the value of one person. */
static void a_class_with_a_missing_value_shows_no_mean(void **state)
{
    (void)state;
    static const char *const cells[] = {"41", NULL, NULL}, *const none[] = {NULL, NULL, NULL};
    kith_table *t = released(STUDY("integer", ""), cells, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(cell_of(t, i, 0), "*");
    kith_table_free(t);
    t = released(STUDY("integer", ""), none, 3);
    assert_string_equal(cell_of(t, 0, 0), "");
    kith_table_free(t);
}

/* docs/study.md: if one person leaves, the difference of two releases is that person's value. */
static void a_second_release_tells_who_left(void **state)
{
    (void)state;
    static const char *const cells[] = {"10", "20", "25", "61"};
    kith_table *all = released(STUDY("integer", ""), cells, 4);
    kith_table *later = released(STUDY("integer", ""), cells, 3);
    const double with = strtod(cell_of(all, 0, 0), NULL),
                 without = strtod(cell_of(later, 0, 0), NULL);
    assert_true(fabs(4 * with - 3 * without - 61) < 0.05);
    kith_table_free(all);
    kith_table_free(later);
}

/* docs/study.md: the last value of a class whose other values are known follows from the mean, and
 * not from a label. */
static void a_mean_tells_the_last_value_and_a_label_does_not(void **state)
{
    (void)state;
#define LABELS                                                                          \
    "study: s\ncolumns: [{name: a, role: quasi-identifying, type: integer, hierarchy: " \
    "{intervals: "                                                                      \
    "[10]}, domain: {range: [0, 99]}%s}]\nprivacy: [{model: k-anonymity, k: 3}]\n"
    static const char *const one[] = {"21", "24", "29"}, *const other[] = {"21", "24", "22"};
    char labels[300], means[300];
    snprintf(labels, sizeof labels, LABELS, "");
    snprintf(means, sizeof means, LABELS, ", microaggregate: mean");
    kith_table *a = released(labels, one, 3), *b = released(labels, other, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(cell_of(a, i, 0), cell_of(b, i, 0));
    kith_table_free(a);
    kith_table_free(b);
    a = released(means, one, 3);
    b = released(means, other, 3);
    assert_int_equal(lround(3 * strtod(cell_of(a, 0, 0), NULL)) - 21 - 24, 29);
    assert_int_equal(lround(3 * strtod(cell_of(b, 0, 0), NULL)) - 21 - 24, 22);
    kith_table_free(a);
    kith_table_free(b);
}

/* docs/study.md: a mean at the end of what is possible is everybody's value. */
static void a_mean_at_the_top_is_the_value_of_all(void **state)
{
    (void)state;
    static const char *const same[] = {"90", "95", "131"}, *const other[] = {"89", "95", "131"};
    kith_table *t = released(STUDY("integer", ", top: 90"), same, 3);
    assert_string_equal(cell_of(t, 0, 0), "90");
    kith_table_free(t);
    t = released(STUDY("integer", ", top: 90"), other, 3);
    assert_string_equal(cell_of(t, 0, 0), "89.67");
    kith_table_free(t);
}

/* Against sums of 128 bits; the release is verified by arithmetic of its own before it appears. */
static void random_extremes(void **state)
{
    (void)state;
    enum { ROUNDS = 300, MAX_ROWS = 9 };
    rng r;
    rng_init(&r, 11, 0);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t n = 3 + rng_below(&r, MAX_ROWS - 3);
        char texts[MAX_ROWS][24];
        const char *cells[MAX_ROWS];
        __int128 sum = 0;
        for (size_t i = 0; i < n; i++) {
            const int64_t value =
                (int64_t)((uint64_t)rng_below(&r, UINT32_MAX) << 32 | rng_below(&r, UINT32_MAX)) >>
                rng_below(&r, 60);
            snprintf(texts[i], sizeof texts[i], "%lld", (long long)value);
            cells[i] = texts[i];
            sum += value;
        }
        char study[400];
        snprintf(study, sizeof study,
                 "study: s\ncolumns: [{name: a, role: quasi-identifying, type: integer, "
                 "microaggregate: mean}]\nprivacy: [{model: k-anonymity, k: %u}]\n",
                 n);
        kith_table *t = released(study, cells, n);
        const __int128 hundredths = 200 * sum + (__int128)n, twice = 2 * (__int128)n;
        const __int128 mean = hundredths / twice - (hundredths % twice < 0);
        long double shown = strtold(cell_of(t, 0, 0), NULL) * 100;
        assert_true(fabsl(shown - (long double)mean) <= 1 + fabsl(shown) * 0x1p-60L);
        kith_table_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_show_up_to_two_decimals),
        cmocka_unit_test(numbers_below_zero),
        cmocka_unit_test(decimals_are_those_of_the_data),
        cmocka_unit_test(the_largest_integers),
        cmocka_unit_test(extreme_values_have_exact_means),
        cmocka_unit_test(values_are_changed_before_the_mean),
        cmocka_unit_test(a_decimal_comma_is_kept),
        cmocka_unit_test(a_class_with_a_missing_value_shows_no_mean),
        cmocka_unit_test(a_second_release_tells_who_left),
        cmocka_unit_test(a_mean_tells_the_last_value_and_a_label_does_not),
        cmocka_unit_test(a_mean_at_the_top_is_the_value_of_all),
        cmocka_unit_test(random_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
