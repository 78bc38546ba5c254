/* A party's session: its identity, its connections as the study names them, and the ledger that it
 * writes at the end. */
#ifndef JOB_JOINT_SESSION_H
#define JOB_JOINT_SESSION_H

#include <kith/joint.h>

#include "study/study.h"
#include "wire/agreement.h"
#include "wire/ledger.h"
#include "wire/tls/tls_session.h"

enum { SESSION_EXTRA = 8 };

/* What all parties must agree on besides the study, such as the command and the seed. */
typedef struct session_terms {
    agreement_entry terms[SESSION_EXTRA]; /* the whole value is hashed, however long it is */
    size_t count;
    bool nomem; /* a value could not be hashed: session_open fails */
} session_terms;

void session_agree(session_terms *terms, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What all parties must have in common before they run: the entries of the study, the terms, and a
 * digest of everything. Peers compare the digest; the entries serve to name what differs. */
kith_status session_agreement(agreement *a, arena *memory, const kith_study *study,
                              const session_terms *terms, kith_error *error) KITH_MUST_USE;
/* Peers accept only the certificate that the study names, and only while it is valid: a wrong one
 * is reported here, before anyone connects. `path` is that of the key, for messages. */
kith_status session_check_key(const identity *id, const char *name, const char *key,
                              const char *path, kith_error *error) KITH_MUST_USE;

typedef struct session {
    arena *memory;
    const kith_party_options *options;
    const kith_run *run;
    party *party; /* NULL until all parties are connected */
    bool made;    /* the directory did not exist before */
    ledger_heading heading;
    char digest[65], run_id[65];
    bool settled; /* set by the caller once all parties have confirmed that they have the result */
} session;

/* Copies the caller's options, which must have a name and a key, with their input, which lies in
 * `input` then, and its run. */
kith_status session_take(kith_party_options *options, kith_input *input, kith_run *run,
                         const kith_party_options *their_options, const kith_run *their_run,
                         kith_error *error) KITH_MUST_USE;

/* Checks that `as` and `key` belong to a party of the study, whose number it returns, and that the
 * directory has room for a release and a ledger. Call it before data is read and before anyone
 * connects. */
kith_status session_check(uint32_t *self, const kith_study *study,
                          const kith_party_options *options, kith_error *error) KITH_MUST_USE;
/* Checks name, key and directory, then connects. Call session_close in any case. */
kith_status session_open(session *s, const kith_study *study, const kith_party_options *options,
                         const session_terms *terms, const kith_run *run,
                         kith_error *error) KITH_MUST_USE;
/* Instead of session_open, if this party may not take part: the others that wait are told, so that
 * they need not wait for it. */
void session_decline(const kith_study *study, const kith_party_options *options,
                     const session_terms *terms);
/* Ends the run and writes the ledger: the status of the whole. The party is usable until
 * session_free. */
kith_status session_close(session *s, kith_status status, kith_error *error) KITH_MUST_USE;
void session_free(session *s);

#endif
