/* Intervals of numbers: bins [origin + i*w, origin + (i+1)*w) for each width w.
 *
 * Labels: integers as 20-24, with a negative bound as "-5 to -1"; decimals as [20, 22.5), with
 * decimal commas as [20; 22,5). A bin of a single integer has that integer as its label. */
#include <inttypes.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "hierarchy/builders.h"
#include "hierarchy/repeated_findings.h"

enum { MAX_DECIMALS = 12, BOUND_TEXT = 32 };
_Static_assert(INTERVAL_TEXT >= 2 * BOUND_TEXT + 8, "both bounds fit");
static const double MAX_BOUND = 0x1p53;

/* value * 10^decimals if that is a whole number, up to rounding. */
static bool scale_exactly(double value, int decimals, int64_t *scaled)
{
    double product = value * pow(10, decimals);
    double nearest = nearbyint(product);
    *scaled = 0;
    if (!(fabs(nearest) < MAX_BOUND) || fabs(product - nearest) > 2 * DBL_EPSILON * fabs(nearest))
        return false;
    *scaled = (int64_t)nearest;
    return true;
}

/* C rounds towards zero; bins below the origin need rounding down. b > 0. */
static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Takes the fewest decimals with which origin and widths are whole. Sums and multiples are exact
 * then: 0.1 + 0.2 is 0.3. */
bool build_intervals_scale(interval_scale *scale, const hierarchy_spec *spec, kith_type type)
{
    int max_decimals = type == KITH_TYPE_INTEGER ? 0 : MAX_DECIMALS;
    for (scale->decimals = 0; scale->decimals <= max_decimals; scale->decimals++) {
        bool exact = scale_exactly(spec->origin, scale->decimals, &scale->origin);
        for (uint32_t i = 0; i < spec->count && exact; i++)
            exact = scale_exactly(spec->widths[i], scale->decimals, &scale->widths[i]);
        if (!exact)
            continue;
        if (spec->snap && spec->count > 0 && scale->widths[0] > 0)
            scale->origin = floor_divide(scale->origin, scale->widths[0]) * scale->widths[0];
        return true;
    }
    return false;
}

/* The number of units of 10^-decimals at or below a value; false if it is too large. */
static bool scale_value(const leaf_source *leaves, uint32_t leaf, int decimals, int64_t *scaled)
{
    if (leaves->type == KITH_TYPE_INTEGER) {
        *scaled = build_leaves_whole(leaves, leaf);
        return *scaled < INT64_MAX / 2 && *scaled > INT64_MIN / 2;
    }
    double value = leaves->values->decimal[leaf];
    if (scale_exactly(value, decimals, scaled))
        return true;
    double product = floor(value * pow(10, decimals));
    if (!(fabs(product) < MAX_BOUND))
        return false;
    *scaled = (int64_t)product;
    return true;
}

/* A scaled number without trailing zeros. */
static void format_bound(char out[BOUND_TEXT], int64_t scaled, int decimals, char mark)
{
    int64_t unit = 1;
    for (int i = 0; i < decimals; i++)
        unit *= 10;
    int64_t size = scaled < 0 ? -scaled : scaled;
    int length = snprintf(out, BOUND_TEXT, "%s%" PRId64, scaled < 0 ? "-" : "", size / unit);
    if (size % unit == 0)
        return;
    length += snprintf(out + length, (size_t)(BOUND_TEXT - length), "%c%0*" PRId64, mark, decimals,
                       size % unit);
    while (out[length - 1] == '0')
        out[--length] = '\0';
}

/* Integers show their last value, decimals their open bound: between 4 and 5 there is no integer,
 * but there are decimals. */
static size_t format_label(char out[INTERVAL_TEXT], int64_t low, int64_t width, int decimals,
                           const leaf_source *leaves)
{
    char from[BOUND_TEXT], to[BOUND_TEXT];
    bool comma = leaves->values != NULL && leaves->values->mark == ',';
    format_bound(from, low, decimals, comma ? ',' : '.');
    if (leaves->type == KITH_TYPE_DECIMAL) {
        format_bound(to, low + width, decimals, comma ? ',' : '.');
        return (size_t)snprintf(out, INTERVAL_TEXT, comma ? "[%s; %s)" : "[%s, %s)", from, to);
    }
    format_bound(to, low + width - 1, decimals, '.');
    if (width == 1)
        return (size_t)snprintf(out, INTERVAL_TEXT, "%s", from);
    return (size_t)snprintf(out, INTERVAL_TEXT, low < 0 ? "%s to %s" : "%s-%s", from, to);
}

/* The lower bound of the bin of a scaled value. */
static int64_t bin_of(const interval_scale *scale, uint32_t i, int64_t value)
{
    const int64_t width = scale->widths[i];
    return floor_divide(value - scale->origin, width) * width + scale->origin;
}

bool build_intervals_label(char out[INTERVAL_TEXT], size_t *length, const interval_scale *scale,
                           uint32_t i, const leaf_source *leaves, uint32_t leaf)
{
    int64_t value;
    if (!scale_value(leaves, leaf, scale->decimals, &value))
        return false;
    *length = format_label(out, bin_of(scale, i, value), scale->widths[i], scale->decimals, leaves);
    return true;
}

kith_status build_intervals(draft *d, const hierarchy_spec *spec, const leaf_source *leaves,
                            kith_findings *findings, kith_error *error)
{
    interval_scale scale;
    if (!build_intervals_scale(&scale, spec, leaves->type))
        return error_set(error, KITH_BUG, "interval widths were not checked");
    repeated_findings large = {.findings = findings, .severity = KITH_SEVERITY_PROBLEM};
    int64_t bins[HIERARCHY_MAX_LEVELS] = {0};
    TRY(build_leaves_begin(leaves, d, spec->count + 2, findings, error));
    for (uint32_t leaf = 0; leaf < build_leaves_count(leaves); leaf++) {
        int64_t value = 0;
        /* A value that does not fit is reported; the draft is not used then. */
        if (!scale_value(leaves, leaf, scale.decimals, &value)) {
            char shown[80];
            build_leaves_quote(shown, leaves, leaf);
            repeated_findings_add(&large, 0, "'%s' is too large for intervals", shown);
            value = 0;
        }
        /* Labels of one leaf. Most are those of the leaf before, and need not be written again:
         * bins[] are those of that leaf. */
        for (uint32_t i = 0; i < spec->count; i++) {
            char label[INTERVAL_TEXT];
            const int64_t bin = bin_of(&scale, i, value);
            if (leaf > 0 && bins[i] == bin) {
                draft_repeat(d, leaf, i + 1);
                continue;
            }
            bins[i] = bin;
            const size_t length = format_label(label, bin, scale.widths[i], scale.decimals, leaves);
            TRY(draft_set(d, leaf, i + 1, label, length, error));
        }
    }
    repeated_findings_end(&large, "values that are too large for intervals");
    return KITH_OK;
}
