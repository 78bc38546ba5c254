/* Which few columns single out most records. */
#ifndef JOB_SINGLE_OUT_H
#define JOB_SINGLE_OUT_H

#include "core/context.h"
#include "core/document.h"
#include "job/group.h"

/* Looks at all combinations of up to three of the columns (two or one where that would take too
 * long; "combination_size" says which) and adds the five that make most records unique to the
 * document as "combinations". */
kith_status single_out_put(kith_document *d, document_node *parent, const column *const *quasi,
                           uint32_t count, uint32_t rows, group_scratch *scratch, context *c,
                           kith_error *error);

#endif
