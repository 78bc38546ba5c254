/* Files with secrets: only their owner may be able to read them. */
#ifndef CORE_SYSTEM_PRIVATE_FILE_H
#define CORE_SYSTEM_PRIVATE_FILE_H

#include <stddef.h>

#include <kith/status.h>

/* KITH_INVALID if others can read or write the open file. Looks at the file itself and not at
 * `path`, which could be replaced in between. */
kith_status private_file_check(int descriptor, const char *path, kith_error *error) KITH_MUST_USE;

/* Reads a whole file of at most `room` bytes, or so many of a longer one, after that check. No copy
 * stays anywhere else, as it would in the buffer of a stream. The caller wipes `bytes`. */
kith_status private_file_read(void *bytes, size_t room, size_t *length, const char *path,
                              kith_error *error) KITH_MUST_USE;

#endif
