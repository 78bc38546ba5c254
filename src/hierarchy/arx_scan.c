#include "hierarchy/arx_scan.h"

#include <stdbool.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "hierarchy/repeated_findings.h"

/* Invariant: begin <= at <= end; everything before `at` has been read and may be overwritten. */
typedef struct scanner {
    char *at;
    char *end;
    size_t line;
    char separator;
    arena *memory;
    arx_rows *rows;
    size_t first, above; /* cells at which the row and the one before, above it, begin */
    intern *labels;
    repeated_findings quotes, bytes;
} scanner;

enum { DETECT_LINES = 64 };

/* Counts a character outside quotes in one line; moves *at behind the line. */
static size_t count_in_line(const char **at, const char *end, char wanted)
{
    size_t count = 0;
    bool quoted = false;
    const char *s = *at;
    for (; s < end && (quoted || (*s != '\n' && *s != '\r')); s++) {
        if (*s == '"')
            quoted = !quoted;
        count += !quoted && *s == wanted;
    }
    while (s < end && (*s == '\n' || *s == '\r'))
        s++;
    *at = s;
    return count;
}

/* How many of the first lines have as many of this separator as the first line. */
static size_t evenness(const char *text, size_t length, char separator)
{
    const char *at = text;
    const char *end = text + length;
    while (at < end && (*at == '\n' || *at == '\r'))
        at++;
    size_t first = count_in_line(&at, end, separator);
    size_t even = first > 0;
    for (int line = 1; line < DETECT_LINES && at < end && first > 0; line++)
        even += count_in_line(&at, end, separator) == first;
    return even;
}

/* The separator that occurs equally often in most lines; `;` wins ties, as ARX writes it. */
char arx_scan_separator(const char *text, size_t length)
{
    static const char candidates[] = {';', '\t', ','};
    char best = 0;
    size_t max_even = 0;
    for (size_t i = 0; i < sizeof candidates; i++) {
        size_t even = evenness(text, length, candidates[i]);
        if (even > max_even) {
            max_even = even;
            best = candidates[i];
        }
    }
    return best;
}

static bool at_line_end(const scanner *s)
{
    return s->at == s->end || *s->at == '\n' || *s->at == '\r';
}

/* CRLF, LF or CR. */
static void skip_line_end(scanner *s)
{
    if (s->at == s->end)
        return;
    s->line++;
    if (*s->at == '\r' && s->at + 1 < s->end && s->at[1] == '\n')
        s->at++;
    s->at++;
}

/* Is this label also that of the row before? Neighbours mostly share them, but not the leaf, and
 * need not look for them again. */
static bool is_above(const scanner *s, const char *text, size_t length, uint32_t *code)
{
    const size_t at = s->rows->n_cells - s->first;
    if (at == 0 || s->above + at >= s->first)
        return false;
    *code = s->rows->cells[s->above + at];
    return intern_length(s->labels, *code) == length &&
           memcmp(intern_text(s->labels, *code), text, length) == 0;
}

/* Bad bytes are reported, and the cell is kept: the rows must keep their width. */
static kith_status add_cell(scanner *s, const char *text, size_t length, kith_error *error)
{
    arx_rows *rows = s->rows;
    if (text_utf8_error(text, length) < length || memchr(text, '\0', length) != NULL) {
        char shown[80];
        text_quote(shown, sizeof shown, text, length);
        repeated_findings_add(
            &s->bytes, s->line,
            "'%s' is not valid UTF-8 (name the encoding of the file, such as WINDOWS-1252)", shown);
    }
    TRY_GROW(rows->cells, rows->cell_capacity, rows->n_cells + 1, s->memory, error);
    uint32_t code;
    if (!is_above(s, text, length, &code))
        TRY(intern_add(s->labels, text, length, &code, error));
    rows->cells[rows->n_cells++] = code;
    return KITH_OK;
}

/* A cell that begins with a quote: "" is one quote, line breaks belong to it. */
static kith_status quoted_cell(scanner *s, kith_error *error)
{
    size_t line = s->line;
    size_t cell = s->rows->n_cells - s->rows->rows[s->rows->count - 1].first + 1;
    char *text = s->at;
    char *out = text;
    bool closed = false;
    for (s->at++; s->at < s->end && !closed; s->at++) {
        if (*s->at == '"' && s->at + 1 < s->end && s->at[1] == '"')
            s->at++;
        else if (*s->at == '"') {
            closed = true;
            continue;
        } else
            s->line += *s->at == '\n';
        *out++ = *s->at;
    }
    if (!closed)
        repeated_findings_add(&s->quotes, line,
                              "the quote at the beginning of cell %zu is never closed", cell);
    else if (!at_line_end(s) && *s->at != s->separator) {
        repeated_findings_add(
            &s->quotes, s->line,
            "cell %zu goes on after its closing quote (a quote inside a quoted cell is "
            "written twice)",
            cell);
        while (!at_line_end(s) && *s->at != s->separator)
            s->at++;
    }
    return add_cell(s, text, (size_t)(out - text), error);
}

static kith_status scan_row(scanner *s, kith_error *error)
{
    arx_rows *rows = s->rows;
    TRY_GROW(rows->rows, rows->capacity, rows->count + 1, s->memory, error);
    rows->rows[rows->count++] = (arx_row){.line = s->line, .first = rows->n_cells};
    s->above = s->first;
    s->first = rows->n_cells;
    for (;;) {
        if (s->at < s->end && *s->at == '"') {
            TRY(quoted_cell(s, error));
        } else { /* a quote inside a cell that does not begin with one is an ordinary character */
            const char *text = s->at;
            while (!at_line_end(s) && *s->at != s->separator)
                s->at++;
            TRY(add_cell(s, text, (size_t)(s->at - text), error));
        }
        if (at_line_end(s))
            break;
        s->at++; /* the separator */
    }
    arx_row *row = &rows->rows[rows->count - 1];
    row->width = rows->n_cells - row->first;
    skip_line_end(s);
    return KITH_OK;
}

kith_status arx_scan(arx_rows *rows, const arx_text *text, intern *labels, arena *memory,
                     kith_findings *findings, kith_error *error)
{
    *rows = (arx_rows){.rows = NULL};
    scanner s = {.at = text->bytes,
                 .end = text->bytes + text->length,
                 .line = 1,
                 .separator = text->separator,
                 .memory = memory,
                 .rows = rows,
                 .labels = labels};
    s.quotes = s.bytes = (repeated_findings){
        .findings = findings, .file = text->file, .severity = KITH_SEVERITY_PROBLEM};
    while (s.at < s.end) {
        if (at_line_end(&s))
            skip_line_end(&s);
        else
            TRY(scan_row(&s, error));
    }
    repeated_findings_end(&s.quotes, "broken quotes");
    repeated_findings_end(&s.bytes, "cells that are not valid UTF-8");
    return KITH_OK;
}

kith_status arx_scan_labels(arx_rows *rows, const char *const *labels, size_t n_rows, size_t width,
                            const char *file, intern *known, arena *memory, kith_findings *findings,
                            kith_error *error)
{
    *rows = (arx_rows){.rows = NULL};
    scanner s = {.memory = memory, .rows = rows, .labels = known};
    s.bytes =
        (repeated_findings){.findings = findings, .file = file, .severity = KITH_SEVERITY_PROBLEM};
    TRY_GROW(rows->rows, rows->capacity, n_rows, memory, error);
    for (; rows->count < n_rows; rows->count++) {
        rows->rows[rows->count] =
            (arx_row){.line = rows->count + 1, .first = rows->n_cells, .width = width};
        s.line = rows->count + 1;
        s.above = s.first;
        s.first = rows->n_cells;
        for (size_t i = 0; i < width; i++, labels++)
            TRY(add_cell(&s, *labels == NULL ? "" : *labels, *labels == NULL ? 0 : strlen(*labels),
                         error));
    }
    repeated_findings_end(&s.bytes, "labels that are not valid UTF-8");
    return KITH_OK;
}
