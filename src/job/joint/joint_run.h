/* A joint run as one party sees it, whatever carries its messages: from its own data to the joint
 * release. */
#ifndef JOB_JOINT_JOINT_RUN_H
#define JOB_JOINT_JOINT_RUN_H

#include <kith/document.h>

#include "job/prepare/prepare.h"
#include "protocol/report.h"
#include "wire/party.h"

/* What the steps of a run hand on to each other. */
typedef struct joint_run {
    const kith_study *study;
    party *party;
    const kith_table *table; /* this party's own; NULL for one without data */
    context *context;
    uint64_t n_records; /* of the release */
    protocol_report report;
    /* The joint release as texts, the same at all parties up to the order of rows, or this party's
     * own rows of it; NULL at parties that are not to have it. Owned by the caller of the protocol.
     */
    kith_table *release;
    /* Loss of the release by the study's measure and by lm, where the protocol knows it. */
    struct {
        bool known;
        double lm, objective;
    } loss;
} joint_run;

/* One per kind of protocol; all fill records, report and release. Rows come in an order that says
 * nothing. */
typedef kith_status joint_protocol(joint_run *j, kith_error *error);
joint_protocol joint_rows;    /* weave, clustering */
joint_protocol joint_columns; /* clustering */
joint_protocol joint_view;    /* encrypted-view, however the table is split */

/* How one party takes part, and where its results go. */
typedef struct joint_place {
    const char *input; /* data URI; NULL for a party without data */
    char separator;    /* of the input; 0: detect */
    const char
        *directory; /* exists: release.csv with its companion, and summary.json; NULL: none */
    bool overwrite;
} joint_place;

/* The columns that the party with this number in the study reads; NULL at parties without data. */
kith_status joint_run_load(kith_table **table, const kith_study *study, uint32_t self,
                           const joint_place *place, const kith_run *run, kith_error *error);

/* Everything that can be wrong with one party's data by itself: values without a place in a public
 * hierarchy, missing ones that are to be rejected. */
kith_status joint_run_check(const kith_table *table, const kith_study *study, uint32_t self,
                            const kith_run *run, kith_error *error);

/* Reads the data, runs the study's protocol, verifies the release and writes it. All parties make
 * their release visible only after all have said that theirs is complete. `summary` receives what
 * docs/summary.md lists. */
kith_status joint_run_party(party *p, const kith_study *study, const joint_place *place,
                            const kith_run *run, kith_document **summary,
                            kith_error *error) KITH_MUST_USE;
/* The same with data that joint_run_load has read; `table` may be NULL. */
kith_status joint_run_party_with(party *p, const kith_study *study, const kith_table *table,
                                 const joint_place *place, const kith_run *run,
                                 kith_document **summary, kith_error *error) KITH_MUST_USE;

#endif
