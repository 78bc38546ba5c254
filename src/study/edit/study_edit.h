/* The text of a study with one value changed. Everything else stays as it was written, comments
 * included. A value is named by its path (study_path.h). */
#ifndef STUDY_EDIT_STUDY_EDIT_H
#define STUDY_EDIT_STUDY_EDIT_H

#include <kith/status.h>

#include "core/arena.h"

/* What a user writes for a path: the path itself, or the name of a number of a privacy model alone
 * ("k") if only one model of the text has it. KITH_INVALID if several have. */
kith_status study_edit_path(const char **path, arena *memory, const char *text, const char *given,
                            kith_error *error) KITH_MUST_USE;

/* A text after an edit. If keys were added, they stand on `line` from column `from` up to `to`,
 * where their value begins: a problem that is found there is about the keys and not about the
 * value. */
typedef struct study_edit {
    const char *text;
    size_t line, from, to; /* from 1; line 0: no key was added */
} study_edit;

/* Replaces the value at `path`, which must be a single one, or adds the key if its mapping does not
 * have it. `text` is a study that has been read without problems; whether the new one can be read
 * is not checked. */
kith_status study_edit_set(study_edit *edit, arena *memory, const char *text, const char *path,
                           const char *value, kith_error *error) KITH_MUST_USE;

/* Where the value at `path` stands: on place->line its key begins at column `from`, and the value
 * at `to`; line 0: it is not there. */
kith_status study_edit_place(study_edit *place, arena *memory, const char *text, const char *path,
                             kith_error *error) KITH_MUST_USE;

#endif
