/* Which columns of a table determine each other. */
#ifndef JOB_PROFILE_DEPENDENCIES_H
#define JOB_PROFILE_DEPENDENCIES_H

#include "core/context.h"
#include "core/document.h"
#include "job/profile/profile.h"

/* Adds "dependencies" to the document: {"column", "determines": […]} for every column each of
 * whose values occurs with one value of another column only. Columns with one value are left out,
 * and so are columns with a value of its own for more than half of the rows, which determine others
 * trivially. A missing cell is a value. Where all pairs would take too long the rest is left out,
 * and "dependencies_complete" is false. */
kith_status dependencies_put(kith_document *d, const kith_table *table,
                             const column_profile *profiles, context *c, kith_error *error);

/* The same for rows that are elsewhere. */
typedef struct dependencies_data {
    const column_profile *profiles; /* [n_columns] */
    uint32_t n_columns, n_rows;
    /* Does each value of column a occur with one value of column b only? Adds the cells that it has
     * looked at, if they are to be limited. */
    kith_status (*determines)(void *self, uint32_t a, uint32_t b, bool *yes, double *n_cells,
                              kith_error *error);
    void *self;
} dependencies_data;
kith_status dependencies_put_found(kith_document *d, const dependencies_data *data, context *c,
                                   kith_error *error);

#endif
