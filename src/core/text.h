/* Text helpers that the C library lacks or gets wrong for data: locale-free and strict. */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Index of the first byte that is not part of well-formed UTF-8, or `length`. */
size_t text_utf8_error(const char *text, size_t length);

/* Whole-text parsers: no surrounding blanks, no locale, false if anything is left over or out of
 * range. Integers fit int64; decimals are finite and take [+-]digits[.digits][e[+-]digits]. */
bool text_integer(const char *text, size_t length, int64_t *value);
bool text_decimal(const char *text, size_t length, double *value);

/* Days since 1970-01-01 of a proleptic Gregorian date, and back. text_date takes YYYY-MM-DD. */
bool text_date(const char *text, size_t length, int64_t *days);
int64_t text_days(int64_t year, unsigned month, unsigned day);
void text_civil(int64_t days, int64_t *year, unsigned *month, unsigned *day);

/* Shortest decimal that reads back as the same double, into at least 32 bytes. */
void text_format_decimal(char *text, double value);

/* A printable form for messages: control characters escaped, cut with "…" to fit `size`. */
void text_quote(char *out, size_t size, const char *text, size_t length);

#endif
