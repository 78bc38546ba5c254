/* Columns that are released as they are, as summaries show them. */
#ifndef JOB_RESULT_RELEASED_AS_IS_H
#define JOB_RESULT_RELEASED_AS_IS_H

#include "core/document.h"
#include "job/prepare/prepare.h"

/* "released_as_is": every sensitive and insensitive column, and how many records it makes unique.
 */
kith_status released_as_is_put(kith_document *d, document_node *root, const prepared *p,
                               kith_error *error) KITH_MUST_USE;

#endif
