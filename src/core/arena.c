#include "core/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

/* Invariants: `chunk` heads a list of chunks for small blocks. `used` bytes of the first chunk are
 * taken, a multiple of ALIGN; without any chunk, `used` is CHUNK, so that the first block asks for
 * one. Blocks of `large_bytes` or more form a doubly linked ring through `ring`, each preceded by
 * its header. */
enum { ALIGN = 16, LARGE = 32 * 1024, CHUNK = 64 * 1024 - 64 };

typedef struct chunk {
    struct chunk *next;
    _Alignas(ALIGN) char bytes[];
} chunk;

typedef struct large {
    _Alignas(ALIGN) struct large *previous;
    struct large *next;
    size_t bytes; /* behind the header */
} large;

typedef struct deferred {
    struct deferred *next;
    void (*cleanup)(void *object);
    void *object;
} deferred;

struct arena {
    chunk *chunk;
    size_t used;
    size_t large_bytes;
    large ring;
    deferred *deferred;
    bool wipes;
};

#if KITH_DEBUG
/* Takes constant time, since every allocation calls it; arena_free walks the whole ring. */
static void arena_check(const arena *memory)
{
    ASSERT(memory->used <= CHUNK && memory->used % ALIGN == 0);
    ASSERT(memory->chunk != NULL || memory->used == CHUNK);
    ASSERT(memory->ring.next->previous == &memory->ring);
    ASSERT(memory->ring.previous->next == &memory->ring);
}

/* Finds blocks that were released twice or overwritten, and sizes larger than the block has. */
static void large_check(const large *block, size_t bytes)
{
    ASSERT(bytes <= block->bytes);
    ASSERT(block->previous->next == block && block->next->previous == block);
}
#endif

/* Returns the size from which a block is allocated on its own. Small blocks of one chunk lie side
 * by side, so that neither a sanitizer nor valgrind notices when one is overrun into the next.
 * Under these tools every block is therefore an allocation of its own; so it is in a program for
 * tests that makes allocations fail (ARENA_BLOCKS_APART). */
static size_t first_large_size(void)
{
#if defined(ARENA_BLOCKS_APART) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return 0;
#endif
#endif
    return RUNNING_ON_VALGRIND ? 0 : LARGE;
}

arena *arena_new(void)
{
    arena *memory = calloc(1, sizeof *memory);
    if (memory == NULL)
        return NULL;
    memory->ring.previous = memory->ring.next = &memory->ring;
    memory->used = CHUNK;
    memory->large_bytes = first_large_size();
    return memory;
}

arena *arena_new_wiping(void)
{
    arena *memory = arena_new();
    if (memory != NULL)
        memory->wipes = true;
    return memory;
}

arena *arena_new_like(const arena *model)
{
    return model->wipes ? arena_new_wiping() : arena_new();
}

bool arena_wipes(const arena *memory)
{
    return memory->wipes;
}

static void wipe(const arena *memory, void *bytes, size_t length)
{
    if (memory->wipes)
        explicit_bzero(bytes, length);
}

void arena_free(arena *memory)
{
    if (memory == NULL)
        return;
    CHECK(arena_check(memory));
    for (deferred *d = memory->deferred; d != NULL; d = d->next)
        d->cleanup(d->object);
    for (large *block = memory->ring.next; block != &memory->ring;) {
        CHECK(large_check(block, 0));
        large *next = block->next;
        next->previous = &memory->ring; /* keeps the ring whole for the check of the next block */
        memory->ring.next = next;
        wipe(memory, block + 1, block->bytes);
        free(block);
        block = next;
    }
    for (chunk *c = memory->chunk; c != NULL;) {
        chunk *next = c->next;
        wipe(memory, c->bytes, CHUNK);
        free(c);
        c = next;
    }
    free(memory);
}

static void *large_link(arena *memory, large *block, size_t bytes)
{
    block->bytes = bytes;
    block->next = memory->ring.next;
    block->previous = &memory->ring;
    block->next->previous = block;
    memory->ring.next = block;
    return block + 1;
}

static void *large_alloc(arena *memory, size_t bytes)
{
    if (bytes > SIZE_MAX - sizeof(large))
        return NULL;
    large *block = malloc(sizeof(large) + bytes);
    return block == NULL ? NULL : large_link(memory, block, bytes);
}

void *arena_alloc(arena *memory, size_t bytes)
{
    CHECK(arena_check(memory));
    if (bytes >= memory->large_bytes)
        return large_alloc(memory, bytes);
    bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (bytes == 0)
        bytes = ALIGN; /* two empty blocks have different addresses, and neither is NULL */
    if (bytes > CHUNK - memory->used) {
        chunk *fresh = malloc(sizeof(chunk) + CHUNK);
        if (fresh == NULL)
            return NULL;
        fresh->next = memory->chunk;
        memory->chunk = fresh;
        memory->used = 0;
    }
    void *block = memory->chunk->bytes + memory->used;
    memory->used += bytes;
    return block;
}

void *arena_array(arena *memory, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return arena_alloc(memory, bytes);
}

void *arena_zalloc(arena *memory, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    if (bytes >= memory->large_bytes && bytes <= SIZE_MAX - sizeof(large)) {
        large *block = calloc(1, sizeof(large) + bytes); /* pages come cleared */
        return block == NULL ? NULL : large_link(memory, block, bytes);
    }
    void *block = arena_alloc(memory, bytes);
    return block == NULL ? NULL : memset(block, 0, bytes);
}

char *arena_strndup(arena *memory, const char *text, size_t length)
{
    char *copy = length == SIZE_MAX ? NULL : arena_alloc(memory, length + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *arena_strdup(arena *memory, const char *text)
{
    return arena_strndup(memory, text, strlen(text));
}

char *arena_vprintf(arena *memory, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : arena_alloc(memory, (size_t)length + 1);
    if (text != NULL)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *arena_printf(arena *memory, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(memory, format, arguments);
    va_end(arguments);
    return text;
}

void *arena_resize(arena *memory, void *block, size_t old_bytes, size_t new_bytes)
{
    if (block == NULL)
        return arena_alloc(memory, new_bytes);
    /* realloc leaves a copy behind where it moves a block. */
    if (old_bytes >= memory->large_bytes && new_bytes >= memory->large_bytes && !memory->wipes) {
        if (new_bytes > SIZE_MAX - sizeof(large))
            return NULL;
        large *header = (large *)block - 1;
        CHECK(large_check(header, old_bytes));
        large *moved = realloc(header, sizeof(large) + new_bytes);
        if (moved == NULL)
            return NULL;
        /* The neighbours may still point to where the header was. */
        moved->bytes = new_bytes;
        moved->previous->next = moved;
        moved->next->previous = moved;
        return moved + 1;
    }
    void *fresh = arena_alloc(memory, new_bytes);
    if (fresh == NULL)
        return NULL;
    memcpy(fresh, block, old_bytes < new_bytes ? old_bytes : new_bytes);
    arena_release(memory, block, old_bytes);
    return fresh;
}

void *arena_resize_array(arena *memory, void *array, size_t old_count, size_t new_count,
                         size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(new_count, size, &bytes))
        return NULL;
    return arena_resize(memory, array, old_count * size, bytes);
}

size_t arena_capacity(size_t capacity, size_t needed)
{
    enum { FIRST = 16 };
    size_t doubled = capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * capacity;
    size_t min = needed < FIRST ? FIRST : needed;
    return doubled < min ? min : doubled;
}

void arena_release(arena *memory, void *block, size_t bytes)
{
    if (block == NULL)
        return;
    wipe(memory, block, bytes);
    if (bytes < memory->large_bytes)
        return;
    large *header = (large *)block - 1;
    CHECK(large_check(header, bytes));
    header->previous->next = header->next;
    header->next->previous = header->previous;
    free(header);
}

void *arena_defer(arena *memory, void (*cleanup)(void *object), void *object)
{
    deferred *entry = arena_alloc(memory, sizeof *entry);
    if (entry == NULL) {
        cleanup(object); /* the caller has nothing left to do but to return */
        return NULL;
    }
    *entry = (deferred){.next = memory->deferred, .cleanup = cleanup, .object = object};
    memory->deferred = entry;
    return object;
}
