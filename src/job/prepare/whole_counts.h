/* How often the values of a whole table occur, as the study changes them. */
#ifndef JOB_PREPARE_WHOLE_COUNTS_H
#define JOB_PREPARE_WHOLE_COUNTS_H

#include "job/prepare/prepare.h"

/* *counts[i][code] says it of column i of p->table, *counts[i][number of values] of its missing
 * cells. `table` is the slice that p->table was made from, whose codes p->whole counts. */
kith_status whole_counts_make(const uint64_t *const **counts, const prepared *p,
                              const kith_table *table, arena *memory,
                              kith_error *error) KITH_MUST_USE;

#endif
