/* Finding a text among the values of a column, where a draft has them as labels. */
#ifndef HIERARCHY_DRAFT_VALUES_H
#define HIERARCHY_DRAFT_VALUES_H

#include "table/table.h"

/* Can draft_values_find look into this dictionary? Dates are left out: a date may be written in
 * more ways than the dictionary tells. */
bool draft_values_sorted(const dictionary *values);

/* The code of a text, which need not end with a NUL, or UINT32_MAX. The search goes from the value
 * with the code `near` in both directions, in steps that double. */
uint32_t draft_values_find(const dictionary *values, const char *text, size_t length,
                           uint32_t near);

#endif
