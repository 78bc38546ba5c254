/* Which few columns single out most records. */
#ifndef JOB_PROFILE_UNIQUE_COLUMNS_H
#define JOB_PROFILE_UNIQUE_COLUMNS_H

#include "core/document.h"
#include "job/profile/class_counter.h"

/* Looks at all combinations of up to three of the columns (two or one where that would take too
 * long; "combination_size" says which) and adds the five that make most records unique to the
 * document as "combinations". */
kith_status unique_columns_put(kith_document *d, document_node *parent, class_counter *counter,
                               kith_error *error);

#endif
