/* What in a release may name people although the study is kept. */
#ifndef JOB_PROFILE_RELEASED_COLUMNS_H
#define JOB_PROFILE_RELEASED_COLUMNS_H

#include "core/run/context.h"
#include "core/findings.h"
#include "study/study.h"
#include "table/table.h"

/* Warns of columns that are released as they are although they seem to identify people or nearly
 * every value of them is unique, and of identifying columns whose values repeat, by
 * released_columns_warn_repeated. Looks at those that the table has; what it was read as does not
 * matter. */
kith_status released_columns_warn(kith_findings *findings, const kith_study *study,
                                  const kith_table *table, context *c,
                                  kith_error *error) KITH_MUST_USE;

/* If their values are people, models that count records promise too much. */
void released_columns_warn_repeated(kith_findings *findings, const kith_study *study,
                                    const kith_table *table);

/* Is this a column of numbers or codes that identify, which the study does not release, and says
 * nothing of? Names of people may agree by chance. */
bool released_columns_tell(const kith_study *study, const char *name);

#endif
