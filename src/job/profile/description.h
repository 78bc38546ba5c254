/* What kith_describe says of a table. */
#ifndef JOB_PROFILE_DESCRIPTION_H
#define JOB_PROFILE_DESCRIPTION_H

#include "core/run/context.h"
#include "core/document.h"
#include "study/study.h"
#include "table/table.h"

/* Everything that the texts of a table show. Ranks each bring their own rows, with united
 * dictionaries (table_unite), and add the same. */
kith_status description_put(kith_document *d, const kith_table *table, const kith_study *study,
                            context *c, kith_error *error) KITH_MUST_USE;

#endif
