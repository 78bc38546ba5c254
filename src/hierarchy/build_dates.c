/* Units of time: 2024-03-13 08:15, 2024-03-13 08:00-08:59, 2024-03-13, 2024-W11, 2024-03, 2024-Q1,
 * 2024, 2020s. Weeks are those of ISO 8601: they begin on Monday and belong to the year of their
 * Thursday. */
#include <inttypes.h>
#include <stdio.h>

#include "core/error.h"
#include "core/text.h"
#include "hierarchy/builders.h"
#include "table/typed_value.h"

static size_t week_label(char out[LEAF_TEXT], int64_t days)
{
    int64_t weekday = ((days + 3) % 7 + 7) % 7; /* Monday is 0; 1970-01-01 was a Thursday */
    int64_t thursday = days - weekday + 3;
    int64_t year;
    unsigned month, day;
    text_civil(thursday, &year, &month, &day);
    int64_t week = (thursday - text_days(year, 1, 1)) / 7 + 1;
    return (size_t)snprintf(out, LEAF_TEXT, "%04" PRId64 "-W%02" PRId64, year, week);
}

/* "2024-03-13 08:15" or "2024-03-13 08:00-08:59". */
static size_t time_label(char out[LEAF_TEXT], int64_t days, unsigned of_day, date_unit unit,
                         bool with_day)
{
    size_t length = 0;
    if (with_day) {
        length = build_dates_label(out, days * TYPED_VALUE_DAY, DATE_DAY, true);
        out[length++] = ' ';
    }
    unsigned hour = of_day / 3600, minute = of_day / 60 % 60;
    char *rest = out + length;
    size_t room = LEAF_TEXT - length;
    if (unit == DATE_MINUTE)
        return length + (size_t)snprintf(rest, room, "%02u:%02u", hour, minute);
    return length + (size_t)snprintf(rest, room, "%02u:00-%02u:59", hour, hour);
}

/* Labels of different units never agree, so that each stands for one set of times. */
size_t build_dates_label(char out[LEAF_TEXT], int64_t seconds, date_unit unit, bool with_day)
{
    int64_t year, of_day = (seconds % TYPED_VALUE_DAY + TYPED_VALUE_DAY) % TYPED_VALUE_DAY;
    int64_t days = (seconds - of_day) / TYPED_VALUE_DAY;
    unsigned month, day;
    text_civil(days, &year, &month, &day);
    int length = 0;
    switch (unit) {
    case DATE_MINUTE:
    case DATE_HOUR: return time_label(out, days, (unsigned)of_day, unit, with_day);
    case DATE_DAY:
        length = snprintf(out, LEAF_TEXT, "%04" PRId64 "-%02u-%02u", year, month, day);
        break;
    case DATE_WEEK: return week_label(out, days);
    case DATE_MONTH: length = snprintf(out, LEAF_TEXT, "%04" PRId64 "-%02u", year, month); break;
    case DATE_QUARTER:
        length = snprintf(out, LEAF_TEXT, "%04" PRId64 "-Q%u", year, (month + 2) / 3);
        break;
    case DATE_YEAR: length = snprintf(out, LEAF_TEXT, "%04" PRId64, year); break;
    case DATE_DECADE: {
        /* Rounds down for years before 0, too. */
        int64_t decade = year - (year % 10 + 10) % 10;
        length = snprintf(out, LEAF_TEXT, "%04" PRId64 "s", decade);
        break;
    }
    }
    return (size_t)length;
}

kith_status build_dates(draft *d, const hierarchy_spec *spec, const leaf_source *leaves,
                        kith_findings *findings, kith_error *error)
{
    TRY(build_leaves_begin(leaves, d, spec->count + 2, findings, error));
    /* Without a date (a format such as %H:%M) all leaves are times of the first day that there is,
     * which labels of hours and minutes then leave out. */
    bool with_day = false;
    for (uint32_t leaf = 0; leaf < build_leaves_count(leaves) && !with_day; leaf++) {
        int64_t seconds = build_leaves_whole(leaves, leaf);
        with_day = seconds < 0 || seconds >= TYPED_VALUE_DAY;
    }
    for (uint32_t leaf = 0; leaf < build_leaves_count(leaves); leaf++) {
        int64_t seconds = build_leaves_whole(leaves, leaf);
        for (uint32_t i = 0; i < spec->count; i++) {
            char label[LEAF_TEXT];
            size_t length = build_dates_label(label, seconds, spec->units[i], with_day);
            TRY(draft_set(d, leaf, i + 1, label, length, error));
        }
    }
    return KITH_OK;
}
