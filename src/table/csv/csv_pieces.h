/* Tables whose CSV text lies in pieces: several files, or ranges of their bytes. */
#ifndef TABLE_CSV_CSV_PIECES_H
#define TABLE_CSV_CSV_PIECES_H

#include "table/csv/csv_files.h"
#include "table/csv/csv_header.h"
#include "table/source.h"

/* What the end of a piece is like: needed to judge empty lines where a file is cut. */
typedef struct csv_pieces_end {
    uint64_t blank_line; /* the first of the empty lines that end it; 0: none */
    bool has_rows;       /* it has other lines, too */
} csv_pieces_end;

/* Several whole files. All have the columns of the first one, in the same order, and its separator.
 */
kith_status csv_pieces_read_files(const source *s, const csv_files *files, kith_table **table,
                                  kith_error *error) KITH_MUST_USE;

/* The columns of a file, and those that are wanted. */
kith_status csv_pieces_header(csv_header *h, const source *s, const char *path,
                              kith_error *error) KITH_MUST_USE;

/* Reads pieces one after the other. A piece that begins at byte 0 has the header; one that is not a
 * whole file is UTF-8. ends[i] is filled for every piece that was begun, also if reading fails. */
kith_status csv_pieces_read(const source *s, const csv_header *h, const table_piece *pieces,
                            size_t count, csv_pieces_end *ends, kith_table **table,
                            kith_error *error) KITH_MUST_USE;

/* Line of row `row` of a table that was read from a CSV file, 0 if it cannot be found. */
uint64_t csv_pieces_line(const kith_table *table, uint32_t row);

#endif
