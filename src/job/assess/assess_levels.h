/* How far the cells of a release are generalized. */
#ifndef JOB_ASSESS_ASSESS_LEVELS_H
#define JOB_ASSESS_ASSESS_LEVELS_H

#include "core/document.h"
#include "job/prepare/prepare.h"
#include "verify/verify.h"

/* The levels of an attribute's hierarchy on which the cells of rows lie that are not suppressed.
 * Where a label is on several levels the lowest counts. Unknown for a column with cells that no
 * hierarchy has, such as ranges, and for one whose rows are all suppressed. */
typedef struct shown_levels {
    bool known;
    uint32_t lowest, highest;
} shown_levels;

/* levels[attribute]. `verified` has the classes of these rows. Other ranks have other rows and the
 * same dictionaries; the result is the same on all of them. */
kith_status assess_levels_shown(shown_levels **levels, const prepared *p, const kith_table *release,
                                const verify_report *verified, context *c,
                                kith_error *error) KITH_MUST_USE;

/* Adds "attribute_levels" to the document: {"age": {"lowest": 1, "highest": 2}, …}. */
void assess_levels_put(kith_document *d, document_node *root, const prepared *p,
                       const shown_levels *levels);

#endif
