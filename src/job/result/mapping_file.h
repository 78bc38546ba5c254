/* The mapping of a release: every record with what was made of it, for the eyes of those who hold
 * the data only.
 *
 * A CSV file with the columns `confidential_row` (row of the data, from 1), the columns that tell
 * persons apart where m-invariance names one, every quasi-identifier NAME followed by
 * NAME_released, the other released columns, and `_kith_class` (number of the class from 1, empty
 * for a suppressed record). Only its owner may read it. */
#ifndef JOB_RESULT_MAPPING_FILE_H
#define JOB_RESULT_MAPPING_FILE_H

#include "job/prepare/prepare.h"
#include "release/release.h"
#include "table/table_writer.h"

typedef struct mapping_file mapping_file;

/* Begins the file; anything but a plain file is refused, and an existing one unless `overwrite`. */
kith_status mapping_file_open(mapping_file **m, const prepared *p, const char *path, char separator,
                              bool overwrite, context *c, kith_error *error);
/* Writes all records; the file appears with mapping_file_commit. */
kith_status mapping_file_write(mapping_file *m, const release *r, kith_error *error);
kith_status mapping_file_commit(mapping_file *m, kith_error *error);

#endif
