#include "verify/label_dates.h"

#include <string.h>

#include "core/text.h"

enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

/* Takes exactly `count` digits from the text, or all that are there if it is 0. */
static bool take_number(const char **text, size_t count, int64_t *number)
{
    size_t used = 0;
    *number = 0;
    for (; **text >= '0' && **text <= '9' && (count == 0 || used < count) && used < 12; used++)
        *number = 10 * *number + (*(*text)++ - '0');
    return count == 0 ? used >= 4 : used == count;
}

static bool take(const char **text, const char *expected)
{
    const size_t length = strlen(expected);
    if (strncmp(*text, expected, length) != 0)
        return false;
    *text += length;
    return true;
}

/* A year has four digits or more, and may be before 0. */
static bool take_year(const char **text, int64_t *year)
{
    const bool negative = take(text, "-");
    if (!take_number(text, negative ? 3 : 0, year))
        return false;
    *year = negative ? -*year : *year;
    return true;
}

static bool take_month(const char **text, int64_t *year, int64_t *month)
{
    return take_year(text, year) && take(text, "-") && take_number(text, 2, month) && *month >= 1 &&
           *month <= 12;
}

/* In seconds. */
static bool take_day(const char **text, int64_t *day)
{
    int64_t year, month, of_month, back;
    unsigned month_back, day_back;
    if (!take_month(text, &year, &month) || !take(text, "-") || !take_number(text, 2, &of_month))
        return false;
    const int64_t days = text_days(year, (unsigned)month, (unsigned)of_month);
    text_civil(days, &back, &month_back, &day_back);
    *day = days * DAY;
    return back == year && month_back == month && day_back == of_month;
}

/* Monday of the first week of a year, which is the one with the fourth of January. */
static int64_t first_monday(int64_t year)
{
    const int64_t fourth = text_days(year, 1, 4);
    return fourth - ((fourth + 3) % 7 + 7) % 7; /* 1970-01-01 was a Thursday */
}

static bool read_week(const char *text, int64_t *first, int64_t *last)
{
    int64_t year, week;
    if (!take_year(&text, &year) || !take(&text, "-W") || !take_number(&text, 2, &week) ||
        week < 1 || *text != '\0')
        return false;
    *first = (first_monday(year) + 7 * (week - 1)) * DAY;
    *last = *first + 7 * DAY - 1;
    return *first < first_monday(year + 1) * DAY;
}

/* From a month to before another one; months may be beyond December. */
static void months(int64_t year, int64_t from, int64_t to, int64_t *first, int64_t *last)
{
    *first = text_days(year, (unsigned)from, 1) * DAY;
    *last = text_days(to > 12 ? year + 1 : year, (unsigned)(to > 12 ? to - 12 : to), 1) * DAY - 1;
}

/* Month, quarter, year or decade. */
static bool read_months(const char *text, date_unit unit, int64_t *first, int64_t *last)
{
    int64_t year, part = 0;
    if (unit == DATE_MONTH) {
        if (!take_month(&text, &year, &part))
            return false;
        months(year, part, part + 1, first, last);
    } else {
        if (!take_year(&text, &year))
            return false;
        if (unit == DATE_QUARTER) {
            if (!take(&text, "-Q") || !take_number(&text, 1, &part) || part < 1 || part > 4)
                return false;
            months(year, 3 * part - 2, 3 * part + 1, first, last);
        } else {
            if (unit == DATE_DECADE && (year % 10 != 0 || !take(&text, "s")))
                return false;
            *first = text_days(year, 1, 1) * DAY;
            *last = text_days(year + (unit == DATE_DECADE ? 10 : 1), 1, 1) * DAY - 1;
        }
    }
    return *text == '\0';
}

/* 08:15 or 08:00-08:59, with or without a day in front. */
static bool read_time(const char *text, date_unit unit, int64_t *first, int64_t *last)
{
    int64_t day = 0, hour, minute, same, end;
    if (strchr(text, ' ') != NULL && (!take_day(&text, &day) || !take(&text, " ")))
        return false;
    if (!take_number(&text, 2, &hour) || !take(&text, ":") || !take_number(&text, 2, &minute) ||
        hour > 23 || minute > 59)
        return false;
    *first = day + hour * HOUR + minute * MINUTE;
    *last = *first + (unit == DATE_MINUTE ? MINUTE : HOUR) - 1;
    if (unit == DATE_MINUTE)
        return *text == '\0';
    return minute == 0 && take(&text, "-") && take_number(&text, 2, &same) && take(&text, ":") &&
           take_number(&text, 2, &end) && same == hour && end == 59 && *text == '\0';
}

bool label_dates_read(const char *text, date_unit unit, int64_t *first, int64_t *last)
{
    switch (unit) {
    case DATE_MINUTE:
    case DATE_HOUR: return read_time(text, unit, first, last);
    case DATE_DAY:
        if (!take_day(&text, first))
            return false;
        *last = *first + DAY - 1;
        return *text == '\0';
    case DATE_WEEK: return read_week(text, first, last);
    case DATE_MONTH:
    case DATE_QUARTER:
    case DATE_YEAR:
    case DATE_DECADE: return read_months(text, unit, first, last);
    }
    return false;
}
