#include "job/profile/suggest_hierarchy.h"

#include <math.h>
#include <string.h>

#include "core/text.h"
#include "table/typed_value.h"

static void put_number(FILE *out, double value)
{
    char text[32];
    text_format_decimal(text, value);
    fputs(text, out);
}

/* Writes interval widths that double from about a twentieth of the span, rounded to 1, 2 or 5 times
 * a power of ten (and at least 2 for whole numbers), so that intervals have round bounds. False if
 * the values are too few, too large or too close to each other for that. */
static bool put_intervals(FILE *out, const column_profile *p)
{
    const dictionary *d = &p->column->values;
    double low = INFINITY, high = -INFINITY, value;
    for (uint32_t i = 0; i < d->count; i++)
        if (typed_value_decimal(dictionary_text(d, i), dictionary_length(d, i),
                                typed_value_mark(p->type, p->format), &value)) {
            low = fmin(low, value);
            high = fmax(high, value);
        }
    bool whole = p->type == KITH_TYPE_INTEGER;
    if (p->distinct < 8 || !(high - low > 0) || fmax(fabs(low), fabs(high)) > 1e12 ||
        high - low < 1e-6)
        return false;
    const double wanted = (high - low) / 20, power = pow(10, floor(log10(wanted)));
    const double digit = wanted / power;
    double width = (digit >= 7.5 ? 10 : digit >= 3.5 ? 5 : digit >= 1.5 ? 2 : 1) * power;
    width = whole && width < 2 ? 2 : width;
    fputs("    hierarchy: {intervals: [", out);
    put_number(out, width);
    for (int i = 1; i < 6 && width * (1 << i) < high - low; i++) {
        fputs(", ", out);
        put_number(out, width * (1 << i));
    }
    fputs("]}   # widths: each divides the next\n", out);
    return true;
}

bool suggest_hierarchy_is_code(const column_profile *p)
{
    return p->digits > 0 && (p->type == KITH_TYPE_STRING || p->digits >= 5);
}

void suggest_hierarchy_put(FILE *out, const column_profile *p)
{
    if (suggest_hierarchy_is_code(p))
        fputs("    hierarchy: {mask: right}   # 12345 > 1234* > 123** > …\n", out);
    else if (p->type == KITH_TYPE_DATE)
        fprintf(out, "    hierarchy: {dates: [%s]}\n",
                p->format != NULL && strstr(p->format, "%H") != NULL ? "hour, day, month, year"
                                                                     : "month, quarter, year");
    else if (p->type == KITH_TYPE_STRING || !put_intervals(out, p))
        fputs("    hierarchy: suppress   # value > *; a file says more: leaf;…;*\n", out);
}
