/* The order of records in which protocols over rows count persons: the records of one after those
 * of another, so that a counter need only remember whom it saw last. */
#ifndef PROTOCOL_ROWS_BY_PERSON_H
#define PROTOCOL_ROWS_BY_PERSON_H

#include "protocol/rows.h"

/* A task with the records in this order, or `task` itself if each record counts. */
typedef struct rows_by_person {
    rows_task task;
    problem mine;
    uint32_t *order; /* [n_records] record of the given task; NULL: the same */
} rows_by_person;

kith_status rows_by_person_sort(rows_by_person *sorted, const rows_task *task,
                                kith_error *error) KITH_MUST_USE;
/* The classes of the given task's records. */
kith_status rows_by_person_restore(rows_result *result, const rows_by_person *sorted,
                                   kith_error *error) KITH_MUST_USE;

#endif
