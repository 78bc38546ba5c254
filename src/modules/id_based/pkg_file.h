/* The files of a key generator (crypto/pairing/ibe_text.h): reading and writing them. */
#ifndef MODULES_ID_BASED_PKG_FILE_H
#define MODULES_ID_BASED_PKG_FILE_H

#include "crypto/pairing/ibe_text.h"

/* What a file says; one of the pointers is set, by the kind in the heading. */
typedef struct pkg_file {
    const char *path;
    ibe_heading heading;
    ibe_parameters *parameters;
    ibe_master *master;
    ibe_key *key; /* whole or partial */
} pkg_file;

/* Reads a file of the expected kind, or of any kind if that is IBE_TEXT_UNKNOWN; for IBE_TEXT_KEY
 * also a partial key. KITH_INVALID for a secret that others can read. Everything lives in `memory`
 * and is wiped with it. */
kith_status pkg_file_read(pkg_file *out, arena *memory, const char *path, ibe_text_kind expected,
                          kith_error *error) KITH_MUST_USE;

/* Writes it to its path, completely or not at all; all but parameters with mode 0600. An existing
 * file is refused unless `overwrite`. */
kith_status pkg_file_write(const pkg_file *file, arena *memory, bool overwrite,
                           kith_error *error) KITH_MUST_USE;

/* KITH_INVALID if the output is a file that is read, by whatever path: --force would destroy it. */
kith_status pkg_file_apart(const char *written, const char *source,
                           kith_error *error) KITH_MUST_USE;

/* "period 2026-11" or "no period", for messages. */
const char *pkg_file_period(char text[IBE_TEXT_NAME + 8], const char *period);

#endif
