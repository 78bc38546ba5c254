/* Shared by the files that prepare a table. */
#ifndef JOB_PREPARE_PREPARE_INTERNAL_H
#define JOB_PREPARE_PREPARE_INTERNAL_H

#include "job/prepare/prepare.h"

/* The column of the table that a released column comes from. */
const column *prepare_source(const prepared *p, const prepared_column *col);

/* Is there a missing cell? All parties of a joint run and all slices of a table must build the same
 * tree, therefore the answer does not depend on the rows of one of them. */
bool prepare_has_missing(const prepared *p, const prepared_column *col);

/* Fills in what the search sees of the quasi-identifiers: trees, cells, costs, weights, ranks.
 * Columns are bound, sensitive attributes and models are there. */
kith_status prepare_attributes(prepared *p, context *c, kith_error *error) KITH_MUST_USE;

#endif
