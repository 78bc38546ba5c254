/* Which few columns single out most records. */
#ifndef JOB_PROFILE_UNIQUE_COLUMNS_H
#define JOB_PROFILE_UNIQUE_COLUMNS_H

#include "core/context.h"
#include "core/document.h"
#include "job/profile/class_counter.h"

/* Looks at all combinations of up to three of the columns (two or one where that would take too
 * long; "combination_size" says which) and adds the five that make most records unique to the
 * document as "combinations". */
enum { UNIQUE_COLUMNS = 3 };
kith_status unique_columns_put(kith_document *d, document_node *parent,
                               const class_counter *counter, uint32_t count, uint32_t n_rows,
                               context *c, kith_error *error);

#endif
