/* Splitting CSV text (RFC 4180) into records of cells, whatever its length.
 *
 * Beyond the RFC: a line may end with LF, CRLF or CR; a quote inside an unquoted cell is an
 * ordinary character. */
#ifndef TABLE_CSV_CSV_H
#define TABLE_CSV_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "table/byte_feed.h"

typedef struct csv_cell {
    const char *text; /* within the quotes, if any */
    size_t length;
    bool quoted;
    bool escaped; /* contains doubled quotes: see csv_text */
} csv_cell;

/* Invariants: `at` … `end` are the bytes not yet split, *end is a line feed that is not part of
 * the text (it stops every scan), and the cells of the current record point between `record` and
 * `at`. */
typedef struct csv {
    arena *memory;
    byte_feed feed;
    const char *file; /* for messages */
    char separator;
    bool blanks; /* skip blanks around quoted cells */
    bool ended;  /* the feed has no more bytes */
    bool hold;   /* texts of earlier records must stay: csv_next says that there are no more
                    where it would have to read on */
    bool stop[256];
    char *buffer;
    size_t room;
    const char *at, *end;
    uint64_t line;      /* of `at` */
    uint64_t n_records; /* split so far */
    bool numbered;      /* messages name the record instead of the line: a database has none */
    const char *record;
    uint64_t record_line;
    csv_cell *cells; /* [cells_room], of which the current record has `count` */
    size_t cells_room, count;
    char *scratch;
    size_t scratch_room;
    /* For pieces of a file (csv_pieces.h), by csv_source_rows: the first of the empty lines that
     * end the text, 0 if there is none, and whether it has other lines. */
    uint64_t blank_line;
    bool has_rows;
} csv;

#if KITH_DEBUG
void csv_check(const csv *c);
#endif

/* Begins to read. A separator of 0 is guessed (csv_separator.h), from a header if there is one. */
kith_status csv_open(csv *c, arena *memory, byte_feed source, const char *file, char separator,
                     bool header, bool blanks, kith_error *error);

/* Splits the next record; false at the end. Its cells stay until the next call. */
kith_status csv_next(csv *c, bool *more, kith_error *error);

/* A place between records to which csv_back returns, as long as the buffer is held. */
typedef struct csv_mark {
    const char *at;
    uint64_t line, n_records;
} csv_mark;
csv_mark csv_here(const csv *c);
void csv_back(csv *c, csv_mark mark);

/* The text of a cell without doubled quotes; valid until the next call of this or csv_next. */
kith_status csv_text(csv *c, const csv_cell *cell, const char **text, size_t *length,
                     kith_error *error);

/* Line and character within the line where a text of the current record begins. */
void csv_place(const csv *c, const char *text, size_t *line, size_t *column);

/* A single unquoted empty cell: an empty line. */
bool csv_blank_line(const csv *c);

#endif
