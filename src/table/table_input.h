/* Data as the caller of a job gives it: under a URI, or as a table in memory. */
#ifndef TABLE_TABLE_INPUT_H
#define TABLE_TABLE_INPUT_H

#include "table/table.h"

typedef struct table_input {
    const char *uri;         /* NULL: `table` */
    const kith_table *table; /* NULL: `uri` */
    char separator;          /* these two are about the URI */
    const kith_csv_options *csv;
} table_input;

/* Is there something to be read? */
static inline bool table_input_given(const table_input *from)
{
    return from->uri != NULL || from->table != NULL;
}

/* KITH_INVALID unless exactly one of both is given; `member` is what the caller's options call the
 * URI, and the table is `member`_table. The second allows that none is. */
kith_status table_input_need(const table_input *from, const char *member,
                             kith_error *error) KITH_MUST_USE;
kith_status table_input_check(const table_input *from, const char *member,
                              kith_error *error) KITH_MUST_USE;

/* Reads the data with these options, whose separator and csv come from `from`. A table in memory
 * gives what a file with its cells would (table_view.h). The result lives as long as `memory`. */
kith_status table_input_read(const kith_table **table, const table_input *from,
                             const kith_table_options *options, const kith_run *run, arena *memory,
                             kith_error *error) KITH_MUST_USE;

#endif
