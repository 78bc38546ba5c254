/* Arrow schemas and record batches of a table. */
#ifndef TABLE_ARROW_BATCH_H
#define TABLE_ARROW_BATCH_H

#include "table/arrow_shared.h"

/* Both fill `out`, whose release callback then frees what belongs to it; children and dictionaries
 * may be moved out of it, as the specification allows. False if out of memory: `out` is released
 * then. */
bool arrow_schema_make(struct ArrowSchema *out, arrow_shared *shared) KITH_MUST_USE;
/* Rows `first` … `first + count - 1`. */
bool arrow_batch_make(struct ArrowArray *out, arrow_shared *shared, uint32_t first,
                      uint32_t count) KITH_MUST_USE;

#endif
