/* Digests per key of a study, so that parties whose studies differ can say where: they compare the
 * lists and name the first key whose digest differs, without showing its value. */
#ifndef STUDY_DIGEST_LIST_H
#define STUDY_DIGEST_LIST_H

#include <sodium.h>

#include "study/study.h"

enum { DIGEST_PATH = 256 };

typedef struct digest_list {
    arena *memory;
    study_entry *entries;
    size_t count, room;
    bool nomem;
    unsigned n_models;
    char section[DIGEST_PATH]; /* "columns.age" */
    char path[DIGEST_PATH];    /* of the current entry; empty: none */
    crypto_generichash_state values;
} digest_list;

void digest_list_begin(digest_list *list, arena *memory);
/* `path` is that of the canonical form; values of one key that follow each other are one entry. */
void digest_list_put(digest_list *list, const char *path, const char *value);
/* One more value of the entry that was put last; the path says what it is, and not where. */
void digest_list_more(digest_list *list, const char *path, const char *value);
kith_status digest_list_end(digest_list *list, kith_study *study, kith_error *error) KITH_MUST_USE;

#endif
