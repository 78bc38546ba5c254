/* The mapping of a release (mapping_file.h), read again: which row belongs to which record.
 *
 * Only row numbers are taken from it. What they claim is checked by the cover check, which compares
 * every released cell with the data. */
#ifndef JOB_RESULT_MAPPING_ROWS_H
#define JOB_RESULT_MAPPING_ROWS_H

#include "job/prepare/prepare.h"
#include "table/table_input.h"

/* `p` has been made by prepare_table from `data`. *release becomes a table of the same rows in the
 * order of its records, which knows where they were (table_source_row). If the study asks for a
 * sample, *p becomes that of the records which the mapping names. KITH_DATA, with file and line, if
 * a number is no row of its table, if a row is named twice, and if a record or a row is not named.
 * Nothing happens if the release has another number of rows than it must have: that is for the
 * cover check to say. */
kith_status mapping_rows_apply(prepared *p, const kith_table **release, const kith_input *mapping,
                               const kith_table *data, context *c, kith_error *error) KITH_MUST_USE;

#endif
