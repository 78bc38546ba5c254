#include "job/profile/guess_format.h"

#include <string.h>

#include "core/text.h"

/* Three numbers between two equal separators. */
typedef struct parts {
    char separator;
    size_t digits[3];
    unsigned value[3];
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
    [YEAR_FIRST] = {2, 1, 0, "./"},
};

/* isdigit depends on the locale. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* How many digits stand at the beginning. */
static size_t digits_at(const char *text, size_t length)
{
    size_t count = 0;
    while (count < length && is_digit(text[count]))
        count++;
    return count;
}

/* Takes a number of one to four digits from the text. */
static bool take_number(const char **text, size_t *length, parts *p, int index)
{
    size_t count = digits_at(*text, *length);
    if (count == 0 || count > 4)
        return false;
    p->digits[index] = count;
    p->value[index] = 0;
    for (size_t i = 0; i < count; i++)
        p->value[index] = 10 * p->value[index] + (unsigned)((*text)[i] - '0');
    *text += count;
    *length -= count;
    return true;
}

/* Splits a text into three numbers; false if it does not have that form. */
static bool split(const char *text, size_t length, parts *p)
{
    for (int i = 0; i < 3; i++) {
        if (!take_number(&text, &length, p, i))
            return false;
        if (i == 2)
            break;
        if (length == 0 || (i == 1 && *text != p->separator))
            return false;
        p->separator = *text++;
        length--;
    }
    return length == 0 && strchr("./-", p->separator) != NULL && p->separator != '\0';
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

static bool is_date(const parts *p, const date_order *o, char separator)
{
    return p->separator == separator && p->digits[o->year] == 4 && p->digits[o->month] <= 2 &&
           p->digits[o->day] <= 2 &&
           exists(p->value[o->year], p->value[o->month], p->value[o->day]);
}

/* One value that does not fit is enough to refuse an order; columns of dates are uniform. */
static bool all_dates(const dictionary *values, const date_order *o, char separator)
{
    for (uint32_t i = 0; i < values->count; i++) {
        parts p;
        if (!split(dictionary_text(values, i), dictionary_length(values, i), &p) ||
            !is_date(&p, o, separator))
            return false;
    }
    return values->count > 0;
}

static const char *format_of(int order, char separator)
{
    static const char *const formats[ORDERS][3] = {
        [DAY_FIRST] = {"%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y"},
        [MONTH_FIRST] = {"%m.%d.%Y", "%m/%d/%Y", "%m-%d-%Y"},
        [YEAR_FIRST] = {"%Y.%m.%d", "%Y/%m/%d", "%Y-%m-%d"},
    };
    return formats[order][separator == '.' ? 0 : separator == '/' ? 1 : 2];
}

/* Day and month can be told apart only if some day is above 12; otherwise the first order that fits
 * is taken, and the caller warns. */
const char *guess_format_date(const dictionary *values, bool *ambiguous)
{
    parts first;
    *ambiguous = false;
    if (values->count == 0 ||
        !split(dictionary_text(values, 0), dictionary_length(values, 0), &first))
        return NULL;
    char separator = first.separator;
    bool fits[ORDERS];
    for (int i = 0; i < ORDERS; i++)
        fits[i] = strchr(orders[i].separators, separator) != NULL &&
                  all_dates(values, &orders[i], separator);
    *ambiguous = fits[DAY_FIRST] && fits[MONTH_FIRST];
    for (int i = 0; i < ORDERS; i++)
        if (fits[i])
            return format_of(i, separator);
    return NULL;
}

/* Years of two digits are only recognized, not read: the century would be a guess. */
bool guess_format_short_date(const dictionary *values)
{
    for (uint32_t i = 0; i < values->count; i++) {
        parts p;
        if (!split(dictionary_text(values, i), dictionary_length(values, i), &p) ||
            p.digits[0] != 2 || p.digits[1] != 2 || p.digits[2] != 2)
            return false;
        /* 2000 was a leap year: no day of any century is refused */
        if (!exists(2000, p.value[1], p.value[0]) && !exists(2000, p.value[0], p.value[1]))
            return false;
    }
    return values->count > 0;
}

/* Digits, perhaps in groups of three, then perhaps a fraction. */
static bool is_grouped(const char *text, size_t length, char group, char point)
{
    size_t count = digits_at(text, length), used = count;
    if (count == 0)
        return false;
    while (count <= 3 && used + 4 <= length && text[used] == group &&
           digits_at(text + used + 1, length - used - 1) == 3)
        used += 4;
    if (used < length && text[used] == point) {
        size_t fraction = digits_at(text + used + 1, length - used - 1);
        used += fraction == 0 ? 0 : fraction + 1;
    }
    return used == length;
}

static bool all_grouped(const dictionary *values, char group, char point)
{
    for (uint32_t i = 0; i < values->count; i++) {
        const char *text = dictionary_text(values, i);
        size_t length = dictionary_length(values, i);
        size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
        if (!is_grouped(text + sign, length - sign, group, point))
            return false;
    }
    return true;
}

/* Numbers with commas, as decimal points or between groups of digits, are only recognized, so that
 * the user can be told. */
bool guess_format_commas(const dictionary *values)
{
    bool any = false;
    for (uint32_t i = 0; i < values->count && !any; i++)
        any = memchr(dictionary_text(values, i), ',', dictionary_length(values, i)) != NULL;
    return any && (all_grouped(values, '.', ',') || all_grouped(values, ',', '.'));
}
