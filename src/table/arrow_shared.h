/* What a stream, its schema and its arrays share. */
#ifndef TABLE_ARROW_SHARED_H
#define TABLE_ARROW_SHARED_H

#include "table/arrow_form.h"

typedef struct arrow_shared {
    atomic_uint owners; /* may be released in any thread */
    arena *memory;
    kith_table *table;
    arrow_form *forms; /* [table->n_columns] */
    size_t batch_rows;
} arrow_shared;

/* One owner: the caller. The options have their full size, and a number of rows. */
kith_status arrow_shared_new(arrow_shared **shared, const kith_table *table,
                             const kith_arrow_options *options, kith_error *error) KITH_MUST_USE;
arrow_shared *arrow_shared_join(arrow_shared *shared);
void arrow_shared_leave(arrow_shared *shared);

#endif
