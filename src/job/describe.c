/* kith_describe: the columns of a table, and how well they identify people. */
#include <kith/anonymize.h>

#include <string.h>

#include "core/context.h"
#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "job/exposure/attack.h"
#include "job/exposure/exposure.h"
#include "job/prepare/kept_rows.h"
#include "job/profile/dependencies.h"
#include "job/profile/description.h"
#include "job/profile/server_profile.h"
#include "job/share/share_describe.h"
#include "job/share/share_read.h"
#include "table/table_input.h"
#include "table/table_view.h"
#include "table/uri.h"

/* The quasi-identifiers: those of the study, or without a study those that the values suggest. */
static kith_status choose_quasi(const column ***quasi, uint32_t *count,
                                const column_profile *profiles, const kith_table *table,
                                const kith_study *study, arena *memory, kith_error *error)
{
    *quasi = arena_array(memory, table->n_columns, sizeof **quasi);
    TRY_ALLOC(*quasi, error);
    *count = 0;
    for (uint32_t i = 0; i < table->n_columns; i++)
        if (description_is_quasi(&profiles[i], study))
            (*quasi)[(*count)++] = &table->columns[i];
    return KITH_OK;
}

static kith_status put_columns(kith_document *d, const kith_table *table,
                               const column_profile *profiles, const kith_study *study,
                               arena *memory, kith_error *error)
{
    document_node *columns = document_array(d, document_root(d), "columns");
    for (uint32_t i = 0; i < table->n_columns; i++) {
        uint32_t *counts;
        TRY(profile_counts(&counts, &table->columns[i], table->n_rows, memory, error));
        TRY(description_put_column(d, columns, &profiles[i], counts, study, table->n_rows, memory,
                                   error));
        profile_release(counts, &table->columns[i], memory);
    }
    return KITH_OK;
}

/* Adds everything that the texts of the table show. */
static kith_status describe_table(kith_document *d, const kith_table *table,
                                  const kith_study *study, context *c, kith_error *error)
{
    column_profile *profiles;
    const column **quasi;
    uint32_t count = 0;
    class_counter counter;
    TRY(profile_table(&profiles, table, c, error));
    document_node *root = document_root(d);
    document_put_text(d, root, "data", table->source);
    document_put_count(d, root, "records", table->n_rows);
    TRY(put_columns(d, table, profiles, study, c->memory, error));
    if (profile_header_is_data(table, profiles))
        document_put_flag(d, root, "header_looks_like_data", true);
    TRY(dependencies_put(d, table, profiles, c, error));
    TRY(choose_quasi(&quasi, &count, profiles, table, study, c->memory, error));
    TRY(class_counter_of_columns(&counter, quasi, count, table->n_rows, c, error));
    TRY(description_put_quasi(d, &counter, count, table->n_rows, study != NULL, c, error));
    return document_status(d, error);
}

static bool by_view(const kith_study *study)
{
    return study->joint.partition != PARTITION_NONE &&
           study->joint.protocol == PROTOCOL_ENCRYPTED_VIEW;
}

/* What one call describes. */
typedef struct description {
    const kith_study *study; /* or NULL */
    table_input data, known;
    bool attacked;  /* by `known`, or by half the data if that is empty */
    bool by_server; /* the server that has the data counts */
    context context;
} description;

/* Reads the records that the attacker knows; NULL: half the data. */
static kith_status read_known(const kith_table **known, description *k,
                              const kith_table_options *options, kith_error *error)
{
    *known = NULL;
    if (k->known.table == NULL && k->known.uri[0] == '\0')
        return KITH_OK;
    return table_input_read(known, &k->known, options, k->context.run, k->context.memory, error);
}

/* Attacks a view of data that was prepared by the study. */
static kith_status attack_prepared(kith_document *d, description *k, const prepared *p,
                                   kith_error *error)
{
    context *c = &k->context;
    const kith_table_options options = study_table_options(k->study);
    const attack_table data = {.name = p->table->source, .table = p->table, .prepared = p};
    const kith_table *table;
    prepared other;
    TRY(read_known(&table, k, &options, error));
    if (table == NULL)
        return attack_put(d, document_root(d), &data, NULL, c, error);
    TRY(prepare_table(&other, k->study, table, c, error));
    const attack_table known = {.name = table->source, .table = table, .prepared = &other};
    return attack_put(d, document_root(d), &data, &known, c, error);
}

/* Attacks a view of a table without a study: of all columns that do not seem to identify. */
static kith_status attack_plain(kith_document *d, description *k, const kith_table *table,
                                kith_error *error)
{
    context *c = &k->context;
    const kith_table_options options = KITH_INIT(kith_table_options);
    const kith_table *other;
    column_profile *profiles;
    TRY(profile_table(&profiles, table, c, error));
    bool *left_out = TRY_ALLOC(arena_array(c->memory, table->n_columns, sizeof *left_out), error);
    for (uint32_t i = 0; i < table->n_columns; i++)
        left_out[i] = profiles[i].role == ROLE_IDENTIFYING;
    const attack_table data = {.name = table->source, .table = table, .left_out = left_out};
    TRY(read_known(&other, k, &options, error));
    const attack_table known = {.name = other == NULL ? NULL : other->source, .table = other};
    return attack_put(d, document_root(d), &data, other == NULL ? NULL : &known, c, error);
}

/* Adds what an encrypted view would expose. Hierarchies need the types of the study; descriptions
 * use texts. */
static kith_status describe_exposure(kith_document *d, description *k, const kith_table *texts,
                                     kith_error *error)
{
    const kith_table_options options = study_table_options(k->study);
    const kith_table *table;
    prepared p;
    TRY(table_view(&table, k->context.memory, texts, &options, error));
    TRY(prepare_table(&p, k->study, table, &k->context, error));
    if (by_view(k->study))
        TRY(exposure_put(d, document_root(d), &p, &k->context, error));
    return k->attacked ? attack_prepared(d, k, &p, error) : KITH_OK;
}

/* Rows without any value are no records. */
static kith_status describe_share(kith_document *d, const kith_table *own, description *k,
                                  kith_error *error)
{
    TRY(kept_rows_full(&own, own, k->context.memory, error));
    uint64_t n_empty = own->n_empty;
    TRY(crew_sum(k->context.crew, &n_empty, 1, error));
    document_put_count(d, document_root(d), "empty", n_empty);
    return share_describe_put(d, own, k->study, &k->context, error);
}

static kith_status describe_own_share(kith_document *d, description *k,
                                      const kith_table_options *options, kith_error *error)
{
    kith_table_options how = *options;
    kith_table *own;
    share about;
    how.separator = k->data.separator;
    how.csv = k->data.csv;
    TRY(share_read(&own, &about, k->data.uri, &how, &k->context, error));
    const kith_status status = describe_share(d, own, k, error);
    kith_table_free(own);
    return status;
}

/* Reads all columns as texts: types are what is to be found out. */
static kith_status describe_data(kith_document *d, description *k, kith_error *error)
{
    const kith_table *table;
    kith_table_options options = KITH_INIT(kith_table_options);
    if (k->study != NULL)
        options = study_table_options(k->study);
    options.columns = NULL;
    options.n_columns = 0;
    if (k->by_server)
        return server_profile_put(d, k->data.uri, &options, k->study, &k->context, error);
    if (crew_size(k->context.crew) > 1 && k->data.table == NULL)
        return describe_own_share(d, k, &options, error);
    TRY(table_input_read(&table, &k->data, &options, k->context.run, k->context.memory, error));
    if (crew_size(k->context.crew) > 1)
        return describe_share(d, table, k, error);
    TRY(kept_rows_full(&table, table, k->context.memory, error));
    document_put_count(d, document_root(d), "empty", table->n_empty);
    TRY(describe_table(d, table, k->study, &k->context, error));
    if (k->study == NULL)
        return k->attacked ? attack_plain(d, k, table, error) : KITH_OK;
    return by_view(k->study) || k->attacked ? describe_exposure(d, k, table, error) : KITH_OK;
}

/* Who counts: the options say so, or the study. */
static kith_status choose_engine(description *k, const char *asked, kith_error *error)
{
    const study_engine of_study = k->study == NULL ? ENGINE_MEMORY : k->study->engine;
    if (asked != NULL && strcmp(asked, "memory") != 0 && strcmp(asked, "sql") != 0)
        return error_set(error, KITH_INVALID, "there is no engine %s: it is memory or sql", asked);
    k->by_server = asked == NULL ? of_study == ENGINE_SQL : strcmp(asked, "sql") == 0;
    if (!k->by_server)
        return KITH_OK;
    if (k->data.uri == NULL || uri_which(k->data.uri) != URI_POSTGRES)
        return error_set(error, KITH_INVALID,
                         "the engine sql needs a table of a PostgreSQL server");
    if (k->attacked || (k->study != NULL && by_view(k->study)))
        return error_set(error, KITH_INVALID,
                         "what an encrypted view exposes needs all rows in memory: use the engine "
                         "memory");
    return KITH_OK;
}

/* What ranks can do: describe a table each of them has a share of. */
static kith_status check_ranks(const description *k, kith_error *error)
{
    if (crew_size(k->context.crew) == 1)
        return KITH_OK;
    if (k->by_server)
        return error_set(error, KITH_INVALID,
                         "the server counts for the engine sql: start one process, without ranks");
    if (k->attacked || (k->study != NULL && by_view(k->study)))
        return error_set(error, KITH_INVALID,
                         "what an encrypted view exposes needs all rows in one process, without "
                         "ranks");
    return KITH_OK;
}

kith_status kith_describe(kith_document **result, const kith_describe_options *options,
                          const kith_run *run, kith_error *error)
{
    kith_describe_options own;
    *result = NULL;
    TRY(OPTIONS_TAKE(kith_describe_options, separator, &own, options, error));
    description k = {.study = own.study,
                     .data = {own.data, own.data_table, own.separator, own.csv},
                     .known = {own.known, own.known_table, own.separator, own.csv}};
    k.attacked = table_input_given(&k.known);
    TRY(table_input_need(&k.data, "data", error));
    TRY(table_input_check(&k.known, "known", error));
    TRY(choose_engine(&k, own.engine, error));
    TRY(context_init_shared(&k.context, run, error));
    kith_document *d = document_new();
    kith_status status = d == NULL ? error_nomem(error) : check_ranks(&k, error);
    if (status == KITH_OK)
        status = describe_data(d, &k, error);
    status = crew_leave(k.context.crew, status, error);
    context_wipe(&k.context);
    if (status == KITH_OK)
        *result = d;
    else
        kith_document_free(d);
    return status;
}
