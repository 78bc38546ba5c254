/* A CSV file that is larger than memory as a store. It is read once (table/row_spill.h); rows go by
 * pieces into a temporary file (buckets.h) to be searched, and what classes show goes back into the
 * order of the rows through another one. The release is written under a temporary name, read back
 * in the same way as the data, and sorted by classes to be assessed.
 *
 *     file                       bytes of a row
 *     rows as they were read     the fewest that hold the codes of its cells
 *     rows by pieces             the same and 4, until the last piece is searched
 *     what classes show          the fewest that hold the nodes of its quasi-identifiers, and 4
 *     the release, read back     as the first one
 *     both by classes            both together
 */
#ifndef JOB_STORE_FILE_STORE_H
#define JOB_STORE_FILE_STORE_H

#include <kith/anonymize.h>

#include "job/store/store.h"

/* Is the table too large to be read into so many bytes of memory? Files only; what comes from
 * standard input may have any size, and is taken to be too large. */
bool file_store_needed(const char *uri, uint64_t memory_bytes, arena *memory);

/* KITH_INVALID unless both input and output are such files. Everything lives in c->memory. */
kith_status file_store_open(store *s, const kith_study *study,
                            const kith_anonymize_options *options, uint64_t memory_bytes,
                            context *c, kith_error *error) KITH_MUST_USE;

#endif
