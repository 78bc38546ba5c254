/* Conditions on cells that stand for several values.
 *
 * A record whose cells are intervals satisfies a condition certainly, possibly, or not at all; the
 * expected share assumes that every value of a cell is equally likely, and that the cells of
 * different columns are independent (the estimate of DMV 5.2). Conditions on the same column are
 * combined exactly, value by value. A condition on a missing value is neither true nor false (SQL),
 * and only what is true counts.
 *
 * Values of a column for which all conditions have the same answers have the same *signature*. So
 * the condition has to be evaluated once for every combination of signatures, and not for every
 * record. */
#ifndef QUERY_QUERY_WHERE_H
#define QUERY_QUERY_WHERE_H

#include "query/query.h"
#include "query/query_domain.h"

enum { QUERY_MAX_COMBINATIONS = 1 << 16 };

/* A column that the condition looks at. */
typedef struct query_where_column {
    uint32_t domain;
    uint32_t n_signatures;
    uint32_t *signature_of; /* [n_values + 1] of each position; the last is the missing value */
    uint32_t stride;        /* of the signature in the number of a combination */
} query_where_column;

typedef struct query_where {
    uint32_t n_columns;
    query_where_column *columns;
    uint32_t n_combinations;
    bool *holds; /* [n_combinations] is the condition true? */
} query_where;

/* `atom_domains[i]` is the domain of atom i. KITH_INVALID for literals that are not of the column's
 * type, and for conditions with too many combinations. */
kith_status query_where_compile(query_where *w, const query *q, const query_domain *domains,
                                const uint32_t *atom_domains, arena *memory,
                                kith_error *error) KITH_MUST_USE;

/* The number of the condition's column with this domain, or UINT32_MAX. */
uint32_t query_where_find(const query_where *w, uint32_t domain);

/* What is known of one cell: its share of values with each signature. */
typedef struct query_cell_shares {
    uint32_t n; /* signatures that occur */
    const uint32_t *signatures;
    const double *shares; /* above 0; they add up to 1 */
} query_cell_shares;

typedef struct query_truth {
    double expected; /* share of the completions of the cells for which the condition is true */
    bool certain;    /* of all */
    bool possible;   /* of some */
} query_truth;

/* The truth for a record; cells[c] belongs to column c of the condition. */
query_truth query_where_evaluate(const query_where *w, const query_cell_shares *cells);

#endif
