/* A party's long-lived secret, from which its private choices in joint runs are derived: 32 bytes
 * in the file KEY.choices beside its key, readable by its owner only.
 *
 * `kith cert init` makes it, and so does the first run with a key that lacks it. It is never
 * replaced, not even by `kith cert init --force`: a new certificate must not change what an
 * identical run gives. If it is lost, a new one is made, and the list of runs (run_history.h)
 * notices that earlier runs had another one. */
#ifndef JOB_HISTORY_CHOICE_SECRET_H
#define JOB_HISTORY_CHOICE_SECRET_H

#include <kith/status.h>

enum { CHOICE_SECRET_BYTES = 32 };

/* Makes the file unless it exists. */
kith_status choice_secret_make(const char *key_path, kith_error *error) KITH_MUST_USE;
/* Reads it; makes it first if it does not exist. KITH_INVALID if others can read it, or if it has
 * not 32 bytes. The caller wipes the secret. */
kith_status choice_secret_load(unsigned char secret[CHOICE_SECRET_BYTES], const char *key_path,
                               kith_error *error) KITH_MUST_USE;

#endif
