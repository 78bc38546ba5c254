/* zstd for single frames, where it may help: masked and blinded bytes do not shrink. */
#ifndef WIRE_COMPRESS_H
#define WIRE_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "wire/party.h"

typedef struct packer {
    bool packs; /* outgoing frames; incoming ones are always understood */
    void *compressor, *decompressor;
    unsigned char *packed, *unpacked; /* scratch, made when needed */
} packer;

/* Gives its memory back together with `memory`; false: out of memory. */
bool pack_init(packer *k, arena *memory, bool packs);
/* The payload as it should travel: itself, or a shorter form in k->packed (*flags says so). */
const void *pack_payload(packer *k, disclosure kind, const void *payload, size_t *length,
                         unsigned *flags);
/* The payload as it was, in k->unpacked; NULL if it is not one, or larger than a frame may be. */
const void *pack_open(packer *k, const void *payload, size_t *length);

#endif
