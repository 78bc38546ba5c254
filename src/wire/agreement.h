/* What the parties must agree on before anything else moves: the study, as digests per key. */
#ifndef WIRE_AGREEMENT_H
#define WIRE_AGREEMENT_H

#include <stddef.h>

enum { AGREEMENT_HASH = 16, AGREEMENT_PATH = 255, AGREEMENT_ENTRIES = 65536 };

typedef struct agreement_entry {
    const char *path; /* "columns.age.role", at most AGREEMENT_PATH bytes */
    unsigned char hash[AGREEMENT_HASH];
} agreement_entry;

typedef struct agreement {
    unsigned char digest[32]; /* of the whole study */
    size_t n_entries;
    const agreement_entry *entries;
} agreement;

#endif
