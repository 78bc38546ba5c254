/* Files with one party or several, which `kith cert init` and `kith cert show` write and people
 * pass on: the items of the key `parties` of a study. */
#ifndef STUDY_PARTY_FILE_H
#define STUDY_PARTY_FILE_H

#include <stdio.h>

#include <kith/status.h>

#include "core/arena.h"

/* Reads such a file and writes its parties as items of a list, indented by two blanks. The file
 * comes from somebody else: only names, addresses, keys and columns that have the right form get
 * through. Everything wrong goes to the findings. */
kith_status party_file_copy(FILE *out, const char *path, arena *memory, kith_findings *findings,
                            kith_error *error) KITH_MUST_USE;

#endif
