/* Arrow schemas and record batches of a table. */
#ifndef TABLE_ARROW_BATCH_H
#define TABLE_ARROW_BATCH_H

#include "table/arrow_form.h"

/* What a stream and its arrays share. */
typedef struct arrow_shared {
    atomic_uint owners; /* may be released in any thread */
    arena *memory;
    kith_table *table;
    arrow_form *forms; /* [table->n_columns] */
    size_t batch_rows;
} arrow_shared;

/* One owner fewer; the last one frees it. */
void arrow_batch_leave(arrow_shared *shared);

/* Both fill `out`, whose release callback then frees what belongs to it; children and dictionaries
 * may be moved out of it, as the specification allows. False if out of memory: `out` is released
 * then. */
bool arrow_batch_schema(struct ArrowSchema *out, const arrow_shared *shared) KITH_MUST_USE;
/* Rows `first` … `first + count - 1`. */
bool arrow_batch_make(struct ArrowArray *out, arrow_shared *shared, uint32_t first,
                      uint32_t count) KITH_MUST_USE;

#endif
