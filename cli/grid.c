/* Aligned tables and human-readable numbers. */
#include "cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Invariant: cells are stored row by row; each is an owned text. */
struct grid {
    size_t n_columns;
    const char *alignment;
    size_t count, capacity;
    char **cells;
};

static void *or_die(void *pointer)
{
    if (pointer == NULL) {
        fputs("kith: error: out of memory\n", stderr);
        exit(EXIT_LOCAL);
    }
    return pointer;
}

grid *grid_new(size_t n_columns, const char *alignment)
{
    grid *g = or_die(calloc(1, sizeof *g));
    g->n_columns = n_columns;
    g->alignment = alignment;
    return g;
}

void grid_cell(grid *g, const char *format, ...)
{
    if (g->count == g->capacity) {
        g->capacity = g->capacity == 0 ? 64 : 2 * g->capacity;
        g->cells = or_die(realloc(g->cells, g->capacity * sizeof *g->cells));
    }
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    g->cells[g->count++] = or_die(strdup(text));
}

/* Characters of a UTF-8 text; wide ones count as one, which serves most data. */
static size_t width(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static void print_row(const grid *g, size_t row, const size_t *widths)
{
    for (size_t c = 0; c < g->n_columns; c++) {
        const char *cell = g->cells[row * g->n_columns + c];
        size_t padding = widths[c] - width(cell);
        bool right = g->alignment[c] == 'r';
        if (right)
            printf("%*s", (int)padding, "");
        fputs(cell, stdout);
        if (c + 1 == g->n_columns)
            break;
        printf("%*s", (int)(right ? 2 : padding + 2), "");
    }
    putchar('\n');
}

void grid_print_free(grid *g)
{
    size_t n_rows = g->count / g->n_columns;
    size_t *widths = or_die(calloc(g->n_columns, sizeof *widths));
    for (size_t i = 0; i < n_rows * g->n_columns; i++)
        if (width(g->cells[i]) > widths[i % g->n_columns])
            widths[i % g->n_columns] = width(g->cells[i]);
    for (size_t r = 0; r < n_rows; r++)
        print_row(g, r, widths);
    for (size_t i = 0; i < g->count; i++)
        free(g->cells[i]);
    free(g->cells);
    free(widths);
    free(g);
}

/* Eight buffers in turn, so that one printf may call several of these. */
static char *next_buffer(void)
{
    static char buffers[8][40];
    static unsigned next;
    return buffers[next++ % 8];
}

const char *human_bytes(double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1000;
        unit++;
    }
    char *text = next_buffer();
    snprintf(text, 40, unit == 0 || bytes >= 100 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return text;
}

const char *human_count(double count)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.0f", fabs(count));
    size_t length = strlen(digits);
    char *text = next_buffer();
    size_t used = 0;
    if (count < 0)
        text[used++] = '-';
    for (size_t i = 0; i < length && used < 38; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

const char *human_seconds(double seconds)
{
    char *text = next_buffer();
    if (seconds < 0.0995)
        snprintf(text, 40, "%.0f ms", 1000 * seconds);
    else if (seconds < 99.5)
        snprintf(text, 40, "%.*f s", seconds < 9.95 ? 2 : 1, seconds);
    else
        snprintf(text, 40, "%.0f min %02.0f s", floor(round(seconds) / 60),
                 fmod(round(seconds), 60));
    return text;
}

int document_print(const kith_document *document)
{
    char *json = or_die(kith_document_json(document, true));
    puts(json);
    kith_free(json);
    return EXIT_DONE;
}

int findings_print(const kith_findings *findings)
{
    kith_document *document;
    kith_error error;
    if (kith_findings_describe(&document, findings, &error) != KITH_OK)
        return report_error(&error);
    int status = document_print(document);
    kith_document_free(document);
    return status;
}
