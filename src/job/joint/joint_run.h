/* A joint run as one party sees it, from its own data to the joint release, over any transport. */
#ifndef JOB_JOINT_JOINT_RUN_H
#define JOB_JOINT_JOINT_RUN_H

#include <kith/document.h>

#include "job/prepare/prepare.h"
#include "protocol/report.h"
#include "table/table_writer.h"
#include "wire/party.h"

/* What one party brings to a run beside its data: the same for all steps. */
typedef struct joint_place {
    const kith_input *input; /* without URI for a party without data */
    /* An existing directory for release.csv with its companion and summary.json; NULL: none. */
    const char *directory;
    const char *rows; /* publish: virtual: URI of a table in a database for this site's rows */
    bool overwrite;
    /* Key of private choices (private_choices.h); NULL: they are drawn for this run alone. */
    const unsigned char *choices;
    const kith_findings *findings; /* about the columns of the data, for the summary; NULL: none */
    const struct id_keys *id_keys; /* id-based with a key generator (id_keys.h); NULL: without */
    /* Called once each, may be NULL: before the protocol asks its first question about records, and
     * as soon as the classes are known and before the release is put together. */
    kith_status (*opening)(void *user, kith_error *error);
    kith_status (*publishing)(void *user, kith_error *error);
    void *user;
} joint_place;

/* The state of a run: input, then what the protocol fills. */
typedef struct joint_run {
    const kith_study *study;
    party *party;
    const kith_table *table; /* this party's own; NULL for one without data */
    context *context;
    const joint_place *place;
    uint64_t n_records;   /* of the release */
    uint32_t n_unmatched; /* vertical: own rows that have no partner at some other site */
    bool nobody_shared;   /* overlap: matched: the sites found nobody who is at two of them */
    protocol_report report;
    /* The joint release as texts, the same at all parties, or this party's own rows of it; NULL at
     * parties that do not get it. The caller of the protocol frees it. */
    kith_table *release;
    table_writer *rows; /* publish: virtual: holds this site's rows until the commit */
    /* Loss of the release by the study's measure and by lm, where the protocol knows it. */
    struct {
        bool known;
        double lm, objective;
    } loss;
} joint_run;

/* One function for each kind of protocol. All fill n_records, report and release, whose rows are
 * sorted. */
typedef kith_status joint_protocol(joint_run *j, kith_error *error);
joint_protocol joint_rows;
joint_protocol joint_columns;

/* For protocols: calls `opening`. What came before it, whether all records are enough, which values
 * occur and which rows have partners, a party learns no better by coming back with other data. */
kith_status joint_run_opening(joint_run *j, kith_error *error) KITH_MUST_USE;
/* The same with `publishing`. From here on the parties may know the release. */
kith_status joint_run_publishing(joint_run *j, kith_error *error) KITH_MUST_USE;

/* Reads the columns that the party with this number has in the study; NULL at parties without
 * data. */
kith_status joint_run_load(kith_table **table, const kith_study *study, uint32_t self,
                           const joint_place *place, const kith_run *run, kith_error *error);

/* Finds errors in one party's data before it connects to others: values that a public hierarchy
 * does not have, missing values that the study rejects, values that are too long. */
kith_status joint_run_check(const kith_table *table, const kith_study *study, uint32_t self,
                            const kith_run *run, kith_error *error);

/* Reads the data, runs the study's protocol, verifies the release and writes it. A party makes its
 * release visible only after all parties have confirmed that theirs is complete. `summary` receives
 * the document that docs/summary.md describes. */
kith_status joint_run_party(party *p, const kith_study *study, const joint_place *place,
                            const kith_run *run, kith_document **summary,
                            kith_error *error) KITH_MUST_USE;
/* The same with data that joint_run_load has read; `table` may be NULL. */
kith_status joint_run_party_with(party *p, const kith_study *study, const kith_table *table,
                                 const joint_place *place, const kith_run *run,
                                 kith_document **summary, kith_error *error) KITH_MUST_USE;

#endif
