/* What a query means for a set of public domains, and the vector of numbers that answers it.
 *
 * A query with aggregates is answered by a vector whose length depends on the query and the domains
 * alone. Every site computes the vector of its own rows (query_local.h); the sum of these vectors
 * is the answer (query_answer.h). So sites can add them up without showing them to anyone.
 *
 * The vector has one block for every group: a cell of the product of the domains in GROUP BY,
 * missing values included; without GROUP BY there is one block. A block begins with the number of
 * records; then come the numbers of each aggregate:
 *
 *     count     certain, expected, possible: the block's first three numbers
 *     sum, avg  lowest, expected, highest sum;
 *               certain, expected, possible number of records that have a value
 *     min, max  for every value of the column: rows for which it is the most extreme value that is
 *               possible; rows certainly counted for which it is the least extreme one;
 *               expected number of records that have it
 *
 * All of them are integers modulo 2^64. What one record adds is rounded to a whole number of units
 * by itself, from its own cells and public things alone, and only then multiplied and added up: so
 * the sum over all sites does not depend on which site has which record. If a site rounded its own
 * total, the last bits of the sum would tell how the records are distributed.
 *
 * A unit is a power of two, as small as 64 bits allow: with n records in the release, and numbers
 * of at most x in the column (1 for numbers of records), sums stay below 2^61, so a unit is less
 * than n x 2^-59, and never needs to be less than 2^-40. An answer is off by n/2 units at most,
 * that is, by n^2 x 2^-60 or n 2^-41. Columns for which a unit would be above 1 are refused.
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
    double scale;    /* sum, avg: units of the vector in 1 */
} query_measure;

typedef struct query_plan {
    const query *q;
    const query_domain *domains;
    uint32_t n_domains;
    uint64_t max_rows; /* public: of all sites together */
    double scale;      /* units in 1 of expected numbers of records */
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

/* The numbers behind a vector of units. */
void query_plan_decode(const query_plan *p, double *numbers, const uint64_t *vector);

#endif
