/* Files with one party or several, which `kith cert init` and `kith cert show` write and people
 * pass on: the items of the key `parties` of a study. */
#ifndef STUDY_SCHEMA_PARTY_FILE_H
#define STUDY_SCHEMA_PARTY_FILE_H

#include <stdio.h>

#include <kith/status.h>

#include "core/arena.h"

/* A party as the file has it. */
typedef struct party_line {
    const char *name, *address;
    const char *key;      /* "sha256:…", whatever form the file has */
    const char **columns; /* NULL: the file names none */
    size_t n_columns;
} party_line;

/* Reads such a file. It comes from another party: everything that has not the right form goes to
 * the findings, and the call fails. */
kith_status party_file_read(party_line **lines, size_t *n_lines, const char *path, arena *memory,
                            kith_findings *findings, kith_error *error) KITH_MUST_USE;

/* Reads one and writes its parties as items of a list, indented by two blanks. */
kith_status party_file_copy(FILE *out, const char *path, arena *memory, kith_findings *findings,
                            kith_error *error) KITH_MUST_USE;

#endif
