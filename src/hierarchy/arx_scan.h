/* The rows of a hierarchy file as they stand there: any width, repetitions included. */
#ifndef HIERARCHY_ARX_SCAN_H
#define HIERARCHY_ARX_SCAN_H

#include "table/intern.h"

typedef struct arx_row {
    size_t line;
    size_t first; /* its first cell */
    size_t width;
} arx_row;

typedef struct arx_rows {
    arx_row *rows;
    size_t count, capacity;
    uint32_t *cells; /* ids of labels */
    size_t n_cells, cell_capacity;
} arx_rows;

/* The separator that divides the first lines most evenly; 0 if none occurs. Ties go to `;`, then to
 * tab, then to `,`. */
char arx_scan_separator(const char *text, size_t length);

/* The contents of a file. */
typedef struct arx_text {
    const char *file;
    char *bytes; /* quoted cells are unescaped in place */
    size_t length;
    char separator;
} arx_text;

/* Splits a text into rows; blank lines are passed over. Broken quotes and invalid UTF-8 go to
 * `findings`. */
kith_status arx_scan(arx_rows *rows, const arx_text *text, intern *labels, arena *memory,
                     kith_findings *findings, kith_error *error);

/* Rows that a program has in memory, all of the same width: labels[] has those of the first row,
 * then those of the second. NULL is the empty label; row i is line i + 1. */
kith_status arx_scan_labels(arx_rows *rows, const char *const *labels, size_t n_rows, size_t width,
                            const char *file, intern *known, arena *memory, kith_findings *findings,
                            kith_error *error);

#endif
