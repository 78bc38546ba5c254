/* Rows of a release and records that lie on several ranks, neither beside the other: they meet
 * where all rows and records with the same cells in the columns that are not generalized are. */
#ifndef VERIFY_COVER_RANKS_H
#define VERIFY_COVER_RANKS_H

#include "verify/cover_match.h"

/* As cover_match_rows, for the rows and records of this rank that `c` is about; task->share is
 * there, and no column shows means. */
kith_status cover_ranks_match(const cover *c, const cover_task *task,
                              kith_error *error) KITH_MUST_USE;

#endif
