/* Histograms of columns. */
#include "console/pages/histogram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "console/server/json.h"

enum { BINS = 24 };

/* A number or a day; not finite if the text is neither. */
static double position_of(const char *text, const kith_column_spec *spec)
{
    if (spec->type == KITH_TYPE_DATE) {
        struct tm day = {0};
        if (strptime(text, spec->date_format == NULL ? "%Y-%m-%d" : spec->date_format, &day) ==
            NULL)
            return NAN;
        return (double)timegm(&day) / 86400;
    }
    char plain[64];
    size_t n = 0;
    const bool comma = spec->date_format != NULL && spec->date_format[0] == ',';
    for (; *text != '\0' && n + 1 < sizeof plain; text++)
        if (*text == ',' && comma)
            plain[n++] = '.';
        else if (*text != ',' && (*text != '.' || !comma))
            plain[n++] = *text;
    plain[n] = '\0';
    char *end;
    const double number = strtod(plain, &end);
    return end == plain ? NAN : number;
}

typedef struct extent {
    double low, high;
    const char *low_text, *high_text;
} extent;

static extent find_extent(const dataset *d, size_t column, const kith_column_spec *spec)
{
    extent e = {INFINITY, -INFINITY, "", ""};
    for (size_t i = 0; i < kith_table_n_values(d->table, column); i++) {
        const char *text = kith_table_value(d->table, column, i);
        const double at = position_of(text, spec);
        if (isfinite(at) && at < e.low) {
            e.low = at;
            e.low_text = text;
        }
        if (isfinite(at) && at > e.high) {
            e.high = at;
            e.high_text = text;
        }
    }
    return e;
}

kith_status histogram_add(cJSON *object, const dataset *d, size_t column, kith_error *error)
{
    const kith_column_spec spec = dataset_spec(d, column);
    if (spec.type == KITH_TYPE_STRING)
        return KITH_OK;
    const extent e = find_extent(d, column, &spec);
    if (!(e.high > e.low))
        return KITH_OK;
    /* Whole numbers in a narrow range have a bin each. */
    const bool whole = spec.type == KITH_TYPE_INTEGER && e.high - e.low < BINS;
    const int n_bins = whole ? (int)(e.high - e.low) + 1 : BINS;
    const double width = whole ? 1 : (e.high - e.low) / BINS;
    if (!isfinite(width) || width <= 0) /* ends that are too far apart for a double, or too close */
        return KITH_OK;
    double counts[BINS] = {0};
    for (size_t i = 0; i < kith_table_n_values(d->table, column); i++) {
        const double at = position_of(kith_table_value(d->table, column, i), &spec);
        if (!isfinite(at))
            continue;
        const double bin = fmin((at - e.low) / width, n_bins - 1);
        counts[(size_t)fmax(bin, 0)] += d->counts[column][i];
    }
    cJSON *histogram = cJSON_AddObjectToObject(object, "histogram");
    cJSON *list = cJSON_CreateDoubleArray(counts, n_bins);
    if (histogram == NULL || list == NULL || !cJSON_AddItemToObject(histogram, "counts", list)) {
        cJSON_Delete(list);
        return json_fail(error, KITH_NOMEM, "out of memory");
    }
    cJSON_AddStringToObject(histogram, "low", e.low_text);
    cJSON_AddStringToObject(histogram, "high", e.high_text);
    return KITH_OK;
}
