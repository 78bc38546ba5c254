/* A rank's slice of a table of a PostgreSQL server. */
#ifndef JOB_SLICE_SLICE_POSTGRES_H
#define JOB_SLICE_SLICE_POSTGRES_H

#include "table/source.h"

/* A reader for source_read; `user` is the context. */
kith_status slice_postgres_read(const source *s, void *user, kith_table **table,
                                kith_error *error) KITH_MUST_USE;

#endif
