/* What kith_describe says of a table, whoever has counted its rows. */
#ifndef JOB_PROFILE_DESCRIPTION_H
#define JOB_PROFILE_DESCRIPTION_H

#include "core/context.h"
#include "core/document.h"
#include "job/profile/class_counter.h"
#include "job/profile/profile.h"

/* One column: its type, its values and the role that its values suggest. */
kith_status description_put_column(kith_document *d, document_node *columns,
                                   const column_profile *p, const uint32_t *counts,
                                   const kith_study *study, uint32_t n_rows, arena *memory,
                                   kith_error *error);

/* Is the column a quasi-identifier: by the study, or without one by what its values suggest? */
bool description_is_quasi(const column_profile *p, const kith_study *study);

/* The classes of records that are equal in all quasi-identifiers, which are the columns of the
 * counter, and the risk that follows. */
kith_status description_put_quasi(kith_document *d, const class_counter *counter, uint32_t count,
                                  uint32_t n_rows, bool from_study, context *c, kith_error *error);

#endif
