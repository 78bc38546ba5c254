/* kith_simulate: a joint run with all its parties on this machine. */
#include "job/simulate/simulate.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "wire/party.h"

kith_status simulate_options_take(kith_simulate_options *options,
                                  const kith_simulate_options *theirs, kith_error *error)
{
    TRY(OPTIONS_TAKE(kith_simulate_options, overwrite, options, theirs, error));
    return options_need(options->input, "input", error);
}

static bool on_phase(void *user, const char *phase, double done)
{
    simulate_phase *p = user;
    (void)phase;
    return context_progress(&p->s->context, p->name, done);
}

void simulate_phase_begin(simulate_phase *p, simulation *s, const char *name)
{
    *p = (simulate_phase){.s = s, .name = name, .run = *s->context.run};
    p->run.progress = on_phase;
    p->run.user = p;
}

/* The protocol that runs if the study names none. */
static protocol_id choose_protocol(const simulation *s)
{
    if (s->keys.protocol)
        return s->study->joint.protocol;
    switch (s->split.partition) {
    case PARTITION_VERTICAL: return PROTOCOL_CLUSTERING;
    case PARTITION_HYBRID: return PROTOCOL_ENCRYPTED_VIEW;
    default: return PROTOCOL_WEAVE;
    }
}

/* Parties that hold no data: an external master and its replicas. */
static uint32_t count_external(const simulation *s)
{
    const protocol_options *o = &s->study->joint;
    if (s->protocol != PROTOCOL_ENCRYPTED_VIEW)
        return 0;
    if (s->split.partition == PARTITION_HYBRID && s->study->joint.partition == PARTITION_NONE)
        return 1;
    return o->master == PROTOCOL_MASTER_EXTERNAL ? o->n_replicas : 0;
}

static const char *party_name_of(arena *memory, uint32_t index, uint32_t n_sites)
{
    if (index < n_sites)
        return arena_printf(memory, "site%u", (unsigned)index + 1);
    return index == n_sites ? "master" : arena_printf(memory, "replica%u", index - n_sites + 1);
}

static kith_status name_parties(simulation *s, kith_error *error)
{
    arena *memory = s->context.memory;
    s->n_parties = s->split.n_sites + count_external(s);
    if (s->n_parties > PARTY_MAX)
        return error_set(error, KITH_INVALID, "%u sites and %u more parties are more than %d",
                         s->split.n_sites, s->n_parties - s->split.n_sites, PARTY_MAX);
    s->parties = arena_zalloc(memory, s->n_parties, sizeof *s->parties);
    s->seats = arena_zalloc(memory, s->n_parties, sizeof *s->seats);
    s->names = arena_zalloc(memory, s->n_parties, sizeof *s->names);
    if (s->parties == NULL || s->seats == NULL || s->names == NULL)
        return error_nomem(error);
    for (uint32_t i = 0; i < s->n_parties; i++) {
        s->names[i] = s->parties[i].name = party_name_of(memory, i, s->split.n_sites);
        s->parties[i].holds = i < s->split.n_sites;
        TRY_ALLOC(s->names[i], error);
    }
    return KITH_OK;
}

/* A master that holds data is the site with its number. */
static kith_status check_master(const simulation *s, kith_error *error)
{
    uint32_t master = s->study->joint.master;
    if (s->protocol != PROTOCOL_ENCRYPTED_VIEW || count_external(s) > 0 ||
        (master < s->split.n_sites && s->split.n_sites > 2))
        return KITH_OK;
    if (s->split.n_sites == 2)
        return error_set(error, KITH_INVALID,
                         "with two sites the master must be external, a third one without data");
    return error_set(error, KITH_INVALID,
                     "the study's master is its party %u, but there are only %u sites", master + 1,
                     s->split.n_sites);
}

static kith_status plan(simulation *s, kith_error *error)
{
    const kith_simulate_options *o = s->options;
    arena *memory = s->context.memory;
    TRY(simulate_study_keys(&s->keys, memory, s->study, error));
    partition_kind named = s->keys.partition ? s->study->joint.partition : PARTITION_NONE;
    TRY(simulate_split_read(&s->split, memory, s->study, named, o->split, o->n_sites, error));
    s->protocol = choose_protocol(s);
    TRY(check_master(s, error));
    if (s->split.n_column_parts > 1 && !(s->keys.ids && s->study->joint.ids_aligned)) {
        s->add_id = !s->keys.ids;
        s->id_column = s->add_id ? SIMULATE_ID : s->study->id_column;
    }
    return name_parties(s, error);
}

/* With permission to overwrite, the table that is read could be lost. */
static kith_status check_apart(const simulation *s, const char *folder, kith_error *error)
{
    struct stat data, other;
    const char *path = TRY_ALLOC(arena_printf(s->context.memory, "%s%s/release.csv",
                                              s->options->directory, folder == NULL ? "" : folder),
                                 error);
    if (stat(s->options->input, &data) != 0 || stat(path, &other) != 0 ||
        data.st_dev != other.st_dev || data.st_ino != other.st_ino)
        return KITH_OK;
    return error_set(error, KITH_INVALID, "the output %s is the input itself", path);
}

static kith_status place_files(simulation *s, kith_error *error)
{
    arena *memory = s->context.memory;
    TRY(check_apart(s, NULL, error));
    for (uint32_t i = 0; i < s->n_parties; i++) {
        const char *folder = TRY_ALLOC(arena_printf(memory, "/%s", s->names[i]), error);
        TRY(check_apart(s, folder, error));
    }
    TRY(simulate_files_open(&s->files, memory, s->options->directory, s->names, s->n_parties,
                            s->options->overwrite, error));
    for (uint32_t i = 0; i < s->n_parties; i++) {
        simulate_seat *seat = &s->seats[i];
        seat->key = arena_printf(memory, "%s/%s.key", s->files.private_directory, s->names[i]);
        seat->data = arena_printf(memory, "%s/%s.csv", s->files.private_directory, s->names[i]);
        if (seat->key == NULL || seat->data == NULL)
            return error_nomem(error);
        if (!s->parties[i].holds)
            seat->data = NULL;
        TRY(simulate_files_party_directory(&s->files, s->names[i], &seat->directory, error));
    }
    return KITH_OK;
}

/* Threads need neither, but the study wants some. */
static kith_status generate_keys(simulation *s, kith_error *error)
{
    for (uint32_t i = 0; i < s->n_parties; i++) {
        s->parties[i].address = arena_printf(s->context.memory, "127.0.0.1:%u", i + 1);
        s->parties[i].pin = arena_printf(s->context.memory, "sha256:%064x", i + 1);
        if (s->parties[i].address == NULL || s->parties[i].pin == NULL)
            return error_nomem(error);
    }
    return KITH_OK;
}

/* "<memory>:12:3: …" becomes "study.yaml: …": the lines are those of another text. */
static void name_study(const simulation *s, kith_error *error)
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

static kith_status make_study(simulation *s, kith_error *error)
{
    bool inside = s->protocol == PROTOCOL_ENCRYPTED_VIEW && s->n_parties == s->split.n_sites;
    const simulate_changes changes = {.split = &s->split,
                                      .parties = s->parties,
                                      .n_parties = s->n_parties,
                                      .add_id = s->add_id,
                                      .master = inside ? s->study->joint.master : UINT32_MAX};
    kith_study_free(s->site_study);
    s->site_study = NULL;
    TRY(simulate_study_text(&s->text, s->context.memory, s->study, &changes, error));
    kith_status status = kith_study_parse(&s->site_study, s->text, strlen(s->text),
                                          s->study->directory, NULL, error);
    if (status != KITH_OK)
        name_study(s, error);
    return status;
}

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

/* Each party's summary as it wrote it. */
static kith_status read_summaries(simulation *s, kith_error *error)
{
    for (uint32_t i = 0; i < s->n_parties; i++) {
        const char *path = TRY_ALLOC(
            arena_printf(s->context.memory, "%s/summary.json", s->seats[i].directory), error);
        TRY(document_read(&s->seats[i].summary, path, error));
    }
    return KITH_OK;
}

/* The files of the sites are gone when a message about them is read: only their names are told. */
static void shorten_paths(const simulation *s, kith_error *error)
{
    size_t length = strlen(s->files.private_directory) + 1;
    for (char *at = error->message; (at = strstr(at, s->files.private_directory)) != NULL;)
        if (at[length - 1] == '/')
            memmove(at, at + length, strlen(at + length) + 1);
        else
            at += length - 1;
}

static kith_status run_parties(simulation *s, kith_error *error)
{
    if (!context_progress(&s->context, "run", -1))
        return error_set(error, KITH_CANCELLED, "stopped before the run");
    bool processes = s->options->executable != NULL;
    kith_status status = processes ? run_processes(s, error) : simulate_threads(s, error);
    if (status != KITH_OK && error != NULL)
        shorten_paths(s, error);
    return status == KITH_OK && processes ? read_summaries(s, error) : status;
}

/* Writes the documents and moves everything from the stage to its place. */
static kith_status publish(simulation *s, simulate_result *r, const kith_document *summary,
                           kith_error *error)
{
    kith_document *meta = NULL;
    TRY(publication_document(r->summary, summary, error));
    TRY(simulate_summary_meta(&meta, s, r, error));
    kith_status status = publication_document(r->publication.meta, meta, error);
    kith_document_free(meta);
    TRY(status);
    TRY(publication_commit(&r->publication, error));
    return simulate_files_publish(&s->files, s->names, s->n_parties, error);
}

/* Everything that may be wrong is found before a party starts. */
static kith_status prepare(simulation *s, kith_error *error)
{
    TRY(plan(s, error));
    TRY(generate_keys(s, error));
    TRY(make_study(s, error));
    TRY(place_files(s, error));
    TRY(simulate_data_load(s, error));
    TRY(simulate_data_write(s, error));
    return s->options->executable != NULL ? simulate_keys_make(s, error) : KITH_OK;
}

static kith_status simulate(simulation *s, simulate_result *r, kith_document **summary,
                            kith_error *error)
{
    simulate_baseline baseline;
    simulate_times seconds = {.load = 0};
    double begun = context_seconds(), since = begun;
    TRY(prepare(s, error));
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
    return publish(s, r, *summary, error);
}

kith_status kith_simulate(kith_document **summary, const kith_study *study,
                          const kith_simulate_options *options, const kith_run *run,
                          kith_error *error)
{
    kith_simulate_options own;
    simulation s = {.study = study, .options = &own};
    simulate_result r = {.site_of = NULL};
    kith_document *made = NULL;
    TRY(simulate_options_take(&own, options, error));
    TRY(options_need(own.directory, "directory", error));
    TRY(context_init(&s.context, run, error));
    kith_status status = simulate(&s, &r, &made, error);
    if (status == KITH_OK && summary != NULL)
        *summary = made;
    else
        kith_document_free(made);
    for (uint32_t i = 0; s.seats != NULL && i < s.n_parties; i++)
        kith_document_free(s.seats[i].summary);
    publication_wipe(&r.publication);
    kith_table_free(s.table);
    kith_study_free(s.site_study);
    context_wipe(&s.context);
    return status;
}
