/* What every protocol over columns checks first and last. */
#ifndef PROTOCOL_COLUMNS_AGREE_H
#define PROTOCOL_COLUMNS_AGREE_H

#include "protocol/columns.h"

/* KITH_INFEASIBLE if there are no records, or fewer than k: at all parties alike, without a
 * message. */
kith_status columns_agree_size(const problem *p, kith_error *error) KITH_MUST_USE;

/* All parties must have the same number of records, k and pivot. Cost: vertical.shape (control), 12
 * bytes, exchanged. */
kith_status columns_agree_shape(party *p, const columns_task *task,
                                kith_error *error) KITH_MUST_USE;

/* The end, before a party sends labels or cells of the classes. A party that lies in the protocol
 * gets no class that breaks the models: without this step all would see that only in the release.
 * KITH_PEER unless every class has k records, keeps the models at the pivot, the only party that
 * can judge them, and is the same at all parties. A party that finds something wrong sends nothing,
 * so that no other one comes to the end either. Cost: vertical.classes (control), a hash of 32
 * bytes, exchanged. */
kith_status columns_agree(const columns_result *result, party *p, const columns_task *task,
                          kith_error *error) KITH_MUST_USE;

#endif
