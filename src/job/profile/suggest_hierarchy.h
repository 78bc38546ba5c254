/* Which builder suits the values of a column. */
#ifndef JOB_PROFILE_SUGGEST_HIERARCHY_H
#define JOB_PROFILE_SUGGEST_HIERARCHY_H

#include <stdio.h>

#include "job/profile/profile.h"

/* Codes such as zip codes: values with the same number of digits that are not quantities. */
bool suggest_hierarchy_is_code(const column_profile *p);

/* Writes the key `hierarchy` of a column of a study. */
void suggest_hierarchy_put(FILE *out, const column_profile *p);

#endif
