/* Text helpers that the C library lacks or gets wrong for data: locale-free and strict. */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <stdarg.h>
#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Index of the first byte that is not part of well-formed UTF-8, or `length`. */
size_t text_utf8_error(const char *text, size_t length);

/* Parsers of a whole text: no surrounding blanks, no locale; false if characters are left over or
 * the value is out of range. Integers fit int64; decimals are finite and take
 * [+-]digits[.digits][e[+-]digits]. */
bool text_integer(const char *text, size_t length, int64_t *value);
bool text_decimal(const char *text, size_t length, double *value);

/* How many decimal digits a text begins with, whatever the locale is. */
size_t text_digits(const char *text, size_t length);

/* The "C" locale, for strtod_l and strptime_l; 0 if there is no memory for it. */
locale_t text_c_locale(void);

/* Days since 1970-01-01 of a proleptic Gregorian date, and back. text_date takes YYYY-MM-DD. */
bool text_date(const char *text, size_t length, int64_t *days);
int64_t text_days(int64_t year, unsigned month, unsigned day);
void text_civil(int64_t days, int64_t *year, unsigned *month, unsigned *day);

/* The decimal with the fewest digits that reads back as the same double, into at least 32 bytes.
 * Written out ("40", "0.25") from 1e-5 up to 1e15, with an exponent beyond. */
void text_format_decimal(char *text, double value);

/* vsnprintf that cuts what does not fit at the border of a UTF-8 character. The arguments may
 * overlap `out`. */
void text_vformat(char *out, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Edit distance (insert, delete, replace, swap neighbours) for "did you mean …?", ignoring the
 * case of ASCII letters. Texts of more than 63 bytes are far from every other text. */
size_t text_distance(const char *a, const char *b);

/* The characters of a UTF-8 text. */
size_t text_characters(const char *text, size_t length);

/* Appends a printable name to a list that a message shows, if there is room for it. */
void text_list_add(char *list, size_t size, const char *name);

bool text_ends(const char *text, const char *ending);

/* A printable form for messages: control characters escaped, cut with "…" to fit `size`. */
void text_quote(char *out, size_t size, const char *text, size_t length);
/* The same for a text that ends with a NUL; returns `out`. */
enum { TEXT_QUOTED = 96 };
const char *text_quoted(char out[TEXT_QUOTED], const char *text);

#endif
