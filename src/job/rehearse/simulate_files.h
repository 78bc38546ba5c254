/* The files of a simulation: data and keys of the sites in a private directory, which is removed at
 * the end, and the results in a stage inside the output directory until all of them are there. */
#ifndef JOB_REHEARSE_SIMULATE_FILES_H
#define JOB_REHEARSE_SIMULATE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"

typedef struct simulate_files {
    arena *memory;
    const char *directory;         /* of the results, absolute */
    const char *private_directory; /* for data and keys, mode 0700 */
    const char *stage;             /* in `directory`, mode 0700 */
    bool made;                     /* the directory was not there before */
    bool kept;                     /* results have appeared */
    bool overwrite;
} simulate_files;

/* Makes the directories. Both temporary ones are removed with all they hold when the arena is
 * freed, and so is `directory` if it was made here and nothing has appeared in it. A result of an
 * earlier run is refused unless `overwrite`; `names` are those of the parties. */
kith_status simulate_files_open(simulate_files *p, arena *memory, const char *directory,
                                const char *const *names, uint32_t count, bool overwrite,
                                kith_error *error) KITH_MUST_USE;

/* A directory for one party in the stage. */
kith_status simulate_files_party_directory(const simulate_files *p, const char *name,
                                           const char **path, kith_error *error) KITH_MUST_USE;

/* Moves everything from the stage to its place: first the parties' folders, then the joint files,
 * of these the summary last. With `overwrite`, files of sites that only an earlier run had are
 * removed, since they could be taken for results of this run. */
kith_status simulate_files_publish(simulate_files *p, const char *const *names, uint32_t count,
                                   kith_error *error) KITH_MUST_USE;

/* A private directory that is removed with its content when the arena is freed. */
kith_status simulate_files_private_directory(const char **path, arena *memory,
                                             kith_error *error) KITH_MUST_USE;

#endif
