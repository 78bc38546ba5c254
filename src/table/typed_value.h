/* From texts to typed values. */
#ifndef TABLE_TYPED_VALUE_H
#define TABLE_TYPED_VALUE_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/table.h>

/* Leaves out blanks at both ends: space, tab and line ends. */
void typed_value_trim(const char **text, size_t *length);

/* Parses a text of a typed column: integers and dates into `*whole`, decimals into `*decimal`;
 * strings are always good. `date_format` is that of kith_column_spec, for numbers too. `c_locale`
 * is used for dates with a format. */
bool typed_value_parse(kith_type type, const char *date_format, locale_t c_locale, const char *text,
                       size_t length, int64_t *whole, double *decimal);

/* What was expected, for messages: "an integer". */
void typed_value_expected(char *out, size_t size, kith_type type, const char *date_format);

/* The decimal mark of numbers in this format; 0 where they are plain, and for other types. */
char typed_value_mark(kith_type type, const char *date_format);

/* A number whose decimal mark is `mark` and whose digits may be grouped by threes, between blanks,
 * apostrophes, or whichever of comma and point is not the mark; with `mark` 0 as text_decimal. */
bool typed_value_decimal(const char *text, size_t length, char mark, double *value);
bool typed_value_integer(const char *text, size_t length, char mark, int64_t *value);

/* Dates are whole seconds since 1970-01-01 00:00:00, in the time of day that the text shows. */
enum { TYPED_VALUE_DAY = 24 * 60 * 60 };

/* A date in strptime format with the names of the C locale; the whole text must match, and the day
 * must exist. What the format leaves out is the first second of January 1970. Time zones are read
 * and not converted: what counts is the time that the text shows. */
bool typed_value_date(const char *text, size_t length, const char *format, locale_t c_locale,
                      int64_t *seconds);

/* Writes a date as a column of this format has it, into `size` bytes. False if typed_value_date
 * would not read it back: the format leaves something out, or the text is too long. */
bool typed_value_date_text(char *out, size_t size, int64_t seconds, const char *format,
                           locale_t c_locale);

/* A date YYYY-MM-DD, in seconds: the first one of the day. */
bool typed_value_iso_date(const char *text, size_t length, int64_t *seconds);

#endif
