/* Types of the texts of a column that was read as strings, and their formats: texts that are dates or
 * numbers to people may not have the form that the types date (ISO 8601) and decimal take. */
#ifndef JOB_PROFILE_GUESS_H
#define JOB_PROFILE_GUESS_H

#include <locale.h>

#include "table/table.h"

/* Is the text a value of the type? `format` is that of kith_column_spec; `c_locale` may be 0 if it
 * is NULL. */
bool guess_type_fits(const char *text, size_t length, kith_type type, const char *format,
                     locale_t c_locale);

/* The narrowest type of all values: integer, decimal, date (ISO 8601), else string; an empty
 * dictionary is of strings. Texts such as 007, whose leading zeros an integer would lose, are
 * strings. */
kith_type guess_type(const dictionary *values);

/* Zip codes and the like: as integers 007 and 7 would be the same. */
bool guess_type_leading_zero(const char *text, size_t length);

/* integer, decimal, date, string */
const char *guess_type_name(kith_type type);

/* The strptime format of dates, perhaps with times, such as 12.10.1969, 12/10/1969, 12-10-1969 or
 * 1969/10/12, if all values are dates of one such form, also with years of two digits; NULL if not.
 * Between slashes and dashes the day or the month may come first: where all values are dates either
 * way, *ambiguous is set and the day does. An empty dictionary has no format. ISO 8601 is not
 * tried. */
const char *guess_format_date(const dictionary *values, bool *ambiguous);

/* The decimal mark of numbers that are not plain, as kith_column_spec has it: "," if all values are
 * such as 1234,50 or 1.234,50, "." if they are such as 1,234.50; NULL if neither. All commas of
 * 1,234 may be either, *ambiguous is set then: they are decimal commas if semicolons separate the
 * cells of the table. */
const char *guess_format_number(const dictionary *values, bool semicolons, bool *ambiguous);

/* Are all values whole numbers in this format (NULL: plain)? */
bool guess_format_whole(const dictionary *values, const char *format);

#endif
