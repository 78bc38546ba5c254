/* How the columns of a table are given to Arrow: what does not depend on rows, made once. */
#ifndef TABLE_ARROW_ARROW_FORM_H
#define TABLE_ARROW_ARROW_FORM_H

#include <kith/arrow.h>

#include "table/table.h"

typedef enum arrow_form_kind {
    ARROW_FORM_TEXT,
    ARROW_FORM_DICTIONARY,
    ARROW_FORM_INTEGER,
    ARROW_FORM_DECIMAL,
    ARROW_FORM_FIXED, /* decimals that all have the same number of digits behind the point */
    ARROW_FORM_DATE
} arrow_form_kind;

/* Invariants: a number or date is written exactly as its text in the table, so that nothing is lost
 * by the type. Offsets are int32 unless `large`; texts follow each other without NULs. */
typedef struct arrow_form {
    arrow_form_kind kind;
    bool large; /* texts need offsets of 64 bits */
    const dictionary *values;
    const int64_t *integers;   /* [values->count] ARROW_FORM_INTEGER */
    const double *decimals;    /* [values->count] ARROW_FORM_DECIMAL */
    const int32_t *days;       /* [values->count] ARROW_FORM_DATE */
    const __int128 *fixed;     /* [values->count] ARROW_FORM_FIXED, without the point */
    const char *format;        /* of the column, as Arrow writes it */
    const char *values_format; /* of the values of its dictionary, or NULL */
    const void *offsets;       /* [values->count + 1] ARROW_FORM_DICTIONARY */
    const char *texts;
} arrow_form;

/* `type` is that of the column's texts. Batches have at most `batch_rows` rows. */
kith_status arrow_form_of(arrow_form *form, arena *memory, const dictionary *values, kith_type type,
                          const kith_arrow_options *options, kith_error *error) KITH_MUST_USE;

#endif
