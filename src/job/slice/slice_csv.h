/* A rank's slice of CSV files. */
#ifndef JOB_SLICE_SLICE_CSV_H
#define JOB_SLICE_SLICE_CSV_H

#include "table/source.h"

/* A reader for source_read; `user` is the context. */
kith_status slice_csv_read(const source *s, void *user, kith_table **table,
                           kith_error *error) KITH_MUST_USE;

#endif
