#include "table/value.h"

#include <string.h>
#include <time.h>

#include "core/text.h"

bool value_date(const char *text, size_t length, const char *format, locale_t c_locale,
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
