/* kith_describe: the columns of a table, and how well they identify people. */
#include <kith/describe.h>

#include "core/run/context.h"
#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "job/exposure/attack.h"
#include "job/exposure/exposure.h"
#include "job/prepare/kept_rows.h"
#include "job/profile/description.h"
#include "job/profile/profile.h"
#include "job/slice/slice_input.h"
#include "table/table_unite.h"
#include "table/table_view.h"

/* What one call describes. */
typedef struct description {
    const kith_study *study; /* or NULL */
    kith_input data, known;
    bool attacked; /* by `known`, or by half the data if that is empty */
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
    bool *left_out = TRY_ARRAY(left_out, c->memory, table->n_columns, error);
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
    if (k->study->joint.protocol->by_master)
        TRY(exposure_put(d, document_root(d), &p, &k->context, error));
    return k->attacked ? attack_prepared(d, k, &p, error) : KITH_OK;
}

/* Reads all columns as texts: types are what is to be found out. Rows without any value are no
 * records. */
static kith_status describe_data(kith_document *d, description *k, kith_error *error)
{
    context *c = &k->context;
    const kith_table *table;
    slice about;
    kith_table_options options = KITH_INIT(kith_table_options);
    if (k->study != NULL)
        options = study_table_options(k->study);
    options.columns = NULL;
    options.n_columns = 0;
    TRY(slice_input_read(&table, &about, &k->data, &options, c, error));
    TRY(kept_rows_full(&table, table, table->n_columns, c->memory, error));
    uint64_t n_empty = table->n_empty;
    TRY(ranks_sum(c->ranks, &n_empty, 1, error));
    document_put_count(d, document_root(d), "empty", n_empty);
    TRY(table_unite(&table, table, NULL, c, error));
    TRY(description_put(d, table, k->study, c, error));
    if (k->study == NULL)
        return k->attacked ? attack_plain(d, k, table, error) : KITH_OK;
    return k->study->joint.protocol->by_master || k->attacked
               ? describe_exposure(d, k, table, error)
               : KITH_OK;
}

/* What ranks can do: describe a table each of them has a slice of. */
static kith_status check_ranks(const description *k, kith_error *error)
{
    if (ranks_count(k->context.ranks) == 1)
        return KITH_OK;
    if (k->attacked || (k->study != NULL && k->study->joint.protocol->by_master))
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
    TRY(OPTIONS_TAKE(kith_describe_options, known, &own, options, error));
    description k = {.study = own.study};
    TRY(table_input_need(&k.data, own.data, "data", error));
    TRY(table_input_take(&k.known, own.known, "known", error));
    k.attacked = table_input_given(&k.known);
    TRY(context_init_shared(&k.context, run, error));
    kith_document *d = document_new();
    kith_status status = d == NULL ? error_nomem(error) : check_ranks(&k, error);
    if (status == KITH_OK)
        status = describe_data(d, &k, error);
    status = ranks_leave(k.context.ranks, status, error);
    context_wipe(&k.context);
    return document_hand_over(result, d, status);
}
