#include "table/arrow/arrow_text.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "core/text.h"
#include "table/typed_value.h"

enum { LIMBS = 8, LIMB_DIGITS = 9, FLOAT_DIGITS = 9 };

/* 0000-01-01 and 9999-12-31, in days since 1970-01-01: what YYYY-MM-DD can say. */
static const int64_t first_day = -719528, last_day = 2932896;

static size_t integer_text(char *out, uint64_t value, bool is_signed)
{
    char digits[24];
    size_t count = 0, used = 0;
    const bool negative = is_signed && (int64_t)value < 0;
    uint64_t rest = negative ? 0 - value : value;
    do
        digits[count++] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (negative)
        out[used++] = '-';
    while (count > 0)
        out[used++] = digits[--count];
    return used;
}

/* The magnitude of a decimal as limbs, the lowest first. True if it is negative. */
static bool decimal_limbs(const arrow_values *v, int64_t index, uint32_t limbs[LIMBS])
{
    const size_t n = v->type->width / sizeof *limbs;
    memset(limbs, 0, LIMBS * sizeof *limbs);
    memcpy(limbs, v->data + index * (int64_t)v->type->width, v->type->width);
    if (limbs[n - 1] >> 31 == 0)
        return false;
    uint64_t carry = 1;
    for (size_t i = 0; i < n; i++) {
        carry += (uint32_t)~limbs[i];
        limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return true;
}

/* Digits, the lowest first, at least `least` of them. */
static size_t limb_digits(uint32_t limbs[LIMBS], char *digits, size_t least)
{
    size_t count = 0, top = LIMBS;
    for (; top > 0; top -= limbs[top - 1] == 0) {
        uint64_t rest = 0;
        for (size_t i = top; i > 0; i--) {
            rest = rest << 32 | limbs[i - 1];
            limbs[i - 1] = (uint32_t)(rest / 1000000000);
            rest %= 1000000000;
        }
        for (int i = 0; i < LIMB_DIGITS; i++, rest /= 10)
            digits[count++] = (char)('0' + rest % 10);
    }
    while (count > least && digits[count - 1] == '0')
        count--;
    return count;
}

/* As many digits behind the point as the scale says: 1.50 stays 1.50. */
static size_t decimal_text(char *out, const arrow_values *v, int64_t index)
{
    uint32_t limbs[LIMBS];
    char digits[(LIMBS + 1) * LIMB_DIGITS + LIMB_DIGITS] = {0};
    const size_t fraction = v->type->scale > 0 ? (size_t)v->type->scale : 0;
    const bool negative = decimal_limbs(v, index, limbs);
    size_t count = limb_digits(limbs, digits, 1), used = 0;
    while (count <= fraction)
        digits[count++] = '0';
    if (negative)
        out[used++] = '-';
    for (; count > 0; count--) {
        if (count == fraction)
            out[used++] = '.';
        out[used++] = digits[count - 1];
    }
    const bool zero = used == 1 && out[0] == '0';
    for (int i = v->type->scale; i < 0 && !zero; i++)
        out[used++] = '0';
    return used;
}

/* The value of a half, whose bits count like those of a double. */
static double half_value(uint32_t bits)
{
    const uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double sign = bits >> 15 & 1 ? -1 : 1;
    if (exponent == 31)
        return fraction == 0 ? sign * (double)INFINITY : (double)NAN;
    return sign *
           (exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, (int)exponent - 25));
}

static double float_value(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* The shortest decimal that lies nearer to a half or float than to its neighbours, as a double: the
 * midpoints between them are exact there. */
static double shortest(double value, double below, double above)
{
    const double low = value + (below - value) / 2, high = value + (above - value) / 2;
    for (int digits = 1; digits < FLOAT_DIGITS; digits++) {
        char text[32];
        double back;
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        char *comma = strchr(text, ','); /* of the process's locale */
        if (comma != NULL)
            *comma = '.';
        if (text_decimal(text, strlen(text), &back) && back > low && back < high)
            return back;
    }
    return value;
}

/* The neighbours of a number of `width` bytes, by its bits without sign. */
static double narrow_value(uint32_t bits, unsigned width)
{
    double (*const value_of)(uint32_t) = width == 2 ? half_value : float_value;
    const uint32_t sign = bits & (width == 2 ? UINT32_C(1) << 15 : UINT32_C(1) << 31);
    const uint32_t size = bits ^ sign;
    const double value = value_of(size);
    if (!isfinite(value) || size == 0)
        return value_of(bits);
    double above = value_of(size + 1);
    if (!isfinite(above))
        above = value + (value - value_of(size - 1));
    const double found = shortest(value, value_of(size - 1), above);
    return sign != 0 ? -found : found;
}

static kith_status float_text(const char **text, size_t *length, char *buffer,
                              const arrow_values *v, int64_t index, kith_error *error)
{
    const uint64_t bits = arrow_values_load(v, index);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (v->type->width < 8)
        value = narrow_value((uint32_t)bits, v->type->width);
    if (isnan(value)) {
        *text = NULL;
        return KITH_OK;
    }
    if (isinf(value))
        return error_set(error, KITH_DATA, "an infinite number");
    text_format_decimal(buffer, value == 0 ? 0 : value); /* -0 is 0 */
    *length = strlen(buffer);
    return KITH_OK;
}

/* A time of day behind a date, with as many digits of the second as are not zero. */
static size_t time_text(char *out, int64_t of_day, const arrow_type *type)
{
    const int64_t per_second = type->ticks_per_day / TYPED_VALUE_DAY;
    const int second = (int)(of_day / per_second);
    size_t used =
        (size_t)snprintf(out, 16, "T%02d:%02d:%02d", second / 3600, second / 60 % 60, second % 60);
    int64_t rest = of_day % per_second;
    if (rest > 0)
        out[used++] = '.';
    for (int64_t unit = per_second / 10; rest > 0; unit /= 10) {
        out[used++] = (char)('0' + rest / unit);
        rest %= unit;
    }
    if (type->zoned)
        out[used++] = 'Z';
    return used;
}

/* In a column of dates a timestamp is a date if it is the first instant of its day, or has the
 * column's format if that says all of it. Otherwise its text says what it is, and the column
 * refuses it. */
static kith_status date_text(size_t *length, char *out, const arrow_values *v, int64_t index,
                             const arrow_text_style *style, kith_error *error)
{
    const arrow_type *type = v->type;
    const int64_t ticks = (int64_t)arrow_values_load(v, index), per_day = type->ticks_per_day;
    int64_t of_day = ticks % per_day, year;
    of_day += of_day < 0 ? per_day : 0;
    const int64_t days = ticks / per_day - (ticks % per_day < 0);
    unsigned month, day;
    if (days < first_day || days > last_day)
        return error_set(error, KITH_DATA, "a date outside the years 0 to 9999");
    if (!type->timed && of_day != 0)
        return error_set(error, KITH_DATA, "an Arrow date that is no whole day");
    const int64_t per_second = type->timed ? per_day / TYPED_VALUE_DAY : 1;
    if (style->c_locale != (locale_t)0 && of_day % per_second == 0 &&
        typed_value_date_text(out, ARROW_TEXT_BYTES, days * TYPED_VALUE_DAY + of_day / per_second,
                              style->date_format, style->c_locale)) {
        *length = strlen(out);
        return KITH_OK;
    }
    text_civil(days, &year, &month, &day);
    *length = (size_t)snprintf(out, 16, "%04d-%02u-%02u", (int)year, month, day);
    if (type->timed && (style->type != KITH_TYPE_DATE || of_day != 0))
        *length += time_text(out + *length, of_day, type);
    return KITH_OK;
}

kith_status arrow_text_of(const char **text, size_t *length, char buffer[ARROW_TEXT_BYTES],
                          const arrow_values *values, int64_t index, const arrow_text_style *style,
                          kith_error *error)
{
    const arrow_values *v = values;
    size_t readable;
    *text = buffer;
    switch (v->type->kind) {
    case ARROW_KIND_NULL: *text = NULL; return KITH_OK;
    case ARROW_KIND_BOOL:
        *text = v->data[index >> 3] >> (index & 7) & 1 ? "true" : "false";
        *length = strlen(*text);
        return KITH_OK;
    case ARROW_KIND_INTEGER:
        *length = integer_text(buffer, arrow_values_load(v, index), v->type->is_signed);
        return KITH_OK;
    case ARROW_KIND_DECIMAL: *length = decimal_text(buffer, v, index); return KITH_OK;
    case ARROW_KIND_FLOAT: return float_text(text, length, buffer, v, index, error);
    case ARROW_KIND_DATE: return date_text(length, buffer, v, index, style, error);
    case ARROW_KIND_TEXT:
    case ARROW_KIND_VIEW: break;
    }
    return arrow_values_text(v, index, text, length, &readable, error);
}
