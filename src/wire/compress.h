/* Compression of single frames with zstd. Masked and blinded bytes look random and do not shrink,
 * so they are left alone.
 *
 * Invariants: contexts and buffers are made when first needed and then kept; both buffers have
 * FRAME_PAYLOAD bytes. What a call returns is valid until the next call of the same function. */
#ifndef WIRE_COMPRESS_H
#define WIRE_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "wire/party.h"

typedef struct compressor {
    bool compresses;                  /* outgoing frames; incoming ones are always decompressed */
    void *compressor, *decompressor;  /* ZSTD_CCtx, ZSTD_DCtx */
    unsigned char *packed, *unpacked; /* scratch */
} compressor;

/* Everything is freed with `memory`; false: out of memory. */
bool compress_init(compressor *k, arena *memory, bool compresses);
/* The payload as it should travel: itself, or a shorter form in k->packed (*flags tells which). */
const void *compress_payload(compressor *k, disclosure kind, const void *payload, size_t *length,
                             unsigned *flags);
/* The original payload, in k->unpacked; NULL if the input is not zstd, if the payload would be
 * larger than a frame may be, or if out of memory. */
const void *compress_open(compressor *k, const void *payload, size_t *length);

#endif
