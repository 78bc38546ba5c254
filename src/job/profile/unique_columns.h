/* Which few columns single out most records. */
#ifndef JOB_PROFILE_UNIQUE_COLUMNS_H
#define JOB_PROFILE_UNIQUE_COLUMNS_H

#include "core/context.h"
#include "core/document.h"
#include "table/row_groups.h"

/* Looks at all combinations of up to three of the columns (two or one where that would take too
 * long; "combination_size" says which) and adds the five that make most records unique to the
 * document as "combinations". */
kith_status unique_columns_put(kith_document *d, document_node *parent, const column *const *quasi,
                               uint32_t count, uint32_t n_rows, row_groups_scratch *scratch,
                               context *c, kith_error *error);

#endif
