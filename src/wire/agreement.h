/* What the parties must agree on before they exchange anything else: the study.
 *
 * The parties compare one digest of the whole study. They also send a hash for every key of it, so
 * that, if the digests differ, the error can name the first key with different values without
 * showing the values. */
#ifndef WIRE_AGREEMENT_H
#define WIRE_AGREEMENT_H

#include <stddef.h>

/* Bytes of a hash, and of the longest path: its length travels as one byte. */
enum { AGREEMENT_HASH = 16, AGREEMENT_PATH = 255 };

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
