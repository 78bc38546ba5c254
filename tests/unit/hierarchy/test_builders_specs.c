/* Specifications that are wrong, each refused with its own words. */
#include "unit/hierarchy/build.h"

static const domain_spec wide = {.kind = DOMAIN_RANGE, .low = 0, .high = 1e6};
static const domain_spec empty = {.kind = DOMAIN_RANGE, .low = 1, .high = 0};
static const domain_spec broken = {.kind = DOMAIN_RANGE, .low = 0.5, .high = 3};
static const domain_spec days = {.kind = DOMAIN_RANGE, .low = 1, .high = 0};

typedef struct wrong_spec {
    hierarchy_spec spec;
    kith_type type;
    const domain_spec *domain;
    const char *text;
} wrong_spec;

static const wrong_spec cases[] = {
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
    {{.kind = HIERARCHY_SUPPRESS}, KITH_TYPE_INTEGER, &empty, "the domain from 1 to 0 is empty"},
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

static void specs_with_everything_wrong(void **state)
{
    (void)state;
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs_with_everything_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
