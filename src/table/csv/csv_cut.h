/* Where a CSV file can be cut so that every record stays whole.
 *
 * Quoted cells may contain line ends, so the place where a record begins cannot be told from the
 * bytes around it. A range of bytes is therefore looked at for every state in which its first byte
 * may be; what came before it picks the right one (csv_cut_join). The states are those of the
 * splitter in csv.c: a quote opens a cell only at the cell's start, and is an ordinary character
 * elsewhere. */
#ifndef TABLE_CSV_CSV_CUT_H
#define TABLE_CSV_CSV_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/run.h>
#include <kith/status.h>

typedef enum csv_cut_state {
    CSV_CUT_OUTSIDE, /* of quotes */
    CSV_CUT_INSIDE,
    CSV_CUT_QUOTE,  /* behind a quote that closes the cell, or is the first of two */
    CSV_CUT_BEHIND, /* behind a closing quote, where blanks may follow */
    CSV_CUT_BROKEN  /* the splitter reports an error before it comes here */
} csv_cut_state;
enum { CSV_CUT_STATES = 4 }; /* those that matter */

typedef struct csv_cut_file {
    const char *path;
    char separator;
    bool blanks;     /* blanks around quoted cells are skipped */
    uint64_t begins; /* the first byte behind a byte-order mark */
} csv_cut_file;

#define CSV_CUT_NONE UINT64_MAX

/* What a range is like. Plain numbers only: ranks send it to each other. */
typedef struct csv_cut_range {
    uint64_t begin, end;              /* bytes of the file */
    uint64_t n_lines;                 /* that begin here, but for the file's first one */
    uint64_t first[CSV_CUT_STATES];   /* where the first record begins; CSV_CUT_NONE: nowhere */
    uint64_t lines[CSV_CUT_STATES];   /* that begin here up to that record */
    uint32_t becomes[CSV_CUT_STATES]; /* the state behind the range */
} csv_cut_range;

/* Looks at the bytes from range->begin to range->end. */
kith_status csv_cut_scan(csv_cut_range *range, const csv_cut_file *file, const kith_run *run,
                         kith_error *error) KITH_MUST_USE;

/* Where the records of a range are. */
typedef struct csv_cut_piece {
    uint64_t begin, end; /* equal: there are none */
    uint64_t line;       /* of the first one */
} csv_cut_piece;

/* The pieces of a file of `size` bytes whose ranges, without gaps, begin at byte 0. */
void csv_cut_join(csv_cut_piece *pieces, const csv_cut_range *ranges, size_t count, uint64_t size);

#endif
