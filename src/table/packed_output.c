#include "table/packed_output.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "core/error.h"

enum { ROOM = 1 << 16 };

struct packed_output {
    output *out;
    bool gzip;       /* `deflating` is in use */
    ZSTD_CCtx *zstd; /* NULL: not in use */
    bool broken;     /* compression failed */
    z_stream deflating;
    char *room;
};

static void close_packers(void *object)
{
    packed_output *p = object;
    if (p->gzip)
        deflateEnd(&p->deflating);
    ZSTD_freeCCtx(p->zstd);
}

static bool ends_with(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

kith_status packed_output_open(packed_output **packed, arena *memory, output *out, const char *name,
                               kith_error *error)
{
    packed_output *p = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *p), error);
    p->out = out;
    p->room = TRY_ALLOC(arena_alloc(memory, ROOM), error);
    if (!arena_defer(memory, close_packers, p))
        return error_nomem(error);
    if (ends_with(name, ".gz")) {
        if (deflateInit2(&p->deflating, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                         Z_DEFAULT_STRATEGY) != Z_OK)
            return error_nomem(error);
        p->gzip = true;
    } else if (ends_with(name, ".zst")) {
        p->zstd = TRY_ALLOC(ZSTD_createCCtx(), error);
    }
    *packed = p;
    return KITH_OK;
}

static void deflate_bytes(packed_output *p, const char *bytes, size_t length, int flush)
{
    p->deflating.next_in = (unsigned char *)bytes;
    p->deflating.avail_in = (unsigned)length;
    do {
        p->deflating.next_out = (unsigned char *)p->room;
        p->deflating.avail_out = ROOM;
        const int result = deflate(&p->deflating, flush);
        p->broken =
            p->broken || (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR);
        output_write(p->out, p->room, ROOM - p->deflating.avail_out);
    } while (p->deflating.avail_out == 0);
}

static void zstd_bytes(packed_output *p, const char *bytes, size_t length, ZSTD_EndDirective how)
{
    ZSTD_inBuffer from = {.src = bytes, .size = length};
    for (bool more = true; more && !p->broken;) {
        ZSTD_outBuffer to = {.dst = p->room, .size = ROOM};
        const size_t left = ZSTD_compressStream2(p->zstd, &to, &from, how);
        p->broken = ZSTD_isError(left) != 0;
        output_write(p->out, p->room, to.pos);
        more = how == ZSTD_e_end ? left != 0 : from.pos < from.size;
    }
}

void packed_output_write(packed_output *packed, const char *bytes, size_t length)
{
    if (packed->gzip)
        deflate_bytes(packed, bytes, length, Z_NO_FLUSH);
    else if (packed->zstd != NULL)
        zstd_bytes(packed, bytes, length, ZSTD_e_continue);
    else
        output_write(packed->out, bytes, length);
}

kith_status packed_output_finish(packed_output *packed, kith_error *error)
{
    if (packed->gzip)
        deflate_bytes(packed, NULL, 0, Z_FINISH);
    else if (packed->zstd != NULL)
        zstd_bytes(packed, NULL, 0, ZSTD_e_end);
    return packed->broken ? error_set(error, KITH_IO, "compression failed") : KITH_OK;
}
