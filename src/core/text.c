#include "core/text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"

/* Length of the well-formed UTF-8 sequence at `s`, 0 if there is none (Unicode, table 3-7). */
static size_t sequence(const unsigned char *s, size_t left)
{
    unsigned char lead = s[0];
    size_t length = lead < 0x80   ? 1
                    : lead < 0xc2 ? 0
                    : lead < 0xe0 ? 2
                    : lead < 0xf0 ? 3
                    : lead < 0xf5 ? 4
                                  : 0;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((lead == 0xe0 && s[1] < 0xa0) || (lead == 0xed && s[1] > 0x9f) ||
        (lead == 0xf0 && s[1] < 0x90) || (lead == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

size_t text_utf8_error(const char *text, size_t length)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t i = 0;
    while (i < length) {
        uint64_t word;
        /* Most texts are ASCII: skip eight bytes at a time. */
        while (i + 8 <= length && (memcpy(&word, s + i, 8), (word & 0x8080808080808080U) == 0))
            i += 8;
        if (i == length)
            break;
        size_t step = sequence(s + i, length - i);
        if (step == 0)
            return i;
        i += step;
    }
    return length;
}

bool text_ends(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

bool text_integer(const char *text, size_t length, int64_t *value)
{
    size_t i = 0;
    bool negative = false;
    if (length > 0 && (text[0] == '-' || text[0] == '+')) {
        negative = text[0] == '-';
        i = 1;
    }
    if (i == length)
        return false;
    int64_t result = 0;
    for (; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        int digit = text[i] - '0';
        /* Negative numbers are built downwards, since -INT64_MIN does not exist. */
        if (__builtin_mul_overflow(result, 10, &result) ||
            __builtin_add_overflow(result, negative ? -digit : digit, &result))
            return false;
    }
    *value = result;
    return true;
}

size_t text_digits(const char *text, size_t length)
{
    size_t count = 0;
    while (count < length && text[count] >= '0' && text[count] <= '9')
        count++;
    return count;
}

/* strtod alone would also accept blanks, hexadecimal numbers, "inf" and "nan". */
static bool decimal_grammar(const char *text, size_t length)
{
    size_t i = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    size_t digits = text_digits(text + i, length - i);
    i += digits;
    if (i < length && text[i] == '.') {
        const size_t fraction = text_digits(text + i + 1, length - i - 1);
        digits += fraction;
        i += 1 + fraction;
    }
    if (digits == 0)
        return false;
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        if (i < length && (text[i] == '-' || text[i] == '+'))
            i++;
        const size_t exponent = text_digits(text + i, length - i);
        if (exponent == 0)
            return false;
        i += exponent;
    }
    return i == length;
}

/* Made once: strtod_l ignores the process's decimal comma. */
locale_t text_c_locale(void)
{
    static locale_t locale;
    locale_t known = __atomic_load_n(&locale, __ATOMIC_ACQUIRE);
    if (known == (locale_t)0) {
        locale_t fresh = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        if (__atomic_compare_exchange_n(&locale, &known, fresh, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return fresh;
        freelocale(fresh);
    }
    return known;
}

bool text_decimal(const char *text, size_t length, double *value)
{
    char copy[400];
    if (length >= sizeof copy || !decimal_grammar(text, length))
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    locale_t locale = text_c_locale();
    double result = locale == (locale_t)0 ? strtod(copy, NULL) : strtod_l(copy, NULL, locale);
    if (!isfinite(result))
        return false;
    *value = result;
    return true;
}

/* Days from civil and back: Howard Hinnant's era arithmetic (400-year cycles, March-based years).
 */
int64_t text_days(int64_t year, unsigned month, unsigned day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

void text_civil(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t of_era = days - era * 146097;
    int64_t y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * y + y / 4 - y / 100);
    int64_t m = (5 * of_year + 2) / 153;
    *day = (unsigned)(of_year - (153 * m + 2) / 5 + 1);
    *month = (unsigned)(m < 10 ? m + 3 : m - 9);
    *year = y + era * 400 + (*month <= 2);
}

bool text_date(const char *text, size_t length, int64_t *days)
{
    if (length != 10 || text[4] != '-' || text[7] != '-')
        return false;
    int64_t year, month, day;
    if (text_digits(text, 4) != 4 || text_digits(text + 5, 2) != 2 || text_digits(text + 8, 2) != 2)
        return false;
    if (!text_integer(text, 4, &year) || !text_integer(text + 5, 2, &month) ||
        !text_integer(text + 8, 2, &day) || month < 1 || month > 12 || day < 1)
        return false;
    int64_t result = text_days(year, (unsigned)month, (unsigned)day);
    int64_t y;
    unsigned m, d;
    text_civil(result, &y, &m, &d);
    if (y != year || m != month || d != day) /* the 31st of a month of 30 days */
        return false;
    *days = result;
    return true;
}

/* Replaces the decimal comma, if any, by a point; true if the text then stands for `value`. */
static bool reads_back(char *text, double value)
{
    char *comma = strchr(text, ','); /* snprintf uses the process's locale */
    if (comma != NULL)
        *comma = '.';
    double back;
    return text_decimal(text, strlen(text), &back) && back == value;
}

void text_format_decimal(char *text, double value)
{
    for (int digits = 1; digits <= 17; digits++) { /* 17 always suffice for a double */
        snprintf(text, 32, "%.*e", digits - 1, value);
        if (!reads_back(text, value))
            continue;
        long exponent = strtol(strchr(text, 'e') + 1, NULL, 10);
        if (exponent >= -5 && exponent < 15) {
            int decimals = digits - 1 - (int)exponent; /* as `digits` significant ones need */
            snprintf(text, 32, "%.*f", decimals > 0 ? decimals : 0, value);
            (void)reads_back(text, value); /* replaces a comma */
        }
        return;
    }
}

void text_vformat(char *out, size_t size, const char *format, va_list arguments)
{
    ASSERT(size > 0);
    char whole[2048];
    int length = vsnprintf(whole, sizeof whole, format, arguments);
    size_t kept = length < 0 ? 0 : (size_t)length;
    size_t room = size < sizeof whole ? size : sizeof whole;
    if (kept >= room) {
        kept = room - 1;
        /* Drops the last character if the cut went through it. */
        for (size_t back = 1; back <= 3 && back <= kept; back++) {
            unsigned char byte = (unsigned char)whole[kept - back];
            if ((byte & 0xc0) == 0x80)
                continue;
            size_t whole_character = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
            if (whole_character > back)
                kept -= back;
            break;
        }
    }
    memcpy(out, whole, kept);
    out[kept] = '\0';
}

/* ASCII only, independent of the locale. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

size_t text_distance(const char *a, const char *b)
{
    enum { MAX_LENGTH = 64 };
    size_t n = strlen(a), m = strlen(b);
    if (n >= MAX_LENGTH || m >= MAX_LENGTH)
        return n + m;
    /* Three rows of the usual table, used in turn: a swap looks two rows back. */
    size_t rows[3][MAX_LENGTH + 1];
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                best = before[j - 2] + 1 < best ? before[j - 2] + 1 : best;
            row[j] = best;
        }
    }
    return rows[n % 3][m];
}

/* The number of a character that acts on a terminal without being seen, else 0: C1 controls, which
 * some terminals obey, and marks that change the direction of what follows. `s` is one character of
 * `length` bytes in UTF-8. */
static unsigned hidden_character(const unsigned char *s, size_t length)
{
    unsigned c = 0;
    if (length == 2)
        c = (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu);
    else if (length == 3)
        c = (s[0] & 0xfu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
    bool control = c >= 0x80 && c <= 0x9f;
    bool direction = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return control || direction ? c : 0;
}

/* Writes the printable form of the character at `s` into piece[8] and returns its length; *step is
 * the number of bytes read. */
static size_t quote_character(char *piece, const unsigned char *s, size_t left, size_t *step)
{
    *step = sequence(s, left);
    unsigned hidden = hidden_character(s, *step);
    if (hidden != 0)
        return (size_t)snprintf(piece, 8, "\\u%04x", hidden);
    if (*step == 0 || *s < 0x20 || *s == 0x7f) {
        const char *named = *s == '\n' ? "\\n" : *s == '\r' ? "\\r" : *s == '\t' ? "\\t" : NULL;
        *step = 1;
        return (size_t)(named != NULL ? snprintf(piece, 8, "%s", named)
                                      : snprintf(piece, 8, "\\x%02x", *s));
    }
    memcpy(piece, s, *step);
    return *step;
}

void text_quote(char *out, size_t size, const char *text, size_t length)
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    ASSERT(size > 0);
    size_t used = 0;
    size_t cut = 0; /* last place where the ellipsis still fits */
    size_t step;
    for (size_t i = 0; i < length; i += step) {
        char piece[8];
        size_t n = quote_character(piece, (const unsigned char *)text + i, length - i, &step);
        if (used + n >= size) {
            used = cut;
            if (sizeof ellipsis <= size - used) {
                memcpy(out + used, ellipsis, sizeof ellipsis - 1);
                used += sizeof ellipsis - 1;
            }
            break;
        }
        memcpy(out + used, piece, n);
        used += n;
        if (used + sizeof ellipsis <= size)
            cut = used;
    }
    out[used] = '\0';
}

const char *text_quoted(char out[TEXT_QUOTED], const char *text)
{
    text_quote(out, TEXT_QUOTED, text, strlen(text));
    return out;
}

size_t text_characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

void text_list_add(char *list, size_t size, const char *name)
{
    char quoted[64];
    const size_t used = strlen(list);
    text_quote(quoted, sizeof quoted, name, strlen(name));
    if (used + sizeof quoted + 16 < size)
        snprintf(list + used, size - used, "%s%s", used == 0 ? "" : ", ", quoted);
}
