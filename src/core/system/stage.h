/* Outputs that belong together: all of them appear, or none. The files take their names one after
 * the other; if one cannot, those before it go again and what they replaced comes back. What cannot
 * be taken back, a table of a database or a stream, comes last. */
#ifndef CORE_SYSTEM_STAGE_H
#define CORE_SYSTEM_STAGE_H

#include <stdint.h>

#include "core/system/output.h"

enum { STAGE_MAX_FILES = 8 };

typedef kith_status stage_commit_fn(void *self, kith_error *error);

/* Begin with {0}. */
typedef struct stage {
    uint32_t n_files;
    output *files[STAGE_MAX_FILES];
    stage_commit_fn *last; /* NULL: only files */
    void *self;            /* of `last` */
} stage;

/* Files appear in the order in which they were added. NULL is no file. */
void stage_add(stage *s, output *file);
/* What cannot be taken back; there is at most one such thing. */
void stage_end_with(stage *s, stage_commit_fn *last, void *self);

kith_status stage_commit(stage *s, kith_error *error) KITH_MUST_USE;

#endif
