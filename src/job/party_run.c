/* kith_party_run: one party's part in a joint run over the network. */
#include <kith/application.h>
#include <kith/joint.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/run/context.h"
#include "core/options.h"
#include "crypto/secret_memory.h"
#include "job/check/look.h"
#include "job/history/choice_secret.h"
#include "job/joint/id_keys.h"
#include "job/joint/joint_disclosures.h"
#include "job/joint/joint_run.h"
#include "job/history/run_history.h"
#include "job/joint/session.h"
#include "job/prepare/recode.h"
#include "job/query/virtual_table.h"
#include "protocol/private_choices.h"

/* What this party brings to a run. */
typedef struct contribution {
    const kith_table *table; /* NULL: no data */
    run_history history;
    run_history_past past;
    joint_place place;
    bool published; /* the run has come to its release, or nearly */
} contribution;

/* What the parties of a run must have in common. */
static void agree(session_terms *terms, const kith_run *run)
{
    terms->count = 0;
    session_agree(terms, "command", "party");
    /* With a seed every party can compute the random choices of all others, so all must want it. */
    if (run->seeded)
        session_agree(terms, "seed", "%llu", (unsigned long long)run->seed);
    else
        session_agree(terms, "seed", "none");
}

static kith_status on_opening(void *user, kith_error *error)
{
    const contribution *mine = user;
    return run_history_add(&mine->history, RUN_HISTORY_OPENED, error);
}

static kith_status on_publishing(void *user, kith_error *error)
{
    contribution *mine = user;
    mine->published = true;
    return run_history_add(&mine->history, RUN_HISTORY_PUBLISHED, error);
}

/* What a failed run has disclosed, from its ledger: what this party learned, and so did others of
 * this party, by the same messages. */
static void note_failure(const contribution *mine, const session *s)
{
    const ledger *l = party_ledger(s->party);
    char text[900];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < l->n_disclosures && used < sizeof text; i++) {
        const ledger_disclosure *one = &l->disclosures[i];
        const ledger_words words =
            s->heading.explain(s->heading.explained_by, one->step, one->what);
        const char *says = words.says != NULL ? words.says : one->what;
        if (strstr(text, says) == NULL)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used == 0 ? "" : "; ",
                                     says);
    }
    run_history_fail(&mine->history, used == 0 ? RUN_HISTORY_NOTHING : text);
}

/* Connects, runs and closes the session. The ledger is written in any case. */
static kith_status run_with(const kith_study *study, const kith_party_options *options,
                            contribution *mine, const kith_run *run, kith_document **summary,
                            kith_error *error)
{
    session s;
    session_terms terms = {.count = 0};
    kith_document *made = NULL;
    bool begun = false;
    agree(&terms, run);
    kith_status status = session_open(&s, study, options, &terms, run, error);
    const joint_disclosures_reader reader = {joint_disclosures_case(study), s.heading.self};
    s.heading.explain = joint_disclosures_explain;
    s.heading.announce = joint_disclosures_announce;
    s.heading.explained_by = &reader;
    if (status == KITH_OK)
        status = run_history_compare(s.party, study, mine->past.before, error);
    /* The history comes first: a run that fails later has disclosed something. */
    if (status == KITH_OK)
        begun = (status = run_history_add(&mine->history, RUN_HISTORY_BEGUN, error)) == KITH_OK;
    if (status == KITH_OK)
        status = joint_run_party_with(s.party, study, mine->table, &mine->place, run, &made, error);
    s.settled = status == KITH_OK; /* joint_run_party_with ends with an agreement of all parties */
    status = session_close(&s, status, error);
    if (status != KITH_OK && begun && !mine->published)
        note_failure(mine, &s);
    session_free(&s);
    return document_hand_over(summary, made, status);
}

/* Looks at earlier runs before this one begins. Takes the rows in their own order, unless an
 * identical run of an earlier version took them as they stand. */
static kith_status identify_and_run(const kith_study *study, const kith_party_options *options,
                                    const kith_table *table, const joint_place *place,
                                    arena *memory, const kith_run *run, kith_document **summary,
                                    kith_error *error)
{
    unsigned char secret[CHOICE_SECRET_BYTES], choices[PRIVATE_CHOICES_BYTES];
    run_identity id;
    row_order rows;
    if (table != NULL)
        TRY(row_order_make(&rows, table, study->joint.ids_aligned, memory, error));
    TRY(choice_secret_load(secret, options->key, error));
    run_identity_make(&id, study, table == NULL ? NULL : &rows, run);
    contribution mine = {
        .table = table, .history = {options->key, study, &id, secret}, .place = *place};
    mine.place.user = &mine;
    kith_status status = run_history_check(&mine.history, &mine.past, error);
    session_terms terms = {.count = 0};
    if (status == KITH_OK) {
        run_identity_choices(choices, &id, mine.past.by_position, secret);
        mine.place.choices = choices;
        if (table != NULL && !mine.past.by_position)
            status = row_order_apply(&mine.table, &rows, table, memory, error);
        if (status == KITH_OK)
            status = run_with(study, options, &mine, run, summary, error);
    } else if (status == KITH_INVALID) {
        agree(&terms, run);
        session_decline(study, options, &terms);
    }
    secret_memory_wipe(secret, sizeof secret);
    secret_memory_wipe(choices, sizeof choices);
    return status;
}

/* Reads and checks keys and data before it connects: an error in a file should not cost the other
 * parties their time. */
static kith_status load_and_run(const kith_study *study, const kith_party_options *options,
                                arena *memory, const kith_run *run, kith_document **summary,
                                kith_error *error)
{
    uint32_t self;
    kith_table *table = NULL;
    joint_place place = {.input = options->input,
                         .directory = options->directory,
                         .rows = options->rows,
                         .overwrite = options->overwrite,
                         .opening = on_opening,
                         .publishing = on_publishing};
    TRY(session_check(&self, study, options, error));
    /* Own rows need a place, and a place that cannot be written must not cost the others a run. */
    if (study->joint.virtual_rows && options->rows == NULL) {
        error_set(error, KITH_INVALID,
                  "the study publishes a virtual database: say where this party's own rows go");
        return error_hint(error, KITH_INVALID, "use --rows sqlite:FILE?table=NAME");
    }
    if (!study->joint.virtual_rows && options->rows != NULL)
        return error_set(error, KITH_INVALID,
                         "rows go into a database only if the study says 'publish: virtual'");
    if (options->rows != NULL)
        TRY(virtual_table_check(options->rows, options->overwrite, error));
    TRY(id_keys_load(&place.id_keys, memory, study, self, options->id_key, error));
    TRY(joint_run_load(&table, study, self, &place, run, error));
    kith_status status = joint_run_check(table, study, self, run, error);
    /* Also of columns that the run does not read: for this party's eyes. */
    context looking CONTEXT_SCOPED = {.run = NULL};
    if (status == KITH_OK)
        status = context_init(&looking, run, error);
    if (status == KITH_OK && options->input->uri != NULL)
        status = look_for_repeats(&place.findings, study, options->input, &looking, error);
    if (status == KITH_OK)
        status = identify_and_run(study, options, table, &place, memory, run, summary, error);
    kith_table_free(table);
    return status;
}

kith_status kith_party_earlier_runs(kith_findings *findings, const kith_study *study,
                                    const char *key, kith_error *error)
{
    TRY(options_need(key, "key", error));
    return run_history_warn(findings, study, key, error);
}

kith_status kith_party_run(kith_document **summary, const kith_study *study,
                           const kith_party_options *options, const kith_run *run,
                           kith_error *error)
{
    kith_party_options own;
    kith_input input;
    kith_run own_run;
    if (study->joint.partition == PARTITION_NONE)
        return error_set(error, KITH_INVALID,
                         "%s: the study does not say how the table is split, as in "
                         "'partition: horizontal'",
                         study->path);
    TRY(session_take(&own, &input, &own_run, options, run, error));
    TRY(recode_refuse_joint(study, error));
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    return load_and_run(study, &own, memory, &own_run, summary, error);
}
