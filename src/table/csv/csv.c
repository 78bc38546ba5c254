#include "table/csv/csv.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "core/check.h"
#include "core/error.h"
#include "core/text.h"
#include "table/csv/csv_separator.h"

/* A vector may be loaded at any byte before `end`, hence the padding. */
enum { FIRST_BYTES = 256 << 10, MAX_BYTES = 64 << 20, PADDING = 64, QUOTE_BYTES = 80 };

/* How splitting a record ended. INCOMPLETE: its end is not in the buffer yet. */
typedef enum outcome { RECORD, INCOMPLETE, UNTERMINATED, GARBAGE, NO_MEMORY } outcome;

/* Reads until the buffer is full, so that a long record is looked at again only after doubling. */
static kith_status fill(csv *c, kith_error *error)
{
    char *end = c->buffer + (c->end - c->buffer);
    while (!c->ended && (size_t)(end - c->buffer) < c->room) {
        size_t got;
        TRY(c->feed.read(c->feed.user, end, c->room - (size_t)(end - c->buffer), &got, error));
        ASSERT(got <= c->room - (size_t)(end - c->buffer));
        c->ended = got == 0;
        end += got;
    }
    memset(end, '\n', PADDING);
    c->end = end;
    return KITH_OK;
}

/* Makes room by moving the bytes from `at` to the front, or by doubling, and reads on. */
static kith_status read_on(csv *c, kith_error *error)
{
    size_t left = (size_t)(c->end - c->at);
    if (left > c->room / 2) {
        if (c->room >= MAX_BYTES) {
            error_at(error, KITH_DATA, c->file, c->line, 0, "a record of more than %d MB",
                     MAX_BYTES >> 20);
            return error_hint(error, KITH_DATA, "is a quote left open there?");
        }
        size_t offset = (size_t)(c->at - c->buffer);
        char *wider = TRY_ALLOC(
            arena_resize(c->memory, c->buffer, c->room + PADDING, c->room * 2 + PADDING), error);
        c->room *= 2;
        c->buffer = wider;
        c->at = wider + offset;
    }
    memmove(c->buffer, c->at, left);
    c->at = c->buffer;
    c->end = c->buffer + left;
    return fill(c, error);
}

kith_status csv_open(csv *c, arena *memory, byte_feed source, const char *file, char separator,
                     bool header, bool blanks, kith_error *error)
{
    if (separator == '"' || separator == '\n' || separator == '\r' ||
        (unsigned char)separator >= 0x80)
        return error_set(error, KITH_INVALID, "this separator is not possible: '\\x%02x'",
                         (unsigned char)separator);
    *c = (csv){.memory = memory, .feed = source, .file = file, .blanks = blanks, .line = 1};
    c->room = FIRST_BYTES;
    c->buffer = TRY_ALLOC(arena_alloc(memory, c->room + PADDING), error);
    c->at = c->end = c->record = c->buffer;
    TRY(fill(c, error));
    /* Guessing it needs the whole first line. */
    for (bool complete = separator != 0; !complete && !c->ended;) {
        csv_separator_count(c->at, (size_t)(c->end - c->at), ',', &complete);
        if (!complete)
            TRY(read_on(c, error));
    }
    c->separator =
        separator != 0 ? separator : csv_separator_guess(c->at, (size_t)(c->end - c->at), header);
    c->stop[(unsigned char)c->separator] = c->stop['\n'] = c->stop['\r'] = true;
    return KITH_OK;
}

/* The first separator or line end from `s` on. */
static inline const char *cell_end(const csv *c, char separator, const char *s)
{
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi8(separator);
    (void)c;
    const __m128i lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r');
    for (;; s += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)s);
        __m128i hits =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, lf), _mm_cmpeq_epi8(bytes, cr)),
                         _mm_cmpeq_epi8(bytes, wanted));
        unsigned mask = (unsigned)_mm_movemask_epi8(hits);
        if (mask != 0)
            return s + __builtin_ctz(mask);
    }
#else
    (void)separator;
    while (!c->stop[(unsigned char)*s])
        s++;
    return s;
#endif
}

/* A tab may be the separator. */
static const char *skip_blanks(const csv *c, const char *s)
{
    while (s < c->end && (*s == ' ' || *s == '\t') && *s != c->separator)
        s++;
    return s;
}

/* The cell whose opening quote is at `s`; `*next` is what follows its closing quote. */
static outcome quoted_cell(const csv *c, const char *s, csv_cell *cell, const char **next)
{
    *cell = (csv_cell){.text = s + 1, .quoted = true};
    for (s++;; s += 2) {
        s = s < c->end ? memchr(s, '"', (size_t)(c->end - s)) : NULL;
        if (s == NULL)
            return c->ended ? UNTERMINATED : INCOMPLETE;
        if (s + 1 == c->end && !c->ended)
            return INCOMPLETE;
        if (s + 1 == c->end || s[1] != '"')
            break;
        cell->escaped = true;
    }
    cell->length = (size_t)(s - cell->text);
    s++;
    *next = c->blanks ? skip_blanks(c, s) : s;
    if (*next < c->end && !c->stop[(unsigned char)**next])
        return GARBAGE;
    return RECORD;
}

/* After a line end, or false if a line feed might still follow. */
static bool after_line(const csv *c, const char **s)
{
    const char *end = *s;
    if (end == c->end) /* the last line has no end */
        return c->ended;
    if (*end == '\r') {
        if (end + 1 == c->end && !c->ended)
            return false;
        end += end + 1 < c->end && end[1] == '\n';
    }
    *s = end + 1;
    return true;
}

/* Records have as many cells as the header, so that this happens a few times. */
static bool more_cells(csv *c)
{
    size_t wider = arena_capacity(c->cells_room, c->cells_room + 1);
    csv_cell *cells = arena_resize_array(c->memory, c->cells, c->cells_room, wider, sizeof *cells);
    if (cells == NULL)
        return false;
    c->cells = cells;
    c->cells_room = wider;
    return true;
}

/* Splits the record at `at`; `*next` is where the next one begins, or where it went wrong. What the
 * loop needs is kept in local variables: the compiler must suppose that a stored cell changes *c.
 */
static outcome csv_split(csv *c, const char **next)
{
    const char *s = c->at, *const end = c->end;
    const char separator = c->separator;
    const bool blanks = c->blanks;
    csv_cell *cells = c->cells;
    size_t count = 0, room = c->cells_room;
    for (;; s++) {
        const char *start = blanks ? skip_blanks(c, s) : s;
        if (count == room) {
            if (!more_cells(c))
                return NO_MEMORY;
            cells = c->cells;
            room = c->cells_room;
        }
        if (__builtin_expect(*start == '"' && start < end, 0)) {
            outcome result = quoted_cell(c, start, &cells[count], &s);
            if (result != RECORD) {
                *next = result == UNTERMINATED ? start : s;
                return result;
            }
        } else {
            const char *stop = cell_end(c, separator, s);
            if (stop >= end) {
                if (!c->ended)
                    return INCOMPLETE;
                stop = end;
            }
            cells[count] = (csv_cell){.text = s, .length = (size_t)(stop - s)};
            s = stop;
        }
        count++;
        if (*s != separator || s == end)
            break;
    }
    c->count = count;
    *next = s;
    return after_line(c, next) ? RECORD : INCOMPLETE;
}

/* The message for a record that could not be split. */
static kith_status broken(const csv *c, outcome result, const char *s, kith_error *error)
{
    size_t line, column;
    char text[QUOTE_BYTES];
    csv_place(c, s, &line, &column);
    if (result == NO_MEMORY)
        return error_nomem(error);
    if (result == UNTERMINATED) {
        text_quote(text, sizeof text / 2, s, (size_t)(c->end - s));
        return error_at(error, KITH_DATA, c->file, line, column, "the quote of %s is never closed",
                        text);
    }
    const char *end = cell_end(c, c->separator, s);
    text_quote(text, sizeof text, s, (size_t)((end < c->end ? end : c->end) - s));
    error_at(error, KITH_DATA, c->file, line, column,
             "'%s' after a closing quote, expected a separator or the end of the line", text);
    return error_hint(error, KITH_DATA, "a quote inside a quoted cell is written twice");
}

/* CRLF counts once. */
static uint64_t lines_between(const char *from, const char *to)
{
    uint64_t n_lines = 0;
    for (; from < to; from++)
        n_lines += *from == '\n' || (*from == '\r' && !(from + 1 < to && from[1] == '\n'));
    return n_lines;
}

#if KITH_DEBUG
void csv_check(const csv *c)
{
    ASSERT(c->buffer <= c->at && c->at <= c->end);
    ASSERT((size_t)(c->end - c->buffer) <= c->room);
    ASSERT(*c->end == '\n');
    ASSERT(c->count <= c->cells_room);
}
#endif

kith_status csv_next(csv *c, bool *more, kith_error *error)
{
    CHECK(csv_check(c));
    for (;;) {
        const char *next = c->at;
        *more = c->at < c->end || !c->ended;
        if (c->at == c->end && c->ended)
            return KITH_OK;
        outcome result = c->at == c->end ? INCOMPLETE : csv_split(c, &next);
        if (result == INCOMPLETE && c->hold) {
            *more = false;
            return KITH_OK;
        }
        if (result == INCOMPLETE) {
            TRY(read_on(c, error));
            continue;
        }
        c->record = c->at;
        c->record_line = c->line;
        c->n_records++;
        if (result != RECORD)
            return broken(c, result, next, error);
        /* Only quoted cells contain line breaks; the lines of other records need not be counted. */
        c->line++;
        for (size_t i = 0; i < c->count; i++)
            if (c->cells[i].quoted)
                c->line += lines_between(c->cells[i].text, c->cells[i].text + c->cells[i].length);
        c->at = next;
        return KITH_OK;
    }
}

kith_status csv_text(csv *c, const csv_cell *cell, const char **text, size_t *length,
                     kith_error *error)
{
    *text = cell->text;
    *length = cell->length;
    if (!cell->escaped)
        return KITH_OK;
    if (cell->length + PADDING > c->scratch_room) {
        size_t need = cell->length * 2 + PADDING;
        char *wider = TRY_ALLOC(arena_resize(c->memory, c->scratch, c->scratch_room, need), error);
        c->scratch = wider;
        c->scratch_room = need;
    }
    size_t used = 0;
    for (size_t i = 0; i < cell->length; i++) {
        c->scratch[used++] = cell->text[i];
        i += cell->text[i] == '"'; /* the second of two */
    }
    *text = c->scratch;
    *length = used;
    return KITH_OK;
}

void csv_place(const csv *c, const char *text, size_t *line, size_t *column)
{
    *line = (size_t)(c->record_line + lines_between(c->record, text));
    const char *start = text;
    while (start > c->record && start[-1] != '\n' && start[-1] != '\r')
        start--;
    *column = 1;
    for (; start < text; start++)
        *column += ((unsigned char)*start & 0xc0) != 0x80;
}

bool csv_blank_line(const csv *c)
{
    return c->count == 1 && c->cells[0].length == 0 && !c->cells[0].quoted;
}

csv_mark csv_here(const csv *c)
{
    return (csv_mark){.at = c->at, .line = c->line, .n_records = c->n_records};
}

void csv_back(csv *c, csv_mark mark)
{
    ASSERT(c->buffer <= mark.at && mark.at <= c->at);
    c->at = mark.at;
    c->line = mark.line;
    c->n_records = mark.n_records;
}
