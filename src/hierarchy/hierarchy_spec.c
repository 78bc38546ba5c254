/* What is wrong with a description of a hierarchy whatever the data. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/findings.h"
#include "core/text.h"
#include "hierarchy/builders.h"
#include "table/typed_value.h"

typedef struct spec_check {
    const hierarchy_spec *spec;
    const domain_spec *domain;
    kith_type type;
    const char *where;
    kith_findings *findings;
    const char *file;
    size_t line;
} spec_check;

static void problem(const spec_check *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void problem(const spec_check *c, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    findings_add(c->findings, KITH_SEVERITY_PROBLEM, c->file, c->line, 0, "%s%s%s",
                 c->where == NULL ? "" : c->where, c->where == NULL ? "" : ": ", text);
}

static bool count_fits(const spec_check *c, const char *what)
{
    if (c->spec->count == 0)
        problem(c, "%s: expected at least one", what);
    if (c->spec->count > HIERARCHY_MAX_LEVELS - 2)
        problem(c, "%s: %u are too many (most: %d)", what, c->spec->count,
                HIERARCHY_MAX_LEVELS - 2);
    return c->spec->count >= 1 && c->spec->count <= HIERARCHY_MAX_LEVELS - 2;
}

static bool widths_positive(const spec_check *c)
{
    bool good = true;
    for (uint32_t i = 0; i < c->spec->count; i++) {
        double width = c->spec->widths[i];
        char text[32];
        text_format_decimal(text, width);
        if (!(width > 0) || !isfinite(width)) {
            problem(c, "interval width %s: expected a number above 0", text);
            good = false;
        } else if (c->type == KITH_TYPE_INTEGER && width != floor(width)) {
            problem(c, "interval width %s: expected a whole number in an integer column", text);
            good = false;
        }
    }
    return good;
}

/* Widths that divide each other make a tree: every bin lies inside one bin of the next level. */
static void check_intervals(const spec_check *c)
{
    if (c->type != KITH_TYPE_INTEGER && c->type != KITH_TYPE_DECIMAL)
        problem(c, "intervals need a column of type integer or decimal");
    if (c->type == KITH_TYPE_INTEGER && c->spec->origin != floor(c->spec->origin))
        problem(c, "the origin of intervals must be a whole number in an integer column");
    if (!count_fits(c, "interval widths") || !widths_positive(c))
        return;
    interval_scale scale;
    if (!build_intervals_scale(&scale, c->spec, c->type)) {
        if (c->type != KITH_TYPE_INTEGER || c->spec->origin == floor(c->spec->origin))
            problem(c, "interval widths or origin are too large or have too many digits");
        return;
    }
    for (uint32_t i = 0; i + 1 < c->spec->count; i++)
        if (scale.widths[i + 1] <= scale.widths[i] || scale.widths[i + 1] % scale.widths[i] != 0) {
            char narrow[32], wide[32];
            text_format_decimal(narrow, c->spec->widths[i]);
            text_format_decimal(wide, c->spec->widths[i + 1]);
            problem(c, "interval width %s is followed by %s: each must divide the next", narrow,
                    wide);
        }
}

/* A library caller may give any number. */
static const char *unit_name(date_unit unit)
{
    static const char *const names[] = {"minute", "hour",    "day",  "week",
                                        "month",  "quarter", "year", "decade"};
    return (size_t)unit < sizeof names / sizeof *names ? names[unit] : "?";
}

/* Weeks lie across months and years, so that nothing can be above them. */
static void check_dates(const spec_check *c)
{
    if (c->type != KITH_TYPE_DATE)
        problem(c, "dates need a column of type date");
    if (!count_fits(c, "date units"))
        return;
    for (uint32_t i = 0; i + 1 < c->spec->count; i++) {
        date_unit unit = c->spec->units[i], next = c->spec->units[i + 1];
        if (unit == DATE_WEEK)
            problem(c,
                    "week is followed by %s: weeks straddle months and years, so week must be "
                    "the last unit",
                    unit_name(next));
        else if (next <= unit)
            problem(c, "%s is followed by %s: units must become coarser", unit_name(unit),
                    unit_name(next));
        else if (next == DATE_WEEK && unit > DATE_DAY)
            problem(c, "%s is followed by week: units must become coarser", unit_name(unit));
    }
}

/* Sizes that divide each other make a tree, as with intervals. */
static void check_order(const spec_check *c)
{
    if (!count_fits(c, "group sizes"))
        return;
    for (uint32_t i = 0; i < c->spec->count; i++) {
        uint32_t size = c->spec->groups[i];
        if (size < 2)
            problem(c, "group size %u: expected at least 2", size);
        if (i == 0 || size < 2 || c->spec->groups[i - 1] < 2)
            continue;
        uint32_t before = c->spec->groups[i - 1];
        if (size <= before || size % before != 0)
            problem(c, "group size %u is followed by %u: each must divide the next", before, size);
    }
}

/* A bound of a range for messages. */
static void format_bound(const spec_check *c, char out[LEAF_TEXT], double bound)
{
    if (c->type == KITH_TYPE_DATE)
        build_dates_label(out, (int64_t)bound * TYPED_VALUE_DAY, DATE_DAY, true);
    else
        text_format_decimal(out, bound);
}

/* Doubles hold whole numbers exactly up to 2^53. */
static void check_range(const spec_check *c)
{
    double low = c->domain->low, high = c->domain->high;
    char from[LEAF_TEXT], to[LEAF_TEXT];
    if (c->type != KITH_TYPE_INTEGER && c->type != KITH_TYPE_DATE) {
        problem(c, "a domain with a range needs a column of type integer or date");
        return;
    }
    if (!(fabs(low) <= 0x1p53) || !(fabs(high) <= 0x1p53) || low != floor(low) ||
        high != floor(high)) {
        problem(c, "the bounds of a domain must be whole numbers");
        return;
    }
    if (c->type == KITH_TYPE_DATE && (fabs(low) >= 1e7 || fabs(high) >= 1e7)) {
        problem(c, "the bounds of a domain of dates are too far from 1970");
        return;
    }
    format_bound(c, from, low);
    format_bound(c, to, high);
    if (low > high)
        problem(c, "the domain from %s to %s is empty", from, to);
    else if (high - low + 1 > HIERARCHY_MAX_RANGE)
        problem(c, "the domain from %s to %s has %.0f values (most: %d)", from, to, high - low + 1,
                HIERARCHY_MAX_RANGE);
}

void hierarchy_spec_check(const hierarchy_spec *spec, kith_type type, const domain_spec *domain,
                          const char *where, kith_findings *findings, const char *file, size_t line)
{
    spec_check c = {spec, domain, type, where, findings, file, line};
    switch (spec->kind) {
    case HIERARCHY_SUPPRESS:
    case HIERARCHY_FILE: break;
    case HIERARCHY_INTERVALS: check_intervals(&c); break;
    case HIERARCHY_MASK:
        if (spec->mask_character <= ' ' || spec->mask_character > '~')
            problem(&c, "the mask must be one visible ASCII character");
        break;
    case HIERARCHY_DATES: check_dates(&c); break;
    case HIERARCHY_ORDER: check_order(&c); break;
    }
    if (domain == NULL || domain->kind != DOMAIN_RANGE)
        return;
    if (spec->kind == HIERARCHY_FILE)
        problem(&c, "a hierarchy file has its own domain: a range cannot be given as well");
    else
        check_range(&c);
}
