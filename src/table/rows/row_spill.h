/* A table that is read once in bounded memory, wherever it comes from: dictionaries stay in memory,
 * rows go to a file as codes, and can be read again block by block.
 *
 * Codes are written in the order of first sight, since the order of the dictionary is only known at
 * the end; reading a block leads them to their places in it. A cell takes as many bytes as its
 * column needed when its block was written.
 *
 * Memory: the dictionaries, about 12 bytes for each of their values, and some blocks. */
#ifndef TABLE_ROWS_ROW_SPILL_H
#define TABLE_ROWS_ROW_SPILL_H

#include "table/table.h"
#include "table/table_builder.h"

enum { ROW_SPILL_ROWS = 1 << 16 }; /* of a block; the last one may have fewer */

/* What becomes of rows with missing cells. */
typedef struct row_spill_rule {
    const bool *needed; /* [columns] a missing cell here matters; NULL: nowhere */
    bool drop;          /* such a row is left out, otherwise only noted */
    bool drop_empty;    /* a row of several cells, all of which are missing, is left out */
    bool numbered;      /* blocks say where their rows stand in the source (source_rows) */
} row_spill_rule;

typedef struct row_spill row_spill;

/* Reads a source with these options. Only values of rows that are kept reach the dictionaries.
 * Temporary files stand beside `beside` (spill_file.h). Lives as long as `memory`. */
kith_status row_spill_read(row_spill **spill, const char *uri, const kith_table_options *options,
                           const row_spill_rule *rule, const char *beside, const kith_run *run,
                           arena *memory, kith_error *error) KITH_MUST_USE;

/* No rows yet, for those who build a table row by row. */
kith_status row_spill_new(row_spill **spill, const row_spill_rule *rule, const char *beside,
                          arena *memory, kith_error *error) KITH_MUST_USE;

/* A table without rows, but with the dictionaries. */
const kith_table *row_spill_table(const row_spill *s);
uint64_t row_spill_rows(const row_spill *s);    /* kept */
uint64_t row_spill_dropped(const row_spill *s); /* not kept because a needed cell is missing */
uint64_t row_spill_empty(const row_spill *s);   /* not kept because all cells are missing */
uint32_t row_spill_blocks(const row_spill *s);
/* [columns][values + 1] how often each value occurs; the last one counts missing cells. */
const uint64_t *const *row_spill_counts(const row_spill *s);
/* [columns][values] the first row of the source, dropped ones included, that has it. */
const uint32_t *const *row_spill_first(const row_spill *s);
/* The first row of the source in which a needed cell is missing, and the first such column in the
 * order of the source; false: none. */
bool row_spill_lacks(const row_spill *s, uint32_t *row, uint32_t *where);

/* Room for blocks: codes of ROW_SPILL_ROWS rows, and the dictionaries. */
kith_status row_spill_room(const row_spill *s, kith_table *rows, arena *memory,
                           kith_error *error) KITH_MUST_USE;
/* Reads a block into it; `source_rows` is valid until the next one. */
kith_status row_spill_block(row_spill *s, uint32_t block, kith_table *rows,
                            kith_error *error) KITH_MUST_USE;

/* No block is read any more, so that the disk need not keep them. */
void row_spill_forget(row_spill *s);

/* For those who build the table: takes the rows that the builder has, if they fill a block or `all`
 * is set; between two rows only. NULL: nothing is to be done. */
kith_status row_spill_take(row_spill *s, table_builder *b, bool all,
                           kith_error *error) KITH_MUST_USE;
/* The end of the rows; *table is row_spill_table. */
kith_status row_spill_finish(row_spill *s, table_builder *b, kith_table **table,
                             kith_error *error) KITH_MUST_USE;

#endif
