/* Makes a set diverse by leaving records out. */
#ifndef SEARCH_WEAVE_WEAVE_TRIM_H
#define SEARCH_WEAVE_WEAVE_TRIM_H

#include "search/class_rules.h"

/* Moves records of too frequent sensitive values to the end of the members, as few as possible, so
 * that those in front satisfy all conditions of `a`. Returns how many these are; 0 if no records
 * would be left, or if some condition is not met and one of them is not l-diversity by frequency:
 * leaving out frequent values does not help there. `spare` has room for all members. */
uint32_t weave_trim(const class_rules *a, uint32_t *members, uint32_t size, uint32_t *spare);

#endif
