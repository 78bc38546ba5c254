/* kith_describe: the columns of a table, and how well they identify people. */
#include <kith/anonymize.h>

#include <string.h>

#include "core/context.h"
#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "job/exposure/attack.h"
#include "job/exposure/exposure.h"
#include "job/profile/profile.h"
#include "job/profile/unique_columns.h"
#include "job/profile/dependencies.h"
#include "job/profile/guess_type.h"
#include "job/profile/value_statistics.h"
#include "table/row_groups.h"
#include "table/table_input.h"
#include "table/table_view.h"

static const study_column *study_column_of(const kith_study *study, const char *name)
{
    for (uint32_t i = 0; study != NULL && i < study->n_columns; i++)
        if (strcmp(study->columns[i].name, name) == 0)
            return &study->columns[i];
    return NULL;
}

/* One column: its type, its values and the role that its values suggest. Columns that a study does
 * not mention count as identifying, since they are never released. */
static kith_status put_column(kith_document *d, document_node *columns, const column_profile *p,
                              const kith_study *study, uint32_t n_rows, arena *memory,
                              kith_error *error)
{
    document_node *node = document_object(d, columns, NULL);
    document_put_text(d, node, "name", p->column->name);
    document_put_text(d, node, "type", guess_type_name(p->type));
    if (p->format != NULL && p->type == KITH_TYPE_DATE)
        document_put_text(d, node, "format", p->format);
    else if (p->format != NULL)
        document_put_text(d, node, "decimal", p->format[0] == ',' ? "comma" : "point");
    if (p->ambiguous)
        document_put_flag(d, node, "format_ambiguous", true);
    document_put_count(d, node, "distinct", p->distinct);
    document_put_count(d, node, "missing", p->missing);
    if (p->top != TABLE_MISSING) {
        document_node *top = document_object(d, node, "most_frequent");
        document_put_text(d, top, "value", dictionary_text(&p->column->values, p->top));
        document_put_count(d, top, "count", p->n_top);
        document_put_number(d, top, "share", (double)p->n_top / n_rows);
    }
    document_put_count(d, node, "unique_records", p->unique);
    document_put_number(d, node, "unique_share", n_rows == 0 ? 0 : (double)p->unique / n_rows);
    if (study != NULL) {
        const study_column *c = study_column_of(study, p->column->name);
        document_put_text(d, node, "role",
                          profile_role_name(c == NULL ? ROLE_IDENTIFYING : c->role));
    }
    document_put_text(d, node, "suggested_role", profile_role_name(p->role));
    document_put_text(d, node, "why", p->why);
    return value_statistics_put(d, node, p, n_rows, memory, error);
}

/* The quasi-identifiers: those of the study, or without a study those that the values suggest. */
static kith_status choose_quasi(const column ***quasi, uint32_t *count,
                                const column_profile *profiles, const kith_table *table,
                                const kith_study *study, arena *memory, kith_error *error)
{
    *quasi = arena_array(memory, table->n_columns, sizeof **quasi);
    TRY_ALLOC(*quasi, error);
    *count = 0;
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const study_column *c = study_column_of(study, table->columns[i].name);
        role known = c == NULL ? ROLE_IDENTIFYING : c->role;
        if ((study == NULL ? profiles[i].role : known) == ROLE_QUASI_IDENTIFYING)
            (*quasi)[(*count)++] = &table->columns[i];
    }
    return KITH_OK;
}

/* The classes of records that are equal in all quasi-identifiers, and the risk that follows. */
static kith_status put_quasi(kith_document *d, const column *const *quasi, uint32_t count,
                             uint32_t n_rows, bool from_study, context *c, kith_error *error)
{
    document_node *node = document_object(d, document_root(d), "quasi_identifiers");
    document_node *names = document_array(d, node, "columns");
    for (uint32_t i = 0; i < count; i++)
        document_put_text(d, names, NULL, quasi[i]->name);
    document_put_text(d, node, "from", from_study ? "study" : "suggestion");
    if (n_rows == 0 || count == 0)
        return KITH_OK;
    row_groups_scratch *scratch;
    row_groups classes;
    TRY(row_groups_scratch_new(&scratch, c->memory, n_rows, error));
    TRY(row_groups_all(&classes, c->memory, n_rows, error));
    for (uint32_t i = 0; i < count; i++)
        row_groups_refine(&classes, &classes, quasi[i], scratch);
    uint32_t unique = row_groups_count_singles(&classes, scratch);
    uint32_t min_group = row_groups_min_size(&classes, scratch);
    document_put_count(d, node, "classes", classes.count);
    document_put_count(d, node, "smallest_class", min_group);
    document_put_number(d, node, "average_class", (double)n_rows / classes.count);
    document_put_count(d, node, "unique_records", unique);
    document_put_number(d, node, "unique_share", (double)unique / n_rows);
    document_node *risk = document_object(d, node, "risk");
    document_put_number(d, risk, "prosecutor_highest", 1.0 / min_group);
    document_put_number(d, risk, "prosecutor_average", (double)classes.count / n_rows);
    document_put_number(d, risk, "marketer", (double)classes.count / n_rows);
    return unique_columns_put(d, node, quasi, count, n_rows, scratch, c, error);
}

/* Adds everything that the texts of the table show. */
static kith_status describe_table(kith_document *d, const kith_table *table,
                                  const kith_study *study, context *c, kith_error *error)
{
    column_profile *profiles;
    const column **quasi;
    uint32_t count = 0;
    TRY(profile_table(&profiles, table, c, error));
    document_node *root = document_root(d);
    document_put_text(d, root, "data", table->source);
    document_put_count(d, root, "records", table->n_rows);
    document_node *columns = document_array(d, root, "columns");
    for (uint32_t i = 0; i < table->n_columns; i++)
        TRY(put_column(d, columns, &profiles[i], study, table->n_rows, c->memory, error));
    if (profile_header_is_data(table, profiles))
        document_put_flag(d, root, "header_looks_like_data", true);
    TRY(dependencies_put(d, table, profiles, c, error));
    TRY(choose_quasi(&quasi, &count, profiles, table, study, c->memory, error));
    TRY(put_quasi(d, quasi, count, table->n_rows, study != NULL, c, error));
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

/* Reads all columns as texts: types are what is to be found out. */
static kith_status describe_data(kith_document *d, description *k, kith_error *error)
{
    const kith_table *table;
    kith_table_options options = KITH_INIT(kith_table_options);
    if (k->study != NULL)
        options = study_table_options(k->study);
    options.columns = NULL;
    options.n_columns = 0;
    TRY(table_input_read(&table, &k->data, &options, k->context.run, k->context.memory, error));
    TRY(describe_table(d, table, k->study, &k->context, error));
    if (k->study == NULL)
        return k->attacked ? attack_plain(d, k, table, error) : KITH_OK;
    return by_view(k->study) || k->attacked ? describe_exposure(d, k, table, error) : KITH_OK;
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
    TRY(context_init(&k.context, run, error));
    kith_document *d = document_new();
    kith_status status = d == NULL ? error_nomem(error) : describe_data(d, &k, error);
    context_wipe(&k.context);
    if (status == KITH_OK)
        *result = d;
    else
        kith_document_free(d);
    return status;
}
