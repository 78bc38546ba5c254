#include "wire/compress.h"

#include <stdlib.h>
#include <zstd.h>

#include "wire/frame.h"

enum {
    MIN_BYTES = 512, /* shorter payloads hardly shrink */
    LEVEL = 1        /* the fastest: faster than the networks for which compression is meant */
};

static void compressor_free(void *object)
{
    compressor *k = object;
    ZSTD_freeCCtx(k->compressor);
    ZSTD_freeDCtx(k->decompressor);
    free(k->packed);
    free(k->unpacked);
}

bool compress_init(compressor *k, arena *memory, bool compresses)
{
    *k = (compressor){.compresses = compresses};
    return arena_defer(memory, compressor_free, k) != NULL;
}

const void *compress_payload(compressor *k, disclosure kind, const void *payload, size_t *length,
                             unsigned *flags)
{
    ASSERT(*length <= FRAME_PAYLOAD);
    *flags = 0;
    if (!k->compresses || *length < MIN_BYTES || kind == DISCLOSE_MASKED ||
        kind == DISCLOSE_BLINDED)
        return payload;
    if (k->compressor == NULL)
        k->compressor = ZSTD_createCCtx();
    if (k->packed == NULL)
        k->packed = malloc(FRAME_PAYLOAD);
    if (k->compressor == NULL || k->packed == NULL)
        return payload; /* without memory for it, the frame travels as it is */
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
    ASSERT(payload != NULL && *length <= FRAME_PAYLOAD);
    if (k->decompressor == NULL)
        k->decompressor = ZSTD_createDCtx();
    if (k->unpacked == NULL)
        k->unpacked = malloc(FRAME_PAYLOAD);
    if (k->decompressor == NULL || k->unpacked == NULL)
        return NULL;
    /* The buffer limits what a small malicious frame can expand to. */
    size_t size =
        ZSTD_decompressDCtx(k->decompressor, k->unpacked, FRAME_PAYLOAD, payload, *length);
    if (ZSTD_isError(size))
        return NULL;
    *length = size;
    return k->unpacked;
}
