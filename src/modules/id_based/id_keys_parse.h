/* The keys with which one party runs the ID-based protocol, if the study names a key generator. */
#ifndef MODULES_ID_BASED_ID_KEYS_PARSE_H
#define MODULES_ID_BASED_ID_KEYS_PARSE_H

#include "crypto/pairing/ibe.h"
#include "job/joint/id_keys.h"

struct id_keys {
    ibe_parameters parameters;  /* the generator's, public */
    ibe_identity identities[2]; /* of the parties in the order of the study */
    ibe_key key;                /* this party's own, secret */
};

/* id_keys_load for a study with a generator and a file. */
kith_status id_keys_parse(const id_keys **keys, arena *memory, const kith_study *study,
                          uint32_t self, const char *path, kith_error *error) KITH_MUST_USE;

#endif
