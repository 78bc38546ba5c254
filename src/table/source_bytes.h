/* How much memory a table will take, by what its source says before it is read. */
#ifndef TABLE_SOURCE_BYTES_H
#define TABLE_SOURCE_BYTES_H

#include "table/table.h"

/* About how many bytes the table takes in memory while it is anonymized; UINT64_MAX if nobody
 * knows, as with a pipe. Files are asked for their size, a PostgreSQL server for its rows; counting
 * ends where `enough` is exceeded. What cannot be read has nothing: reading it tells why. */
kith_status source_bytes(uint64_t *n_bytes, const char *uri, const kith_table_options *options,
                         uint64_t enough, const kith_run *run, kith_error *error) KITH_MUST_USE;

#endif
