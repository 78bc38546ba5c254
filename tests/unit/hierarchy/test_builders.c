/* Every builder: labels, nesting, and what it refuses. */
#include "unit/hierarchy/support.h"

#include "core/rng.h"
#include "hierarchy/builders.h"

typedef struct fixture {
    arena *memory;
    kith_findings *findings;
    kith_hierarchy *h;
    kith_error error;
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->memory = arena_new();
    f->findings = kith_findings_new();
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    kith_findings_free(f->findings);
    arena_free(f->memory);
    free(f);
    return 0;
}

static kith_status make(fixture *f, const hierarchy_spec *spec, const domain_spec *domain,
                        const dictionary *values, bool with_missing)
{
    kith_status status = hierarchy_make(&f->h, f->memory, spec, domain, values, with_missing,
                                        f->findings, &f->error);
    if (status == KITH_OK)
        check_tree(&f->h->tree);
    return status;
}

static void built(fixture *f, const hierarchy_spec *spec, const dictionary *values)
{
    kith_status status = make(f, spec, NULL, values, false);
    if (status != KITH_OK)
        print_error("%s\n", f->error.message);
    assert_int_equal(status, KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, values->count);
}

static void refused(fixture *f, const hierarchy_spec *spec, const dictionary *values,
                    const char *message)
{
    assert_int_not_equal(make(f, spec, NULL, values, false), KITH_OK);
    assert_string_equal(f->error.message, message);
}

#define PATH(leaf, path) assert_string_equal(path_of(f->h, leaf), path)

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

static void date_range(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_DATES, .count = 2, .units = {DATE_MONTH, DATE_YEAR}};
    domain_spec domain = {
        .kind = DOMAIN_RANGE, .low = text_days(2023, 12, 30), .high = text_days(2024, 3, 1)};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_DATE, "2024-02-29");
    assert_int_equal(make(f, &spec, &domain, &values, false), KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, 63);
    PATH("2024-02-29", "2024-02-29 > 2024-02 > 2024 > *");
    dictionary outside = DICTIONARY(f->memory, KITH_TYPE_DATE, "2024-03-02");
    assert_int_equal(make(f, &spec, &domain, &outside, false), KITH_DATA);
    assert_string_equal(
        f->error.message,
        "1 value is outside the domain from 2023-12-30 to 2024-03-01, such as '2024-03-02'");
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

static void dates_in_the_form_of_the_data(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {
        .kind = HIERARCHY_ORDER, .count = 1, .groups = {2}, .date_format = "%d.%m.%Y"};
    domain_spec domain = {
        .kind = DOMAIN_RANGE, .low = text_days(2024, 2, 28), .high = text_days(2024, 3, 2)};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_DATE, "2024-02-29");
    values.bytes = "29.2.2024\0";
    values.offsets = (const uint64_t[]){0, 10};
    assert_int_equal(make(f, &spec, &domain, &values, false), KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, 4);
    PATH("29.2.2024", "29.2.2024 > 28.02.2024..29.2.2024 > *");
    PATH("01.03.2024", "01.03.2024 > 01.03.2024..02.03.2024 > *");
    /* Another text of a leaf's date is found by its value, and so is YYYY-MM-DD. */
    values.bytes = "29.02.2024";
    values.offsets = (const uint64_t[]){0, 11};
    uint32_t leaf;
    assert_int_equal(hierarchy_bind(f->h, &values, &leaf, "d.csv", "x", NULL, NULL), KITH_OK);
    assert_string_equal(f->h->label[leaf], "29.2.2024");
    /* Without values the type is that of the spec. */
    spec.type = KITH_TYPE_DATE;
    assert_int_equal(make(f, &spec, &domain, NULL, false), KITH_OK);
    PATH("28.02.2024", "28.02.2024 > 28.02.2024..29.02.2024 > *");
    /* A format that cannot say the year. */
    spec.date_format = "%d.%m.";
    assert_int_equal(make(f, &spec, &domain, NULL, false), KITH_OK);
    PATH("2024-02-28", "2024-02-28 > 2024-02-28..2024-02-29 > *");
}

static void mask_right(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_character = '*'};
    dictionary values =
        DICTIONARY(f->memory, KITH_TYPE_STRING, "12", "123", "1234", "12345", "81667");
    built(f, &spec, &values);
    PATH("81667", "81667 > 8166* > 816** > 81*** > 8**** > *");
    PATH("12345", "12345 > 1234* > 123** > 12*** > 1**** > *");
    PATH("1234", "1234 > 1234* > 123** > 12*** > 1**** > *");
    PATH("123", "123 > 123 > 123** > 12*** > 1**** > *");
    PATH("12", "12 > 12 > 12 > 12*** > 1**** > *");
}

static void mask_left(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_left = true, .mask_character = '#'};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, "5", "a15", "b15", "c25");
    built(f, &spec, &values);
    PATH("a15", "a15 > #15 > ##5 > *");
    PATH("b15", "b15 > #15 > ##5 > *");
    PATH("c25", "c25 > #25 > ##5 > *");
    PATH("5", "5 > 5 > ##5 > *");
}

static void mask_counts_characters(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_character = '*'};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, "aöß", "aüß");
    built(f, &spec, &values);
    PATH("aöß", "aöß > aö* > a** > *");
    spec.mask_left = true;
    built(f, &spec, &values);
    PATH("aüß", "aüß > *üß > **ß > *");
}

static void mask_collisions(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_character = '*'};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, "a*", "ab");
    refused(f, &spec, &values,
            "'a*' stands for 1 value at level 0 and for 2 at level 1: a release shows only labels, "
            "so each must stand for one set of values");
}

static void mask_limit(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_character = '*'};
    dictionary longest =
        DICTIONARY(f->memory, KITH_TYPE_STRING,
                   "ääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääe");
    built(f, &spec, &longest);
    assert_int_equal(f->h->tree.n_levels, 64);
    dictionary values =
        DICTIONARY(f->memory, KITH_TYPE_STRING,
                   "0123456789012345678901234567890123456789012345678901234567890123");
    refused(f, &spec, &values,
            "'0123456789012345678901234567890123456789012345678901234567890123' has 64 "
            "characters: a mask takes values of at most 63");
}

/* Nodes with the same label stand for the same leaves. */
static void check_labels(const kith_hierarchy *h)
{
    const tree *t = &h->tree;
    for (uint32_t a = 0; a < t->n_nodes; a++)
        for (uint32_t b = a + 1; b < t->n_nodes; b++)
            if (strcmp(h->label[a], h->label[b]) == 0)
                assert_true(t->first[a] == t->first[b] && t->end[a] == t->end[b]);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Up to 12 distinct texts of one to five of the characters, in order. */
static dictionary random_texts(arena *memory, rng *r, const char *const *characters,
                               uint32_t n_kinds)
{
    const char *texts[12];
    uint32_t count = 0, wanted = 1 + rng_below(r, 12);
    for (uint32_t i = 0; i < wanted; i++) {
        char text[32] = "";
        for (uint32_t length = 1 + rng_below(r, 5); length > 0; length--)
            strcat(text, characters[rng_below(r, n_kinds)]);
        bool known = false;
        for (uint32_t j = 0; j < count; j++)
            known = known || strcmp(texts[j], text) == 0;
        if (!known)
            texts[count++] = arena_strdup(memory, text);
    }
    qsort(texts, count, sizeof *texts, compare_texts);
    return make_dictionary(memory, KITH_TYPE_STRING, texts, count);
}

static void random_masks_and_groups(void **state)
{
    fixture *f = *state;
    static const char *const plain[] = {"a", "b", "ö"};
    static const char *const nasty[] = {"a", ".", "*", "-"};
    rng r;
    rng_init(&r, 11, 0);
    uint32_t refused_count = 0;
    for (int round = 0; round < 2000; round++) {
        bool clean = round % 2 == 0;
        dictionary values =
            clean ? random_texts(f->memory, &r, plain, 3) : random_texts(f->memory, &r, nasty, 4);
        hierarchy_spec spec = {.kind = round % 3 == 0 ? HIERARCHY_ORDER : HIERARCHY_MASK,
                               .count = 2,
                               .groups = {2, 6},
                               .mask_left = round % 3 == 1,
                               .mask_character = '*'};
        kith_status status = make(f, &spec, NULL, &values, round % 5 == 0);
        assert_true(status == KITH_OK || (!clean && status == KITH_DATA));
        if (status == KITH_OK)
            check_labels(f->h);
        refused_count += status != KITH_OK;
    }
    assert_true(refused_count > 0);
}

static void dates(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_DATES,
                           .count = 5,
                           .units = {DATE_DAY, DATE_MONTH, DATE_QUARTER, DATE_YEAR, DATE_DECADE}};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_DATE, "1969-12-31", "2019-12-31",
                                   "2024-03-13", "2024-10-01");
    built(f, &spec, &values);
    PATH("1969-12-31", "1969-12-31 > 1969-12-31 > 1969-12 > 1969-Q4 > 1969 > 1960s > *");
    PATH("2024-03-13", "2024-03-13 > 2024-03-13 > 2024-03 > 2024-Q1 > 2024 > 2020s > *");
    PATH("2024-10-01", "2024-10-01 > 2024-10-01 > 2024-10 > 2024-Q4 > 2024 > 2020s > *");
}

static void weeks(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_DATES, .count = 1, .units = {DATE_WEEK}};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_DATE, "1969-12-28", "1969-12-29",
                                   "2021-01-03", "2021-01-04", "2024-03-13", "2024-12-30");
    built(f, &spec, &values);
    PATH("1969-12-28", "1969-12-28 > 1969-W52 > *");
    PATH("1969-12-29", "1969-12-29 > 1970-W01 > *");
    PATH("2021-01-03", "2021-01-03 > 2020-W53 > *");
    PATH("2021-01-04", "2021-01-04 > 2021-W01 > *");
    PATH("2024-03-13", "2024-03-13 > 2024-W11 > *");
    PATH("2024-12-30", "2024-12-30 > 2025-W01 > *");
}

/* Times of day: every text is a leaf, minutes, hours and days are above it. */
static void times(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_DATES,
                           .count = 4,
                           .units = {DATE_MINUTE, DATE_HOUR, DATE_DAY, DATE_MONTH}};
    dictionary values =
        DICTIONARY(f->memory, KITH_TYPE_DATE, "1969-12-31 23:59:59", "2024-03-01 08:00:00",
                   "2024-03-01 08:00:30", "2024-03-01 17:45:00");
    built(f, &spec, &values);
    PATH("1969-12-31 23:59:59", "1969-12-31 23:59:59 > 1969-12-31 23:59 > "
                                "1969-12-31 23:00-23:59 > 1969-12-31 > 1969-12 > *");
    PATH("2024-03-01 08:00:30", "2024-03-01 08:00:30 > 2024-03-01 08:00 > "
                                "2024-03-01 08:00-08:59 > 2024-03-01 > 2024-03 > *");
    PATH("2024-03-01 17:45:00", "2024-03-01 17:45:00 > 2024-03-01 17:45 > "
                                "2024-03-01 17:00-17:59 > 2024-03-01 > 2024-03 > *");
}

/* Without dates the labels show none. */
static void times_without_dates(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_DATES, .count = 2, .units = {DATE_MINUTE, DATE_HOUR}};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_DATE, "00:00:00", "08:15:00", "08:15:20");
    built(f, &spec, &values);
    PATH("00:00:00", "00:00:00 > 00:00 > 00:00-00:59 > *");
    PATH("08:15:20", "08:15:20 > 08:15 > 08:00-08:59 > *");
}

/* Weeks against the C library, day by day over thirty years. */
static void weeks_like_strftime(void **state)
{
    (void)state;
    for (int64_t day = -3000; day < 8000; day++) {
        time_t seconds = (time_t)day * 86400;
        struct tm broken;
        gmtime_r(&seconds, &broken);
        char expected[LEAF_TEXT], label[LEAF_TEXT];
        strftime(expected, sizeof expected, "%G-W%V", &broken);
        build_dates_label(label, day * 86400, DATE_WEEK, true);
        assert_string_equal(label, expected);
    }
}

static void order(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_ORDER, .count = 2, .groups = {2, 4}};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, "a", "b", "c", "d", "e");
    built(f, &spec, &values);
    PATH("b", "b > a..b > a..d > *");
    PATH("c", "c > c..d > a..d > *");
    PATH("e", "e > e > e > *");
}

static void order_collision(void **state)
{
    fixture *f = *state;
    hierarchy_spec spec = {.kind = HIERARCHY_ORDER, .count = 1, .groups = {2}};
    dictionary values = DICTIONARY(f->memory, KITH_TYPE_STRING, ".x", ".x-", ".x.", "x-");
    refused(f, &spec, &values, "'.x...x-' would be the label of two groups");
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

static void specs_with_everything_wrong(void **state)
{
    fixture *f = *state;
    domain_spec wide = {.kind = DOMAIN_RANGE, .low = 0, .high = 1e6};
    domain_spec empty = {.kind = DOMAIN_RANGE, .low = 1, .high = 0};
    domain_spec broken = {.kind = DOMAIN_RANGE, .low = 0.5, .high = 3};
    domain_spec days = {.kind = DOMAIN_RANGE, .low = 1, .high = 0};
    const struct {
        hierarchy_spec spec;
        kith_type type;
        const domain_spec *domain;
        const char *text;
    } cases[] = {
        {{.kind = HIERARCHY_INTERVALS},
         KITH_TYPE_INTEGER,
         NULL,
         "interval widths: expected at least one"},
        {{.kind = HIERARCHY_INTERVALS, .count = 63},
         KITH_TYPE_INTEGER,
         NULL,
         "interval widths: 63 are too many (most: 62)"},
        {{.kind = HIERARCHY_INTERVALS, .count = 1, .widths = {-5}},
         KITH_TYPE_INTEGER,
         NULL,
         "interval width -5: expected a number above 0"},
        {{.kind = HIERARCHY_INTERVALS, .count = 1, .widths = {0.5}},
         KITH_TYPE_INTEGER,
         NULL,
         "interval width 0.5: expected a whole number in an integer column"},
        {{.kind = HIERARCHY_INTERVALS, .count = 1, .widths = {5}, .origin = 0.5},
         KITH_TYPE_INTEGER,
         NULL,
         "the origin of intervals must be a whole number in an integer column"},
        {{.kind = HIERARCHY_INTERVALS, .count = 1, .widths = {1e-20}},
         KITH_TYPE_DECIMAL,
         NULL,
         "interval widths or origin are too large or have too many digits"},
        {{.kind = HIERARCHY_INTERVALS, .count = 2, .widths = {5, 12}},
         KITH_TYPE_INTEGER,
         NULL,
         "interval width 5 is followed by 12: each must divide the next"},
        {{.kind = HIERARCHY_INTERVALS, .count = 2, .widths = {5, 5}},
         KITH_TYPE_INTEGER,
         NULL,
         "interval width 5 is followed by 5: each must divide the next"},
        {{.kind = HIERARCHY_INTERVALS, .count = 1, .widths = {5}},
         KITH_TYPE_DATE,
         NULL,
         "intervals need a column of type integer or decimal"},
        {{.kind = HIERARCHY_DATES, .count = 1, .units = {DATE_YEAR}},
         KITH_TYPE_STRING,
         NULL,
         "dates need a column of type date"},
        {{.kind = HIERARCHY_DATES}, KITH_TYPE_DATE, NULL, "date units: expected at least one"},
        {{.kind = HIERARCHY_DATES, .count = 2, .units = {DATE_WEEK, DATE_MONTH}},
         KITH_TYPE_DATE,
         NULL,
         "week is followed by month: weeks straddle months and years, so week must be the last "
         "unit"},
        {{.kind = HIERARCHY_DATES, .count = 2, .units = {DATE_YEAR, DATE_MONTH}},
         KITH_TYPE_DATE,
         NULL,
         "year is followed by month: units must become coarser"},
        {{.kind = HIERARCHY_ORDER, .count = 1, .groups = {1}},
         KITH_TYPE_STRING,
         NULL,
         "group size 1: expected at least 2"},
        {{.kind = HIERARCHY_ORDER, .count = 2, .groups = {4, 6}},
         KITH_TYPE_STRING,
         NULL,
         "group size 4 is followed by 6: each must divide the next"},
        {{.kind = HIERARCHY_ORDER}, KITH_TYPE_STRING, NULL, "group sizes: expected at least one"},
        {{.kind = HIERARCHY_MASK},
         KITH_TYPE_STRING,
         NULL,
         "the mask must be one visible ASCII character"},
        {{.kind = HIERARCHY_SUPPRESS},
         KITH_TYPE_STRING,
         &wide,
         "a domain with a range needs a column of type integer or date"},
        {{.kind = HIERARCHY_SUPPRESS},
         KITH_TYPE_INTEGER,
         &wide,
         "the domain from 0 to 1000000 has 1000001 values (most: 1000000)"},
        {{.kind = HIERARCHY_SUPPRESS},
         KITH_TYPE_INTEGER,
         &empty,
         "the domain from 1 to 0 is empty"},
        {{.kind = HIERARCHY_SUPPRESS},
         KITH_TYPE_INTEGER,
         &broken,
         "the bounds of a domain must be whole numbers"},
        {{.kind = HIERARCHY_SUPPRESS},
         KITH_TYPE_DATE,
         &days,
         "the domain from 1970-01-02 to 1970-01-01 is empty"},
        {{.kind = HIERARCHY_FILE},
         KITH_TYPE_INTEGER,
         &wide,
         "a hierarchy file has its own domain: a range cannot be given as well"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kith_findings *findings = kith_findings_new();
        hierarchy_spec_check(&cases[i].spec, cases[i].type, cases[i].domain, "column x", findings,
                             "s.yaml", 7);
        char expected[300];
        snprintf(expected, sizeof expected, "7:0: column x: %s", cases[i].text);
        assert_string_equal(finding_text(findings, 0), expected);
        assert_int_equal(kith_findings_n_listed(findings), 1);
        kith_findings_free(findings);
    }
    (void)f;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

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
        CASE(date_range),
        CASE(range_in_the_form_of_the_data),
        CASE(dates_in_the_form_of_the_data),
        CASE(mask_right),
        CASE(mask_left),
        CASE(mask_counts_characters),
        CASE(mask_collisions),
        CASE(mask_limit),
        CASE(random_masks_and_groups),
        CASE(dates),
        CASE(weeks),
        CASE(times),
        CASE(times_without_dates),
        CASE(weeks_like_strftime),
        CASE(order),
        CASE(order_collision),
        CASE(file_restricted_to_data),
        CASE(file_in_the_form_of_the_data),
        CASE(specs_with_everything_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
