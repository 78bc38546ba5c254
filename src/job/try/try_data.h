/* The tables that rows of a trial need. The data is read once for all studies that read the same
 * columns in the same way. */
#ifndef JOB_TRY_TRY_DATA_H
#define JOB_TRY_TRY_DATA_H

#include "core/context.h"
#include "study/study.h"
#include "table/table_input.h"

/* What came of one way of reading the data. */
typedef struct try_reading {
    const kith_study *reader; /* the study for which it was read */
    const kith_table *table;  /* NULL: it could not be read */
    kith_error why;
} try_reading;

typedef struct try_data {
    table_input input;
    context *context;
    size_t count, capacity;
    try_reading *readings;
} try_data;

/* The data as `study` reads it. `study` and the table live as long as the context. */
kith_status try_data_table(const kith_table **table, try_data *data, const kith_study *study,
                           kith_error *error) KITH_MUST_USE;

#endif
