/* Sensitive numbers and dates, and those that tell persons apart, which are written in several ways,
 * such as 7 and 007: to the models they are one value. */
#ifndef JOB_PREPARE_EQUAL_VALUES_H
#define JOB_PREPARE_EQUAL_VALUES_H

#include "study/study.h"
#include "table/table.h"

/* The table with one code for each value of these columns; its text is the first of the
 * value's texts. `table` itself where no value has two texts. What is new lives in `memory`. */
kith_status equal_values_table(const kith_table **merged, const kith_study *study,
                               const kith_table *table, arena *memory, kith_error *error);

#endif
