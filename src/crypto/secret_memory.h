/* Memory for keys, masks and scalars, which is wiped before it is freed.
 *
 * Small secrets on the stack are wiped by the function that owns them (secret_memory_wipe); bulk
 * ones live in an arena and are wiped when it is freed, so that an early return leaves nothing
 * behind. */
#ifndef CRYPTO_SECRET_MEMORY_H
#define CRYPTO_SECRET_MEMORY_H

#include <stddef.h>

#include "core/arena.h"

/* Cleared memory whose contents are wiped when the arena is freed; NULL if out of memory. */
void *secret_memory_array(arena *memory, size_t count, size_t size);
/* The same on guarded, locked pages of its own (for keys that live as long as a run). */
void *secret_memory_locked(arena *memory, size_t bytes);

void secret_memory_wipe(void *bytes, size_t length);
/* From the operating system's generator. */
void secret_memory_random(void *bytes, size_t length);

#endif
