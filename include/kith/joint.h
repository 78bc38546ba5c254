/* Joint runs: keys and certificates of parties, and runs of several parties over the network. */
#ifndef KITH_JOINT_H
#define KITH_JOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/document.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_identity_options {
    size_t size;
    const char *name; /* of the party: 1 to 63 bytes */
    unsigned n_days;  /* for which the certificate is valid from now on: 1 to 36,500 */
    bool overwrite;
} kith_identity_options;

/* Makes a secret key with a self-signed certificate and writes both to the file `path`, which only
 * its owner can read. PATH.choices, from which the random choices of this party in joint runs come, is made
 * next to it unless it exists; `overwrite` does not replace it. */
KITH_API KITH_MUST_USE kith_status kith_identity_create(const char *path,
                                                        const kith_identity_options *options,
                                                        kith_error *error);
/* What a file of kith_identity_create has. Out: *document, freed by kith_document_free: {"name",
 * "key": "sha256:…", "from": "2026-01-31", "until", "valid"}. */
KITH_API KITH_MUST_USE kith_status kith_identity_describe(kith_document **document,
                                                          const char *path, kith_error *error);

/* What goes to the others: the line of this party for kith_study_join, after comments that say what
 * it is. `address` is host:port; NULL: a place for it. Nothing in the text is secret. Release it
 * with kith_free. */
KITH_API KITH_MUST_USE kith_status kith_identity_party(char **text, const char *path,
                                                       const char *address, kith_error *error);

/* The parties of a file with lines of kith_identity_party, for people to compare before they join
 * them by kith_study_join. A file may have several. Out: *document, freed by kith_document_free:
 * {"parties": [{"name", "address", "key", "grouped", "words"}]}. */
KITH_API KITH_MUST_USE kith_status kith_parties_describe(kith_document **document, const char *path,
                                                         kith_error *error);

/* What the parties of a study agree to, for people to compare before they connect: {"study",
 * "digest", "grouped", "words", "protocol", "parties": [{"name", "address", "key", "grouped",
 * "words"}], "discloses": [{"to", "what"}]}; what the study does not have is left out. */
KITH_API KITH_MUST_USE kith_status kith_joint_describe(kith_document **document,
                                                       const kith_study *study, kith_error *error);

/* Called while a party waits for others, several times per second, when all are connected, and at
 * the end, from the thread that made the call. `facts` lives until the function returns. At first
 * it has {"outcome": "connecting", "party", "parties": […], "absent": […]}, where the absent
 * parties are not connected yet. Then it has what ledger.json has, so far, and "step", the current
 * one; "outcome" is "running", at the end "complete" or "failed", and "left" the party that made
 * the run fail, if that is known. */
typedef void (*kith_party_watch_fn)(void *user, const kith_document *facts);

/* How one party takes part in a run. */
typedef struct kith_party_options {
    size_t size;
    const char *as;     /* its name in the study */
    const char *key;    /* its file of kith_identity_create */
    const char *id_key; /* pkg: its private key of kith_pkg_issue; NULL: the study has no pkg */
    const kith_input *input;   /* of a joint run, under a URI; NULL: a party without data */
    const char *listen;        /* host:port, if not its address in the study; may be NULL */
    const char *directory;     /* for ledger.json and ledger.txt, made if need be; NULL: none */
    const char *rows;          /* publish: virtual: URI of a table for this party's own rows */
    uint32_t wait_ms;          /* for all others to appear; 0: ten minutes */
    uint32_t delay_ms;         /* holds back everything sent by so much, to try out slow networks */
    bool compress;             /* what may shrink */
    bool overwrite;            /* files of an earlier run that are there */
    kith_party_watch_fn watch; /* is told how the run goes; may be NULL */
    void *watch_user;
} kith_party_options;

/* Connects to all other parties of the study, checks that all hold the same one, and stops:
 * {"study", "digest", "party", "parties": […], "run", "discloses": […]}. With an input the data is
 * checked first, and where the sites split rows there is "estimate": {"records", "rehearsed",
 * "rounds", "bytes", "busiest_bytes", "local_seconds", "wide_seconds"}, what a run would take if
 * every site had as many records. Nothing of the data leaves this party. */
KITH_API KITH_MUST_USE kith_status kith_party_check(kith_document **document,
                                                    const kith_study *study,
                                                    const kith_party_options *options,
                                                    const kith_run *run, kith_error *error);

/* Takes part in the joint run that the study describes, and leaves release.csv, summary.json,
 * ledger.json and ledger.txt in the directory: the release complete and verified, or not at all.
 * Returns: KITH_OK, KITH_PEER if another party or the network failed, KITH_INFEASIBLE if the models
 * cannot be kept, KITH_DATA if the data does not fit the study, KITH_CANCELLED.
 * Out: *summary (may be NULL), freed by kith_document_free: what docs/summary.md lists.
 * In: `options` with a name and a key, and with an input if this party holds data; `run` (may be
 * NULL). */
KITH_API KITH_MUST_USE kith_status kith_party_run(kith_document **summary, const kith_study *study,
                                                  const kith_party_options *options,
                                                  const kith_run *run, kith_error *error);

/* Explains a ledger that a run has left in `path`, a directory or a ledger.json: {"study",
 * "digest", "run", "outcome", "party", "parties", "left": [{"to", "messages", "bytes"}], "left_as":
 * [{"class", "says", "messages", "bytes"}], "promises": [{"number", "to", "what", "to_this_party",
 * "learned": [{"what", "says", "values", "answers"}]}], "unannounced": […]}. Promises are the lines
 * of the dry run; `unannounced` has what none of them covers. A ledger that has no such lines (of
 * kith_smc, or of an earlier version) has "learned" in the place of both.
 *
 * `path` may also be the ledger of queries of kith_serve. Then it is {"kind": "queries", "file",
 * "entries": [{"when", "who", "query", "left", "count", "says", "outcome"}], "queries", "failed",
 * "first", "last", "queriers": [{"name", "queries", "failed", "numbers", "rows"}]}. */
KITH_API KITH_MUST_USE kith_status kith_ledger_describe(kith_document **document, const char *path,
                                                        kith_error *error);

typedef struct kith_join_options {
    size_t size;
    const char *base;           /* a study without parties */
    const char *const *parties; /* files with the line of a party, in the order of the study */
    size_t n_parties;
    const char *output; /* file for the study, whose paths are relative to it; NULL: none */
    bool overwrite;
} kith_join_options;

/* Adds parties to a study: those of files with lines of kith_identity_party. The result is checked
 * with the hierarchy files that it names.
 * Returns: KITH_OK, KITH_INVALID if the result is no study.
 * Out: *text (may be NULL), freed by kith_free; the output, written complete or not at all;
 * `findings` gets everything wrong (may be NULL). In: `options` with a base and parties. */
KITH_API KITH_MUST_USE kith_status kith_study_join(char **text, const kith_join_options *options,
                                                   kith_findings *findings, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
