/* Counting the classes of records that are equal in some of the quasi-identifiers. */
#ifndef JOB_PROFILE_CLASS_COUNTER_H
#define JOB_PROFILE_CLASS_COUNTER_H

#include "core/context.h"
#include "table/table.h"

typedef struct class_counts {
    uint32_t classes;
    uint32_t unique;   /* classes of one record */
    uint32_t smallest; /* size; 0 if there is none */
} class_counts;

typedef struct class_counter {
    const char *const *names; /* of the columns */
    /* By which of the columns; missing is a value of its own. */
    kith_status (*count)(void *self, const uint32_t *which, uint32_t n, class_counts *found,
                         kith_error *error);
    void *self;
} class_counter;

/* Counts in memory; fast if lists with the same beginning follow each other. */
kith_status class_counter_of_columns(class_counter *counter, const column *const *columns,
                                     uint32_t n_columns, uint32_t n_rows, context *c,
                                     kith_error *error) KITH_MUST_USE;

#endif
