/* kith_simulate: a joint run with all its parties on this machine. */
#include "job/prepare/recode.h"
#include "job/rehearse/simulate.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "job/result/path_conflicts.h"
#include "wire/party.h"

kith_status simulate_options_take(kith_simulate_options *options, kith_input *input,
                                  const kith_simulate_options *theirs, kith_error *error)
{
    TRY(OPTIONS_TAKE(kith_simulate_options, overwrite, options, theirs, error));
    TRY(table_input_need(input, options->input, "input", error));
    options->input = input;
    return KITH_OK;
}

static bool on_phase(void *user, const char *phase, double done)
{
    simulate_phase *p = user;
    (void)phase; /* of a step inside: the caller sees the name of the whole phase */
    return context_progress(&p->s->context, p->name, done);
}

void simulate_phase_begin(simulate_phase *p, simulation *s, const char *name)
{
    *p = (simulate_phase){.s = s, .name = name, .run = *s->context.run};
    p->run.progress = on_phase;
    p->run.user = p;
}

/* Counts the parties without data: an external master and its replicas. A hybrid split needs one
 * even if the study does not mention a joint run. */
static uint32_t count_external(const simulation *s)
{
    const protocol_options *o = &s->study->joint;
    if (!s->protocol->by_master)
        return 0;
    if (s->split.partition == PARTITION_HYBRID && o->partition == PARTITION_NONE)
        return 1;
    return o->master == PROTOCOL_MASTER_EXTERNAL ? o->n_replicas : 0;
}

/* site1 … siteN, master, replica1 … */
static kith_status name_parties(simulation *s, kith_error *error)
{
    arena *memory = s->context.memory;
    const uint32_t n_sites = s->split.n_sites;
    s->n_parties = n_sites + count_external(s);
    if (s->n_parties > PARTY_MAX)
        return error_set(error, KITH_INVALID, "%u sites and %u more parties are more than %d",
                         n_sites, s->n_parties - n_sites, PARTY_MAX);
    s->parties = TRY_ZEROS(s->parties, memory, s->n_parties, error);
    s->endpoints = TRY_ZEROS(s->endpoints, memory, s->n_parties, error);
    s->names = TRY_ZEROS(s->names, memory, s->n_parties, error);
    for (uint32_t i = 0; i < s->n_parties; i++) {
        const char *name = i < n_sites    ? arena_printf(memory, "site%u", (unsigned)i + 1)
                           : i == n_sites ? "master"
                                          : arena_printf(memory, "replica%u", i - n_sites + 1);
        s->names[i] = s->parties[i].name = TRY_ALLOC(name, error);
        s->parties[i].holds = i < n_sites;
        /* Placeholders: a study with parties needs valid addresses and pins. Threads never use
         * them, and processes get real ones before they start. */
        s->parties[i].address = TRY_ALLOC(arena_printf(memory, "127.0.0.1:%u", i + 1), error);
        s->parties[i].pin = TRY_ALLOC(arena_printf(memory, "sha256:%064x", i + 1), error);
    }
    return KITH_OK;
}

/* Refuses a master that this split does not have. One that holds data is the site with its number;
 * with two sites neither may be the master, which could tell the
 * other's rows from its own. */
static kith_status check_master(const simulation *s, kith_error *error)
{
    uint32_t master = s->study->joint.master;
    if (!s->protocol->by_master || count_external(s) > 0 ||
        (master < s->split.n_sites && s->split.n_sites > 2))
        return KITH_OK;
    if (s->split.n_sites == 2)
        return error_set(error, KITH_INVALID,
                         "with two sites the master must be external, a third one without data");
    return error_set(error, KITH_INVALID,
                     "the study's master is its party %u, but there are only %u sites", master + 1,
                     s->split.n_sites);
}

/* Makes the directories and names the files of each party. */
static kith_status place_files(simulation *s, kith_error *error)
{
    arena *memory = s->context.memory;
    const char *input = s->options->input->uri, *directory = s->options->directory;
    TRY(path_conflicts_refuse_input(input, directory, "release.csv", error));
    for (uint32_t i = 0; i < s->n_parties; i++) {
        const char *name = TRY_ALLOC(arena_printf(memory, "%s/release.csv", s->names[i]), error);
        TRY(path_conflicts_refuse_input(input, directory, name, error));
    }
    TRY(simulate_files_open(&s->files, memory, directory, s->names, s->n_parties,
                            s->options->overwrite, error));
    for (uint32_t i = 0; i < s->n_parties; i++) {
        simulate_endpoint *endpoint = &s->endpoints[i];
        const char *private = s->files.private_directory;
        endpoint->key = TRY_ALLOC(arena_printf(memory, "%s/%s.key", private, s->names[i]), error);
        if (s->parties[i].holds)
            endpoint->data =
                TRY_ALLOC(arena_printf(memory, "%s/%s.csv", private, s->names[i]), error);
        TRY(simulate_files_party_directory(&s->files, s->names[i], &endpoint->directory, error));
        if (s->site_study->joint.virtual_rows)
            endpoint->rows = TRY_ALLOC(
                arena_printf(memory, "sqlite:%s/rows.sqlite?table=rows", endpoint->directory),
                error);
    }
    return KITH_OK;
}

/* "<memory>:12:3: …" becomes "study.yaml: …": the user knows the original study, whose lines have
 * other numbers. */
static void name_original(const simulation *s, kith_error *error)
{
    kith_error plain;
    if (error == NULL || strncmp(error->message, "<memory>:", 9) != 0)
        return;
    plain = *error;
    const char *rest = plain.message + 9;
    while (isdigit((unsigned char)*rest) || *rest == ':')
        rest++;
    rest += *rest == ' ';
    error_set(error, plain.status, "%s: for this run: %.900s", s->study->path, rest);
    if (plain.hint[0] != '\0')
        error_hint(error, plain.status, "%s", plain.hint);
}

/* Writes the sites' study and reads it as a site would, so that an error in it is found here. */
static kith_status make_study(simulation *s, kith_error *error)
{
    const bool inside = s->protocol->by_master && s->n_parties == s->split.n_sites;
    const simulate_changes changes = {.split = &s->split,
                                      .parties = s->parties,
                                      .n_parties = s->n_parties,
                                      .add_id = s->add_id,
                                      .master = inside ? s->study->joint.master : UINT32_MAX,
                                      .pkg = s->generator};
    kith_study_free(s->site_study);
    s->site_study = NULL;
    TRY(simulate_study_text(&s->text, s->context.memory, s->study, &changes, error));
    kith_status status = study_parse_like(&s->site_study, s->study, s->text, NULL, error);
    if (status != KITH_OK)
        name_original(s, error);
    return status;
}

/* Another process may take a port between its choice and the start of the party: then the run is
 * repeated with other ports, which the study names. */
static kith_status run_processes(simulation *s, kith_error *error)
{
    enum { ATTEMPTS = 5 };
    bool again = true;
    kith_status status = KITH_OK;
    for (int attempt = 0; attempt < ATTEMPTS && again; attempt++) {
        TRY(simulate_keys_ports(s, error));
        TRY(make_study(s, error));
        status = simulate_processes(s, &again, error);
    }
    return status;
}

static kith_status run_parties(simulation *s, kith_error *error)
{
    if (!context_progress(&s->context, "joint run", -1))
        return error_set(error, KITH_CANCELLED, "stopped before the run");
    const bool processes = s->options->executable != NULL;
    kith_status status = processes ? run_processes(s, error) : simulate_threads(s, error);
    if (status != KITH_OK && error != NULL) {
        /* The private directory is gone by the time the message is read, so only the names of the
         * files in it are useful. */
        size_t length = strlen(s->files.private_directory) + 1;
        for (char *at = error->message; (at = strstr(at, s->files.private_directory)) != NULL;)
            if (at[length - 1] == '/')
                memmove(at, at + length, strlen(at + length) + 1);
            else
                at += length - 1;
    }
    TRY(status);
    /* Threads have set their summaries; processes have written them to files. */
    for (uint32_t i = 0; processes && i < s->n_parties; i++) {
        simulate_endpoint *endpoint = &s->endpoints[i];
        const char *path = TRY_ALLOC(
            arena_printf(s->context.memory, "%s/summary.json", endpoint->directory), error);
        TRY(document_read(&endpoint->summary, path, error));
    }
    return KITH_OK;
}

/* Processes read the text of the study, which does not have the hierarchies of a program. */
static kith_status refuse_made(const kith_study *study, kith_error *error)
{
    const char *made = study_made_column(study);
    if (made == NULL)
        return KITH_OK;
    error_set(
        error, KITH_INVALID,
        "the hierarchy of column %s is in this program's memory, where other processes cannot "
        "read it",
        made);
    return error_hint(error, KITH_INVALID,
                      "write it to a file that the study names, or use threads");
}

/* Everything up to the start of the parties. Errors in study, options and data are found here,
 * before the first process is started. */
static kith_status simulate_prepare(simulation *s, kith_error *error)
{
    if (s->options->executable != NULL)
        TRY(refuse_made(s->study, error));
    /* Decides on split, protocol, parties and the column that joins rows. */
    const kith_simulate_options *o = s->options;
    arena *memory = s->context.memory;
    TRY(simulate_study_keys(&s->keys, memory, s->study, error));
    partition_kind named = s->keys.partition ? s->study->joint.partition : PARTITION_NONE;
    TRY(simulate_split_read(&s->split, memory, s->study, named, o->split, o->n_sites, error));
    s->protocol =
        s->keys.protocol ? s->study->joint.protocol : protocol_module_for(s->split.partition);
    if (s->protocol == NULL)
        return error_set(error, KITH_INVALID,
                         "this kith was built without a protocol for data that is split %s",
                         options_partition_name(s->split.partition));
    TRY(check_master(s, error));
    if (s->split.n_column_parts > 1 && !(s->keys.ids && s->study->joint.ids_aligned)) {
        s->add_id = !s->keys.ids;
        s->id_column = s->add_id ? SIMULATE_ID : s->study->id_column;
    }
    TRY(name_parties(s, error));
    TRY(make_study(s, error));
    TRY(simulate_query_check(s, error));
    TRY(place_files(s, error));
    TRY(simulate_data_load(s, error));
    TRY(simulate_data_write(s, error));
    TRY(simulate_keys_generator(s, error));
    if (s->options->executable != NULL)
        return simulate_keys_make(s, error); /* the study is made once more, with their pins */
    return s->generator == NULL ? KITH_OK : make_study(s, error);
}

static kith_status simulate(simulation *s, simulate_result *r, kith_document **summary,
                            kith_error *error)
{
    simulate_baseline baseline;
    simulate_times seconds = {.load = 0};
    double begun = context_seconds(), since = begun;
    TRY(simulate_prepare(s, error));
    seconds.load = context_lap(&since);
    TRY(run_parties(s, error));
    seconds.run = context_lap(&since);
    TRY(simulate_collect(r, s, error));
    seconds.verify = context_lap(&since);
    if (s->options->baseline)
        TRY(simulate_baseline_run(&baseline, s, error));
    if (!context_progress(&s->context, "finish", -1))
        return error_set(error, KITH_CANCELLED, "stopped before the end");
    seconds.baseline = context_lap(&since);
    seconds.total = since - begun;
    TRY(simulate_summary(summary, s, r, s->options->baseline ? &baseline : NULL, &seconds, error));
    if (s->options->query != NULL) {
        TRY(simulate_query(s, *summary, document_root(*summary), error));
        TRY(document_status(*summary, error));
    }
    kith_document *meta = NULL;
    TRY(publication_document(r->summary, *summary, error));
    TRY(simulate_summary_meta(&meta, s, r, error));
    kith_status status = publication_document(r->publication.meta, meta, error);
    kith_document_free(meta);
    TRY(status);
    TRY(publication_commit(&r->publication, error));
    return simulate_files_publish(&s->files, s->names, s->n_parties, error);
}

kith_status kith_simulate(kith_document **summary, const kith_study *study,
                          const kith_simulate_options *options, const kith_run *run,
                          kith_error *error)
{
    kith_simulate_options own;
    kith_input input;
    simulation s = {.study = study, .options = &own};
    simulate_result r = {.site_of = NULL};
    kith_document *made = NULL;
    TRY(simulate_options_take(&own, &input, options, error));
    TRY(options_need(own.directory, "directory", error));
    TRY(recode_refuse_joint(study, error));
    TRY(context_init(&s.context, run, error));
    const kith_status status = simulate(&s, &r, &made, error);
    for (uint32_t i = 0; s.endpoints != NULL && i < s.n_parties; i++)
        kith_document_free(s.endpoints[i].summary);
    publication_wipe(&r.publication);
    kith_study_free(s.site_study);
    context_wipe(&s.context);
    return document_hand_over(summary, made, status);
}
