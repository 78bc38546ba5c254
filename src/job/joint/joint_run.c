/* One party's joint run: load, run the protocol, verify, write, agree, publish. */
#include "job/joint/joint_run.h"

#include <stdlib.h>

#include "core/error.h"
#include "job/history/row_order.h"
#include "job/joint/joint_summary.h"
#include "job/joint/release_seal.h"
#include "job/prepare/kept_rows.h"
#include "job/result/publication.h"
#include "job/query/virtual_table.h"
#include "study/holders.h"
#include "wire/party_work.h"

/* True if a party reads this column of the study. Parties that name no columns have all of them,
 * and then identifying columns are not needed, but for those of the unit. */
static bool reads(const kith_study *study, uint32_t self, uint32_t number)
{
    const study_party *p = &study->parties[self];
    if (study->n_parties == 0 || p->n_columns == 0)
        return study->columns[number].role != ROLE_IDENTIFYING || study_in_unit(study, number);
    return holders_have(p, number);
}

kith_status joint_run_load(kith_table **table, const kith_study *study, uint32_t self,
                           const joint_place *place, const kith_run *run, kith_error *error)
{
    uint32_t n_holders = options_holders(&study->joint, study->n_parties);
    *table = NULL;
    /* Parties after the holders are an external master and its replicas. */
    if (self >= n_holders) {
        if (place->input->uri == NULL)
            return KITH_OK;
        return error_set(error, KITH_INVALID, "party %s holds no data in this study",
                         study->parties[self].name);
    }
    if (place->input->uri == NULL)
        return error_set(error, KITH_INVALID,
                         "party %s holds data in this study, but none is given",
                         study->parties[self].name);
    /* one more than the study has: the identifier */
    kith_column_spec *columns = calloc(study->n_columns + (size_t)1, sizeof *columns);
    kith_table_options options = study_table_options(study);
    TRY_ALLOC(columns, error);
    options.columns = columns;
    options.n_columns = 0;
    options.separator = place->input->separator;
    options.csv = place->input->csv;
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (reads(study, self, i))
            columns[options.n_columns++] =
                (kith_column_spec){.name = study->columns[i].name,
                                   .type = study->columns[i].type,
                                   .date_format = study->columns[i].date_format};
    if (study->id_column != NULL && !study->joint.ids_aligned)
        columns[options.n_columns++] = (kith_column_spec){.name = study->id_column};
    kith_status status = kith_table_read(table, place->input->uri, &options, run, error);
    free(columns);
    /* A row may be empty here alone if all sites have it in the same place. */
    if (status == KITH_OK && !study->joint.ids_aligned)
        status = kept_rows_remove_empty(*table, (*table)->n_columns, (*table)->memory, error);
    if (status != KITH_OK) {
        kith_table_free(*table);
        *table = NULL;
    }
    return status;
}

static kith_status joint_run_check_rows(const kith_table *table, const kith_study *study,
                                        kith_error *error)
{
    const uint32_t max_rows = study->joint.max_rows;
    if (table == NULL || max_rows == 0 || table->n_rows <= max_rows)
        return KITH_OK;
    return error_set(error, KITH_DATA, "%s has %u rows; the study allows a party %u (rows)",
                     table->source, table->n_rows, max_rows);
}

/* Protocols send the lengths of texts as 16 bits, except for the encrypted view. The identifier is
 * not checked, since only its hash is sent. */
static kith_status check_lengths(const kith_table *table, const kith_study *study,
                                 kith_error *error)
{
    enum { LONGEST = 0xfffe };
    for (uint32_t i = 0; i < study->n_columns; i++) {
        uint32_t place = table_find(table, study->columns[i].name);
        if (place == UINT32_MAX || study->joint.protocol->by_master)
            continue;
        const column *c = &table->columns[place];
        for (uint32_t row = 0; row < table->n_rows; row++)
            if (c->codes[row] != TABLE_MISSING &&
                dictionary_length(&c->values, c->codes[row]) > LONGEST)
                return error_at(error, KITH_DATA, table_file(table, row), table_line(table, row), 0,
                                "a value of column %s has %u bytes; %d is the most in a joint run",
                                c->name, dictionary_length(&c->values, c->codes[row]), LONGEST);
    }
    return KITH_OK;
}

kith_status joint_run_check(const kith_table *table, const kith_study *study, uint32_t self,
                            const kith_run *run, kith_error *error)
{
    context c CONTEXT_SCOPED = {.run = NULL};
    if (table == NULL)
        return KITH_OK;
    TRY(context_init(&c, run, error));
    TRY(joint_run_check_rows(table, study, error));
    TRY(check_lengths(table, study, error));
    /* Prepares the data as the run will do, only to find errors. */
    prepared p;
    bool *held = arena_zalloc(c.memory, study->n_columns, sizeof *held);
    bool *missing = arena_zalloc(c.memory, study->n_columns, sizeof *missing);
    if (held == NULL || missing == NULL)
        return error_nomem(error);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        held[i] = reads(study, self, i);
        missing[i] = true; /* another party may have a missing value */
    }
    prepare_joint joint = {.held = held, .missing = missing};
    TRY(prepare_part(&p, study, table, &joint, &c, error));
    return study->joint.virtual_rows ? virtual_table_check_order(&p, study->search.ranges, error)
                                     : KITH_OK;
}

/* One party's part of a run. */
typedef struct joint_participation {
    joint_run run;
    context context;
    publication publication;
    output *summary; /* NULL: no directory */
    kith_document *made;
    joint_outcome outcome;
    double begun, since; /* start of the run, and of the present phase */
} joint_participation;

static kith_status run_protocol(joint_run *j, kith_error *error)
{
    const protocol_module *m = j->study->joint.protocol;
    if (m->run != NULL)
        return m->run(j, error);
    return j->study->joint.partition == PARTITION_VERTICAL ? joint_columns(j, error)
                                                           : joint_rows(j, error);
}

static const char *path_in(joint_participation *t, const char *name)
{
    return arena_printf(t->context.memory, "%s/%s", t->run.place->directory, name);
}

static kith_status joint_run_write_rows(void *user, table_writer *to, kith_error *error)
{
    const joint_participation *t = user;
    return table_writer_rows(to, t->run.release, t->context.memory, error);
}

/* Passes the protocol's table on as it is. */
static kith_status give_texts(void *user, kith_table **texts, kith_error *error)
{
    joint_participation *t = user;
    (void)error;
    *texts = t->run.release;
    t->run.release = NULL;
    return KITH_OK;
}

/* Honest parties make no release that breaks a model: some party misled this one. Which one cannot
 * be seen in the result. */
static kith_status blame_a_peer(kith_status status, kith_error *error)
{
    kith_error found = {0};
    if (status != KITH_BUG)
        return status;
    if (error != NULL)
        found = *error;
    return error_set(error, KITH_PEER, "%s; some party did not keep to the protocol",
                     found.message);
}

/* A party has only its own data, so it cannot check the cover; the models it can. */
static kith_status write_release(void *user, kith_error *error)
{
    joint_participation *t = user;
    const bool whole = !t->run.study->joint.own_rows;
    const publication_rows rows = {joint_run_write_rows, give_texts, t};
    const publication_check check = {.study = whole ? t->run.study : NULL, .reordered = true};
    if (t->run.place->directory != NULL) {
        /* Only now are its columns known: the protocol may decide on them. */
        const kith_table *texts = t->run.release;
        const char *path = TRY_ALLOC(path_in(t, "release.csv"), error);
        const char **names = TRY_ARRAY(names, t->context.memory, texts->n_columns, error);
        for (uint32_t i = 0; i < texts->n_columns; i++)
            names[i] = texts->columns[i].name;
        TRY(publication_open(&t->publication, path, ',', t->run.place->overwrite, names, NULL, NULL,
                             texts->n_columns, error));
    }
    TRY(blame_a_peer(publication_write(&t->publication, &rows, &check, error), error));
    if (whole)
        t->outcome.verified = &t->publication.assessment.verified;
    return KITH_OK;
}

/* Writes summary and companion. The caller frees the summary in any case. */
static kith_status write_documents(joint_participation *t, kith_error *error)
{
    TRY(joint_summary_make(&t->made, &t->outcome, error));
    if (t->summary != NULL)
        TRY(publication_document(t->summary, t->made, error));
    if (t->publication.meta == NULL)
        return KITH_OK;
    kith_document *meta;
    TRY(joint_summary_meta(&meta, &t->outcome, error));
    kith_status status = publication_document(t->publication.meta, meta, error);
    kith_document_free(meta);
    return status;
}

/* Rows that the study drops are blank from here on, so that no protocol can tell what only they
 * hold. */
static kith_status blank_dropped_rows(void *user, kith_error *error)
{
    joint_participation *t = user;
    joint_run *j = &t->run;
    const kith_study *study = j->study;
    arena *memory = t->context.memory;
    bool *held = TRY_ZEROS(held, memory, study->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++)
        held[i] = reads(study, party_self(j->party), i);
    const kept_rows kept = {study, held};
    return j->table == NULL ? KITH_OK : kept_rows_table(&j->table, &kept, j->table, memory, error);
}

/* All that the run has made appears. */
static kith_status joint_run_commit(void *user, kith_error *error)
{
    joint_participation *t = user;
    TRY(write_documents(t, error));
    t->publication.own_rows = t->run.rows;
    return publication_commit(&t->publication, error);
}

/* Local work under the name of a step, which the others hear if it fails. */
static kith_status work(joint_participation *t, const char *step,
                        kith_status (*fn)(void *user, kith_error *error), kith_error *error)
{
    const char *before = party_step(t->run.party, step);
    TRY(party_work(t->run.party, &(party_work_task){.work = fn, .user = t}, error));
    party_step(t->run.party, before);
    return KITH_OK;
}

/* The run from the first message to the commit. An error at any party before the agreement ends the
 * run for all, so that no release appears anywhere. */
static kith_status take_part(joint_participation *t, kith_document **summary, kith_error *error)
{
    const kith_study *study = t->run.study;
    /* Parties that will hold the whole release. */
    const uint32_t n_whole =
        study->joint.own_rows ? 0 : options_holders(&study->joint, party_count(t->run.party));
    /* Opened before anything is sent: a directory that cannot be written must not cost the other
     * parties a run. */
    if (t->run.place->directory != NULL)
        TRY(publication_add(&t->publication, &t->summary, path_in(t, "summary.json"),
                            t->run.place->overwrite, error));
    TRY(joint_run_check_rows(t->run.table, study, error));
    TRY(work(t, "prepare", blank_dropped_rows, error));
    TRY(run_protocol(&t->run, error));
    t->outcome.seconds.protocol = context_lap(&t->since);
    if (t->run.release != NULL)
        TRY(work(t, "write", write_release, error));
    TRY(release_seal_agree(t->run.party, t->publication.texts, n_whole, error));
    t->outcome.seconds.verify = context_lap(&t->since);
    t->outcome.seconds.total = context_seconds() - t->begun;
    kith_status status = work(t, "write", joint_run_commit, error);
    return document_hand_over(summary, t->made, status);
}

kith_status joint_run_opening(joint_run *j, kith_error *error)
{
    return j->place->opening == NULL ? KITH_OK : j->place->opening(j->place->user, error);
}

kith_status joint_run_publishing(joint_run *j, kith_error *error)
{
    return j->place->publishing == NULL ? KITH_OK : j->place->publishing(j->place->user, error);
}

kith_status joint_run_party_with(party *p, const kith_study *study, const kith_table *table,
                                 const joint_place *place, const kith_run *run,
                                 kith_document **summary, kith_error *error)
{
    joint_participation t = {0};
    TRY(context_init(&t.context, run, error));
    t.run = (joint_run){
        .study = study, .party = p, .table = table, .context = &t.context, .place = place};
    t.outcome.run = &t.run;
    t.publication.context = &t.context;
    t.begun = t.since = context_seconds();
    kith_status status = take_part(&t, summary, error);
    publication_wipe(&t.publication);
    kith_table_free(t.run.release);
    context_wipe(&t.context);
    return status;
}

/* With the rows in the order in which kith_party_run takes them. */
static kith_status run_in_order(party *p, const kith_study *study, const kith_table *table,
                                const joint_place *place, arena *memory, const kith_run *run,
                                kith_document **summary, kith_error *error)
{
    row_order rows;
    if (table != NULL) {
        TRY(row_order_make(&rows, table, study->joint.ids_aligned, memory, error));
        TRY(row_order_apply(&table, &rows, table, memory, error));
    }
    return joint_run_party_with(p, study, table, place, run, summary, error);
}

kith_status joint_run_party(party *p, const kith_study *study, const joint_place *place,
                            const kith_run *run, kith_document **summary, kith_error *error)
{
    kith_table *table;
    TRY(joint_run_load(&table, study, party_self(p), place, run, error));
    arena *memory = arena_new();
    kith_status status = memory == NULL
                             ? error_nomem(error)
                             : run_in_order(p, study, table, place, memory, run, summary, error);
    arena_free(memory);
    kith_table_free(table);
    return status;
}
