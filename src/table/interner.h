/* Texts as small numbers: equal texts get the same id, ids count from 0 in order of first sight. */
#ifndef TABLE_INTERNER_H
#define TABLE_INTERNER_H

#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"

#define INTERNER_NONE UINT32_MAX

typedef struct interner interner;

/* The texts are copied to `texts`, all else lives in `memory`; both must outlive the interner. */
kith_status interner_new(interner **in, arena *memory, arena *texts, kith_error *error);
kith_status interner_add(interner *in, const char *text, size_t length, uint32_t *id,
                         kith_error *error);
/* INTERNER_NONE if the text has not been added. */
uint32_t interner_find(const interner *in, const char *text, size_t length);
uint32_t interner_count(const interner *in);
/* NUL-terminated, valid as long as the arena of the texts. */
const char *interner_text(const interner *in, uint32_t id);
uint32_t interner_length(const interner *in, uint32_t id);

#endif
