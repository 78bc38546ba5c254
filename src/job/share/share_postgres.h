/* A rank's share of a table of a PostgreSQL server. */
#ifndef JOB_SHARE_SHARE_POSTGRES_H
#define JOB_SHARE_SHARE_POSTGRES_H

#include "table/source.h"

/* A reader for source_read; `user` is the context. */
kith_status share_postgres_read(const source *s, void *user, kith_table **table,
                                kith_error *error) KITH_MUST_USE;

#endif
