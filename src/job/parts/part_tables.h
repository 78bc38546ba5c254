/* Rows of a release move to where their classes are complete. */
#ifndef JOB_PARTS_PART_TABLES_H
#define JOB_PARTS_PART_TABLES_H

#include "job/parts/part_texts.h"

/* One more number of each row, which goes with it. */
typedef struct part_number {
    uint32_t *of_row; /* NULL: there is none */
    uint32_t limit;   /* all are below it */
} part_number;

/* *complete has the columns of `t`, and of every class all rows or none, with their numbers. Rows
 * keep the order of the whole release. All ranks together. */
kith_status part_tables_exchange(kith_table *complete, part_number *numbers, const part_texts *t,
                                 const kith_table *own, arena *memory,
                                 kith_error *error) KITH_MUST_USE;

#endif
