/* Temporary files, and what killed processes leave of them.
 *
 * The file that is to become DIRECTORY/NAME is DIRECTORY/.NAME.kith-XXXXXX until then, six random
 * letters and digits at the end. Its maker holds a lock on it (flock) until it has got its name or
 * is removed. The system takes the lock back when a process ends, however it ends. So a file of
 * that form without a lock is left over: the process that makes the next one of the same name
 * removes it.
 *
 * A file that lives is never taken for a leftover:
 * - Between making a file and locking it another process may lock and remove it. The maker looks
 *   again once it has the lock, and makes another one.
 * - Where locks do not work, nothing is removed: leftovers stay. Network file systems count among
 *   these, since some of them keep locks from other machines.
 *
 * Directories work in the same way. */
#ifndef CORE_SYSTEM_TEMPORARY_FILE_H
#define CORE_SYSTEM_TEMPORARY_FILE_H

#include <stddef.h>
#include <sys/types.h>

#include <kith/status.h>

#include "core/arena.h"

/* The name of a temporary file for `path`, whose last six characters are to be replaced. NULL: out
 * of memory. */
char *temporary_file_name(arena *memory, const char *path);

/* How much of `path` names the file that it is to become: all of it but the end that
 * temporary_file_name adds, if it has one. */
size_t temporary_file_stem(const char *path);

/* Removes what killed processes have left for `path`. Errors are of no importance. */
void temporary_file_sweep(const char *path);

/* Makes and locks a new file for writing; fills in the end of `name`. Returns its descriptor, or -1
 * with errno. */
int temporary_file_create(char *name, mode_t mode);
/* The same for a directory that only its owner can read; the descriptor keeps the lock. */
int temporary_file_directory(char *name);
/* Makes a private directory beside `path` (NULL: out of memory); what killed runs have left there
 * is removed. *made is absolute. The directory is removed with all that is in it when the arena is
 * freed, unless it has been renamed. */
kith_status temporary_file_make_directory(const char **made, arena *memory, const char *path,
                                          kith_error *error) KITH_MUST_USE;

/* A second descriptor, which keeps the lock when the first one is closed; -1 with errno. */
int temporary_file_hold(int descriptor);

#endif
