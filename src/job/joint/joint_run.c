/* One party's way through a joint run: read, take part, verify, write, and agree that it is done.
 */
#include "job/joint/joint_run.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/output.h"
#include "crypto/digest.h"
#include "job/joint/joint_summary.h"
#include "job/result/assess.h"
#include "table/table_writer.h"

static const message_type seal_type = {"release.seal", DISCLOSE_CONTROL};

enum { SEAL = 32 };

/* Which columns of the study a party reads, the identifier included. */
static bool reads(const kith_study *study, uint32_t self, uint32_t number)
{
    const study_party *p = &study->parties[self];
    if (study->n_parties == 0 || p->n_columns == 0)
        return study->columns[number].role != ROLE_IDENTIFYING;
    for (uint32_t i = 0; i < p->n_columns; i++)
        if (p->columns[i] == number)
            return true;
    return false;
}

kith_status joint_run_load(kith_table **table, const kith_study *study, uint32_t self,
                           const joint_place *place, const kith_run *run, kith_error *error)
{
    uint32_t n_holders = options_holders(&study->joint, study->n_parties);
    *table = NULL;
    if (self >= n_holders) {
        if (place->input == NULL)
            return KITH_OK;
        return error_set(error, KITH_INVALID, "party %s holds no data in this study",
                         study->parties[self].name);
    }
    if (place->input == NULL)
        return error_set(error, KITH_INVALID,
                         "party %s holds data in this study, but none is given",
                         study->parties[self].name);
    /* and the identifier */
    kith_column_spec *columns = calloc(study->n_columns + (size_t)1, sizeof *columns);
    kith_table_options options = study_table_options(study);
    TRY_ALLOC(columns, error);
    options.columns = columns;
    options.n_columns = 0;
    options.separator = place->separator;
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (reads(study, self, i))
            columns[options.n_columns++] =
                (kith_column_spec){.name = study->columns[i].name,
                                   .type = study->columns[i].type,
                                   .date_format = study->columns[i].date_format};
    if (study->id_column != NULL && !study->joint.ids_aligned)
        columns[options.n_columns++] = (kith_column_spec){.name = study->id_column};
    kith_status status = kith_table_read(table, place->input, &options, run, error);
    free(columns);
    return status;
}

static kith_status check_part(const kith_table *table, const kith_study *study, uint32_t self,
                              context *c, kith_error *error)
{
    prepared p;
    bool *held = arena_zalloc(c->memory, study->n_columns, sizeof *held);
    bool *missing = arena_zalloc(c->memory, study->n_columns, sizeof *missing);
    if (held == NULL || missing == NULL)
        return error_nomem(error);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        held[i] = reads(study, self, i);
        missing[i] = true; /* somewhere, perhaps */
    }
    prepare_joint joint = {held, missing, NULL, NULL};
    return prepare_part(&p, study, table, &joint, c, error);
}

/* Lengths of texts travel as 16 bits, but for the encrypted view. The identifier is hashed. */
static kith_status check_lengths(const kith_table *table, const kith_study *study,
                                 kith_error *error)
{
    enum { LONGEST = 0xfffe };
    for (uint32_t i = 0; i < study->n_columns; i++) {
        uint32_t place = table_find(table, study->columns[i].name);
        if (place == UINT32_MAX || study->joint.protocol == PROTOCOL_ENCRYPTED_VIEW)
            continue;
        const column *c = &table->columns[place];
        for (uint32_t row = 0; row < table->n_rows; row++)
            if (c->codes[row] != TABLE_MISSING &&
                dictionary_length(&c->values, c->codes[row]) > LONGEST)
                return error_at(error, KITH_DATA, table->source, table_line(table, row), 0,
                                "a value of column %s has %u bytes; %d is the most in a joint run",
                                c->name, dictionary_length(&c->values, c->codes[row]), LONGEST);
    }
    return KITH_OK;
}

kith_status joint_run_check(const kith_table *table, const kith_study *study, uint32_t self,
                            const kith_run *run, kith_error *error)
{
    context c;
    if (table == NULL)
        return KITH_OK;
    TRY(context_init(&c, run, error));
    kith_status status = check_lengths(table, study, error);
    if (status == KITH_OK)
        status = check_part(table, study, self, &c, error);
    context_wipe(&c);
    return status;
}

/* What the steps hand on to each other. */
typedef struct joint_participation {
    const joint_place *place;
    joint_run run;
    context context;
    kith_table *written; /* the release as it was read back */
    verify_report verified;
    joint_outcome outcome;
    table_writer *release; /* NULL where nothing is released */
    output *meta, *summary;
    double begun, lap;
} joint_participation;

static double lap(joint_participation *t)
{
    double now = context_seconds(), passed = now - t->lap;
    t->lap = now;
    return passed;
}

static joint_protocol *protocol_for(const kith_study *study)
{
    if (study->joint.protocol == PROTOCOL_ENCRYPTED_VIEW)
        return joint_view;
    return study->joint.partition == PARTITION_VERTICAL ? joint_columns : joint_rows;
}

static const char *path_in(joint_participation *t, const char *name)
{
    return arena_printf(t->context.memory, "%s/%s", t->place->directory, name);
}

/* Before anything is sent, so that a place that cannot be written is found out at once. */
static kith_status open_summary(joint_participation *t, kith_error *error)
{
    if (t->place->directory == NULL)
        return KITH_OK;
    const char *path = TRY_ALLOC(path_in(t, "summary.json"), error);
    return output_open(&t->summary, t->context.memory, path, t->place->overwrite, error);
}

static kith_status open_release(joint_participation *t, kith_error *error)
{
    const kith_table *texts = t->run.release;
    const char *path = path_in(t, "release.csv"), *meta = path_in(t, "release.csv.meta.json");
    const char **names = arena_array(t->context.memory, texts->n_columns, sizeof *names);
    if (path == NULL || meta == NULL || names == NULL)
        return error_nomem(error);
    for (uint32_t i = 0; i < texts->n_columns; i++)
        names[i] = texts->columns[i].name;
    TRY(table_writer_open(&t->release, t->context.memory, path, ',', t->place->overwrite, names,
                          texts->n_columns, error));
    return output_open(&t->meta, t->context.memory, meta, t->place->overwrite, error);
}

static kith_status write_rows(joint_participation *t, kith_error *error)
{
    const kith_table *texts = t->run.release;
    const char **cells =
        TRY_ALLOC(arena_array(t->context.memory, texts->n_columns, sizeof *cells), error);
    for (uint32_t row = 0; row < texts->n_rows; row++) {
        for (uint32_t i = 0; i < texts->n_columns; i++)
            cells[i] = kith_table_cell(texts, row, i);
        TRY(table_writer_row(t->release, cells, error));
    }
    TRY(table_writer_finish(t->release, error));
    kith_table_options options = KITH_OPTIONS(kith_table_options, .separator = ',');
    kith_run reading = KITH_OPTIONS(kith_run, .n_threads = t->context.run->n_threads);
    return kith_table_read(&t->written, table_writer_readable(t->release), &options, &reading,
                           error);
}

static kith_status fail_verification(const joint_participation *t, kith_error *error)
{
    const kith_study *study = t->run.study;
    uint32_t i = 0;
    while (i + 1 < study->n_models && t->verified.verdict[i].holds)
        i++;
    return error_set(error, KITH_BUG,
                     "the joint release breaks %s in %u classes (worst %g); nothing is written",
                     model_name(study->models[i].id), t->verified.verdict[i].n_violating_classes,
                     t->verified.verdict[i].worst);
}

/* The release must be what was asked for, or it does not appear anywhere. */
static kith_status judge(joint_participation *t, kith_error *error)
{
    const kith_table *texts = t->written != NULL ? t->written : t->run.release;
    if (t->run.study->joint.own_rows)
        return KITH_OK; /* the models hold for the rows of all sites together */
    TRY(assess_models(&t->verified, t->run.study, NULL, false, texts, &t->context, error));
    if (!t->verified.holds)
        return fail_verification(t, error);
    t->outcome.verified = &t->verified;
    return KITH_OK;
}

/* A digest of the rows of the release, whatever their order. */
static void digest_rows(unsigned char seal[SEAL], const kith_table *texts)
{
    unsigned char row_hash[SEAL];
    memset(seal, 0, SEAL);
    for (uint32_t row = 0; row < texts->n_rows; row++) {
        crypto_generichash_state state;
        crypto_generichash_init(&state, NULL, 0, SEAL);
        for (uint32_t i = 0; i < texts->n_columns; i++) {
            const char *cell = kith_table_cell(texts, row, i);
            crypto_generichash_update(&state, (const unsigned char *)(cell == NULL ? "" : cell),
                                      cell == NULL ? 1 : strlen(cell) + 1);
        }
        crypto_generichash_final(&state, row_hash, SEAL);
        sodium_add(seal, row_hash, SEAL);
    }
    seal[0] |= 1; /* never all zero, which says that there is nothing to compare */
}

/* Nobody's release appears before all have theirs complete, and all have the same. */
static kith_status agree_on_release(joint_participation *t, kith_error *error)
{
    party *p = t->run.party;
    unsigned char mine[SEAL] = {0}, all[PARTY_MAX][SEAL];
    void *theirs[PARTY_MAX];
    if (t->run.release != NULL && !t->run.study->joint.own_rows)
        digest_rows(mine, t->written != NULL ? t->written : t->run.release);
    for (uint32_t i = 0; i < party_count(p); i++)
        theirs[i] = all[i];
    const char *before = party_step(p, "agree");
    TRY(party_exchange(p, &seal_type, mine, theirs, SEAL, error));
    party_step(p, before);
    for (uint32_t i = 0; i < party_count(p); i++) {
        if (i == party_self(p) || sodium_is_zero(mine, SEAL) || sodium_is_zero(all[i], SEAL))
            continue;
        if (memcmp(all[i], mine, SEAL) != 0)
            return party_protocol_error(p, i, error, "has another release than this party");
    }
    return KITH_OK;
}

static kith_status put_document(output *o, kith_document *d, kith_error *error)
{
    char *json = TRY_ALLOC(kith_document_json(d, true), error);
    output_text(o, json);
    output_text(o, "\n");
    kith_free(json);
    return output_finish(o, error);
}

static kith_status write_documents(joint_participation *t, kith_document **made, kith_error *error)
{
    TRY(joint_summary_make(made, &t->outcome, error));
    if (t->summary != NULL)
        TRY(put_document(t->summary, *made, error));
    if (t->meta == NULL)
        return KITH_OK;
    kith_document *meta;
    TRY(joint_summary_meta(&meta, &t->outcome, error));
    kith_status status = put_document(t->meta, meta, error);
    kith_document_free(meta);
    return status;
}

static kith_status commit(joint_participation *t, kith_error *error)
{
    if (t->release != NULL)
        TRY(table_writer_commit(t->release, error));
    if (t->meta != NULL)
        TRY(output_commit(t->meta, error));
    return t->summary == NULL ? KITH_OK : output_commit(t->summary, error);
}

static kith_status finish(joint_participation *t, kith_document **summary, kith_error *error)
{
    kith_document *made = NULL;
    TRY(agree_on_release(t, error));
    t->outcome.seconds.verify = lap(t);
    t->outcome.seconds.total = context_seconds() - t->begun;
    kith_status status = write_documents(t, &made, error);
    if (status == KITH_OK)
        status = commit(t, error);
    if (status == KITH_OK && summary != NULL)
        *summary = made;
    else
        kith_document_free(made);
    return status;
}

static kith_status take_part(joint_participation *t, kith_document **summary, kith_error *error)
{
    TRY(open_summary(t, error));
    TRY(protocol_for(t->run.study)(&t->run, error));
    t->outcome.seconds.protocol = lap(t);
    if (t->run.release != NULL) {
        if (t->place->directory != NULL) {
            TRY(open_release(t, error));
            TRY(write_rows(t, error));
        }
        TRY(judge(t, error));
    }
    return finish(t, summary, error);
}

kith_status joint_run_party_with(party *p, const kith_study *study, const kith_table *table,
                                 const joint_place *place, const kith_run *run,
                                 kith_document **summary, kith_error *error)
{
    joint_participation t = {.place = place};
    TRY(context_init(&t.context, run, error));
    t.run = (joint_run){.study = study, .party = p, .table = table, .context = &t.context};
    t.outcome.run = &t.run;
    t.begun = t.lap = context_seconds();
    kith_status status = take_part(&t, summary, error);
    kith_table_free(t.written);
    kith_table_free(t.run.release);
    context_wipe(&t.context);
    return status;
}

kith_status joint_run_party(party *p, const kith_study *study, const joint_place *place,
                            const kith_run *run, kith_document **summary, kith_error *error)
{
    kith_table *table;
    TRY(joint_run_load(&table, study, party_self(p), place, run, error));
    kith_status status = joint_run_party_with(p, study, table, place, run, summary, error);
    kith_table_free(table);
    return status;
}
