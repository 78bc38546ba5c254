/* Records that can be looked at again and again, block by block, wherever they lie: in memory, in a
 * file, in a database. */
#ifndef SEARCH_RECORDS_RECORD_SCAN_H
#define SEARCH_RECORDS_RECORD_SCAN_H

#include <stdint.h>

/* Some records. */
typedef struct record_block {
    uint32_t n;
    uint32_t first; /* where units are counted: the number of the first one in the problem */
    const uint32_t *const *cells;     /* [n_attributes][n] nodes */
    const uint32_t *const *sensitive; /* [n_sensitive][n] values; not needed if no model has a
                                       * condition beyond the size of classes */
    uint32_t *reached; /* [n] where the scans so far have come with each record (division.h): all 0
                        * before the first scan, and kept by the source; NULL: not kept */
} record_block;

typedef kith_status (*record_visit)(void *to, const record_block *block, kith_error *error);

/* `run` calls `visit` with `to` for all records, in any order, as often as it is asked, and passes
 * on the first error. */
typedef struct record_scan {
    kith_status (*run)(void *user, record_visit visit, void *to, kith_error *error);
    void *user;
} record_scan;

#endif
