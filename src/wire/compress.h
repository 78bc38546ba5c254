/* zstd for single frames, where it may help: masked and blinded bytes do not shrink. */
#ifndef WIRE_COMPRESS_H
#define WIRE_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "wire/party.h"

typedef struct compressor {
    bool compresses; /* outgoing frames; incoming ones are always understood */
    void *compressor, *decompressor;
    unsigned char *packed, *unpacked; /* scratch, made when needed */
} compressor;

/* Gives its memory back together with `memory`; false: out of memory. */
bool compress_init(compressor *k, arena *memory, bool packs);
/* The payload as it should travel: itself, or a shorter form in k->packed (*flags says so). */
const void *compress_payload(compressor *k, disclosure kind, const void *payload, size_t *length,
                             unsigned *flags);
/* The payload as it was, in k->unpacked; NULL if it is not one, or larger than a frame may be. */
const void *compress_open(compressor *k, const void *payload, size_t *length);

#endif
