#include "table/typed_value.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/text.h"

/* strptime accepts more than it should (blanks, the 31st of February), therefore the result is
 * converted back and compared. */
bool typed_value_date(const char *text, size_t length, const char *format, locale_t c_locale,
                      int64_t *seconds)
{
    char copy[256];
    if (length == 0 || length >= sizeof copy || memchr(text, '\0', length) != NULL)
        return false;
    if ((text[0] == ' ' || text[0] == '\t') && text[0] != format[0])
        return false; /* strptime would skip it */
    memcpy(copy, text, length);
    copy[length] = '\0';
    struct tm parts = {.tm_year = 70, .tm_mday = 1};
    const char *end = strptime_l(copy, format, &parts, c_locale);
    if (end == NULL || *end != '\0')
        return false;
    int64_t year = 1900 + (int64_t)parts.tm_year, back;
    unsigned month, day;
    int64_t days = text_days(year, (unsigned)parts.tm_mon + 1, (unsigned)parts.tm_mday);
    text_civil(days, &back, &month, &day);
    int second = parts.tm_sec < 60 ? parts.tm_sec : 59; /* a leap second stays in its minute */
    *seconds = days * TYPED_VALUE_DAY + parts.tm_hour * 3600 + parts.tm_min * 60 + second;
    return back == year && month == (unsigned)parts.tm_mon + 1 && day == (unsigned)parts.tm_mday;
}

bool typed_value_date_text(char *out, size_t size, int64_t seconds, const char *format,
                           locale_t c_locale)
{
    int64_t year, back, of_day = (seconds % TYPED_VALUE_DAY + TYPED_VALUE_DAY) % TYPED_VALUE_DAY;
    int64_t days = (seconds - of_day) / TYPED_VALUE_DAY;
    unsigned month, day;
    text_civil(days, &year, &month, &day);
    struct tm parts = {.tm_year = (int)(year - 1900),
                       .tm_mon = (int)month - 1,
                       .tm_mday = (int)day,
                       .tm_hour = (int)(of_day / 3600),
                       .tm_min = (int)(of_day / 60 % 60),
                       .tm_sec = (int)(of_day % 60),
                       .tm_wday = (int)(((days + 4) % 7 + 7) % 7), /* 1970-01-01 was a Thursday */
                       .tm_yday = (int)(days - text_days(year, 1, 1))};
    size_t length = strftime_l(out, size, format, &parts, c_locale);
    return typed_value_date(out, length, format, c_locale, &back) && back == seconds;
}

char typed_value_mark(kith_type type, const char *date_format)
{
    bool number = type == KITH_TYPE_INTEGER || type == KITH_TYPE_DECIMAL;
    return number && date_format != NULL ? date_format[0] : '\0';
}

/* The length of what may stand between groups of digits here, 0 if nothing of that kind does: the
 * other one of comma and point, an apostrophe, or a blank, also one that does not break. */
static size_t group_mark(const char *text, size_t length, char mark)
{
    static const char *const marks[] = {"'", " ", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x99"};
    if (length > 0 && text[0] == (mark == ',' ? '.' : ','))
        return 1;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (length >= strlen(marks[i]) && memcmp(text, marks[i], strlen(marks[i])) == 0)
            return strlen(marks[i]);
    return 0;
}

/* Writes a number as text_decimal and text_integer read it. Groups have three digits, the first one
 * to three, and the same mark between all of them; there are none behind the decimal mark. False if
 * the text is longer than any number or grouped in another way. */
static bool plain_number(const char *text, size_t length, char mark, char out[64], size_t *used)
{
    const char *group = NULL;
    size_t count, at = length > 0 && (text[0] == '-' || text[0] == '+');
    if (length >= 64)
        return false;
    memcpy(out, text, at);
    *used = at;
    for (bool first = true;; first = false) {
        count = text_digits(text + at, length - at);
        if (group != NULL && count != 3)
            return false;
        memcpy(out + *used, text + at, count);
        *used += count;
        at += count;
        size_t width = group_mark(text + at, length - at, mark);
        if (width == 0)
            break;
        if ((first && (count == 0 || count > 3)) ||
            (group != NULL && memcmp(group, text + at, width) != 0))
            return false;
        group = text + at;
        at += width;
    }
    for (; at < length; at++, ++*used) {
        if (text[at] == (mark == ',' ? '.' : ','))
            return false;
        out[*used] = text[at] == mark ? '.' : text[at];
    }
    return true;
}

bool typed_value_decimal(const char *text, size_t length, char mark, double *value)
{
    char plain[64];
    if (mark == '\0')
        return text_decimal(text, length, value);
    return plain_number(text, length, mark, plain, &length) && text_decimal(plain, length, value);
}

bool typed_value_integer(const char *text, size_t length, char mark, int64_t *value)
{
    char plain[64];
    if (mark == '\0')
        return text_integer(text, length, value);
    return plain_number(text, length, mark, plain, &length) && text_integer(plain, length, value);
}

bool typed_value_iso_date(const char *text, size_t length, int64_t *seconds)
{
    int64_t days;
    if (!text_date(text, length, &days))
        return false;
    *seconds = days * TYPED_VALUE_DAY;
    return true;
}

bool typed_value_parse(kith_type type, const char *date_format, locale_t c_locale, const char *text,
                       size_t length, int64_t *whole, double *decimal)
{
    char mark = typed_value_mark(type, date_format);
    switch (type) {
    case KITH_TYPE_STRING: return true;
    case KITH_TYPE_INTEGER: return typed_value_integer(text, length, mark, whole);
    case KITH_TYPE_DECIMAL: return typed_value_decimal(text, length, mark, decimal);
    case KITH_TYPE_DATE: break;
    }
    if (date_format == NULL)
        return typed_value_iso_date(text, length, whole);
    return typed_value_date(text, length, date_format, c_locale, whole);
}

void typed_value_expected(char *out, size_t size, kith_type type, const char *date_format)
{
    if (type == KITH_TYPE_DATE && date_format != NULL)
        snprintf(out, size, "a date of format %.50s", date_format);
    else if (typed_value_mark(type, date_format) != '\0')
        snprintf(out, size, "%s such as %s", type == KITH_TYPE_INTEGER ? "an integer" : "a number",
                 date_format[0] == ',' ? (type == KITH_TYPE_INTEGER ? "1.234" : "1.234,50")
                                       : (type == KITH_TYPE_INTEGER ? "1,234" : "1,234.50"));
    else
        snprintf(out, size, "%s",
                 type == KITH_TYPE_INTEGER   ? "an integer"
                 : type == KITH_TYPE_DECIMAL ? "a decimal number"
                 : type == KITH_TYPE_DATE    ? "a date YYYY-MM-DD"
                                             : "text");
}

/* ASCII only: isspace depends on the locale. */
static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void typed_value_trim(const char **text, size_t *length)
{
    while (*length > 0 && blank((*text)[*length - 1]))
        --*length;
    while (*length > 0 && blank(**text)) {
        ++*text;
        --*length;
    }
}
