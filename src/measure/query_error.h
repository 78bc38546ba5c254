/* Utility of a release by the counting queries that it answers (DMV section 5.2): the relative
 * error of random queries on two quasi-identifiers.
 *
 * A query counts the records whose values lie in a range of each of two attributes. From the
 * release it is estimated as DMV does: within a cell all values are equally likely, and the
 * attributes are independent. A range has 0.3 of the attribute's values, and one value where there
 * are only two. */
#ifndef MEASURE_QUERY_ERROR_H
#define MEASURE_QUERY_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "core/run/ranks.h"

/* The position of a record's value that is missing: no range contains it. */
#define QUERY_NO_VALUE UINT32_MAX

/* What a class shows of an attribute: values by position in the order of values, or leaves of the
 * hierarchy in the order of its tree; both ends included. */
typedef struct query_cell {
    bool by_position;
    uint32_t first, last;
} query_cell;

typedef struct query_column {
    uint32_t n_values;         /* of the attribute, without the missing one */
    const uint32_t *positions; /* [n_records] of the original values, or QUERY_NO_VALUE */
    uint32_t n_leaves;         /* n_values, and one more if there is a leaf for missing values */
    const uint32_t *rank;      /* [n_leaves] position of each leaf; the missing one's is n_values */
    const query_cell *cells;   /* [n_classes] */
} query_column;

typedef struct query_input {
    uint32_t n_records;
    uint32_t n_columns;
    const query_column *columns;
    uint32_t n_classes;
    const uint32_t *sizes; /* [n_classes] records */
    /* Other ranks have other records and rows, which count as well; NULL: there are none. Classes
     * need not be complete here. */
    kith_ranks *ranks;
} query_input;

/* A condition: the value of `column` has a position in first … last. */
typedef struct query_range {
    uint32_t column, first, last;
} query_range;

/* Two conditions on different columns, the first one of lower number; with a single column in all
 * both are the same. */
typedef struct query_pair {
    query_range ranges[2];
} query_pair;

/* exact[i]: records of the data that satisfy query i; estimate[i]: the same from the release. */
kith_status query_error_count(double *exact, double *estimate, const query_input *in,
                              const query_pair *queries, uint32_t n_queries, arena *memory,
                              kith_error *error) KITH_MUST_USE;

typedef struct query_error_report {
    uint32_t n_queries; /* fewer than asked for, if hardly a query has an answer above 0 */
    uint64_t n_redrawn; /* queries that no record satisfies have no relative error */
    double mean, median, p95;
} query_error_report;

/* |exact - estimate| / exact over n_queries random queries. */
kith_status query_error_measure(query_error_report *report, const query_input *in,
                                uint32_t n_queries, uint64_t seed, arena *memory,
                                kith_error *error) KITH_MUST_USE;

#endif
