/* Texts that are dates or numbers to people, though not in the form that the types date (ISO 8601)
 * and decimal take. */
#ifndef JOB_PROFILE_GUESS_FORMAT_H
#define JOB_PROFILE_GUESS_FORMAT_H

#include "table/table.h"

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
