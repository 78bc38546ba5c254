/* Columns that are released as they are, as summaries show them. */
#ifndef JOB_RESULT_RELEASED_AS_IS_H
#define JOB_RESULT_RELEASED_AS_IS_H

#include "core/document.h"
#include "core/findings.h"
#include "job/prepare/prepare.h"

/* What was found when columns were looked at goes to the list of warnings. `findings` is NULL if
 * they could not be looked at. */
void released_as_is_warn(kith_document *d, document_node *warnings, const kith_findings *findings);

/* "released_as_is": every sensitive and insensitive column, and how many records it makes unique.
 */
kith_status released_as_is_put(kith_document *d, document_node *root, const prepared *p,
                               kith_error *error) KITH_MUST_USE;

#endif
