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

void *or_die(void *pointer)
{
    if (pointer == NULL)
        exit(report_error(&(kith_error){.status = KITH_NOMEM, .message = "out of memory"}));
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
    for (char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' '; /* names of columns may have line breaks */
    g->cells[g->count++] = or_die(strdup(text));
}

static size_t width(const char *text)
{
    return wrap_length(text, strlen(text));
}

/* Blanks that turn out to end a line are not printed. */
static void print_padded(size_t *blanks, const char *text, size_t bytes)
{
    if (bytes == 0)
        return;
    printf("%*s", (int)*blanks, "");
    fwrite(text, 1, bytes, stdout);
    *blanks = 0;
}

/* One line of a row; rest[] is what is left of its cells. False if nothing is left. */
static bool print_line(const grid *g, const char **rest, const size_t *widths)
{
    size_t blanks = 0;
    bool more = false;
    for (size_t c = 0; c < g->n_columns; c++) {
        if (widths[c] == 0 && g->alignment[c] == 'R')
            continue; /* dropped */
        size_t next, bytes = wrap_line(rest[c], widths[c], &next);
        size_t padding = widths[c] - wrap_length(rest[c], bytes);
        bool right = g->alignment[c] != 'l';
        blanks += right ? padding : 0;
        print_padded(&blanks, rest[c], bytes);
        blanks += (right ? 0 : padding) + 2;
        rest[c] += next;
        more = more || *rest[c] != '\0';
    }
    putchar('\n');
    return more;
}

/* Drops columns that can be spared, the last one first, then makes the widest columns of text
 * narrower, until all fit into a line or nothing is left to try. */
static void shrink(const grid *g, size_t *widths)
{
    enum { MIN_TEXT = 12 };
    size_t total = 2 * (g->n_columns - 1), max = wrap_width(stdout);
    for (size_t c = 0; c < g->n_columns; c++)
        total += widths[c];
    for (size_t c = g->n_columns; c-- > 0 && total > max;)
        if (g->alignment[c] == 'R') {
            total -= widths[c] + 2;
            widths[c] = 0;
        }
    for (; total > max; total--) {
        size_t widest = g->n_columns;
        for (size_t c = 0; c < g->n_columns; c++)
            if (g->alignment[c] == 'l' && widths[c] > MIN_TEXT &&
                (widest == g->n_columns || widths[c] > widths[widest]))
                widest = c;
        if (widest == g->n_columns)
            return;
        widths[widest]--;
    }
}

void grid_print_free(grid *g)
{
    size_t n_rows = g->count / g->n_columns;
    size_t *widths = or_die(calloc(g->n_columns, sizeof *widths));
    const char **rest = or_die(calloc(g->n_columns, sizeof *rest));
    for (size_t i = 0; i < n_rows * g->n_columns; i++)
        if (width(g->cells[i]) > widths[i % g->n_columns])
            widths[i % g->n_columns] = width(g->cells[i]);
    shrink(g, widths);
    for (size_t r = 0; r < n_rows; r++) {
        for (size_t c = 0; c < g->n_columns; c++)
            rest[c] = g->cells[r * g->n_columns + c];
        while (print_line(g, rest, widths))
            ;
    }
    for (size_t i = 0; i < g->count; i++)
        free(g->cells[i]);
    free(g->cells);
    free(widths);
    free(rest);
    free(g);
}

const char *short_value(const char *value, char out[128])
{
    size_t used = 0, characters = 0;
    for (; *value != '\0' && used < 120; value++) {
        bool starts = ((unsigned char)*value & 0xc0) != 0x80;
        if (starts && ++characters > 30)
            break;
        out[used++] = (unsigned char)*value < 0x20 || *value == 0x7f ? ' ' : *value;
    }
    snprintf(out + used, 128 - used, "%s", *value == '\0' ? "" : "…");
    return out;
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

const char *human_counted(double count, const char *noun)
{
    const size_t length = strlen(noun);
    const char *ending = count == 1 ? "" : length > 0 && noun[length - 1] == 's' ? "es" : "s";
    const char *number = human_count(count);
    char *text = next_buffer();
    snprintf(text, 40, "%s %s%s", number, noun, ending);
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

const char *human_loss(double loss)
{
    char *text = next_buffer();
    if (isnan(loss))
        return "-";
    snprintf(text, 40, "%.4f", loss);
    return text;
}

const char *path_at(const char *format, ...)
{
    enum { PATHS = 8, PATH_BYTES = 640 };
    static char paths[PATHS][PATH_BYTES];
    static unsigned next;
    char *path = paths[next++ % PATHS];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, PATH_BYTES, format, arguments);
    va_end(arguments);
    return path;
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
