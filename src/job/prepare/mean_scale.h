/* Numbers of a column whose means are released, as whole multiples of 10^-decimals: sums of them
 * are exact. */
#ifndef JOB_PREPARE_MEAN_SCALE_H
#define JOB_PREPARE_MEAN_SCALE_H

#include "table/table.h"

/* The decimals of a column (table/mean_form.h). KITH_DATA, with the number, if one of them has more
 * digits than means can be computed from. */
kith_status mean_scale_find(uint32_t *decimals, const dictionary *values, const char *name,
                            kith_error *error) KITH_MUST_USE;

/* A value in units of 10^-decimals; `decimals` comes from mean_scale_find. */
int64_t mean_scale_units(const dictionary *values, uint32_t code, uint32_t decimals);

#endif
