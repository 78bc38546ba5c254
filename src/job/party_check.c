/* kith_party_check: a party connects, compares studies, says what a run would disclose and, if it
 * has data at hand, what it would take. Nothing of the data leaves it. */
#include <kith/joint.h>
#include <kith/simulate.h>

#include "core/document.h"
#include "core/error.h"
#include "job/check/look.h"
#include "job/rehearse/estimate.h"
#include "job/joint/id_keys.h"
#include "job/joint/joint_disclosures.h"
#include "job/joint/joint_run.h"
#include "job/joint/joint_summary.h"
#include "job/joint/session.h"
#include "job/result/released_as_is.h"
#include "job/result/summary.h"

/* What a run would take if every site had as many records as this one. Only a few seconds may go
 * into it, and a rehearsal needs all columns: so there is none where columns are split, and none if
 * it fails. */
static void put_estimate(kith_document *d, const kith_study *study,
                         const kith_party_options *options, uint64_t own_records,
                         const kith_run *run)
{
    static const estimate_budget budget = {.seconds = 5};
    static const char *const figures[] = {"records", "rehearsed", "rounds", "bytes",
                                          "busiest_bytes"};
    const uint32_t n_sites = options_holders(&study->joint, study->n_parties);
    const kith_estimate_options job =
        KITH_OPTIONS(kith_estimate_options, .input = options->input, .n_sites = n_sites,
                     .n_records = own_records * n_sites);
    kith_document *found = NULL;
    if (study->joint.partition != PARTITION_HORIZONTAL || own_records == 0 ||
        estimate_run(&found, study, &job, &budget, run, NULL) != KITH_OK)
        return;
    document_node *to = document_object(d, document_root(d), "estimate");
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        document_copy(d, to, figures[i], found, figures[i]);
    document_copy(d, to, "local_seconds", found, "networks.0.seconds");
    document_copy(d, to, "wide_seconds", found, "networks.1.seconds");
    kith_document_free(found);
}

/* The number of records in the data, which is checked as for a run; 0 without data. */
static kith_status check_data(uint64_t *n_records, const kith_study *study,
                              const kith_party_options *options, const kith_run *run,
                              kith_error *error)
{
    uint32_t self;
    kith_table *table = NULL;
    const joint_place place = {.input = options->input};
    *n_records = 0;
    if (options->input->uri == NULL)
        return KITH_OK;
    TRY(session_check(&self, study, options, error));
    TRY(joint_run_load(&table, study, self, &place, run, error));
    kith_status status = joint_run_check(table, study, self, run, error);
    *n_records = table == NULL ? 0 : table->n_rows;
    kith_table_free(table);
    return status;
}

/* A private key that does not fit is found before anyone connects. */
static kith_status check_id_key(const kith_study *study, const kith_party_options *options,
                                kith_error *error)
{
    uint32_t self;
    const id_keys *keys;
    kith_party_options alone = *options;
    alone.directory = NULL;
    if (study->pkg == NULL && options->id_key == NULL)
        return KITH_OK;
    TRY(session_check(&self, study, &alone, error));
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    return id_keys_load(&keys, memory, study, self, options->id_key, error);
}

/* What to know of the columns of the data, those included that a run would not read. */
static kith_status put_warnings(kith_document *d, const kith_study *study,
                                const kith_party_options *options, const kith_run *run,
                                kith_error *error)
{
    const kith_findings *findings;
    context c CONTEXT_SCOPED = {.run = NULL};
    TRY(context_init(&c, run, error));
    TRY(look_for_repeats(&findings, study, options->input, &c, error));
    released_as_is_warn(d, document_array(d, document_root(d), "warnings"), findings);
    return KITH_OK;
}

static kith_status party_check_describe(kith_document **document, const session *s,
                                        const kith_study *study, uint64_t own_records,
                                        const kith_run *run, kith_error *error)
{
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    document_put_text(d, root, "study", s->heading.study);
    document_put_text(d, root, "digest", s->heading.digest);
    document_put_text(d, root, "party", s->heading.names[s->heading.self]);
    document_node *parties = document_array(d, root, "parties");
    for (uint32_t i = 0; i < s->heading.count; i++)
        document_put_text(d, parties, NULL, s->heading.names[i]);
    document_put_text(d, root, "run", s->heading.run);
    if (study->joint.partition != PARTITION_NONE)
        document_put_text(d, root, "protocol", options_protocol_name(&study->joint));
    summary_put_overlap(d, root, study);
    joint_disclosures_put(d, root, study);
    if (study->joint.partition != PARTITION_NONE)
        joint_summary_put_left_out(d, root, study);
    if (s->options->input->uri == NULL)
        return document_finish(document, d, error);
    document_put_count(d, root, "own_records", own_records);
    if (put_warnings(d, study, s->options, run, error) != KITH_OK)
        return document_hand_over(document, d, KITH_NOMEM);
    put_estimate(d, study, s->options, own_records, run);
    return document_finish(document, d, error);
}

kith_status kith_party_check(kith_document **document, const kith_study *study,
                             const kith_party_options *options, const kith_run *run,
                             kith_error *error)
{
    session s;
    session_terms terms = {.count = 0};
    kith_party_options own;
    kith_input input;
    kith_run own_run;
    uint64_t own_records;
    TRY(session_take(&own, &input, &own_run, options, run, error));
    TRY(check_id_key(study, &own, error));
    TRY(check_data(&own_records, study, &own, &own_run, error));
    session_agree(&terms, "command", "check");
    kith_status status = session_open(&s, study, &own, &terms, &own_run, error);
    status = session_close(&s, status, error);
    if (status == KITH_OK)
        status = party_check_describe(document, &s, study, own_records, &own_run, error);
    session_free(&s);
    return status;
}
