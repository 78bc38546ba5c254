/* Arenas: memory that is released together.
 *
 * Everything that a run allocates lives in one arena, so that an early return leaks nothing. Small
 * blocks are cut from chunks; large ones are allocated on their own and may be resized or released
 * early. Under sanitizers and valgrind every block is an allocation of its own, so that these tools
 * see where it ends. arena_free runs the cleanups in reverse order before it frees any block, so
 * that a cleanup may use whatever its object points to. An arena belongs to one thread at a time.
 */
#ifndef CORE_ARENA_H
#define CORE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct arena arena;

arena *arena_new(void); /* NULL if out of memory */
/* The same, but whatever is released, resized or freed is overwritten with zeros first: for tables
 * of other people. Keys belong into crypto/secret_memory.h. */
arena *arena_new_wiping(void);
/* A new arena that wipes if `model` does: for scratch of what works on its data. */
arena *arena_new_like(const arena *model);
bool arena_wipes(const arena *memory);
void arena_free(arena *memory);
/* An arena that is freed where its variable goes out of scope, by whatever return:
 *
 *     arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
 */
#define ARENA_SCOPED __attribute__((cleanup(arena_free_scoped)))
static inline void arena_free_scoped(arena **memory)
{
    arena_free(*memory);
}

/* Aligned for any type; NULL if out of memory. Not cleared. */
void *arena_alloc(arena *memory, size_t bytes);
/* Cleared; NULL also if count x size overflows. */
void *arena_zalloc(arena *memory, size_t count, size_t size);
/* An uncleared array; NULL also if count x size overflows. */
void *arena_array(arena *memory, size_t count, size_t size);
char *arena_strdup(arena *memory, const char *text);
char *arena_strndup(arena *memory, const char *text, size_t length);
char *arena_printf(arena *memory, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(arena *memory, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Grows or shrinks a block of this arena (NULL: a new one) and keeps its contents. Blocks that are
 * large before and after use realloc, which moves pages of big blocks instead of copying them.
 * Returns NULL and leaves the block as it is if out of memory. */
void *arena_resize(arena *memory, void *block, size_t old_bytes, size_t new_bytes);
/* The same for an array, by its numbers of elements; NULL also if the new size overflows. */
void *arena_resize_array(arena *memory, void *array, size_t old_count, size_t new_count,
                         size_t size);
/* The capacity to give an array that must hold `needed` elements: at least twice the present one,
 * so that appending one by one copies every element only a few times. */
size_t arena_capacity(size_t capacity, size_t needed);
/* Frees a block early. Only large blocks return to the system; a small one stays in its chunk. */
void arena_release(arena *memory, void *block, size_t bytes);

/* Runs cleanup(object) when the arena is freed. Returns the object, which must not be NULL, or NULL
 * if out of memory; cleanup(object) has then already run. */
void *arena_defer(arena *memory, void (*cleanup)(void *object), void *object);

#endif
