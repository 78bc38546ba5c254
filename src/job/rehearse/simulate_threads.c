/* All parties as threads of this process: the same protocols, frames and ledgers, but no TLS. */
#include <sodium.h>
#include <stdatomic.h>
#include <string.h>

#include "core/error.h"
#include "job/joint/id_keys.h"
#include "job/joint/joint_disclosures.h"
#include "job/joint/joint_run.h"
#include "job/rehearse/simulate.h"
#include "wire/inproc.h"
#include "wire/ledger.h"

/* What one thread works with. Only the first party reports progress: it runs in the caller's
 * thread, and the caller's function need not be able to run in others. */
typedef struct thread_party {
    simulation *simulation;
    uint32_t self;
    kith_run run;
    atomic_bool *stop;
    kith_status status;
    kith_error unwritten; /* why its ledger could not be written */
} thread_party;

/* Stops all parties once the caller wants to stop. */
static bool on_progress(void *user, const char *phase, double done)
{
    thread_party *at = user;
    const kith_run *caller = at->simulation->context.run;
    if (at->self == 0 && caller->progress != NULL && !caller->progress(caller->user, phase, done))
        atomic_store(at->stop, true);
    return !atomic_load(at->stop);
}

static kith_status run_site(party *p, thread_party *at, arena *memory, kith_error *error)
{
    const kith_study *study = at->simulation->site_study;
    simulate_endpoint *endpoint = &at->simulation->endpoints[at->self];
    const kith_input input = KITH_OPTIONS(kith_input, .uri = endpoint->data, .separator = ',');
    joint_place place = {.input = &input,
                         .directory = endpoint->directory,
                         .rows = endpoint->rows,
                         .overwrite = true};
    TRY(id_keys_load(&place.id_keys, memory, study, at->self, endpoint->id_key, error));
    return joint_run_party(p, study, &place, &at->run, &endpoint->summary, error);
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    thread_party *at = user;
    arena *memory = arena_new();
    at->status = memory == NULL ? error_nomem(error) : run_site(p, at, memory, error);
    arena_free(memory);
    return at->status;
}

/* Runs in each thread when its party has finished, while the party still exists. */
static void write_ledger(party *p, void *user)
{
    thread_party *at = user;
    const simulation *s = at->simulation;
    char run[65], digest[65];
    sodium_bin2hex(run, sizeof run, party_run_id(p), 32);
    kith_study_digest(digest, s->site_study);
    const joint_disclosures_reader reader = {joint_disclosures_case(s->site_study), at->self};
    const ledger_heading heading = {.study = s->site_study->name,
                                    .digest = digest,
                                    .run = run,
                                    .outcome = at->status == KITH_OK ? "complete" : "failed",
                                    .self = at->self,
                                    .count = s->n_parties,
                                    .names = s->names,
                                    .explain = joint_disclosures_explain,
                                    .announce = joint_disclosures_announce,
                                    .explained_by = &reader};
    if (at->status == KITH_OK)
        at->status = ledger_write(party_ledger(p), &heading, s->endpoints[at->self].directory,
                                  &at->unwritten);
}

/* The party that the error of `from` names as the one that ended the run by an error of its own;
 * `from` itself if it names none. */
static uint32_t blamed(const simulation *s, const kith_error *errors, uint32_t from)
{
    static const char says[] = " ended the run because of an error of its own";
    for (uint32_t i = 0; i < s->n_parties; i++) {
        size_t length = strlen(s->names[i]);
        if (i != from && errors[i].status != KITH_OK &&
            strncmp(errors[from].message, s->names[i], length) == 0 &&
            strncmp(errors[from].message + length, says, strlen(says)) == 0)
            return i;
    }
    return from;
}

kith_status simulate_threads(simulation *s, kith_error *error)
{
    arena *memory = s->context.memory;
    atomic_bool stop = false;
    thread_party *at = TRY_ZEROS(at, memory, s->n_parties, error);
    void **user = TRY_ZEROS(user, memory, s->n_parties, error);
    kith_error *errors = TRY_ZEROS(errors, memory, s->n_parties, error);
    for (uint32_t i = 0; i < s->n_parties; i++) {
        at[i] = (thread_party){.simulation = s, .self = i, .run = *s->context.run, .stop = &stop};
        at[i].run.progress = on_progress;
        at[i].run.user = &at[i];
        at[i].run.n_threads = at[i].run.n_threads > 0 ? at[i].run.n_threads : 1;
        user[i] = &at[i];
    }
    const inproc_options options = {.deadline_ms = s->site_study->timeout_ms,
                                    .limit_ms = s->site_study->limit_ms,
                                    .delay_ms = s->options->delay_ms,
                                    .compress = s->options->compress,
                                    .done = write_ledger};
    kith_status status = inproc_run(s->n_parties, s->names, &options, take_part, user, errors);
    /* Returns the error that came first. `status` is that of the run as a whole: the first party
     * that has it either failed by itself or names the one that did. A ledger that could not be
     * written counts only if the run succeeded. */
    for (uint32_t i = 0; i < s->n_parties && status != KITH_OK; i++)
        if (errors[i].status == status) {
            const kith_error *e = &errors[blamed(s, errors, i)];
            error_set(error, status, "%s: %.900s", s->names[e - errors], e->message);
            return e->hint[0] == '\0' ? status : error_hint(error, status, "%s", e->hint);
        }
    for (uint32_t i = 0; i < s->n_parties && status == KITH_OK; i++)
        if (at[i].status != KITH_OK) {
            if (error != NULL)
                *error = at[i].unwritten;
            return at[i].status;
        }
    return status;
}
