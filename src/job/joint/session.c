#include "job/joint/session.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/check.h"
#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "job/result/path_conflicts.h"
#include "study/holders.h"
#include "table/table_input.h"

void session_agree(session_terms *terms, const char *path, const char *format, ...)
{
    va_list arguments, again;
    ASSERT(terms->count < SESSION_EXTRA);
    agreement_entry *e = &terms->terms[terms->count++];
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *value = length < 0 ? NULL : malloc((size_t)length + 1);
    e->path = path;
    if (value != NULL) {
        vsnprintf(value, (size_t)length + 1, format, again);
        crypto_generichash(e->hash, AGREEMENT_HASH, (const unsigned char *)value, (size_t)length,
                           NULL, 0);
    }
    terms->nomem = terms->nomem || value == NULL;
    va_end(arguments);
    va_end(again);
    free(value);
}

/* The files of a joint run besides its ledger. A single computation (kith smc) writes a ledger
 * only. */
static const char *const results[] = {"release.csv", "release.csv.meta.json", "summary.json"};

/* Checks that nothing in the directory would be lost. A directory that does not exist is fine, it
 * will be made. `release`: the run writes a release, not only a ledger. */
static kith_status check_directory(const kith_party_options *o, bool release, kith_error *error)
{
    struct stat status;
    if (o->directory == NULL || stat(o->directory, &status) != 0)
        return KITH_OK;
    if (!S_ISDIR(status.st_mode))
        return error_set(error, KITH_INVALID, "%s is not a directory", o->directory);
    if (access(o->directory, W_OK) != 0)
        return error_errno(error, errno, "write to", o->directory);
    if (release && o->input->uri != NULL)
        TRY(path_conflicts_refuse_input(o->input->uri, o->directory, results[0], error));
    if (o->overwrite)
        return KITH_OK;
    for (size_t i = 0; release && i < sizeof results / sizeof *results; i++)
        TRY(path_conflicts_refuse_existing(o->directory, results[i], error));
    TRY(path_conflicts_refuse_existing(o->directory, "ledger.json", error));
    return path_conflicts_refuse_existing(o->directory, "ledger.txt", error);
}

kith_status session_check_key(const identity *id, const char *name, const char *key,
                              const char *path, kith_error *error)
{
    char pin[72], why[64];
    identity_format_pin(pin, id->pin);
    if (strcmp(pin, key) != 0)
        return error_set(error, KITH_INVALID,
                         "%s has the certificate %s, but the study expects %s for %s", path, pin,
                         key, name);
    if (identity_stale(id->certificate, why, sizeof why) == NULL)
        return KITH_OK;
    error_set(error, KITH_INVALID, "the certificate in %s %s", path, why);
    return error_hint(error, KITH_INVALID,
                      "'kith cert init' makes a new one, whose key must go into every study");
}

kith_status session_agreement(agreement *a, arena *memory, const kith_study *study,
                              const session_terms *terms, kith_error *error)
{
    crypto_generichash_state all;
    if (terms->nomem)
        return error_nomem(error);
    agreement_entry *entry = TRY_ARRAY(entry, memory, study->n_entries + terms->count, error);
    crypto_generichash_init(&all, NULL, 0, sizeof a->digest);
    crypto_generichash_update(&all, study->digest, sizeof study->digest);
    for (size_t i = 0; i < study->n_entries; i++) {
        entry[i].path = study->entries[i].path;
        memcpy(entry[i].hash, study->entries[i].hash, AGREEMENT_HASH);
    }
    for (size_t i = 0; i < terms->count; i++) {
        agreement_entry *e = &entry[study->n_entries + i];
        *e = terms->terms[i];
        crypto_generichash_update(&all, (const unsigned char *)e->path, strlen(e->path) + 1);
        crypto_generichash_update(&all, e->hash, AGREEMENT_HASH);
    }
    crypto_generichash_final(&all, a->digest, sizeof a->digest);
    a->entries = entry;
    a->n_entries = study->n_entries + terms->count;
    return KITH_OK;
}

/* Before there is a ledger: who is expected. */
static kith_document *describe_connecting(const session *s)
{
    kith_document *d = document_new();
    if (d == NULL)
        return NULL;
    document_node *root = document_root(d);
    document_put_text(d, root, "outcome", "connecting");
    document_put_text(d, root, "party", s->heading.names[s->heading.self]);
    document_node *names = document_array(d, root, "parties");
    for (uint32_t i = 0; i < s->heading.count; i++)
        document_put_text(d, names, NULL, s->heading.names[i]);
    return d;
}

static kith_document *describe_ledger(const session *s)
{
    kith_document *d = NULL;
    ledger_heading heading = s->heading;
    if (heading.outcome == NULL)
        heading.outcome = "running";
    if (ledger_document(party_ledger(s->party), &heading, &d, NULL) != KITH_OK) {
        kith_document_free(d);
        return NULL;
    }
    const uint32_t culprit = party_culprit(s->party);
    document_put_text(d, document_root(d), "step", party_current_step(s->party));
    if (culprit < heading.count)
        document_put_text(d, document_root(d), "left", heading.names[culprit]);
    return d;
}

/* Calls the `watch` of the options, if there is one, with the facts of now. `absent` has the names
 * of the peers that are not connected yet, "b, c"; NULL: all are. What fails here does not harm the
 * run: its user is told the next time. */
static void tell_user(const session *s, const char *absent)
{
    if (s->options->watch == NULL || s->heading.names == NULL)
        return;
    kith_document *d = s->party == NULL ? describe_connecting(s) : describe_ledger(s);
    if (d == NULL)
        return;
    document_node *list = document_array(d, document_root(d), "absent");
    char name[128];
    while (absent != NULL && *absent != '\0' && *absent != ':') {
        const size_t length = strcspn(absent, ",:");
        snprintf(name, sizeof name, "%.*s", (int)length, absent);
        document_put_text(d, list, NULL, name);
        absent += length;
        absent += strspn(absent, ", ");
    }
    if (document_status(d, NULL) == KITH_OK)
        s->options->watch(s->options->watch_user, d);
    kith_document_free(d);
}

/* Forwards what the connection waits for as progress of the run, and as facts for who watches. */
static bool on_waiting(void *user, const char *for_whom)
{
    const session *s = user;
    const kith_run *run = s->run;
    char phase[1280];
    tell_user(s, for_whom);
    if (run->progress == NULL)
        return true;
    if (for_whom == NULL)
        return run->progress(run->user, "joint run", -1);
    snprintf(phase, sizeof phase, "waiting for %.1200s", for_whom);
    return run->progress(run->user, phase, -1);
}

/* The identity in the key file, checked against the study. */
static kith_status load_identity(identity **id, uint32_t *self, arena *memory,
                                 const kith_study *study, const kith_party_options *options,
                                 kith_error *error)
{
    TRY(holders_find(self, study, options->as, error));
    TRY(identity_load(id, memory, options->key, error));
    const study_party *me = &study->parties[*self];
    return session_check_key(*id, me->name, me->key, options->key, error);
}

kith_status session_take(kith_party_options *options, kith_input *input, kith_run *run,
                         const kith_party_options *their_options, const kith_run *their_run,
                         kith_error *error)
{
    TRY(OPTIONS_TAKE(kith_party_options, watch_user, options, their_options, error));
    TRY(options_need(options->as, "as", error));
    TRY(options_need(options->key, "key", error));
    TRY(table_input_take(input, options->input, "input", error));
    TRY(table_input_refuse_table(input, "input", error));
    options->input = input;
    return options_take_run(run, their_run, error);
}

kith_status session_check(uint32_t *self, const kith_study *study,
                          const kith_party_options *options, kith_error *error)
{
    identity *id;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    TRY(load_identity(&id, self, memory, study, options, error));
    return check_directory(options, true, error);
}

/* Everything that a connection needs; the identity and the peers live in the session's memory. */
static kith_status prepare_options(tls_options *t, session *s, const kith_study *study,
                                   const session_terms *terms, const kith_run *run,
                                   kith_error *error)
{
    const kith_party_options *options = s->options;
    identity *id = NULL;
    *t = (tls_options){.listen = options->listen,
                       .wait_ms = options->wait_ms,
                       .deadline_ms = study->timeout_ms,
                       .limit_ms = study->limit_ms,
                       .delay_ms = options->delay_ms,
                       .compress = options->compress};
    TRY(load_identity(&id, &s->heading.self, s->memory, study, options, error));
    tls_peer *peer = arena_zalloc(s->memory, study->n_parties, sizeof *peer);
    const char **names = arena_zalloc(s->memory, study->n_parties, sizeof *names);
    if (peer == NULL || names == NULL)
        return error_nomem(error);
    for (uint32_t i = 0; i < study->n_parties; i++) {
        peer[i].name = names[i] = study->parties[i].name;
        peer[i].address = study->parties[i].address;
        if (!fingerprint_parse(peer[i].pin, study->parties[i].key))
            return error_set(error, KITH_BUG, "the key of %s was not checked", names[i]);
    }
    s->heading.names = names;
    s->heading.count = study->n_parties;
    TRY(session_agreement(&t->agreement, s->memory, study, terms, error));
    t->count = study->n_parties;
    t->self = s->heading.self;
    t->peers = peer;
    t->identity = id;
    s->run = run;
    if (run->progress != NULL || options->watch != NULL) {
        t->waiting = on_waiting;
        t->user = s;
    }
    return KITH_OK;
}

kith_status session_open(session *s, const kith_study *study, const kith_party_options *options,
                         const session_terms *terms, const kith_run *run, kith_error *error)
{
    tls_options t;
    *s = (session){.memory = arena_new(), .options = options};
    TRY_ALLOC(s->memory, error);
    TRY(prepare_options(&t, s, study, terms, run, error));
    /* Readable by its owner only, since a ledger lists what this party has learned. */
    const char *directory = s->options->directory;
    if (directory != NULL) {
        s->made = mkdir(directory, 0700) == 0;
        if (!s->made && errno != EEXIST)
            return error_errno(error, errno, "make", directory);
        TRY(check_directory(s->options, false, error));
    }
    kith_study_digest(s->digest, study);
    s->heading.study = study->name;
    s->heading.digest = s->digest;
    s->heading.run = s->run_id;
    TRY(tls_session_open(&s->party, s->memory, &t, error));
    sodium_bin2hex(s->run_id, sizeof s->run_id, party_run_id(s->party), 32);
    tell_user(s, NULL);
    return KITH_OK;
}

void session_decline(const kith_study *study, const kith_party_options *options,
                     const session_terms *terms)
{
    const kith_run nobody_watches = KITH_INIT(kith_run);
    tls_options t;
    session s = {.memory = arena_new(), .options = options};
    if (s.memory != NULL && prepare_options(&t, &s, study, terms, &nobody_watches, NULL) == KITH_OK)
        tls_session_decline(s.memory, &t);
    arena_free(s.memory);
}

kith_status session_close(session *s, kith_status status, kith_error *error)
{
    kith_error unwritten;
    if (s->party == NULL) {
        if (s->made)
            rmdir(s->options->directory); /* fails unless it is empty, as it should be */
        return status;
    }
    status = tls_session_end(s->party, status, error);
    /* All parties have the result by now, so a peer that closes its connection early has not
     * failed. */
    if (s->settled && status == KITH_PEER)
        status = KITH_OK;
    s->heading.outcome = status == KITH_OK ? "complete" : "failed";
    tell_user(s, NULL);
    if (s->options->directory == NULL)
        return status;
    /* A run that failed leaves its ledger, too: what was disclosed until then stays disclosed. */
    kith_status wrote = ledger_write(party_ledger(s->party), &s->heading, s->options->directory,
                                     status == KITH_OK ? error : &unwritten);
    return status == KITH_OK ? wrote : status;
}

void session_free(session *s)
{
    arena_free(s->memory);
}
