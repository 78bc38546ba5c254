/* Output files that appear complete or not at all: a file is written under a temporary name in its
 * directory (core/system/temporary_file.h), readable by its owner only, flushed to disk, then renamed. It
 * gets the permissions of new files when it appears. */
#ifndef CORE_SYSTEM_OUTPUT_H
#define CORE_SYSTEM_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <kith/status.h>

#include "core/arena.h"

typedef struct output output;

/* Opens a file for writing. "-" is standard output; what is written there, or to a device or pipe
 * that `path` names, cannot be undone. Refuses an existing file unless `overwrite` (the hint names
 * --force). A file that is not committed when the arena is freed is removed. */
kith_status output_open(output **out, arena *memory, const char *path, bool overwrite,
                        kith_error *error);
/* Buffered; output_finish and output_commit report errors. Not after output_finish. */
void output_write(output *out, const char *bytes, size_t length);
void output_text(output *out, const char *text);
/* Finishes writing; the file can now be read at output_temporary, but has not appeared yet. */
kith_status output_finish(output *out, kith_error *error);
/* The first error of writing so far, for callers who write much and want to stop early. */
kith_status output_status(const output *out, kith_error *error);
/* Path of the temporary file, NULL for standard output, devices and pipes. */
const char *output_temporary(const output *out);
/* Only the owner will be able to read the file, also when it has appeared. */
void output_keep_private(output *out);
/* Calls output_finish unless that has been done, then gives the file its name. */
kith_status output_commit(output *out, kith_error *error);

/* The same in two steps, for files that belong together (core/system/stage.h). After output_appear the
 * file has its name, and the one that it replaces is kept under another. Then output_settle lets go
 * of that one, or output_withdraw puts it back; without hard links there is nothing to put back,
 * and the new file stays. What was written to a stream stays, too. */
kith_status output_appear(output *out, kith_error *error) KITH_MUST_USE;
void output_settle(output *out);
void output_withdraw(output *out);

/* Writes a whole file that only its owner can read, completely or not at all; an older file stays
 * until the new one is complete. Refuses an existing file unless `overwrite`, like output_open. */
kith_status output_write_private(const char *path, const char *bytes, size_t length, bool overwrite,
                                 kith_error *error) KITH_MUST_USE;

#endif
