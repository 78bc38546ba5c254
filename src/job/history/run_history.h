/* The earlier runs of a party.
 *
 * Two releases of the same people can be compared: a class that grew by one row shows that row. So
 * each party keeps a list of its runs beside its key (KEY.runs, readable by its owner only), and a
 * run that would show a difference to an earlier one needs `again: true` in the study, which all
 * parties see:
 * - the same study with other data, parameters or parties;
 * - the same data in a study of another name;
 * - an identical run that would give another release, because the secret of the private choices is
 *   another one (choice_secret.h) or because its search cannot be repeated (run_identity.h);
 * - an identical run for some parties, but the first one for others;
 * - other parties, or other data at any party, after a run that ended without a release, but not
 *   before the protocol had answered questions about records: a party could leave, change its rows
 *   and ask again.
 * An identical run may be repeated: it gives the same release. Apart from the last case, a run that
 * ended before it published anything is no earlier run, since there is no release to compare with;
 * what it disclosed until then is told in a warning.
 *
 * A line of the list has the time, digests of the study's name, of the study, of the data, of the
 * parties and of the secret, and the name. The digest of the data is hashed once more: the list and
 * the secret together do not give the key of the private choices. It does not depend on the order
 * of rows (row_order.h). Versions before had a digest that did: their lines are compared by that
 * one, and an identical run takes its rows as they stand, as it did then. Lines of four fields are
 * from versions that drew the private choices anew in every run; they have plain digests of name,
 * study and data. A line that begins with `begun` says the same about a run that has started, one
 * that begins with `opened` that its protocol asks about records, and one that begins with `failed`
 * that it ended early, with what it disclosed in the place of the name. */
#ifndef JOB_HISTORY_RUN_HISTORY_H
#define JOB_HISTORY_RUN_HISTORY_H

#include "job/history/run_identity.h"
#include "wire/party.h"

/* What a failed run disclosed if it disclosed nothing. */
#define RUN_HISTORY_NOTHING "nothing"

/* What users can do about a refusal: confirm that the difference may be shown. */
#define RUN_HISTORY_AGAIN "if that is meant, all parties add 'again: true' to the study"

/* Everything about the run that the list needs. */
typedef struct run_history {
    const char *key_path;
    const kith_study *study;
    const run_identity *id;
    const unsigned char *secret; /* [CHOICE_SECRET_BYTES] */
} run_history;

typedef enum run_history_before {
    RUN_HISTORY_NEVER,     /* no run of the study on the same data */
    RUN_HISTORY_PUBLISHED, /* an identical run came to its release, or nearly */
    RUN_HISTORY_BEGUN,     /* an identical run ended before that, at this party at least */
    RUN_HISTORY_OPENED,    /* a run on the same data, with whatever parameters, ended before that,
                            * but not before answers about records were opened */
    RUN_HISTORY_TRIED      /* a run on the same data, with other parameters, ended before that at
                            * this party at least: not with answers about other data */
} run_history_before;

typedef struct run_history_past {
    run_history_before before;
    bool by_position; /* an identical run of an earlier version took its rows as they stand */
} run_history_past;

/* KITH_INVALID if an earlier run of this party differs in something that two releases, or the
 * answers of two runs, would show. */
kith_status run_history_check(const run_history *h, run_history_past *past,
                              kith_error *error) KITH_MUST_USE;

/* Adds a warning if the last run of this study at this party published nothing: when it was, and
 * what it disclosed. `key_path` says where the list is. */
kith_status run_history_warn(kith_findings *findings, const kith_study *study, const char *key_path,
                             kith_error *error) KITH_MUST_USE;

/* All parties tell whether they have made an identical run before. KITH_INVALID, at all parties, if
 * some have published one and others have not even begun it, or if some have seen answers on the
 * same data and others have begun no run on theirs. Sends nothing if the study says `again: true`.
 * Cost: history.before (control), one byte, exchanged; and, if the run ends here, farewell.word. */
kith_status run_history_compare(party *p, const kith_study *study, run_history_before before,
                                kith_error *error) KITH_MUST_USE;

/* Notes that this run has begun, before anything about the data is sent; opened its questions about
 * records, before they are asked; or published, before the release can be known to anyone. */
kith_status run_history_add(const run_history *h, run_history_before now,
                            kith_error *error) KITH_MUST_USE;
/* Notes that it failed without a release, and what it had disclosed by then, a text of one line. */
void run_history_fail(const run_history *h, const char *disclosed);

#endif
