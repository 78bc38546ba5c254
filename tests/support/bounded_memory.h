/* Memory for honest parties whose peers lie: no honest run asks for BOUNDED_MEMORY_BYTES at once,
 * so that larger allocations fail; the party says that it is out of memory, and the test notices. A
 * program that includes this is linked with --wrap for malloc, calloc and realloc. */
#ifndef SUPPORT_BOUNDED_MEMORY_H
#define SUPPORT_BOUNDED_MEMORY_H

#include <stddef.h>

enum { BOUNDED_MEMORY_BYTES = 48 << 20 };

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return bytes > BOUNDED_MEMORY_BYTES ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    size_t all;
    return __builtin_mul_overflow(count, bytes, &all) || all > BOUNDED_MEMORY_BYTES
               ? NULL
               : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *block, size_t bytes)
{
    return bytes > BOUNDED_MEMORY_BYTES ? NULL : __real_realloc(block, bytes);
}

#endif
