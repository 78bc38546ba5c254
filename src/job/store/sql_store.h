/* A table of a PostgreSQL server as a store. The server sends all rows in their order, once, and
 * they are kept in a temporary file.
 *
 * The release goes back by COPY, on another connection and in one transaction, into a table that
 * gets its name at the end (postgres_staging.h). It is read back from there as receivers will read
 * it, and sorted by classes beside the rows from which it was made. What fails before the commit
 * leaves nothing behind.
 *
 * The order of the rows is that of the address (`order=`), or of the primary key; rows without
 * either are ordered by all columns that are read. */
#ifndef JOB_STORE_SQL_STORE_H
#define JOB_STORE_SQL_STORE_H

#include <kith/anonymize.h>

#include "job/store/store.h"

/* Does the study ask for the server, or is a table of one, which is to become a table of a server,
 * too large to be read into this memory (0: no limit)? The server counts its rows. */
kith_status sql_store_needed(bool *needed, const kith_study *study,
                             const kith_anonymize_options *options, uint64_t memory_bytes,
                             context *c, kith_error *error) KITH_MUST_USE;

/* KITH_INVALID unless both input and output are tables of PostgreSQL servers. Everything lives in
 * c->memory. */
kith_status sql_store_open(store *s, const kith_study *study, const kith_anonymize_options *options,
                           context *c, kith_error *error) KITH_MUST_USE;

#endif
