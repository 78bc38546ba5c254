#include "job/store/buckets.h"

#include <string.h>

#include "core/error.h"
#include "core/system/spill_file.h"

/* A buffer is worth a write of its own, and need not be larger than this. */
enum { MIN_BUFFER = 1 << 10, MAX_BUFFER = 1 << 16 };

typedef struct bucket {
    uint64_t n_records;
    uint64_t *parts; /* numbers of the parts of the file that are its own, in their order */
    uint32_t n_parts, parts_room;
    uint32_t n_buffered; /* records */
    uint8_t *buffer;
} bucket;

struct buckets {
    arena *memory;
    spill_file *file;
    uint32_t count, record_bytes;
    uint32_t part_records; /* of a buffer, and of a part of the file */
    uint64_t n_parts;      /* in the file */
    bucket *all;
};

kith_status buckets_open(buckets **b, uint32_t n_buckets, uint32_t record_bytes, uint64_t n_bytes,
                         const char *beside, arena *memory, kith_error *error)
{
    buckets *fresh = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *fresh), error);
    uint64_t each = n_bytes / (n_buckets > 0 ? n_buckets : 1);
    each = each < MIN_BUFFER ? MIN_BUFFER : each > MAX_BUFFER ? MAX_BUFFER : each;
    each /= record_bytes;
    *fresh = (buckets){.memory = memory,
                       .count = n_buckets,
                       .record_bytes = record_bytes,
                       .part_records = each > 0 ? (uint32_t)each : 1};
    fresh->all = TRY_ALLOC(arena_zalloc(memory, n_buckets, sizeof *fresh->all), error);
    *b = fresh;
    return spill_file_open(&fresh->file, memory, beside, error);
}

static uint64_t part_bytes(const buckets *b)
{
    return (uint64_t)b->part_records * b->record_bytes;
}

static kith_status buckets_write_part(buckets *b, bucket *to, kith_error *error)
{
    TRY_GROW(to->parts, to->parts_room, to->n_parts + (size_t)1, b->memory, error);
    TRY(spill_file_write(b->file, b->n_parts * part_bytes(b), to->buffer, part_bytes(b), error));
    to->parts[to->n_parts++] = b->n_parts++;
    to->n_buffered = 0;
    return KITH_OK;
}

kith_status buckets_add(buckets *b, uint32_t number, const void *record, kith_error *error)
{
    bucket *to = &b->all[number];
    if (to->buffer == NULL)
        to->buffer = TRY_ALLOC(arena_alloc(b->memory, part_bytes(b)), error);
    memcpy(to->buffer + (size_t)to->n_buffered * b->record_bytes, record, b->record_bytes);
    to->n_buffered++;
    to->n_records++;
    return to->n_buffered == b->part_records ? buckets_write_part(b, to, error) : KITH_OK;
}

uint32_t buckets_count(const buckets *b)
{
    return b->count;
}

uint64_t buckets_size(const buckets *b, uint32_t number)
{
    return b->all[number].n_records;
}

kith_status buckets_read(const buckets *b, uint32_t number, uint8_t *to, kith_error *error)
{
    const bucket *from = &b->all[number];
    for (uint32_t i = 0; i < from->n_parts; i++, to += part_bytes(b))
        TRY(spill_file_read(b->file, from->parts[i] * part_bytes(b), to, part_bytes(b), error));
    if (from->n_buffered > 0)
        memcpy(to, from->buffer, (size_t)from->n_buffered * b->record_bytes);
    return KITH_OK;
}
