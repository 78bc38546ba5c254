/* Searches that look at all records of the table at once, but only at their codes: these are in
 * memory. Searches of a lattice need no more than the distinct combinations of quasi-identifying
 * values, with how often each occurs and, where models look at them, with which sensitive values;
 * others, and suppression without a lattice, need the codes of every record. */
#ifndef JOB_STORE_STORE_CODES_H
#define JOB_STORE_STORE_CODES_H

#include "job/assess/risk.h"
#include "job/result/explain.h"
#include "job/store/store_values.h"
#include "search/search.h"

typedef struct store_codes store_codes;

/* Searches the records that `scan` shows, of which there are values->whole.n_rows. *found lives in
 * c->memory, as *result does; the records of its partition are not those of the table. `e` gets the
 * classes, unless it is NULL, and `before` the risks of the records. For a search of a lattice the
 * problem has been checked (search_check_whole). */
kith_status store_codes_search(store_codes **result, search_result *found, explanation *e,
                               risk *before, const algorithm *a, const store_values *values,
                               const record_scan *scan, context *c,
                               kith_error *error) KITH_MUST_USE;

/* What rows of the table show: a store_show (store.h). */
kith_status store_codes_show(void *s, search_result *shown, const record_block *rows,
                             uint32_t first, arena *memory, kith_error *error) KITH_MUST_USE;

#endif
