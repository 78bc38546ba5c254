#include "table/text_feed.h"

#include <errno.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/text.h"
#include "table/file_kind.h"

enum { HEAD_BYTES = 512, CHUNK_BYTES = 1 << 16 };

/* Invariants: of `head`, the first bytes of the file, those before head_at have been taken. While
 * decoding, in[0 … in_used) is not converted yet and out[out_at … out_used) not handed out. */
typedef struct text_feed {
    byte_feed bytes;
    const char *name, *encoding;
    char head[HEAD_BYTES];
    size_t head_at, head_used;
    iconv_t converter;
    bool ended;
    uint64_t n_lines; /* line feeds handed out: for messages */
    size_t in_used, out_at, out_used;
    char in[CHUNK_BYTES], out[CHUNK_BYTES];
} text_feed;

/* The raw bytes: first those that were looked at. */
static kith_status raw_read(void *user, char *buffer, size_t size, size_t *got, kith_error *error)
{
    text_feed *t = user;
    size_t ahead = t->head_used - t->head_at;
    if (ahead == 0)
        return t->bytes.read(t->bytes.user, buffer, size, got, error);
    *got = ahead < size ? ahead : size;
    memcpy(buffer, t->head + t->head_at, *got);
    t->head_at += *got;
    return KITH_OK;
}

static double feed_done(void *user)
{
    text_feed *t = user;
    return t->bytes.done(t->bytes.user);
}

/* Names the line and the byte. The place within the line is not known: it counts characters. */
static kith_status not_encoded(const text_feed *t, bool cut, kith_error *error)
{
    uint64_t line = t->n_lines + 1;
    for (size_t i = 0; i < t->out_used; i++)
        line += t->out[i] == '\n';
    if (cut)
        error_at(error, KITH_DATA, t->name, line, 0, "the text ends within a character of %s",
                 t->encoding);
    else
        error_at(error, KITH_DATA, t->name, line, 0, "the byte \\x%02x is not valid %s",
                 (unsigned char)t->in[0], t->encoding);
    return error_hint(error, KITH_DATA, "name the encoding of the file: --encoding NAME");
}

/* Converts some of the input; what is left of it moves to the front. */
static kith_status convert(text_feed *t, kith_error *error)
{
    char *from = t->in, *to = t->out;
    size_t left = t->in_used, room = sizeof t->out;
    /* Without input an encoding with states ends its last one. */
    bool flush = t->ended && left == 0;
    size_t result = flush ? iconv(t->converter, NULL, NULL, &to, &room)
                          : iconv(t->converter, &from, &left, &to, &room);
    int why = result == (size_t)-1 ? errno : 0;
    t->out_at = 0;
    t->out_used = (size_t)(to - t->out);
    memmove(t->in, from, left);
    t->in_used = left;
    /* A bad byte is reported when everything before it has been handed out. */
    if (why == EILSEQ && t->out_used == 0)
        return not_encoded(t, false, error);
    if (why == EINVAL && t->ended && t->out_used == 0)
        return not_encoded(t, true, error);
    return KITH_OK;
}

static kith_status decoded_read(void *user, char *buffer, size_t size, size_t *got,
                                kith_error *error)
{
    text_feed *t = user;
    while (t->out_at == t->out_used) {
        size_t more = 0;
        if (!t->ended && t->in_used < sizeof t->in / 2) {
            TRY(raw_read(t, t->in + t->in_used, sizeof t->in - t->in_used, &more, error));
            t->ended = more == 0;
            t->in_used += more;
        }
        bool last = t->ended && t->in_used == 0;
        TRY(convert(t, error));
        if (last && t->out_used == 0) {
            *got = 0;
            return KITH_OK;
        }
    }
    *got = t->out_used - t->out_at < size ? t->out_used - t->out_at : size;
    memcpy(buffer, t->out + t->out_at, *got);
    for (size_t i = 0; i < *got; i++)
        t->n_lines += buffer[i] == '\n';
    t->out_at += *got;
    if (t->out_at == t->out_used)
        t->out_at = t->out_used = 0;
    return KITH_OK;
}

static void close_converter(void *object)
{
    text_feed *t = object;
    iconv_close(t->converter);
}

/* What the byte-order mark says, or NULL. UTF-32's begins like that of UTF-16. */
static const char *marked_encoding(const text_feed *t)
{
    static const struct {
        const char *bytes, *encoding;
        size_t length;
    } marks[] = {
        {"\xff\xfe\0\0", "UTF-32", 4}, {"\0\0\xfe\xff", "UTF-32", 4}, {"\xff\xfe", "UTF-16", 2},
        {"\xfe\xff", "UTF-16", 2},     {"\xef\xbb\xbf", "UTF-8", 3},
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (t->head_used >= marks[i].length &&
            memcmp(t->head, marks[i].bytes, marks[i].length) == 0)
            return marks[i].encoding;
    return NULL;
}

kith_status text_feed_open(byte_feed *f, arena *memory, byte_feed bytes, const char *encoding,
                           const char *name, kith_error *error)
{
    text_feed *t = TRY_ZEROS(t, memory, 1, error);
    t->bytes = bytes;
    t->name = name;
    for (size_t got = 1; got > 0 && t->head_used < sizeof t->head; t->head_used += got)
        TRY(bytes.read(bytes.user, t->head + t->head_used, sizeof t->head - t->head_used, &got,
                       error));
    TRY(file_kind_refuse(t->head, t->head_used, name, error));
    const char *marked = marked_encoding(t);
    t->encoding = marked != NULL ? marked : encoding;
    bool plain = t->encoding == NULL || strcasecmp(t->encoding, "UTF-8") == 0 ||
                 strcasecmp(t->encoding, "UTF8") == 0;
    if (!plain) {
        t->converter = iconv_open("UTF-8", t->encoding);
        if (t->converter == (iconv_t)-1 && errno != EINVAL)
            return error_nomem(error);
        if (t->converter == (iconv_t)-1) {
            char quoted[80];
            text_quote(quoted, sizeof quoted, t->encoding, strlen(t->encoding));
            error_set(error, KITH_INVALID, "there is no encoding '%s'", quoted);
            return error_hint(
                error, KITH_INVALID,
                "usual ones are WINDOWS-1252, LATIN1 and UTF-16; 'iconv -l' lists all");
        }
        TRY(arena_defer(memory, close_converter, t) ? KITH_OK : error_nomem(error));
    }
    *f = (byte_feed){.read = plain ? raw_read : decoded_read,
                     .done = feed_done,
                     .user = t,
                     .cut_bytes = plain ? bytes.cut_bytes : 0};
    return KITH_OK;
}
