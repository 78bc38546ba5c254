#include "job/profile/guess.h"

#include <string.h>

#include "core/text.h"
#include "table/typed_value.h"

bool guess_type_fits(const char *text, size_t length, kith_type type, const char *format,
                     locale_t c_locale)
{
    int64_t whole;
    double decimal;
    return typed_value_parse(type, format, c_locale, text, length, &whole, &decimal);
}

bool guess_type_leading_zero(const char *text, size_t length)
{
    return length > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

static bool all_fit(const dictionary *values, kith_type type)
{
    for (uint32_t i = 0; i < values->count; i++) {
        const char *text = dictionary_text(values, i);
        size_t length = dictionary_length(values, i);
        if (!guess_type_fits(text, length, type, NULL, (locale_t)0) ||
            (type != KITH_TYPE_DATE && guess_type_leading_zero(text, length)))
            return false;
    }
    return values->count > 0;
}

kith_type guess_type(const dictionary *values)
{
    static const kith_type narrowest_first[] = {KITH_TYPE_INTEGER, KITH_TYPE_DECIMAL,
                                                KITH_TYPE_DATE};
    for (size_t i = 0; i < 3; i++)
        if (all_fit(values, narrowest_first[i]))
            return narrowest_first[i];
    return KITH_TYPE_STRING;
}

const char *guess_type_name(kith_type type)
{
    static const char *const names[] = {
        [KITH_TYPE_STRING] = "string",
        [KITH_TYPE_INTEGER] = "integer",
        [KITH_TYPE_DECIMAL] = "decimal",
        [KITH_TYPE_DATE] = "date",
    };
    return names[type];
}

/* What may follow a date: nothing, or a time of day. */
typedef enum time_form {
    TIME_NONE,
    TIME_BLANK_MINUTES, /* 2024-03-13 08:15 */
    TIME_BLANK_SECONDS, /* 2024-03-13 08:15:00 */
    TIME_T_MINUTES,     /* 2024-03-13T08:15 */
    TIME_T_SECONDS,     /* 2024-03-13T08:15:00 */
    TIME_T_UTC,         /* 2024-03-13T08:15:00Z */
    TIME_FORMS
} time_form;

/* Three numbers between two equal separators, and perhaps a time. */
typedef struct parts {
    char separator;
    size_t digits[3];
    unsigned value[3];
    time_form time;
} parts;

/* Where day, month and year stand, and the separators that the order is common with. */
typedef struct date_order {
    int day, month, year;
    const char *separators;
} date_order;

enum { DAY_FIRST, MONTH_FIRST, YEAR_FIRST, ORDERS };

static const date_order orders[ORDERS] = {
    [DAY_FIRST] = {0, 1, 2, "./-"},
    [MONTH_FIRST] = {1, 0, 2, "/-"},
    [YEAR_FIRST] = {2, 1, 0, "./-"},
};

/* Two digits up to `most`, after a mark. */
static bool two_digits(const char *text, size_t length, char mark, unsigned most)
{
    return length >= 3 && text[0] == mark && text_digits(text + 1, 2) == 2 &&
           (unsigned)((text[1] - '0') * 10 + text[2] - '0') <= most;
}

/* The time of day at the end of a text, with what separates it from the date. */
static bool read_time(const char *text, size_t length, time_form *form)
{
    *form = TIME_NONE;
    if (length == 0)
        return true;
    const char mark = text[0];
    if ((mark != ' ' && mark != 'T') || !two_digits(text, length, mark, 23) ||
        !two_digits(text + 3, length - 3, ':', 59))
        return false;
    *form = mark == 'T' ? TIME_T_MINUTES : TIME_BLANK_MINUTES;
    if (length == 6)
        return true;
    if (!two_digits(text + 6, length - 6, ':', 59))
        return false;
    *form = mark == 'T' ? TIME_T_SECONDS : TIME_BLANK_SECONDS;
    if (length == 10 && mark == 'T' && text[9] == 'Z') {
        *form = TIME_T_UTC;
        return true;
    }
    return length == 9;
}

/* Splits a text into three numbers of one to four digits and a time; false if it does not have that
 * form. */
static bool guess_split(const char *text, size_t length, parts *p)
{
    for (int i = 0; i < 3; i++) {
        const size_t count = p->digits[i] = text_digits(text, length);
        if (count == 0 || count > 4)
            return false;
        p->value[i] = 0;
        for (size_t k = 0; k < count; k++)
            p->value[i] = 10 * p->value[i] + (unsigned)(text[k] - '0');
        text += count;
        length -= count;
        if (i == 2)
            break;
        if (length == 0 || (i == 1 && *text != p->separator))
            return false;
        p->separator = *text++;
        length--;
    }
    return read_time(text, length, &p->time) && p->separator != '\0' &&
           strchr("./-", p->separator) != NULL;
}

/* Does the calendar have this day? Converting there and back tells. */
static bool exists(unsigned year, unsigned month, unsigned day)
{
    int64_t back_year;
    unsigned back_month, back_day;
    if (month < 1 || month > 12 || day < 1 || day > 31)
        return false;
    text_civil(text_days(year, month, day), &back_year, &back_month, &back_day);
    return back_month == month && back_day == day;
}

/* Years of two digits are those that strptime takes them for. Then day and month have two digits,
 * too: 1.2.13 may be a version of something. */
static bool is_date(const parts *p, const date_order *o, char separator, bool two_digits)
{
    unsigned year = p->value[o->year];
    if (two_digits)
        year += year >= 69 ? 1900 : 2000;
    return p->separator == separator && p->digits[o->year] == (two_digits ? 2 : 4) &&
           p->digits[o->month] <= 2 && p->digits[o->day] <= 2 &&
           (!two_digits || (p->digits[o->month] == 2 && p->digits[o->day] == 2)) &&
           exists(year, p->value[o->month], p->value[o->day]);
}

/* One value that does not fit is enough to refuse an order; columns of dates are uniform. */
static bool all_dates(const dictionary *values, const date_order *o, const parts *like,
                      bool two_digits)
{
    for (uint32_t i = 0; i < values->count; i++) {
        parts p;
        if (!guess_split(dictionary_text(values, i), dictionary_length(values, i), &p) ||
            !is_date(&p, o, like->separator, two_digits) || p.time != like->time)
            return false;
    }
    return values->count > 0;
}

#define FORMATS(date)                                                                             \
    {                                                                                             \
        date, date " %H:%M", date " %H:%M:%S", date "T%H:%M", date "T%H:%M:%S", date "T%H:%M:%SZ" \
    }

static const char *format_of(int order, const parts *like, bool two_digits)
{
    static const char *const formats[ORDERS][3][TIME_FORMS] = {
        [DAY_FIRST] = {FORMATS("%d.%m.%Y"), FORMATS("%d/%m/%Y"), FORMATS("%d-%m-%Y")},
        [MONTH_FIRST] = {FORMATS("%m.%d.%Y"), FORMATS("%m/%d/%Y"), FORMATS("%m-%d-%Y")},
        [YEAR_FIRST] = {FORMATS("%Y.%m.%d"), FORMATS("%Y/%m/%d"), FORMATS("%Y-%m-%d")},
    };
    static const char *const short_formats[YEAR_FIRST][3][TIME_FORMS] = {
        [DAY_FIRST] = {FORMATS("%d.%m.%y"), FORMATS("%d/%m/%y"), FORMATS("%d-%m-%y")},
        [MONTH_FIRST] = {FORMATS("%m.%d.%y"), FORMATS("%m/%d/%y"), FORMATS("%m-%d-%y")},
    };
    int place = like->separator == '.' ? 0 : like->separator == '/' ? 1 : 2;
    return (two_digits ? short_formats : formats)[order][place][like->time];
}

/* Day and month can be told apart only if some day is above 12; otherwise the first order that fits
 * is taken, and the caller warns. */
const char *guess_format_date(const dictionary *values, bool *ambiguous)
{
    parts first;
    *ambiguous = false;
    if (values->count == 0 ||
        !guess_split(dictionary_text(values, 0), dictionary_length(values, 0), &first))
        return NULL;
    for (int two_digits = 0; two_digits < 2; two_digits++) {
        bool fits[ORDERS] = {false};
        /* Of three numbers of two digits the first could not be told to be the year. */
        int n_orders = two_digits != 0 ? YEAR_FIRST : ORDERS;
        for (int i = 0; i < n_orders; i++)
            fits[i] = strchr(orders[i].separators, first.separator) != NULL &&
                      all_dates(values, &orders[i], &first, two_digits != 0);
        *ambiguous = fits[DAY_FIRST] && fits[MONTH_FIRST];
        for (int i = 0; i < n_orders; i++)
            if (fits[i])
                return format_of(i, &first, two_digits != 0);
    }
    return NULL;
}

/* Some of them not plain, and none a code such as 007. */
static bool all_numbers(const dictionary *values, char mark)
{
    double value;
    bool marked = false;
    for (uint32_t i = 0; i < values->count; i++) {
        const char *text = dictionary_text(values, i);
        size_t length = dictionary_length(values, i);
        if (!typed_value_decimal(text, length, mark, &value) ||
            guess_type_leading_zero(text, length))
            return false;
        marked = marked || !text_decimal(text, length, &value);
    }
    return marked;
}

bool guess_format_whole(const dictionary *values, const char *format)
{
    int64_t value;
    for (uint32_t i = 0; i < values->count; i++)
        if (!typed_value_integer(dictionary_text(values, i), dictionary_length(values, i),
                                 format == NULL ? '\0' : format[0], &value))
            return false;
    return values->count > 0;
}

const char *guess_format_number(const dictionary *values, bool semicolons, bool *ambiguous)
{
    bool comma = all_numbers(values, ','), point = all_numbers(values, '.');
    *ambiguous = comma && point;
    if (!comma && !point)
        return NULL;
    return comma && (semicolons || !point) ? "," : ".";
}
