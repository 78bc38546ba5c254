/* Making a set diverse by leaving records out. */
#ifndef SEARCH_WEAVE_WEAVE_TRIM_H
#define SEARCH_WEAVE_WEAVE_TRIM_H

#include "search/class_rules.h"

/* Reorders the members so that as many as possible of them, in front, satisfy all conditions of
 * `a`: of every sensitive value at most so many records that none is too frequent. Returns how many
 * these are; 0 if there is no way, or a condition is of a kind that cannot be met by leaving out
 * frequent values. `spare` has room for all members. */
uint32_t weave_trim(const class_rules *a, uint32_t *members, uint32_t size, uint32_t *spare);

#endif
