#include "hierarchy/draft_values.h"

#include <string.h>

#include "table/typed_value.h"

bool draft_values_sorted(const dictionary *values)
{
    switch (values->type) {
    case KITH_TYPE_STRING: return values->whole == NULL && values->decimal == NULL;
    case KITH_TYPE_INTEGER: return values->whole != NULL;
    case KITH_TYPE_DECIMAL: return values->decimal != NULL;
    case KITH_TYPE_DATE: return false;
    }
    return false;
}

/* What is looked for. */
typedef struct wanted {
    const char *text;
    size_t length;
    int64_t whole;
    double decimal;
} wanted;

static int compare_text(const dictionary *values, const wanted *w, uint32_t code)
{
    const size_t length = dictionary_length(values, code);
    const int order =
        memcmp(w->text, dictionary_text(values, code), length < w->length ? length : w->length);
    return order != 0 ? order : (w->length > length) - (w->length < length);
}

/* The order of what is wanted and a value. Numbers that are equal may be written in several ways.
 */
static int compare(const dictionary *values, const wanted *w, uint32_t code)
{
    switch (values->type) {
    case KITH_TYPE_INTEGER:
        return (w->whole > values->whole[code]) - (w->whole < values->whole[code]);
    case KITH_TYPE_DECIMAL:
        return (w->decimal > values->decimal[code]) - (w->decimal < values->decimal[code]);
    default: return compare_text(values, w, code);
    }
}

/* The first value that is not below what is wanted, or the count. */
static uint32_t lower_bound(const dictionary *values, const wanted *w, uint32_t near)
{
    uint32_t low = 0, high = values->count; /* all below `low` are smaller, `high` is not */
    for (uint32_t step = 1, at = near;; step *= 2) {
        if (compare(values, w, at) > 0) {
            low = at + 1;
            if (high < values->count || high - low < step)
                break;
            at += step;
        } else {
            high = at;
            if (low > 0 || high < step)
                break;
            at -= step;
        }
    }
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare(values, w, middle) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t draft_values_find(const dictionary *values, const char *text, size_t length, uint32_t near)
{
    wanted w = {.text = text, .length = length};
    if (values->count == 0 ||
        (values->type == KITH_TYPE_INTEGER &&
         !typed_value_integer(text, length, values->mark, &w.whole)) ||
        (values->type == KITH_TYPE_DECIMAL &&
         !typed_value_decimal(text, length, values->mark, &w.decimal)))
        return UINT32_MAX;
    /* Masks begin with a character that comes before or behind all values: those are few steps. */
    if (compare(values, &w, 0) < 0 || compare(values, &w, values->count - 1) > 0)
        return UINT32_MAX;
    uint32_t code = lower_bound(values, &w, near < values->count ? near : values->count - 1);
    for (; code < values->count && compare(values, &w, code) == 0; code++)
        if (compare_text(values, &w, code) == 0)
            return code;
    return UINT32_MAX;
}
