/* Builders of numbers and files: labels, nesting, and what they refuse. */
#include "unit/hierarchy/build.h"

static void suppress(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_SUPPRESS};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, "f", "m");
    built(f, &spec, &values);
    PATH("m", "m > *");
    assert_int_equal(f->h->missing_leaf, UINT32_MAX);
    assert_null(f->h->file);
}

static void missing_leaf(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_ORDER, .count = 1, .groups = {2}};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, "a", "b", "c");
    assert_int_equal(make(f, &spec, NULL, &values, true), KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, 4);
    assert_int_equal(f->h->missing_leaf, 3);
    PATH("", " >  > *");
    PATH("b", "b > a..b > *");
}

static void no_values_at_all(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_INTERVALS, .count = 1, .widths = {5}};
    dictionary values = make_dictionary(f->memory, KITH_TYPE_INTEGER, NULL, 0);
    assert_int_equal(make(f, &spec, NULL, &values, false), KITH_OK);
    PATH("*", "* > * > *");
    assert_int_equal(make(f, &spec, NULL, &values, true), KITH_OK);
    assert_int_equal(f->h->missing_leaf, 0);
    PATH("", " >  > *");
}

static void value_named_like_the_root(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_SUPPRESS};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, "*", "m");
    refused(f, &spec, &values,
            "'*' stands for 1 value at level 0 and for 2 at level 1: a release shows only labels, "
            "so each must stand for one set of values");
}

static void integer_intervals(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_INTERVALS, .count = 3, .widths = {1, 5, 20}};
    dictionary values =
        DICTIONARY(f->memory, KITH_TYPE_INTEGER, "-21", "-5", "-1", "0", "4", "5", "23");
    built(f, &spec, &values);
    PATH("-21", "-21 > -21 > -25 to -21 > -40 to -21 > *");
    PATH("-5", "-5 > -5 > -5 to -1 > -20 to -1 > *");
    PATH("-1", "-1 > -1 > -5 to -1 > -20 to -1 > *");
    PATH("0", "0 > 0 > 0-4 > 0-19 > *");
    PATH("4", "4 > 4 > 0-4 > 0-19 > *");
    PATH("5", "5 > 5 > 5-9 > 0-19 > *");
    PATH("23", "23 > 23 > 20-24 > 20-39 > *");
}

static void decimal_intervals(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_INTERVALS, .count = 2, .widths = {0.1, 2.5}};
    dictionary values =
        DICTIONARY(f->memory, KITH_TYPE_DECIMAL, "-0.05", "0.29999999", "0.3", "2.5", "1000000");
    built(f, &spec, &values);
    PATH("-0.05", "-0.05 > [-0.1, 0) > [-2.5, 0) > *");
    PATH("0.29999999", "0.29999999 > [0.2, 0.3) > [0, 2.5) > *");
    PATH("0.3", "0.3 > [0.3, 0.4) > [0, 2.5) > *");
    PATH("2.5", "2.5 > [2.5, 2.6) > [2.5, 5) > *");
    PATH("1000000", "1000000 > [1000000, 1000000.1) > [1000000, 1000002.5) > *");
}

/* No value of two decimals may fall into a bin that does not hold it. */
static void decimal_bins_hold_their_values(void **state)
{
    fixture *f = *state;
    enum { COUNT = 401 };
    char texts[COUNT][16];
    const char *pointers[COUNT];
    for (int i = 0; i < COUNT; i++) {
        int hundredths = i - 200;
        snprintf(texts[i], sizeof texts[i], "%s%d.%02d", hundredths < 0 ? "-" : "",
                 abs(hundredths) / 100, abs(hundredths) % 100);
        pointers[i] = texts[i];
    }
    dictionary values = make_dictionary(f->memory, KITH_TYPE_DECIMAL, pointers, COUNT);
    hierarchy_spec spec = {.kind = HIERARCHY_INTERVALS, .count = 1, .widths = {0.07}};
    built(f, &spec, &values);
    for (int i = 0; i < COUNT; i++) {
        int hundredths = i - 200, bin = hundredths / 7 - (hundredths % 7 < 0);
        double low, high;
        const char *label = f->h->label[f->h->tree.parent[i]];
        assert_int_equal(sscanf(label, "[%lf, %lf)", &low, &high), 2);
        assert_true(low > (7 * bin - 0.001) / 100 && low < (7 * bin + 0.001) / 100);
        assert_true(high > (7 * bin + 6.999) / 100 && high < (7 * bin + 7.001) / 100);
    }
}

static void interval_origin_and_snap(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {
        .kind = HIERARCHY_INTERVALS, .count = 2, .widths = {5, 10}, .origin = 17};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_INTEGER, "16", "17", "26");
    built(f, &spec, &values);
    PATH("16", "16 > 12-16 > 7-16 > *");
    PATH("17", "17 > 17-21 > 17-26 > *");
    spec.snap = true;
    built(f, &spec, &values);
    PATH("16", "16 > 15-19 > 15-24 > *");
    PATH("26", "26 > 25-29 > 25-34 > *");
}

static void interval_limits(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_INTERVALS, .count = 1, .widths = {5}};
    dictionary whole = DICTIONARY(f->memory, KITH_TYPE_INTEGER, "-9223372036854775808");
    refused(f, &spec, &whole, "'-9223372036854775808' is too large for intervals");
    dictionary decimal = DICTIONARY(f->memory, KITH_TYPE_DECIMAL, "1e300");
    refused(f, &spec, &decimal, "'1e300' is too large for intervals");
    dictionary texts = DICTIONARY(f->memory, KITH_TYPE_STRING, "a");
    refused(f, &spec, &texts, "intervals need a column of type integer or decimal");
}

static void integer_range(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_INTERVALS, .count = 1, .widths = {10}};
    domain_spec domain = {.kind = DOMAIN_RANGE, .low = -3, .high = 120};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_INTEGER, "5", "120");
    assert_int_equal(make(f, &spec, &domain, &values, false), KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, 124);
    PATH("-3", "-3 > -10 to -1 > *");
    PATH("120", "120 > 120-129 > *");
    assert_int_equal(make(f, &spec, &domain, NULL, false), KITH_OK);
    dictionary outside = DICTIONARY(f->memory, KITH_TYPE_INTEGER, "-4", "5", "121", "122");
    assert_int_equal(make(f, &spec, &domain, &outside, false), KITH_DATA);
    assert_string_equal(f->error.message,
                        "3 values are outside the domain from -3 to 120, such as '-4'");
    spec.where = "column age";
    assert_int_equal(make(f, &spec, &domain, &outside, false), KITH_DATA);
    assert_string_equal(f->error.message,
                        "column age: 3 values are outside the domain from -3 to 120, such as '-4'");
    assert_string_equal(finding_text(f->findings, 1),
                        "0:0: column age: 3 values are outside the domain from -3 to 120, such as "
                        "'-4'");
    assert_int_equal(make(f, &spec, &domain, &outside, false), KITH_DATA);
    assert_int_equal(hierarchy_make(&f->h, f->memory, &spec, &domain, &outside, false, NULL, NULL),
                     KITH_DATA);
}

static void range_in_the_form_of_the_data(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_INTERVALS, .count = 1, .widths = {5}};
    domain_spec domain = {.kind = DOMAIN_RANGE, .low = 0, .high = 9};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_INTEGER, "+3", "7", "007", "9");
    assert_int_equal(make(f, &spec, &domain, &values, false), KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, 11);
    PATH("+3", "+3 > 0-4 > *");
    PATH("3", "(no such leaf)");
    PATH("4", "4 > 0-4 > *");
    PATH("7", "7 > 5-9 > *");
    PATH("007", "007 > 5-9 > *");
    spec.widths[0] = 1; /* 7 is a group: it has one leaf */
    assert_int_equal(make(f, &spec, &domain, &values, false), KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, 10);
    PATH("+3", "+3 > 3 > *");
    PATH("7", "7 > 7 > *");
    domain.fixed = true;
    assert_int_equal(make(f, &spec, &domain, &values, false), KITH_OK);
    PATH("3", "3 > 3 > *");
}

static void file_restricted_to_data(void **state)
{
    fixture *f = *state;
    char path[] = "/tmp/kith-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    const char *text = "a;X;*\n07;Y;*\nb;X;*\n8;Y;*\n";
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    hierarchy_spec spec = {.kind = HIERARCHY_FILE, .path = path};
    domain_spec domain = {.kind = DOMAIN_DATA};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_INTEGER, "7", "9");
    assert_int_equal(make(f, &spec, &domain, &values, true), KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, 2);
    PATH("7", "7 > Y > *");
    PATH("", " >  > *");
    assert_int_equal(make(f, &spec, NULL, &values, false), KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, 4);
    /* X comes first in the file, though of what is kept Y does. */
    dictionary texts = DICTIONARY(f->memory, KITH_TYPE_STRING, "07", "b");
    assert_int_equal(make(f, &spec, &domain, &texts, false), KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, 2);
    assert_string_equal(f->h->label[0], "b");
    assert_string_equal(f->h->label[1], "07");
    unlink(path);
}

static void file_in_the_form_of_the_data(void **state)
{
    fixture *f = *state;
    char path[] = "/tmp/kith-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    const char *text = "07;few;*\n8;8;*\n9;few;*\n010;12;*\n11;12;*\n";
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    hierarchy_spec spec = {.kind = HIERARCHY_FILE, .path = path};
    domain_spec domain = {.kind = DOMAIN_HIERARCHY};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_INTEGER, "7", "007", "8", "08", "9", "09",
                                   "0009", "10", "12");
    assert_int_equal(make(f, &spec, &domain, &values, false), KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, 8);
    PATH("7", "7 > few > *"); /* both instead of 07 */
    PATH("007", "007 > few > *");
    PATH("8", "8 > 8 > *"); /* 08 would make two sets of 8 */
    PATH("9", "9 > few > *");
    PATH("09", "09 > few > *");
    PATH("0009", "0009 > few > *");
    PATH("10", "10 > 12 > *"); /* 12 is a group */
    PATH("11", "11 > 12 > *");
    uint32_t leaf_of[9];
    hierarchy_bind(f->h, &values, leaf_of, "d.csv", "x", NULL, NULL);
    for (uint32_t code = 0; code < 8; code++)
        assert_string_equal(f->h->label[leaf_of[code]],
                            code == 3 ? "8" : dictionary_text(&values, code));
    assert_int_equal(leaf_of[8], UINT32_MAX);
    domain.fixed = true;
    assert_int_equal(make(f, &spec, &domain, &values, false), KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, 5);
    PATH("07", "07 > few > *");
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(suppress),
        CASE(missing_leaf),
        CASE(no_values_at_all),
        CASE(value_named_like_the_root),
        CASE(integer_intervals),
        CASE(decimal_intervals),
        CASE(decimal_bins_hold_their_values),
        CASE(interval_origin_and_snap),
        CASE(interval_limits),
        CASE(integer_range),
        CASE(range_in_the_form_of_the_data),
        CASE(file_restricted_to_data),
        CASE(file_in_the_form_of_the_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
