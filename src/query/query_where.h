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

/* What is known of one cell: its share of values with each signature. */
typedef struct query_cell_shares {
    uint32_t n; /* signatures that occur */
    const uint32_t *signatures;
    const double *shares; /* they add up to 1; 0: possible, but not expected */
} query_cell_shares;

/* Something that a value of the domain may be (query_split.h): the value itself, or for a label
 * what it stands for, up to what the literals of the query tell apart. */
typedef struct query_part {
    double share;     /* of the value */
    double low, high; /* numbers: from one to the other */
    double number;    /* one of them */
    const char *text; /* texts */
    bool above;       /* a text between this one (NULL: none) and the next literal */
    bool missing;     /* the missing value */
    bool unknown;     /* numbers whose bounds are not known */
    uint32_t signature;
} query_part;

/* A column that the condition looks at. */
typedef struct query_where_column {
    uint32_t domain;
    uint32_t n_signatures;
    uint32_t stride;            /* of the signature in the number of a combination */
    const uint32_t *first_part; /* [n_values + 2] parts of position v: first_part[v] … [v + 1] - 1;
                                 * the last position is the missing value */
    query_part *parts;
    query_cell_shares *of_value; /* [n_values + 1] what is known of a cell that has this value */
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

typedef struct query_truth {
    double expected; /* share of the completions of the cells for which the condition is true */
    bool certain;    /* of all */
    bool possible;   /* of some */
} query_truth;

/* The truth for a record; cells[c] belongs to column c of the condition. */
query_truth query_where_evaluate(const query_where *w, const query_cell_shares *cells);

#endif
