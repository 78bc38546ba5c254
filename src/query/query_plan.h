/* What a query means for a set of public domains, and the vector of numbers that answers it.
 *
 * A query with aggregates is answered by a vector whose length depends on the query and the domains
 * alone. Every site computes the vector of its own rows (query_local.h); the sum of these vectors
 * is the answer (query_answer.h). So sites can add them up without showing them to anyone.
 *
 * The vector has one block for every group: a cell of the product of the domains in GROUP BY,
 * missing values included; without GROUP BY there is one block. A block begins with the number of
 * records; then come the numbers of each aggregate: count              certain, expected, possible:
 * the block's first three numbers sum, avg           lowest, expected, highest sum; certain,
 * expected, possible number of records that have a value min, max           for every value of the
 * column: rows for which it is the most extreme value that is possible; rows certainly counted for
 * which it is the least extreme one; expected number of records that have it
 */
#ifndef QUERY_QUERY_PLAN_H
#define QUERY_QUERY_PLAN_H

#include "query/query_where.h"

enum { QUERY_MAX_VECTOR = 1 << 22, QUERY_MAX_GROUPS = 1 << 20 };

enum { QUERY_CERTAIN, QUERY_EXPECTED, QUERY_POSSIBLE, QUERY_ANSWERS };

/* An item of the SELECT list. */
typedef struct query_measure {
    query_function function;
    uint32_t domain; /* UINT32_MAX: count(*) */
    size_t offset;   /* in a block; plain columns have none */
    double scale;    /* sum, avg: values are multiplied by it in the encoded vector */
} query_measure;

typedef struct query_plan {
    const query *q;
    const query_domain *domains;
    uint32_t n_domains;
    uint64_t max_rows; /* public: of all sites together */
    query_where where;
    uint32_t *groups;        /* [q->n_groups] domains */
    uint32_t *group_strides; /* [q->n_groups] of a position in the number of a group */
    uint32_t n_blocks;
    size_t block;            /* numbers of a block */
    query_measure *measures; /* [q->n_items] */
} query_plan;

/* KITH_INVALID, with the place in the query, for unknown columns, functions that a column's type
 * does not have, and answers that would be too long. */
kith_status query_plan_make(query_plan *p, const query *q, const query_domain *domains,
                            uint32_t n_domains, uint64_t max_rows, arena *memory,
                            kith_error *error) KITH_MUST_USE;

static inline size_t query_plan_length(const query_plan *p)
{
    return p->n_blocks * p->block;
}

/* As integers modulo 2^64 whose sums do not overflow, and back. */
void query_plan_encode(const query_plan *p, uint64_t *encoded, const double *vector);
void query_plan_decode(const query_plan *p, double *vector, const uint64_t *encoded);

#endif
