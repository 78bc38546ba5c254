/* Any bytes as a stream of frames: each is refused, or taken apart into pieces that lie within it
 * and seal to the same bytes again. A seal is put on first where the size is right, since no fuzzer
 * guesses a checksum. Packed payloads are opened. */
#include <stdlib.h>
#include <string.h>

#include "wire/frame.h"
#include "wire/compress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(compressor *k, const frame *f, const uint8_t *bytes, size_t length)
{
    if ((const uint8_t *)f->name < bytes || f->payload + f->payload_length != bytes + length ||
        f->name_length > FRAME_NAME || f->payload_length > FRAME_PAYLOAD)
        abort();
    unsigned char *again = malloc(length);
    memcpy(again + FRAME_HEADER + f->name_length, f->payload, f->payload_length);
    if (frame_seal(again, f) != length || memcmp(again, bytes, length) != 0)
        abort();
    free(again);
    size_t opened = f->payload_length;
    if ((f->flags & FRAME_PACKED) != 0 && compress_open(k, f->payload, &opened) != NULL &&
        opened > FRAME_PAYLOAD)
        abort();
}

/* The checksum that these bytes would have. */
static void reseal(uint8_t *bytes, size_t length)
{
    frame f = {.kind = (frame_kind)bytes[3],
               .flags = bytes[4],
               .disclosure = bytes[5],
               .name = (const char *)bytes + FRAME_HEADER,
               .name_length = bytes[6],
               .payload_length = length - FRAME_HEADER - bytes[6]};
    memcpy(f.run, bytes + 8, FRAME_RUN);
    for (int i = 0; i < 8; i++) {
        f.sequence |= (uint64_t)bytes[24 + i] << (8 * i);
        f.message_bytes |= (uint64_t)bytes[40 + i] << (8 * i);
        f.depth |= i < 4 ? (uint32_t)bytes[32 + i] << (8 * i) : 0;
    }
    char name[FRAME_NAME];
    memcpy(name, f.name, f.name_length);
    f.name = name;
    frame_seal(bytes, &f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena *memory = arena_new();
    compressor *k = arena_zalloc(memory, 1, sizeof *k);
    compress_init(k, memory, false);
    while (size >= FRAME_HEADER) {
        frame f;
        size_t length = frame_size(data);
        if (length == 0 || length > size)
            break;
        uint8_t *copy = malloc(length);
        memcpy(copy, data, length);
        if (frame_parse(&f, copy, length))
            use(k, &f, copy, length);
        reseal(copy, length);
        if (frame_parse(&f, copy, length))
            use(k, &f, copy, length);
        free(copy);
        data += length;
        size -= length;
    }
    arena_free(memory);
    return 0;
}
