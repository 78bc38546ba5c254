/* How often every sensitive value that a model looks at occurs in every cluster, and what the
 * models say to that: for sites that do not have all the records, and so cannot ask admit.h.
 *
 * Invariant: a row belongs to a cluster and counts the values of all its records, wherever they
 * are; the values of all secrets that are looked at lie side by side in it. */
#ifndef SEARCH_CLUSTER_VALUE_COUNTS_H
#define SEARCH_CLUSTER_VALUE_COUNTS_H

#include "search/class_rules.h"

typedef struct census {
    const admit *admit;
    uint32_t values;      /* numbers in a row; 0: no model looks at values */
    uint32_t *offset;     /* [secrets] where a secret's values begin */
    uint32_t tightest;    /* the secret that deals are arranged by; UINT32_MAX: none */
    histogram *histogram; /* [secrets] scratch */
} census;

/* `tightest` is UINT32_MAX until census_weigh. Lives in `memory`. */
kith_status census_init(census *s, const admit *a, arena *memory, kith_error *error);

/* Adds the values of a record to a row, or takes them away. */
void census_add(const census *s, uint32_t *row, uint32_t record);
void census_remove(const census *s, uint32_t *row, uint32_t record);

/* May `size` > 0 records with these values be a class, but for its size? */
bool census_holds(const census *s, const uint32_t *row, uint32_t size);
/* May a record leave a class that has it, or join one that satisfies the models? The row is the
 * same afterwards. */
bool census_may_leave(const census *s, uint32_t *row, uint32_t size, uint32_t record);
bool census_may_join(const census *s, uint32_t *row, uint32_t size, uint32_t record);

/* Do the counts of every secret sum up to the size? Rows come from peers. */
bool census_fits(const census *s, const uint32_t *row, uint32_t size);

/* Finds the tightest secret from the counts of all records. If they cannot satisfy some model all
 * together: KITH_INFEASIBLE with what they could. */
kith_status census_weigh(census *s, const uint32_t *row, uint32_t size, kith_error *error);

#endif
