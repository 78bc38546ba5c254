#include "crypto/secret_memory.h"

#include <string.h>

#include <sodium.h>

typedef struct region {
    void *bytes;
    size_t length;
} region;

static void wipe_region(void *object)
{
    const region *r = object;
    sodium_memzero(r->bytes, r->length);
}

/* The wiping is deferred after the allocation, and cleanups run before memory is freed: there is no
 * moment at which the region is freed but not wiped. */
void *secret_memory_array(arena *memory, size_t count, size_t size)
{
    region *r = arena_alloc(memory, sizeof *r);
    void *bytes = r == NULL ? NULL : arena_zalloc(memory, count, size);
    if (bytes == NULL)
        return NULL;
    *r = (region){bytes, count * size};
    return arena_defer(memory, wipe_region, r) ? bytes : NULL;
}

void *secret_memory_locked(arena *memory, size_t bytes)
{
    void *block = sodium_init() < 0 ? NULL : sodium_malloc(bytes);
    if (block == NULL)
        return NULL;
    memset(block, 0, bytes);
    return arena_defer(memory, sodium_free, block);
}

void secret_memory_wipe(void *bytes, size_t length)
{
    sodium_memzero(bytes, length);
}

void secret_memory_random(void *bytes, size_t length)
{
    randombytes_buf(bytes, length);
}
