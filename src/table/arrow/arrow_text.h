/* Arrow values as the texts that a table has. */
#ifndef TABLE_ARROW_ARROW_TEXT_H
#define TABLE_ARROW_ARROW_TEXT_H

#include <locale.h>

#include "table/arrow/arrow_values.h"

/* 77 digits of the widest decimal with as many zeros, a sign and a point; or a date in a format. */
enum { ARROW_TEXT_BYTES = 256 };

/* How the texts of a column are written: dates have the format of the column. */
typedef struct arrow_text_style {
    kith_type type;
    const char *date_format; /* or NULL */
    locale_t c_locale;       /* 0: there is no such format */
} arrow_text_style;

/* The text of a value that is not missing, in `buffer` or in the array; NULL for NaN, which counts
 * as missing. KITH_DATA, without place, if the value is wrong or cannot be written. */
kith_status arrow_text_of(const char **text, size_t *length, char buffer[ARROW_TEXT_BYTES],
                          const arrow_values *values, int64_t index, const arrow_text_style *style,
                          kith_error *error) KITH_MUST_USE;

#endif
