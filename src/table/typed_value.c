#include "table/typed_value.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/text.h"

/* strptime accepts more than it should (blanks, the 31st of February), therefore the result is
 * converted back and compared. */
bool typed_value_date(const char *text, size_t length, const char *format, locale_t c_locale,
                      int64_t *days)
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
    *days = text_days(year, (unsigned)parts.tm_mon + 1, (unsigned)parts.tm_mday);
    text_civil(*days, &back, &month, &day);
    return back == year && month == (unsigned)parts.tm_mon + 1 && day == (unsigned)parts.tm_mday;
}

bool typed_value_parse(kith_type type, const char *date_format, locale_t c_locale, const char *text,
                       size_t length, int64_t *whole, double *decimal)
{
    switch (type) {
    case KITH_TYPE_STRING: return true;
    case KITH_TYPE_INTEGER: return text_integer(text, length, whole);
    case KITH_TYPE_DECIMAL: return text_decimal(text, length, decimal);
    case KITH_TYPE_DATE: break;
    }
    if (date_format == NULL)
        return text_date(text, length, whole);
    return typed_value_date(text, length, date_format, c_locale, whole);
}

void typed_value_expected(char *out, size_t size, kith_type type, const char *date_format)
{
    if (type == KITH_TYPE_DATE && date_format != NULL)
        snprintf(out, size, "a date of format %.50s", date_format);
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
