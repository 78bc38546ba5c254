/* A party's session as a study wants it: who it is, with whom it talks, and the ledger it leaves.
 */
#ifndef JOB_JOINT_SESSION_H
#define JOB_JOINT_SESSION_H

#include <kith/party.h>

#include "study/study.h"
#include "wire/agreement.h"
#include "wire/ledger.h"
#include "wire/tls_session.h"

enum { SESSION_EXTRA = 8 };

/* What all must agree on besides the study. */
typedef struct session_terms {
    struct {
        const char *path;
        char value[64];
    } terms[SESSION_EXTRA];
    size_t count;
} session_terms;

void session_agree(session_terms *terms, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

typedef struct session {
    arena *memory;
    const kith_party_options *options;
    party *party; /* NULL until the session stands */
    bool made;    /* the directory, which was not there */
    ledger_heading heading;
    char digest[65], run[65];
    bool settled; /* all have said that they have the result: who leaves from now on may go */
} session;

/* The caller's options with name and key, and run, as copies of full size. */
kith_status session_take(kith_party_options *options, kith_run *run,
                         const kith_party_options *their_options, const kith_run *their_run,
                         kith_error *error) KITH_MUST_USE;

/* Whether name and key are those of a party, which it names, and whether the directory has room for
 * a release and its ledger: before any data is read, and before anyone is called. */
kith_status session_check(uint32_t *self, const kith_study *study,
                          const kith_party_options *options, kith_error *error) KITH_MUST_USE;
/* Checks name, key and directory, then connects. Call session_close whatever the outcome. */
kith_status session_open(session *s, const kith_study *study, const kith_party_options *options,
                         const session_terms *terms, const kith_run *run,
                         kith_error *error) KITH_MUST_USE;
/* Ends the run and writes the ledger: the status of the whole. The party is usable until
 * session_free. */
kith_status session_close(session *s, kith_status status, kith_error *error) KITH_MUST_USE;
void session_free(session *s);

#endif
