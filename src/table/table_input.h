/* Data as the caller of a job gives it: kith_input. */
#ifndef TABLE_TABLE_INPUT_H
#define TABLE_TABLE_INPUT_H

#include "table/table.h"

/* Is there something to be read? */
static inline bool table_input_given(const kith_input *from)
{
    return from->uri != NULL || from->table != NULL;
}

/* Copies what the caller's options call `member`; NULL becomes an input of nothing. KITH_INVALID if
 * it has both a URI and a table; the second wants one of them. */
kith_status table_input_take(kith_input *mine, const kith_input *theirs, const char *member,
                             kith_error *error) KITH_MUST_USE;
kith_status table_input_need(kith_input *mine, const kith_input *theirs, const char *member,
                             kith_error *error) KITH_MUST_USE;

/* For jobs that read every table themselves: KITH_INVALID if it is in memory. */
kith_status table_input_refuse_table(const kith_input *from, const char *member,
                                     kith_error *error) KITH_MUST_USE;

/* Reads the data with these options, whose separator and csv come from `from`. A table in memory
 * gives what a file with its cells would (table_view.h). The result lives as long as `memory`. */
kith_status table_input_read(const kith_table **table, const kith_input *from,
                             const kith_table_options *options, const kith_run *run, arena *memory,
                             kith_error *error) KITH_MUST_USE;

#endif
