/* Texts that are dates or numbers to people, though not in the form that the types date (ISO 8601)
 * and decimal take. */
#ifndef JOB_PROFILE_GUESS_FORMAT_H
#define JOB_PROFILE_GUESS_FORMAT_H

#include "table/table.h"

/* The strptime format of dates such as 12.10.1969, 12/10/1969, 12-10-1969 or 1969/10/12, if all
 * values are dates of one such form; NULL if not. Between slashes and dashes the day or the month
 * may come first: where all values are dates either way, *ambiguous is set and the day does. An
 * empty dictionary has no format. ISO 8601 is not tried. */
const char *guess_format_date(const dictionary *values, bool *ambiguous);

/* Are all values dates such as 12.10.69, whose century cannot be told? */
bool guess_format_short_date(const dictionary *values);

/* Are all values numbers, some of them with commas: 1234,50 or 1.234,50 or 1,234.50? */
bool guess_format_commas(const dictionary *values);

#endif
