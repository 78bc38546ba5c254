/* Which columns of a table determine each other. */
#ifndef JOB_PROFILE_DEPENDENCIES_H
#define JOB_PROFILE_DEPENDENCIES_H

#include "core/run/context.h"
#include "core/document.h"
#include "job/profile/profile.h"

/* Adds "dependencies" to the document: {"column", "determines": […]} for every column each of
 * whose values occurs with one value of another column only. Columns with one value are left out,
 * and so are columns with a value of its own for more than half of the rows, which determine others
 * trivially. A missing cell is a value. Where all pairs would take too long the rest is left out,
 * and "dependencies_complete" is false.
 *
 * Ranks each bring their own rows, with united dictionaries, and add the same; it is always
 * complete. */
kith_status dependencies_put(kith_document *d, const kith_table *table,
                             const column_profile *profiles, context *c, kith_error *error);

#endif
