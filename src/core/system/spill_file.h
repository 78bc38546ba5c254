/* A file for what does not fit into memory while a job runs. Only this process can reach it: it has
 * a name of temporary_file.h for the moment in which it is made, and none afterwards, so that
 * nothing is left of it however the process ends. */
#ifndef CORE_SYSTEM_SPILL_FILE_H
#define CORE_SYSTEM_SPILL_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"

typedef struct spill_file spill_file;

/* In the directory that TMPDIR names, else in that of `beside`. Lives as long as `memory`. */
kith_status spill_file_open(spill_file **file, arena *memory, const char *beside,
                            kith_error *error) KITH_MUST_USE;

/* KITH_IO with the name of the directory, if the disk is full, for example. */
kith_status spill_file_write(spill_file *file, uint64_t at, const void *bytes, size_t n_bytes,
                             kith_error *error) KITH_MUST_USE;
/* Everything that is read has been written before. */
kith_status spill_file_read(const spill_file *file, uint64_t at, void *bytes, size_t n_bytes,
                            kith_error *error) KITH_MUST_USE;

/* Gives its room on the disk back; nothing is read any more. */
void spill_file_empty(spill_file *file);

#endif
