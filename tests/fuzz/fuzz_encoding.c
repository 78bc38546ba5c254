/* Any bytes as a text of another encoding, read in pieces: the same UTF-8 as iconv makes of the
 * whole, up to the first byte that is not valid. The first byte chooses the encoding, the second
 * the size of the pieces. */
#include "support/fuzz_input.h"

#include <errno.h>
#include <iconv.h>

#include "support/memory_feed.h"
#include "table/text_feed.h"

static const char *const encodings[] = {
    "LATIN1",  "WINDOWS-1252", "UTF-16",  "UTF-16LE", "UTF-16BE",  "UTF-32",
    "UTF-7",   "SJIS",         "GB18030", "EUC-JP",   "BIG5",      "ISO-2022-JP",
    "KOI8-R",  "ASCII",        "CP437",   "EUC-KR",   "TSCII",     "UHC",
    "IBM1047", "GBK",          "JOHAB",   "CP949",    "MACINTOSH", "UTF-8"};
enum { ENCODINGS = sizeof encodings / sizeof *encodings, MAX_LENGTH = 4096, ROOM = 1 << 16 };

/* What iconv makes of it in one go; false if a byte is not valid or the end is missing. */
static bool convert_whole(const char *encoding, const uint8_t *data, size_t size, char *out,
                          size_t *length)
{
    iconv_t c = iconv_open("UTF-8", encoding);
    char *copy = fuzz_text(data, size), *from = copy, *to = out;
    size_t left = size, room = ROOM;
    require(c != (iconv_t)-1);
    bool good = iconv(c, &from, &left, &to, &room) != (size_t)-1;
    if (good)
        good = iconv(c, NULL, NULL, &to, &room) != (size_t)-1;
    *length = ROOM - room;
    iconv_close(c);
    free(copy);
    return good;
}

/* What the feed makes of it; false if it ends with an error. */
static bool read_all(byte_feed *f, size_t piece, char *out, size_t *length, kith_error *error)
{
    size_t got = 1;
    for (*length = 0; got > 0; *length += got) {
        require(*length + piece <= ROOM);
        if (f->read(f->user, out + *length, piece, &got, error) != KITH_OK)
            return false;
        require(got <= piece);
    }
    return true;
}

/* A mark at the beginning decides. */
static const char *marked(const uint8_t *data, size_t size)
{
    if (size >= 4 && (memcmp(data, "\xff\xfe\0", 4) == 0 || memcmp(data, "\0\0\xfe\xff", 4) == 0))
        return "UTF-32";
    if (size >= 2 && (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0))
        return "UTF-16";
    return size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? "UTF-8" : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char whole[ROOM], pieces[ROOM];
    size_t n_whole = 0, n_pieces = 0;
    kith_error error = {0};
    byte_feed f;
    if (size < 2 || size > MAX_LENGTH)
        return 0;
    const char *encoding = encodings[data[0] % ENCODINGS];
    const size_t piece = data[1] == 0 ? 1024 : data[1];
    data += 2;
    size -= 2;
    arena *memory = arena_new();
    memory_feed bytes = {(const char *)data, size, 0};
    kith_status status =
        text_feed_open(&f, memory, memory_feed_of(&bytes), encoding, "data.csv", &error);
    require(status == KITH_OK || status == KITH_DATA);
    if (status == KITH_OK) {
        const char *mark = marked(data, size);
        const char *real = mark != NULL ? mark : encoding;
        const bool read = read_all(&f, piece, pieces, &n_pieces, &error);
        if (strcmp(real, "UTF-8") == 0)
            require(read && n_pieces == size && memcmp(pieces, data, size) == 0);
        else {
            const bool good = convert_whole(real, data, size, whole, &n_whole);
            require(good == read && n_whole == n_pieces);
            require(n_whole == 0 || memcmp(whole, pieces, n_whole) == 0);
            require(good || strncmp(error.message, "data.csv:", 9) == 0);
        }
    }
    arena_free(memory);
    return 0;
}
