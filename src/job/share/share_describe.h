/* Describing a table whose rows lie on several ranks. */
#ifndef JOB_SHARE_SHARE_DESCRIBE_H
#define JOB_SHARE_SHARE_DESCRIBE_H

#include "core/context.h"
#include "core/document.h"
#include "study/study.h"
#include "table/table.h"

/* Adds on every rank what describing the whole table in one process adds, with the same numbers;
 * dependencies are always complete. `own` has the rows of this rank, with all columns as texts. */
kith_status share_describe_put(kith_document *d, const kith_table *own, const kith_study *study,
                               context *c, kith_error *error) KITH_MUST_USE;

#endif
