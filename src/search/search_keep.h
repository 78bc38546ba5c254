/* Results of a search for longer than the memory that it took. */
#ifndef SEARCH_SEARCH_KEEP_H
#define SEARCH_SEARCH_KEEP_H

#include "search/search.h"

/* Copies what the result of so many records refers to, but for `recoded`, into `memory`. */
kith_status search_keep(search_result *r, uint32_t n_records, uint32_t n_attributes, arena *memory,
                        kith_error *error) KITH_MUST_USE;

#endif
