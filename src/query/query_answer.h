/* From the sum of all sites' vectors to the answer that people read. */
#ifndef QUERY_QUERY_ANSWER_H
#define QUERY_QUERY_ANSWER_H

#include "query/query_plan.h"

/* A value of the answer: missing, a number, or a text. */
typedef struct query_value {
    enum { QUERY_VALUE_NULL, QUERY_VALUE_NUMBER, QUERY_VALUE_TEXT } kind;
    double number;
    const char *text;
} query_value;

/* A column of the answer is an item of the SELECT list; the three columns of an aggregate are
 * certain, expected and possible, or lowest, expected and highest. */
typedef struct query_answer {
    uint32_t n_columns;
    const char **titles;
    uint32_t n_rows;
    query_value *values; /* [n_rows * n_columns] */
} query_answer;

/* Groups that no record can be in are left out; the rest is ordered by the positions of the group's
 * values, or as ORDER BY says (aggregates by what is expected), and cut to LIMIT. Without GROUP BY
 * there is one row. Lives in `memory`. */
kith_status query_answer_make(query_answer *a, const query_plan *p, const double *numbers,
                              arena *memory, kith_error *error) KITH_MUST_USE;

/* A row of an answer to a query without aggregates: codes[i] is the cell of item i. */
typedef struct query_found_row {
    const uint32_t *codes;
    double expected; /* the share of its completions that satisfy the condition */
    bool certain;
} query_found_row;

/* The same for rows: a column for every item, then `expected` and `certain` (1 or 0).
 * texts[d][code] is what a cell of domain d shows, NULL: missing; intervals[d][code] what it stands
 * for. */
kith_status query_answer_rows(query_answer *a, const query_plan *p, const query_found_row *found,
                              uint32_t n_found, const char *const *const *texts,
                              const query_interval *const *intervals, arena *memory,
                              kith_error *error) KITH_MUST_USE;

#endif
