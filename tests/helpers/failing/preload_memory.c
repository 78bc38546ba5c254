/* The preloaded library's calls for memory. See failing.h. */
#include "failing.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#pragma GCC visibility push(default)

/* Looking a function up may allocate: such blocks come from here and are never given back. */
static _Alignas(16) char early[16384];
static size_t early_used;
static _Thread_local bool looking;

static void *early_block(size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (bytes > sizeof early - early_used)
        return NULL;
    early_used += bytes;
    return early + early_used - bytes;
}

static bool is_early(const void *block)
{
    return (uintptr_t)block - (uintptr_t)early < sizeof early;
}

#define FOUND(name)                           \
    __extension__({                           \
        looking = true;                       \
        __typeof__(&(name)) it_ = REAL(name); \
        looking = false;                      \
        it_;                                  \
    })

static bool fails(void)
{
    return failing_path(FAILING_MEMORY, NULL) != FATE_WORKS;
}

void *malloc(size_t bytes)
{
    if (looking)
        return early_block(bytes);
    return fails() ? NULL : FOUND(malloc)(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    if (looking)
        return early_block(count * bytes);
    return fails() ? NULL : FOUND(calloc)(count, bytes);
}

void *realloc(void *block, size_t bytes)
{
    if (is_early(block)) {
        void *moved = FOUND(malloc)(bytes);
        const size_t rest = (size_t)(early + sizeof early - (char *)block);
        return moved == NULL ? NULL : memcpy(moved, block, bytes < rest ? bytes : rest);
    }
    return fails() ? NULL : FOUND(realloc)(block, bytes);
}

void free(void *block)
{
    if (!is_early(block))
        FOUND(free)(block);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails() ? NULL : FOUND(aligned_alloc)(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    return fails() ? ENOMEM : FOUND(posix_memalign)(block, alignment, bytes);
}

void *mmap(void *place, size_t bytes, int protection, int flags, int descriptor, off_t offset)
{
    if (failing_path(FAILING_MAP, NULL) != FATE_WORKS)
        return MAP_FAILED;
    return REAL(mmap)(place, bytes, protection, flags, descriptor, offset);
}
