/* Counting the classes of records that are equal in some of the quasi-identifiers. */
#ifndef JOB_PROFILE_CLASS_COUNTER_H
#define JOB_PROFILE_CLASS_COUNTER_H

#include "core/run/context.h"
#include "core/document.h"
#include "table/rows/row_groups.h"

typedef struct class_counts {
    uint32_t classes;
    uint32_t unique;   /* classes of one record */
    uint32_t smallest; /* size; 0 if there is none */
} class_counts;

enum { COUNTER_KEEPS = 3 };

/* Invariant: groups[i] are those of the columns which[0] … which[i - 1], for i <= known. Groups of
 * longer lists are in the last place. */
typedef struct class_counter {
    const column *const *columns;
    uint32_t n_columns;
    uint32_t n_rows; /* of all ranks */
    context *context;
    row_groups_scratch *scratch;
    row_groups groups[COUNTER_KEEPS + 2]; /* of the rows of this rank */
    uint32_t which[COUNTER_KEEPS];
    uint32_t known;
} class_counter;

/* Over ranks all of them count together. Their columns have united dictionaries, and `n_own` of
 * the rows are here. */
kith_status class_counter_init(class_counter *k, const column *const *columns, uint32_t n_columns,
                               uint32_t n_own, uint32_t n_rows, context *c,
                               kith_error *error) KITH_MUST_USE;

/* By which of the columns; missing is a value of its own. Fast if lists with the same beginning
 * follow each other. */
kith_status class_counter_count(class_counter *k, const uint32_t *which, uint32_t n,
                                class_counts *found, kith_error *error) KITH_MUST_USE;

/* Which few columns single out most records: looks at all combinations of up to three of them (two
 * or one where that would take too long; "combination_size" says which) and adds the five that make
 * most records unique to the document as "combinations". */
kith_status class_counter_put_unique(kith_document *d, document_node *parent,
                                     class_counter *counter, kith_error *error) KITH_MUST_USE;

#endif
