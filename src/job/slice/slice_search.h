/* Searches that compare any two records, over ranks: the first rank gets the codes of all, in 1 to
 * 4 bytes a cell, and searches alone. Its result is that of one process. */
#ifndef JOB_SLICE_SLICE_SEARCH_H
#define JOB_SLICE_SLICE_SEARCH_H

#include "job/prepare/prepare.h"
#include "job/result/explain.h"
#include "search/search.h"

/* As search_run, for the records of all ranks; classes have ids. `e` gets all classes on the first
 * rank, and none on the others; NULL: they are not explained. */
kith_status slice_search(search_result *result, explanation *e, const algorithm *a,
                         const prepared *own, context *c, kith_error *error) KITH_MUST_USE;

/* Where ranks have searched pieces or combinations, of which classes have ids: `e`, on the first
 * rank, gets the classes of all ranks. */
kith_status slice_explain(explanation *e, const search_result *result, const prepared *own,
                          context *c, kith_error *error) KITH_MUST_USE;

#endif
