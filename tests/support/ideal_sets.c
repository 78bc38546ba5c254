/* Ideal twins of unions and intersections. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "support/ideal.h"

enum { ROOM = 16384 };

/* Everyone's block: a count and the bytes behind it. */
static kith_status gather_blocks(party *p, void **all, const void *bytes, size_t count,
                                 size_t length, kith_error *error)
{
    static _Thread_local unsigned char block[ROOM];
    if (length + sizeof(uint64_t) > ROOM)
        return error_set(error, KITH_INVALID, "the ideal twin takes less");
    memset(block, 0, sizeof block);
    memcpy(block, &(uint64_t){count}, sizeof(uint64_t));
    if (length > 0)
        memcpy(block + sizeof(uint64_t), bytes, length);
    return ideal_gather(p, all, block, ROOM, error);
}

static uint64_t block_count(const void *block)
{
    uint64_t count;
    memcpy(&count, block, sizeof count);
    return count;
}

static const unsigned char *block_bytes(const void *block)
{
    return (const unsigned char *)block + sizeof(uint64_t);
}

static int by_bytes(const void *a, const void *b, void *length)
{
    return memcmp(a, b, *(size_t *)length);
}

kith_status ideal_union(party *p, mix_union_rows *out, const mix_union_rows *mine,
                        mix_union_shape shape, kith_error *error)
{
    void *all[PARTY_MAX];
    size_t size = shape.row_bytes, total = 0, kept = 0;
    TRY(gather_blocks(p, all, mine->bytes, mine->count, mine->count * size, error));
    out->bytes = arena_alloc(party_memory(p), (size_t)ROOM * party_count(p));
    TRY_ALLOC(out->bytes, error);
    for (uint32_t i = 0; i < party_count(p); i++) {
        memcpy(out->bytes + total * size, block_bytes(all[i]), block_count(all[i]) * size);
        total += block_count(all[i]);
    }
    qsort_r(out->bytes, total, size, by_bytes, &size);
    for (size_t i = 0; i < total; i++)
        if (shape.multiset || i == 0 ||
            memcmp(out->bytes + (kept - 1) * size, out->bytes + i * size, size) != 0)
            memmove(out->bytes + kept++ * size, out->bytes + i * size, size);
    out->count = kept;
    return KITH_OK;
}

/* Keys in the clear, each in a field of its own: a length and at most 15 bytes. */
enum { FIELD = 16 };

static bool holds(const void *block, const unsigned char *field)
{
    for (uint64_t i = 0; i < block_count(block); i++)
        if (memcmp(block_bytes(block) + i * FIELD, field, FIELD) == 0)
            return true;
    return false;
}

static bool all_hold(void *const *all, const unsigned char *field, uint32_t m)
{
    for (uint32_t i = 0; i < m; i++)
        if (!holds(all[i], field))
            return false;
    return true;
}

kith_status ideal_intersection(party *p, bool *common, const commute_key *key, size_t n,
                               kith_error *error)
{
    unsigned char fields[ROOM / 2] = {0};
    void *all[PARTY_MAX];
    for (size_t k = 0; k < n; k++) {
        fields[k * FIELD] = (unsigned char)key[k].length;
        memcpy(fields + k * FIELD + 1, key[k].bytes, key[k].length);
    }
    TRY(gather_blocks(p, all, fields, n, n * FIELD, error));
    for (size_t k = 0; k < n; k++)
        common[k] = all_hold(all, fields + k * FIELD, party_count(p));
    return KITH_OK;
}
