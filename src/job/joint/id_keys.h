/* The keys with which one party runs the ID-based protocol, if the study names a key generator. */
#ifndef JOB_JOINT_ID_KEYS_H
#define JOB_JOINT_ID_KEYS_H

#include "crypto/ibe.h"

typedef struct id_keys {
    ibe_parameters parameters;  /* the generator's, public */
    ibe_identity identities[2]; /* of the parties in the order of the study */
    ibe_key key;                /* this party's own, secret */
} id_keys;

#endif
