#include "wire/compress.h"

#include <stdlib.h>
#include <zstd.h>

#include "wire/frame.h"

enum { WORTH_IT = 512, LEVEL = 1 };

static void give_back(void *object)
{
    compressor *k = object;
    ZSTD_freeCCtx(k->compressor);
    ZSTD_freeDCtx(k->decompressor);
    free(k->packed);
    free(k->unpacked);
}

bool compress_init(compressor *k, arena *memory, bool packs)
{
    *k = (compressor){.compresses = packs};
    return arena_defer(memory, give_back, k) != 0;
}

const void *compress_payload(compressor *k, disclosure kind, const void *payload, size_t *length,
                             unsigned *flags)
{
    *flags = 0;
    if (!k->compresses || *length < WORTH_IT || kind == DISCLOSE_MASKED || kind == DISCLOSE_BLINDED)
        return payload;
    if (k->compressor == NULL)
        k->compressor = ZSTD_createCCtx();
    if (k->packed == NULL)
        k->packed = malloc(FRAME_PAYLOAD);
    if (k->compressor == NULL || k->packed == NULL)
        return payload;
    size_t size =
        ZSTD_compressCCtx(k->compressor, k->packed, FRAME_PAYLOAD, payload, *length, LEVEL);
    if (ZSTD_isError(size) || size >= *length)
        return payload;
    *flags = FRAME_PACKED;
    *length = size;
    return k->packed;
}

const void *compress_open(compressor *k, const void *payload, size_t *length)
{
    if (k->decompressor == NULL)
        k->decompressor = ZSTD_createDCtx();
    if (k->unpacked == NULL)
        k->unpacked = malloc(FRAME_PAYLOAD);
    if (k->decompressor == NULL || k->unpacked == NULL)
        return NULL;
    size_t size =
        ZSTD_decompressDCtx(k->decompressor, k->unpacked, FRAME_PAYLOAD, payload, *length);
    if (ZSTD_isError(size))
        return NULL;
    *length = size;
    return k->unpacked;
}
