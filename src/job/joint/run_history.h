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
 * - an identical run for some parties, but the first one for others.
 * An identical run may be repeated: it gives the same release.
 *
 * A line of the list has the time, digests of the study's name, of the study, of the data, of the
 * parties and of the secret, and the name. The digest of the data is hashed once more: the list and
 * the secret together do not give the key of the private choices. Lines of four fields are from
 * versions that drew the private choices anew in every run; they have plain digests of name, study
 * and data. */
#ifndef JOB_JOINT_RUN_HISTORY_H
#define JOB_JOINT_RUN_HISTORY_H

#include "job/joint/run_identity.h"
#include "wire/party.h"

/* Everything about the run that the list needs. */
typedef struct run_history {
    const char *key_path;
    const kith_study *study;
    const run_identity *id;
    const unsigned char *secret; /* [CHOICE_SECRET_BYTES] */
} run_history;

/* KITH_INVALID if an earlier run of this party differs in something that two releases would show.
 * *before: an identical run was made. */
kith_status run_history_check(const run_history *h, bool *before, kith_error *error) KITH_MUST_USE;

/* All parties tell whether they have made an identical run before. KITH_INVALID, at all parties, if
 * some have and some have not. Sends nothing if the study says `again: true`.
 * Cost: history.before (control), one byte, exchanged; and, if the run ends here, farewell.word. */
kith_status run_history_compare(party *p, const kith_study *study, bool before,
                                kith_error *error) KITH_MUST_USE;

/* Adds this run. Call it before anything about the data is sent: a run that fails later has
 * disclosed something, too. */
kith_status run_history_add(const run_history *h, kith_error *error) KITH_MUST_USE;

#endif
