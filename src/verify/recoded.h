/* What a release must show of values that the study changes: computed from the original texts,
 * without a look at how the release was made. */
#ifndef VERIFY_RECODED_H
#define VERIFY_RECODED_H

#include <stddef.h>

#include "core/arena.h"
#include "table/recoding.h"
#include "table/table.h"

/* How a column was changed; NULL in place of it: not at all. */
typedef struct cover_recoding {
    const recoding *how;
    const unsigned char *key; /* of pseudonyms */
    size_t key_length;
    const column *original; /* as it was read; rows are those of the data */
} cover_recoding;

/* What a text of the original column becomes; false if it is no number. */
bool recoded_number(long double *number, const cover_recoding *r, const char *text);

/* For each value of the original column the number of the text, out of `texts`, that shows it; or
 * `absent`. Numbers are compared by value, and the first of several texts counts. */
kith_status recoded_find(uint32_t *found, const cover_recoding *r, const char *const *texts,
                         uint32_t n_texts, uint32_t absent, arena *memory,
                         kith_error *error) KITH_MUST_USE;

#endif
