/* Groups the rows of a table by the texts in some of its columns. Written anew, although
 * table/row_groups does the same: an error there must not hide itself from the verifier. */
#ifndef VERIFY_CLASSES_H
#define VERIFY_CLASSES_H

#include <stdint.h>

#include "core/arena.h"
#include "table/table.h"

/* Invariants: classes are numbered in the order of their first rows, and their sizes add up to the
 * rows. */
typedef struct classes {
    uint32_t count;
    uint32_t *class_of; /* [n_rows] */
    uint32_t *size;     /* [count] */
    uint32_t *first;    /* [count] first row of each */
} classes;

/* Two rows are in one class if their cells agree in all of the `columns`; missing agrees with
 * missing. Expected linear time. */
kith_status classes_make(classes *result, arena *memory, const kith_table *table,
                         const uint32_t *columns, uint32_t n_columns, kith_error *error);

#if KITH_DEBUG
void classes_check(const classes *c, uint32_t n_rows);
#endif

/* Rows ordered by class, within a class by number; class i is rows[start[i]] … rows[start[i + 1] -
 * 1]. Both arrays live in `memory`. */
kith_status classes_rows(const classes *c, arena *memory, uint32_t n_rows, uint32_t **start,
                         uint32_t **rows, kith_error *error);

#endif
