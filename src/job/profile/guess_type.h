/* Types of the texts of a column that was read as strings. */
#ifndef JOB_PROFILE_GUESS_TYPE_H
#define JOB_PROFILE_GUESS_TYPE_H

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

#endif
