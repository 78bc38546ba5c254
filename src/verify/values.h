/* The sensitive values of a release, numbered in their order, with their hierarchy where they have
 * one. */
#ifndef VERIFY_VALUES_H
#define VERIFY_VALUES_H

#include <stdint.h>

#include "core/arena.h"
#include "hierarchy/hierarchy.h"
#include "table/table.h"

typedef struct verify_persons verify_persons;

/* Values are numbered by type (texts by bytes), a missing one last. */
typedef struct verify_values {
    uint32_t count;
    uint32_t *of_row;        /* [n_rows] */
    uint64_t *overall;       /* [count] rows of the whole release with each value, or persons */
    uint32_t *place;         /* [count] place in the order: by leaf for texts with a hierarchy */
    const tree *tree;        /* NULL without a hierarchy */
    uint32_t *leaf_of;       /* [count], with a hierarchy */
    const dictionary *texts; /* of the values but the missing one */
    const char *date_format; /* as they are read */
} verify_values;

/* How a column is to be read; `hierarchy` is NULL where the study gives none. */
typedef struct verify_reading {
    kith_type type;
    const char *date_format;
    const hierarchy_spec *hierarchy;
    const domain_spec *domain;
    /* Where the table is a part of a release: how many rows of all parts have each text of the
     * column's dictionary, which must be that of the whole; the last number counts missing cells.
     * NULL: the table is the whole release. */
    const uint64_t *whole;
    const verify_persons *persons; /* of the rows, where models count them; else NULL */
    const uint64_t *persons_with;  /* of a part: how many of all persons show each value */
} verify_reading;

/* Reads the texts of a column; KITH_DATA if one of them does not fit its type or hierarchy. */
kith_status values_make(verify_values *values, arena *memory, const kith_table *release,
                        uint32_t column, const verify_reading *reading, kith_error *error);

/* Number of the value that this text has, or UINT32_MAX. */
uint32_t values_find(const verify_values *values, const char *text);

#endif
