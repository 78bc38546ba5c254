/* The columns of a CSV text: what its first record says, and which of them are wanted. */
#ifndef TABLE_CSV_CSV_HEADER_H
#define TABLE_CSV_CSV_HEADER_H

#include "table/csv/csv.h"
#include "table/table_builder.h"

struct source;

typedef struct csv_header {
    const char *file;         /* whose it is */
    const char *const *names; /* [width] */
    size_t width;
    const kith_column_spec *specs; /* [count] what is wanted, by csv_header_pick */
    uint32_t *pick;                /* [count] which cell of a record it is */
    size_t count;
    char separator;
} csv_header;

/* Begins to read a text from its start. `file` is for messages; a separator of 0 is guessed. */
kith_status csv_header_open(csv *c, const struct source *s, byte_feed bytes, const char *file,
                            char separator, kith_error *error) KITH_MUST_USE;

/* The first record names the columns, all different, unless the options say that there is no
 * header: they are c1, c2, … then, and the record is read again as a row. */
kith_status csv_header_read(csv_header *h, const struct source *s, csv *c,
                            kith_error *error) KITH_MUST_USE;
kith_status csv_header_pick(csv_header *h, const struct source *s, kith_error *error) KITH_MUST_USE;

/* KITH_DATA if the columns of a file differ from those of another one. */
kith_status csv_header_same(const csv_header *h, const csv_header *other,
                            kith_error *error) KITH_MUST_USE;

/* Finishes a table of such columns. */
kith_status csv_header_finish(const csv_header *h, const struct source *s, table_builder *b,
                              kith_table **table, kith_error *error) KITH_MUST_USE;

#endif
