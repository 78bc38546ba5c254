/* What an encrypted view of a table gives away to an attacker who knows other records.
 *
 * Every site, and the master, sees an encrypted view of the others' records. Each site has records
 * of its own: that is the attacker here. Without a second table the records are split at random
 * into two halves: one is encrypted, the other known. */
#ifndef JOB_EXPOSURE_ATTACK_H
#define JOB_EXPOSURE_ATTACK_H

#include "core/document.h"
#include "job/prepare/prepare.h"

/* A table as it would enter the view: by a study, or with all its columns but some. */
typedef struct attack_table {
    const char *name; /* of its source */
    const kith_table *table;
    const prepared *prepared; /* NULL: there is no study */
    const bool *left_out; /* [table->n_columns] without a study: columns that the view has not */
} attack_table;

/* Adds "exposure": for every column the share of cells that the attacker names rightly, by
 * frequency, by co-occurrence, and with the shapes of hierarchies. `known`: the attacker's records;
 * NULL: a random half of `data`, which the context's seed decides. KITH_DATA if a column is not in
 * both. */
kith_status attack_put(kith_document *d, document_node *root, const attack_table *data,
                       const attack_table *known, context *c, kith_error *error);

#endif
