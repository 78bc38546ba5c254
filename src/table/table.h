/* Tables inside: columns of codes into sorted dictionaries; rows never hold strings.
 *
 * Invariants: the texts of a dictionary are distinct and ascending (strings by bytes, numbers and
 * dates by value; of several texts of one value, such as 7 and 007, the shortest comes first, then
 * the first by bytes); a code is below the dictionary's count or TABLE_MISSING. */
#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include <stdatomic.h>
#include <stdint.h>

#include <kith/table.h>

#include "core/arena.h"
#include "core/check.h"

#define TABLE_MISSING KITH_CODE_MISSING

/* What messages call a table that a program has made in memory. */
#define TABLE_IN_MEMORY "the table"

typedef struct dictionary {
    uint32_t count;
    const uint64_t *offsets; /* [count + 1]; text i is bytes + offsets[i], and ends with a NUL */
    const char *bytes;
    kith_type type;
    const int64_t *whole;  /* [count] integers, or seconds since 1970-01-01 for dates; else NULL */
    const double *decimal; /* [count] for KITH_TYPE_DECIMAL; else NULL */
    char mark;             /* numbers: the decimal mark that was asked for, else 0 */
} dictionary;

typedef struct column {
    const char *name;
    dictionary values;
    uint32_t *codes; /* [n_rows] */
    uint32_t place;  /* among all columns of the source, from 0: releases keep the source's order */
} column;

/* Rows of a table that come from one file, or from some bytes of it. */
typedef struct table_piece {
    const char *path;
    uint64_t begin, end; /* bytes; UINT64_MAX: to the end */
    uint64_t line;       /* on which it begins, from 1 */
    uint32_t first_row;
} table_piece;

struct kith_table {
    arena *memory;             /* owns everything, the table included */
    atomic_uint *owners;       /* how many times it has to be freed; NULL: not at all */
    const char *source;        /* for messages: the URI it was read from, or TABLE_IN_MEMORY */
    char separator;            /* of the CSV it was read from, else 0 */
    bool trim;                 /* blanks around its cells were stripped */
    bool no_header;            /* of the CSV: its first line was a row */
    const char *encoding;      /* of the CSV, as the caller named it, else NULL */
    const table_piece *pieces; /* of the CSV, by rows; NULL: `source` is the only one */
    size_t n_pieces;
    const uint32_t *source_rows; /* [n_rows] where each row stands there; NULL: in this order */
    uint32_t n_empty; /* rows of the source that were left out because they have no value */
    uint32_t n_rows;
    uint32_t n_columns;
    column *columns;
};

#if KITH_DEBUG
/* Checks the invariants above; the cost is linear in cells and values. */
void table_check(const kith_table *table);
#endif

static inline const char *dictionary_text(const dictionary *d, uint32_t code)
{
    ASSERT(code < d->count);
    return d->bytes + d->offsets[code];
}

static inline uint32_t dictionary_length(const dictionary *d, uint32_t code)
{
    ASSERT(code < d->count);
    return (uint32_t)(d->offsets[code + 1] - d->offsets[code] - 1);
}

/* Numbers the values of a dictionary in its order: texts of the same number or date have the same
 * value. Fills value_of[count] and returns how many values there are. */
uint32_t dictionary_values(const dictionary *d, uint32_t *value_of);

/* A value of some dictionary. */
typedef struct dictionary_value {
    const dictionary *from;
    uint32_t code;
} dictionary_value;

/* The dictionary of these values, which ascend. Its type, and what is said about it, are those of
 * `like`; all values have its kind of numbers. */
kith_status dictionary_of(dictionary *to, const dictionary *like, const dictionary_value *values,
                          uint32_t count, arena *memory, kith_error *error) KITH_MUST_USE;

/* The code of a text, or in columns of numbers and dates of the first text with its value, so that
 * 007 finds 7; UINT32_MAX if there is none. date_format is that of the column's spec. */
uint32_t dictionary_find(const dictionary *d, const char *date_format, const char *text);

/* The caller's options in full size. KITH_INVALID if a column is wanted twice. */
kith_status table_take_options(kith_table_options *options, const kith_table_options *theirs,
                               kith_error *error) KITH_MUST_USE;

/* One more owner, for what uses the table although its maker may free it: each one calls
 * kith_table_free, and the last one frees it. For tables that kith_table_free takes. */
kith_table *table_share(const kith_table *table);

/* The table is freed with `memory`, or at once if that is not possible. */
kith_status table_own(kith_table *table, arena *memory, kith_error *error) KITH_MUST_USE;

/* Gives back what the C library keeps of the memory that making the table took. */
void table_return_pages(const kith_table *table);

/* A table with the same cells, whose columns can be changed one by one; nothing has to be freed. */
kith_status table_copy(kith_table **copy, const kith_table *table, arena *memory,
                       kith_error *error) KITH_MUST_USE;

/* Room for rows of another table: columns and dictionaries are those of `like`, the codes are to be
 * filled in, and nothing has to be freed. */
kith_status table_room(kith_table *rows, const kith_table *like, uint32_t n_rows, arena *memory,
                       kith_error *error) KITH_MUST_USE;

/* Index of the column with this name, or UINT32_MAX. */
uint32_t table_find(const kith_table *table, const char *name);

/* Line of the source on which a row stands, for messages (CSV: by reading the file again, so that
 * no memory is spent on it; 0 where it has none). Row counts from 0. */
uint64_t table_line(const kith_table *table, uint32_t row);
/* The piece that has a row of the source, or else the whole source. */
table_piece table_piece_of(const kith_table *table, uint32_t row);
/* The file whose line that is: `source`, or one of several files. */
const char *table_file(const kith_table *table, uint32_t row);
/* Where a row stands there, from 0, whatever the order of these rows. */
static inline uint64_t table_source_row(const kith_table *table, uint32_t row)
{
    return table->source_rows == NULL ? row : table->source_rows[row];
}
/* The line where only `source` is named: 0 if that means several files. */
uint64_t table_source_line(const kith_table *table, uint32_t row);

#endif
