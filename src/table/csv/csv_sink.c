#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "core/error.h"
#include "core/system/output.h"
#include "core/text.h"
#include "table/csv/csv_separator.h"
#include "table/file_kind.h"
#include "table/sink.h"

/* Lines end with LF. Missing cells are empty and empty texts are "", which readers that tell them
 * apart understand. Invariant: `line` collects rows; it goes out when it is LINE_BYTES long. */
enum { LINE_BYTES = 1 << 16, PACKED_BYTES = 1 << 16 };

typedef struct csv_sink {
    arena *memory;
    output *file;
    char separator;
    size_t n_columns;
    char *line;
    size_t used, room;
    bool gzip;       /* `deflating` is in use */
    ZSTD_CCtx *zstd; /* NULL: not in use */
    bool broken;     /* compression failed */
    z_stream deflating;
    char *packed; /* [PACKED_BYTES] */
} csv_sink;

static void close_packers(void *object)
{
    csv_sink *s = object;
    if (s->gzip)
        deflateEnd(&s->deflating);
    ZSTD_freeCCtx(s->zstd);
}

static void deflate_line(csv_sink *s, bool last)
{
    s->deflating.next_in = (unsigned char *)s->line;
    s->deflating.avail_in = (unsigned)s->used;
    do {
        s->deflating.next_out = (unsigned char *)s->packed;
        s->deflating.avail_out = PACKED_BYTES;
        const int result = deflate(&s->deflating, last ? Z_FINISH : Z_NO_FLUSH);
        s->broken =
            s->broken || (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR);
        output_write(s->file, s->packed, PACKED_BYTES - s->deflating.avail_out);
    } while (s->deflating.avail_out == 0);
}

static void zstd_line(csv_sink *s, bool last)
{
    ZSTD_inBuffer from = {.src = s->line, .size = s->used};
    for (bool more = true; more && !s->broken;) {
        ZSTD_outBuffer to = {.dst = s->packed, .size = PACKED_BYTES};
        const size_t left =
            ZSTD_compressStream2(s->zstd, &to, &from, last ? ZSTD_e_end : ZSTD_e_continue);
        s->broken = ZSTD_isError(left) != 0;
        output_write(s->file, s->packed, to.pos);
        more = last ? left != 0 : from.pos < from.size;
    }
}

/* Hands the collected lines to the output, compressed as its name says. */
static void drain(csv_sink *s, bool last)
{
    if (s->gzip)
        deflate_line(s, last);
    else if (s->zstd != NULL)
        zstd_line(s, last);
    else
        output_write(s->file, s->line, s->used);
    s->used = 0;
}

/* Room for `more` bytes, fewer than 4 GB in all: zlib counts in 32 bits. */
static kith_status csv_sink_reserve(csv_sink *s, size_t more, kith_error *error)
{
    size_t need;
    if (__builtin_add_overflow(s->used, more, &need) || need > UINT32_MAX)
        return error_set(error, KITH_DATA, "a cell is too long to be written");
    TRY_GROW(s->line, s->room, need, s->memory, error);
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
static kith_status csv_sink_put_cell(csv_sink *s, const char *text, bool any_separator,
                                     kith_error *error)
{
    size_t length = strlen(text);
    TRY(csv_sink_reserve(s, 2 * length + 4, error));
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
            TRY(csv_sink_put_cell(s, text, header || single, error));
        TRY(csv_sink_reserve(s, 2, error));
        s->line[s->used++] = i + 1 < s->n_columns ? s->separator : '\n';
    }
    if (s->used >= LINE_BYTES)
        drain(s, false);
    return KITH_OK;
}

static kith_status csv_row(void *self, const char *const *cells, kith_error *error)
{
    return put_row(self, cells, false, error);
}

static kith_status csv_finish(void *self, kith_error *error)
{
    csv_sink *s = self;
    drain(s, false);
    drain(s, true);
    return s->broken ? error_set(error, KITH_IO, "compression failed")
                     : output_finish(s->file, error);
}

kith_status csv_sink_open(sink *result, const sink_request *request, kith_error *error)
{
    char separator = request->separator == 0 ? ',' : request->separator;
    if (separator == '"' || separator == '\n' || separator == '\r' ||
        (unsigned char)separator >= 0x80)
        return error_set(error, KITH_INVALID, "this separator is not possible: '\\x%02x'",
                         (unsigned char)separator);
    TRY(file_kind_refuse_ending(request->uri, error));
    csv_sink *s = TRY_ZEROS(s, request->memory, 1, error);
    s->memory = request->memory;
    s->n_columns = request->n_columns;
    s->separator = separator;
    TRY(output_open(&s->file, s->memory, request->uri, request->overwrite, error));
    /* By gzip if the name ends in .gz, by zstd if it ends in .zst, else not at all. */
    s->packed = TRY_ALLOC(arena_alloc(s->memory, PACKED_BYTES), error);
    TRY_ALLOC(arena_defer(s->memory, close_packers, s), error);
    if (text_ends(request->uri, ".gz")) {
        if (deflateInit2(&s->deflating, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                         Z_DEFAULT_STRATEGY) != Z_OK)
            return error_nomem(error);
        s->gzip = true;
    } else if (text_ends(request->uri, ".zst")) {
        s->zstd = TRY_ALLOC(ZSTD_createCCtx(), error);
    }
    *result = (sink){.row = csv_row, .finish = csv_finish, .file = s->file, .self = s};
    return put_row(s, request->names, true, error);
}
