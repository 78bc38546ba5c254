/* From texts to typed values. */
#ifndef TABLE_VALUE_H
#define TABLE_VALUE_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A date in strptime format with the names of the C locale; the whole text must match, and the day
 * must exist. What the format leaves out is the first of January 1970. */
bool value_date(const char *text, size_t length, const char *format, locale_t c_locale,
                int64_t *days);

#endif
