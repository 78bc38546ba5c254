/* What in a release may name people although the study is kept. */
#ifndef JOB_PROFILE_RELEASED_COLUMNS_H
#define JOB_PROFILE_RELEASED_COLUMNS_H

#include "core/findings.h"
#include "job/profile/profile.h"

/* Warns of columns that are released as they are although they seem to identify people or nearly
 * every value of them is unique, and of identifying columns that say that several rows belong to
 * one person: classes count rows. `profiles` are those of the table, read as strings. */
void released_columns_warn(kith_findings *findings, const kith_study *study,
                           const kith_table *table, const column_profile *profiles);

#endif
