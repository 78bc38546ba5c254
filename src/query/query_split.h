/* What the values of a domain may be, as far as the literals of a query tell it apart.
 *
 * A value that stands for itself has one part. A label has a part for every literal that it can
 * stand for, and one for all that it can be between two literals. */
#ifndef QUERY_QUERY_SPLIT_H
#define QUERY_QUERY_SPLIT_H

#include "core/arena.h"
#include "query/query_domain.h"
#include "query/query_where.h"

enum { QUERY_MAX_PARTS = 1 << 22 };

/* A literal in the form in which values are compared. */
typedef struct query_operand {
    const char *text;
    double number;
} query_operand;

/* The parts of all positions; the last position is the missing value. */
typedef struct query_parts {
    uint32_t *first; /* [n_values + 2] the parts of position v are first[v] … first[v + 1] - 1 */
    query_part *all;
    size_t count, room;
} query_parts;

/* `literals` of all conditions on the column; they are sorted here. KITH_INVALID if there would be
 * too many parts. */
kith_status query_split(query_parts *parts, const query_domain *d, query_operand *literals,
                        uint32_t n_literals, arena *memory, kith_error *error) KITH_MUST_USE;

/* Below 0, 0 or above 0, as a part is less than, equal to or greater than the literal. */
int query_split_compare(const query_domain *d, const query_part *part,
                        const query_operand *literal);

#endif
