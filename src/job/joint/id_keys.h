/* The keys with which one party runs the ID-based protocol, if the study names a key generator. */
#ifndef JOB_JOINT_ID_KEYS_H
#define JOB_JOINT_ID_KEYS_H

#include "study/study.h"

typedef struct id_keys id_keys; /* of the protocol that has such keys */

/* The parameters of the study and the key of the party with this number, from the file `path`, in
 * memory that is wiped with the arena; *keys is NULL for a study without a generator. KITH_INVALID
 * if `path` (NULL: none) is missing or of no use, or if the key is that of another name, period or
 * generator. */
kith_status id_keys_load(const id_keys **keys, arena *memory, const kith_study *study,
                         uint32_t self, const char *path, kith_error *error) KITH_MUST_USE;

#endif
