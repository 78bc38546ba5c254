/* A key generator in its directory, and parameters joined of several. */
#ifndef MODULES_ID_BASED_PKG_GENERATOR_H
#define MODULES_ID_BASED_PKG_GENERATOR_H

#include "modules/id_based/pkg_file.h"

typedef struct pkg_generator {
    pkg_file parameters, secret; /* parameters.pkg and master.key */
} pkg_generator;

/* The paths of both files; NULL if out of memory. */
kith_status pkg_generator_paths(pkg_generator *g, arena *memory, const char *directory,
                                kith_error *error) KITH_MUST_USE;
/* Draws and writes a new one; `name` may be NULL. Makes the directory if need be. */
kith_status pkg_generator_make(arena *memory, const char *directory, const char *name,
                               bool overwrite, kith_error *error) KITH_MUST_USE;
/* Reads both files; KITH_DATA if the secret belongs to other parameters. */
kith_status pkg_generator_read(pkg_generator *g, arena *memory, const char *directory,
                               kith_error *error) KITH_MUST_USE;

/* Joins the parameters of n >= 2 different generators, none of them a joined one, in any order:
 * kind, digest and parts of the heading, and the parameters. If `first` is not NULL, it receives
 * the part of files[0] (ibe_joint_parameters). */
kith_status pkg_generator_join(pkg_file *out, ibe_parameters *first, arena *memory,
                               const pkg_file *files, uint32_t n, kith_error *error) KITH_MUST_USE;

#endif
