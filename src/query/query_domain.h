/* The domain of a column, and what a released cell says: one value, or one of several.
 *
 * The values of a column have positions 0 … n_values - 1 in a public order in which every released
 * cell is an interval; the missing value, if the column has one, has position n_values.
 *
 * Where the values themselves are not public, the "values" of a domain are the labels that the
 * release shows, every cell is one of them, and `labels` says what each can stand for. */
#ifndef QUERY_QUERY_DOMAIN_H
#define QUERY_QUERY_DOMAIN_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <kith/table.h>

typedef enum query_label_kind {
    QUERY_LABEL_RANGE, /* a number from low to high, a text from `from` to `to`; also one value */
    QUERY_LABEL_MASK,  /* a text that begins (or ends) with `from` */
    QUERY_LABEL_LIST,  /* one of some values */
    QUERY_LABEL_ANY    /* nothing is known of it */
} query_label_kind;

/* What a label stands for, by its text and the study alone. */
typedef struct query_label {
    query_label_kind kind;
    bool open;             /* RANGE of numbers: `high` is outside */
    bool missing;          /* it may also be a missing value */
    bool unknown;          /* ANY of numbers: no label says one, so that it has no low and high */
    bool at_end;           /* MASK: what is shown is the end */
    uint32_t least, most;  /* MASK: characters of the texts */
    double low, high;      /* numbers; ANY counts as a range from the lowest to the highest label */
    const char *from, *to; /* texts of RANGE; MASK: what is shown, in `from` */
    uint32_t count;        /* LIST */
    const char *const *texts;
    const double *numbers; /* NULL for texts */
} query_label;

typedef struct query_domain {
    const char *name;
    kith_type type;
    const char *date_format; /* NULL: ISO 8601 */
    uint32_t n_values;
    const char *const *texts;  /* [n_values] */
    const double *numbers;     /* [n_values] numbers, dates as seconds since 1970; NULL for texts.
                                * Of a label: the middle */
    const query_label *labels; /* [n_values] NULL: every value stands for itself */
    double step;               /* between numbers of a label; 0: any number between is possible */
} query_domain;

/* What a value counts as at least and at most. */
static inline double query_domain_low(const query_domain *d, uint32_t position)
{
    return d->labels == NULL ? d->numbers[position] : d->labels[position].low;
}

static inline double query_domain_high(const query_domain *d, uint32_t position)
{
    return d->labels == NULL ? d->numbers[position] : d->labels[position].high;
}

/* Positions first … last, both included. */
typedef struct query_interval {
    uint32_t first, last;
} query_interval;

/* Released rows: cells are codes, and every code of a column stands for an interval. */
typedef struct query_rows {
    uint32_t n_rows;
    const uint32_t *const *codes;           /* [n_columns][n_rows] */
    const query_interval *const *intervals; /* [n_columns][n_codes] */
    const uint32_t *n_codes;                /* [n_columns] */
} query_rows;

#endif
