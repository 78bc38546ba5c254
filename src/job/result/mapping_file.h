/* The mapping of a release: every record with its released row, for those who hold the data.
 *
 * A CSV file with the columns `confidential_row` (row of the data, from 1), `release_row`
 * (row of the release, from 1), the columns that identify persons where m-invariance names one,
 * every quasi-identifier NAME followed by NAME_released, the other released columns, and
 * `_kith_class` (number of the class from 1, empty for a suppressed record). Only its owner may
 * read it, since it undoes the anonymization. */
#ifndef JOB_RESULT_MAPPING_FILE_H
#define JOB_RESULT_MAPPING_FILE_H

#include "core/bytes.h"
#include "job/prepare/prepare.h"
#include "release/release.h"
#include "table/table_writer.h"

typedef struct mapping_file mapping_file;

/* Opens the file; `path` NULL: another process has it. KITH_INVALID for anything but a plain file,
 * for an existing one without `overwrite`, and if two columns would have one name. */
kith_status mapping_file_open(mapping_file **m, const prepared *p, const char *path, char separator,
                              bool overwrite, context *c, kith_error *error);
/* Some records of `data`, and what `release` shows of them: rows and classes of the whole table,
 * from 0. */
typedef struct mapping_records {
    const prepared *data;
    const release *release;
    const uint32_t *confidential_row, *release_row;
    const uint32_t *class; /* or PARTITION_SUPPRESSED */
} mapping_records;

/* Writes them; all records come in the order of the table. */
kith_status mapping_file_add(mapping_file *m, const mapping_records *some,
                             kith_error *error) KITH_MUST_USE;

/* Records from `first` on, as many as come at once, for a process that has the file, and there. */
enum { MAPPING_FILE_BLOCK = 1 << 14 };
kith_status mapping_file_pack(mapping_file *m, const mapping_records *some, uint32_t first,
                              bytes_writer *to, kith_error *error) KITH_MUST_USE;
kith_status mapping_file_take(mapping_file *m, const void *bytes, size_t n_bytes,
                              kith_error *error) KITH_MUST_USE;

kith_status mapping_file_finish(mapping_file *m, kith_error *error) KITH_MUST_USE;
/* The file will appear with the others of the stage. */
kith_status mapping_file_stage(mapping_file *m, stage *s, kith_error *error) KITH_MUST_USE;

#endif
