/* The numbers and dates that labels of leaves stand for. */
#ifndef HIERARCHY_LEAF_READER_H
#define HIERARCHY_LEAF_READER_H

#include <locale.h>

#include "hierarchy/hierarchy.h"

typedef struct leaf_reader {
    kith_type type;
    char mark;               /* decimal mark of the column's numbers */
    const char *date_format; /* NULL: YYYY-MM-DD */
    locale_t c_locale;       /* with a format */
} leaf_reader;

/* For labels of a hierarchy over a column with these values. */
kith_status leaf_reader_init(leaf_reader *r, const kith_hierarchy *h, const dictionary *values,
                             kith_error *error);

/* Integers and dates into `*whole`, decimals into `*decimal`. A date is written as in the column or
 * as YYYY-MM-DD. False for strings, and for a label that is no value of the type, such as that of
 * the missing value. */
bool leaf_reader_read(const leaf_reader *r, const char *label, int64_t *whole, double *decimal);

#endif
