/* Output files that appear complete or not at all: written beside their place under a temporary
 * name, flushed to disk, then renamed. */
#ifndef CORE_OUTPUT_H
#define CORE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <kith/status.h>

#include "core/arena.h"

typedef struct output output;

/* Begins a file; "-" is standard output, which cannot be taken back, nor can a device or pipe that
 * `path` names. An existing file is refused
 * unless `overwrite` (the message says so and the hint names --force). Whatever is not committed
 * when the arena is freed is removed. */
kith_status output_open(output **out, arena *memory, const char *path, bool overwrite,
                        kith_error *error);
/* Buffered; errors are kept and reported by output_commit. */
void output_write(output *out, const char *bytes, size_t length);
void output_text(output *out, const char *text);
/* Finishes writing; the file can now be read at output_temporary, but has not appeared yet. */
kith_status output_finish(output *out, kith_error *error);
/* The first error of writing so far, for those who write much and want to stop early. */
kith_status output_status(const output *out, kith_error *error);
/* Path of the temporary file, NULL for standard output, devices and pipes. */
const char *output_temporary(const output *out);
/* Finishes if need be and makes the file appear. */
kith_status output_commit(output *out, kith_error *error);

#endif
