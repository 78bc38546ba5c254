#include "support/failing_memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "core/arena.h"

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void __wrap_free(void *block);
/* An arena asks for memory rarely, so its own functions fail too. */
void *__real_arena_alloc(arena *memory, size_t bytes);
void *__real_arena_zalloc(arena *memory, size_t count, size_t bytes);
void *__real_arena_array(arena *memory, size_t count, size_t bytes);
void *__real_arena_resize(arena *memory, void *block, size_t old_bytes, size_t new_bytes);
void *__real_arena_resize_array(arena *memory, void *array, size_t old_count, size_t new_count,
                                size_t size);
char *__real_arena_strdup(arena *memory, const char *text);
char *__real_arena_strndup(arena *memory, const char *text, size_t length);
char *__real_arena_vprintf(arena *memory, const char *format, va_list arguments);
void *__real_arena_defer(arena *memory, void (*cleanup)(void *object), void *object);
void *__wrap_arena_alloc(arena *memory, size_t bytes);
void *__wrap_arena_zalloc(arena *memory, size_t count, size_t bytes);
void *__wrap_arena_array(arena *memory, size_t count, size_t bytes);
void *__wrap_arena_resize(arena *memory, void *block, size_t old_bytes, size_t new_bytes);
void *__wrap_arena_resize_array(arena *memory, void *array, size_t old_count, size_t new_count,
                                size_t size);
char *__wrap_arena_strdup(arena *memory, const char *text);
char *__wrap_arena_strndup(arena *memory, const char *text, size_t length);
char *__wrap_arena_vprintf(arena *memory, const char *format, va_list arguments);
char *__wrap_arena_printf(arena *memory, const char *format, ...);
void *__wrap_arena_defer(arena *memory, void (*cleanup)(void *object), void *object);
arena *__real_arena_new(void);
arena *__wrap_arena_new(void);
void *__real_sodium_malloc(size_t bytes);
void *__wrap_sodium_malloc(size_t bytes);
char *__real_realpath(const char *path, char *resolved);
char *__wrap_realpath(const char *path, char *resolved);
ssize_t __real_getdelim(char **line, size_t *room, int end, FILE *in);
ssize_t __wrap_getdelim(char **line, size_t *room, int end, FILE *in);
FILE *__real_open_memstream(char **text, size_t *length);
FILE *__wrap_open_memstream(char **text, size_t *length);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);

/* Blocks that are alive: an open-addressing set that keeps tombstones. */
enum { SLOTS = 1 << 17 };
#define TOMBSTONE 1
static uintptr_t live[SLOTS];
static size_t live_count, seen, fail_at;
static bool fail_on, watching;
bool failing_by_thread;
_Thread_local bool failing_here;
static pthread_mutex_t failing_lock = PTHREAD_MUTEX_INITIALIZER;

static void set_add(const void *block)
{
    size_t slot = ((uintptr_t)block >> 4) % SLOTS;
    while (live[slot] > TOMBSTONE)
        slot = (slot + 1) % SLOTS;
    live[slot] = (uintptr_t)block;
    live_count++;
}

static void set_remove(const void *block)
{
    size_t slot = ((uintptr_t)block >> 4) % SLOTS;
    for (; live[slot] != 0; slot = (slot + 1) % SLOTS)
        if (live[slot] == (uintptr_t)block) {
            live[slot] = TOMBSTONE;
            live_count--;
            return;
        }
}

static bool fails(void)
{
    pthread_mutex_lock(&failing_lock);
    const bool counts = watching && (!failing_by_thread || failing_here);
    seen += counts;
    bool failed = counts && fail_at > 0 && (fail_on ? seen >= fail_at : seen == fail_at);
    pthread_mutex_unlock(&failing_lock);
    if (failed)
        errno = ENOMEM; /* as malloc sets it */
    return failed;
}

static void *noted(void *block)
{
    pthread_mutex_lock(&failing_lock);
    if (watching && block != NULL)
        set_add(block);
    pthread_mutex_unlock(&failing_lock);
    return block;
}

static void forgotten(const void *block)
{
    pthread_mutex_lock(&failing_lock);
    if (block != NULL)
        set_remove(block);
    pthread_mutex_unlock(&failing_lock);
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : noted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : noted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *block, size_t bytes)
{
    if (fails())
        return NULL;
    forgotten(block);
    return noted(__real_realloc(block, bytes));
}

void __wrap_free(void *block)
{
    forgotten(block);
    __real_free(block);
}

char *__wrap_strndup(const char *text, size_t length)
{
    size_t bytes = strnlen(text, length);
    char *copy = __wrap_malloc(bytes + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    return copy;
}

char *__wrap_strdup(const char *text)
{
    return __wrap_strndup(text, strlen(text));
}

void *__wrap_arena_alloc(arena *memory, size_t bytes)
{
    return fails() ? NULL : __real_arena_alloc(memory, bytes);
}

void *__wrap_arena_zalloc(arena *memory, size_t count, size_t bytes)
{
    return fails() ? NULL : __real_arena_zalloc(memory, count, bytes);
}

void *__wrap_arena_array(arena *memory, size_t count, size_t bytes)
{
    return fails() ? NULL : __real_arena_array(memory, count, bytes);
}

void *__wrap_arena_resize(arena *memory, void *block, size_t old_bytes, size_t new_bytes)
{
    return fails() ? NULL : __real_arena_resize(memory, block, old_bytes, new_bytes);
}

void *__wrap_arena_resize_array(arena *memory, void *array, size_t old_count, size_t new_count,
                                size_t size)
{
    return fails() ? NULL : __real_arena_resize_array(memory, array, old_count, new_count, size);
}

char *__wrap_arena_strdup(arena *memory, const char *text)
{
    return fails() ? NULL : __real_arena_strdup(memory, text);
}

char *__wrap_arena_strndup(arena *memory, const char *text, size_t length)
{
    return fails() ? NULL : __real_arena_strndup(memory, text, length);
}

char *__wrap_arena_vprintf(arena *memory, const char *format, va_list arguments)
{
    return fails() ? NULL : __real_arena_vprintf(memory, format, arguments);
}

char *__wrap_arena_printf(arena *memory, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = __wrap_arena_vprintf(memory, format, arguments);
    va_end(arguments);
    return text;
}

void *__wrap_arena_defer(arena *memory, void (*cleanup)(void *object), void *object)
{
    if (!fails())
        return __real_arena_defer(memory, cleanup, object);
    cleanup(object);
    return NULL;
}

arena *__wrap_arena_new(void)
{
    return fails() ? NULL : __real_arena_new();
}

void *__wrap_sodium_malloc(size_t bytes)
{
    return fails() ? NULL : __real_sodium_malloc(bytes);
}

/* Only where it allocates: with a buffer of the caller's it cannot run out of memory. */
char *__wrap_realpath(const char *path, char *resolved)
{
    return resolved == NULL && fails() ? NULL : __real_realpath(path, resolved);
}

ssize_t __wrap_getdelim(char **line, size_t *room, int end, FILE *in)
{
    return fails() ? -1 : __real_getdelim(line, room, end, in);
}

FILE *__wrap_open_memstream(char **text, size_t *length)
{
    return fails() ? NULL : __real_open_memstream(text, length);
}

/* The library that makes JSON allocates through functions that can be set. */
static void *cjson_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

static void cjson_free(void *block)
{
    __real_free(block);
}

void failing_begin(size_t n, bool from_there_on)
{
    pthread_mutex_lock(&failing_lock);
    memset(live, 0, sizeof live);
    live_count = seen = 0;
    fail_at = n;
    fail_on = from_there_on;
    watching = true;
    pthread_mutex_unlock(&failing_lock);
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = cjson_malloc, .free_fn = cjson_free});
}

size_t failing_end(void)
{
    pthread_mutex_lock(&failing_lock);
    watching = false;
    size_t leaked = live_count;
    pthread_mutex_unlock(&failing_lock);
    return leaked;
}

size_t failing_seen(void)
{
    return seen;
}

size_t failing_stride(size_t usual)
{
    const char *asked = getenv("KITH_EXHAUSTIVE");
    return asked != NULL && strcmp(asked, "full") == 0 ? 1 : usual;
}
