/* How far the cells of a release are generalized. */
#ifndef JOB_RESULT_ASSESS_LEVELS_H
#define JOB_RESULT_ASSESS_LEVELS_H

#include "core/document.h"
#include "job/prepare/prepare.h"
#include "verify/verify.h"

/* Adds "attribute_levels" to the document: {"age": {"lowest": 1, "highest": 2}, …}, the levels of
 * the hierarchies on which the cells of rows lie that are not suppressed. Where a label is on
 * several levels the lowest counts. A column with cells that no hierarchy has, such as ranges, is
 * left out, and so is one whose rows are all suppressed. */
kith_status assess_levels_put(kith_document *d, document_node *root, const prepared *p,
                              const kith_table *release, const verify_report *verified,
                              arena *memory, kith_error *error);

#endif
