/* Counts of the sensitive values in every cluster, and what the models say about them: for sites
 * that do not have all the records, and so cannot use class_rules.h, which looks at members.
 *
 * Invariant: a row belongs to a cluster and counts the values of all its records, at whichever site
 * they are; it contains the values of all sensitive attributes that models use, one attribute after
 * another. So the counts of each attribute add up to the size of the cluster. */
#ifndef SEARCH_CLUSTER_VALUE_COUNTS_H
#define SEARCH_CLUSTER_VALUE_COUNTS_H

#include "search/class_rules.h"

typedef struct value_counts {
    const class_rules *rules;
    uint32_t n_values;    /* counts in a row; 0: no model looks at values */
    uint32_t *offset;     /* [n_sensitive] where the values of an attribute begin */
    uint32_t tightest;    /* the attribute that the distribution is arranged by; UINT32_MAX: none */
    histogram *histogram; /* [n_sensitive] scratch */
} value_counts;

/* `tightest` is UINT32_MAX until value_counts_find_tightest. Lives in `memory`. */
kith_status value_counts_init(value_counts *s, const class_rules *a, arena *memory,
                              kith_error *error);

/* Adds the values of a record to a row, or takes them away. */
void value_counts_add(const value_counts *s, uint32_t *row, uint32_t record);
void value_counts_remove(const value_counts *s, uint32_t *row, uint32_t record);

/* Do `size` > 0 records with these values satisfy the models, apart from their sizes? */
bool value_counts_hold(const value_counts *s, const uint32_t *row, uint32_t size);
/* May a record leave a class that has it, or join one that satisfies the models? The row is the
 * same afterwards. */
bool value_counts_may_leave(const value_counts *s, uint32_t *row, uint32_t size, uint32_t record);
bool value_counts_may_join(const value_counts *s, uint32_t *row, uint32_t size, uint32_t record);

/* Do the counts of every attribute add up to the size? For rows in messages of peers. */
bool value_counts_add_up(const value_counts *s, const uint32_t *row, uint32_t size);

/* Does a row count the values of these records, and perhaps further ones? For rows in messages of
 * peers. The row is the same afterwards. */
bool value_counts_contain(const value_counts *s, uint32_t *row, const uint32_t *records,
                          uint32_t count);

/* Finds the sensitive attribute whose models leave the least room, from the counts of all records.
 * KITH_INFEASIBLE, with what would be possible, if all records together violate a model. */
kith_status value_counts_find_tightest(value_counts *s, const uint32_t *row, uint32_t size,
                                       kith_error *error);

#endif
