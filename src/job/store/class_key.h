/* What a class shows, to tell where one class ends and the next one begins among sorted rows. */
#ifndef JOB_STORE_CLASS_KEY_H
#define JOB_STORE_CLASS_KEY_H

#include <stdbool.h>

#include "table/postgres_cursor.h"

typedef struct class_key {
    const uint32_t *columns; /* [n_columns] of the cursor: the quasi-identifiers */
    uint32_t n_columns;
    char *bytes; /* of the last row */
    size_t length, room;
} class_key;

/* Goes on to the present row of the cursor; *other: it shows something else than the one before.
 * Empty cells are missing. Without columns all rows show the same. */
kith_status class_key_next(class_key *k, const postgres_cursor *c, bool *other,
                           kith_error *error) KITH_MUST_USE;

void class_key_free(class_key *k);

#endif
