#include <stdint.h>
#include <string.h>

#include "core/error.h"
#include "core/output.h"
#include "table/csv_separator.h"
#include "table/file_kind.h"
#include "table/packed_output.h"
#include "table/sink.h"

/* Lines end with LF. Missing cells are empty and empty texts are "", which readers that tell them
 * apart understand. Invariant: `line` collects rows; it goes out when it is LINE_BYTES long. */
enum { LINE_BYTES = 1 << 16 };

typedef struct csv_sink {
    arena *memory;
    output *file;
    packed_output *out;
    char separator;
    size_t n_columns;
    char *line;
    size_t used, room;
} csv_sink;

/* Hands the collected lines to the output. */
static void drain(csv_sink *s)
{
    packed_output_write(s->out, s->line, s->used);
    s->used = 0;
}

/* Room for `more` bytes. The limit is that of packed_output. */
static kith_status reserve(csv_sink *s, size_t more, kith_error *error)
{
    size_t need;
    if (__builtin_add_overflow(s->used, more, &need) || need > UINT32_MAX)
        return error_set(error, KITH_DATA, "a cell is too long to be written");
    if (need <= s->room)
        return KITH_OK;
    char *wider = TRY_ALLOC(arena_resize(s->memory, s->line, s->room, need * 2), error);
    s->line = wider;
    s->room = need * 2;
    return KITH_OK;
}

/* Quotes whatever a reader could misunderstand: structure, blanks that it might trim, and a first
 * cell that begins like a byte-order mark. */
static bool needs_quotes(const csv_sink *s, const char *text, size_t length, bool any_separator)
{
    static const char always[] = "\"\n\r";
    if (length == 0)
        return true;
    if (memcmp(text, "\xef\xbb\xbf", length < 3 ? length : 3) == 0 || text[strcspn(text, always)])
        return true;
    return memchr(text, s->separator, length) != NULL ||
           (any_separator && text[strcspn(text, CSV_SEPARATORS CSV_RARE_SEPARATORS)] != '\0') ||
           text[0] == ' ' || text[length - 1] == ' ';
}

/* At worst every character is a quote and doubled. */
static kith_status put_cell(csv_sink *s, const char *text, bool any_separator, kith_error *error)
{
    size_t length = strlen(text);
    TRY(reserve(s, 2 * length + 4, error));
    char *to = s->line + s->used;
    if (!needs_quotes(s, text, length, any_separator)) {
        memcpy(to, text, length); /* NOLINT(bugprone-not-null-terminated-result): ends at `used` */
        s->used += length;
        return KITH_OK;
    }
    *to++ = '"';
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            *to++ = '"';
        *to++ = text[i];
    }
    *to++ = '"';
    s->used = (size_t)(to - s->line);
    return KITH_OK;
}

/* An empty line could be overlooked, and the separator of the header is guessed by readers. */
static kith_status put_row(csv_sink *s, const char *const *cells, bool header, kith_error *error)
{
    bool single = s->n_columns == 1;
    for (size_t i = 0; i < s->n_columns; i++) {
        const char *text = cells[i] == NULL && single ? "" : cells[i];
        if (text != NULL)
            TRY(put_cell(s, text, header || single, error));
        TRY(reserve(s, 2, error));
        s->line[s->used++] = i + 1 < s->n_columns ? s->separator : '\n';
    }
    if (s->used >= LINE_BYTES)
        drain(s);
    return KITH_OK;
}

static kith_status csv_row(void *self, const char *const *cells, kith_error *error)
{
    return put_row(self, cells, false, error);
}

static kith_status csv_finish(void *self, kith_error *error)
{
    csv_sink *s = self;
    drain(s);
    TRY(packed_output_finish(s->out, error));
    return output_finish(s->file, error);
}

kith_status csv_sink_open(sink *result, const sink_request *request, kith_error *error)
{
    char separator = request->separator == 0 ? ',' : request->separator;
    if (separator == '"' || separator == '\n' || separator == '\r' ||
        (unsigned char)separator >= 0x80)
        return error_set(error, KITH_INVALID, "this separator is not possible: '\\x%02x'",
                         (unsigned char)separator);
    TRY(file_kind_refuse_ending(request->uri, error));
    csv_sink *s = TRY_ALLOC(arena_zalloc(request->memory, 1, sizeof *s), error);
    s->memory = request->memory;
    s->n_columns = request->n_columns;
    s->separator = separator;
    TRY(output_open(&s->file, s->memory, request->uri, request->overwrite, error));
    TRY(packed_output_open(&s->out, s->memory, s->file, request->uri, error));
    *result = (sink){.row = csv_row, .finish = csv_finish, .file = s->file, .self = s};
    return put_row(s, request->names, true, error);
}
