/* Hierarchies of dates and times: labels, nesting, and domains. */
#include "unit/hierarchy/build.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(date_range),
        CASE(dates_in_the_form_of_the_data),
        CASE(dates),
        CASE(weeks),
        CASE(times),
        CASE(times_without_dates),
        CASE(weeks_like_strftime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
