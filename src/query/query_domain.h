/* The public domain of a column, and what a released cell says: one value, or one of several.
 *
 * The values of a column have positions 0 … n_values - 1 in a public order in which every released
 * cell is an interval; the missing value, if the column has one, has position n_values. */
#ifndef QUERY_QUERY_DOMAIN_H
#define QUERY_QUERY_DOMAIN_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/table.h>

typedef struct query_domain {
    const char *name;
    kith_type type;
    const char *date_format; /* NULL: ISO 8601 */
    uint32_t n_values;
    const char *const *texts; /* [n_values] */
    const double *numbers;    /* [n_values] numbers, dates as seconds since 1970; NULL for texts */
} query_domain;

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
