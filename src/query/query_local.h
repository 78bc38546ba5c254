/* The answer of one site's own rows to a query. */
#ifndef QUERY_QUERY_LOCAL_H
#define QUERY_QUERY_LOCAL_H

#include "query/query_plan.h"

/* The vector of query_plan.h for these rows; it has query_plan_length numbers. Rows that agree in
 * all columns of the query are looked at once. */
kith_status query_local_vector(const query_plan *p, uint64_t *vector, const query_rows *rows,
                               arena *memory, kith_error *error) KITH_MUST_USE;

/* A row that may satisfy the condition. */
typedef struct query_match {
    uint32_t row;
    double expected;
    bool certain;
} query_match;

/* All of them, in the order of rows. For queries without aggregates. */
kith_status query_local_matches(const query_plan *p, query_match **matches, uint32_t *n_matches,
                                const query_rows *rows, arena *memory,
                                kith_error *error) KITH_MUST_USE;

#endif
