/* What every protocol over columns checks first. */
#ifndef PROTOCOL_COLUMNS_SHAPE_H
#define PROTOCOL_COLUMNS_SHAPE_H

#include "protocol/columns.h"

/* KITH_INFEASIBLE if there are no records, or fewer than k: at all parties alike, without a
 * message.
 */
kith_status columns_shape_check_size(const problem *p, kith_error *error) KITH_MUST_USE;

/* All parties must have the same number of records, k and pivot. Cost: vertical.shape (control), 12
 * bytes, exchanged. */
kith_status columns_shape_compare(party *p, const columns_task *task,
                                  kith_error *error) KITH_MUST_USE;

#endif
