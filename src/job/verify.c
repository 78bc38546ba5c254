/* kith_verify: do the privacy models of a study hold in a release? */
#include <kith/kith.h>
#include <string.h>

#include "core/error.h"
#include "core/options.h"
#include "job/parts/parts_models.h"
#include "job/result/mapping_rows.h"
#include "job/result/summary.h"
#include "job/result/verdict.h"
#include "job/share/share_cover.h"
#include "job/share/share_input.h"
#include "job/share/share_unite.h"
#include "job/store/sql_release.h"
#include "table/uri.h"

typedef struct verification {
    const kith_study *study;
    table_input release_input, data_input, mapping_input;
    context context;
    const kith_table
        *release; /* over ranks the own share of it; without rows if the server judges */
    share release_share;
    verdict_rows examples;  /* of classes that break a model */
    const kith_table *data; /* NULL unless the cover is checked */
    prepared prepared;
    verify_report report;
    cover_report cover;
    bool bounded; /* the study bounds levels */
    levels_report levels;
} verification;

/* Insensitive columns may be absent, as in joint releases. */
static kith_status check_columns(const verification *v, kith_error *error)
{
    for (uint32_t i = 0; i < v->study->n_columns; i++) {
        const study_column *c = &v->study->columns[i];
        bool needed = c->role == ROLE_QUASI_IDENTIFYING || c->role == ROLE_SENSITIVE;
        if (needed && table_find(v->release, c->name) == UINT32_MAX)
            return error_set(error, KITH_DATA, "%s has no column %s, which the study names",
                             v->release->source, c->name);
    }
    return KITH_OK;
}

/* All cells of a release are texts, even those of typed columns, and only the empty cell is
 * missing. */
static kith_status read_release(verification *v, kith_error *error)
{
    const kith_table_options options = KITH_INIT(kith_table_options);
    TRY(share_input_read(&v->release, &v->release_share, &v->release_input, &options, &v->context,
                         error));
    return check_columns(v, error);
}

/* Reads the data and checks that the release covers it. */
static kith_status check_data(verification *v, kith_error *error)
{
    const kith_table_options options = study_table_options(v->study);
    TRY(table_input_read(&v->data, &v->data_input, &options, v->context.run, v->context.memory,
                         error));
    prepared whole;
    TRY(prepare_table(&whole, v->study, v->data, &v->context, error));
    if (table_input_given(&v->mapping_input))
        TRY(mapping_rows_apply(&whole, &v->release, &v->mapping_input, v->data, &v->context,
                               error));
    TRY(assess_part(&v->prepared, &whole, v->release, &v->context, error));
    return table_input_given(&v->mapping_input)
               ? assess_cover_in_order(&v->cover, &v->prepared, v->release, &v->context, error)
               : assess_cover(&v->cover, &v->prepared, v->release, &v->context, error);
}

/* True if the study does not release a column of this name. */
static bool unexpected(const kith_study *study, const char *name)
{
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (strcmp(study->columns[i].name, name) == 0)
            return study->columns[i].role == ROLE_IDENTIFYING &&
                   study->columns[i].recoding.key_file == NULL;
    return true;
}

/* Lists the columns that should not be in the release, and counts them. */
static uint32_t put_unexpected(kith_document *d, document_node *root, const verification *v)
{
    uint32_t count = 0;
    document_node *names = document_array(d, root, "unexpected_columns");
    for (uint32_t i = 0; i < v->release->n_columns; i++)
        if (unexpected(v->study, v->release->columns[i].name)) {
            document_put_text(d, names, NULL, v->release->columns[i].name);
            count++;
        }
    return count;
}

static bool shows_means(const kith_study *study)
{
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].mean)
            return true;
    return false;
}

/* Did the release go uncompared with earlier ones, which m-invariance asks for? */
static bool lacks_earlier(const verification *v)
{
    bool lacks = false;
    for (uint32_t i = 0; i < v->study->n_models; i++)
        lacks = lacks || (v->study->models[i].n_previous > 0 && !v->report.verdict[i].with_earlier);
    return lacks;
}

/* Was the release compared with the data, but only column by column? */
static bool lacks_rows(const verification *v)
{
    return v->data != NULL && !v->cover.counts_differ && v->cover.check == COVER_COUNTED;
}

/* Lists what cannot be checked: rows where cells were only counted; models about sites, since a
 * release does not show the site of a row; bounds on levels without the data, from which
 * hierarchies are made; means unless the records of each class are known; earlier releases unless
 * it is known whose row is whose. */
static void put_unchecked(kith_document *d, document_node *root, const verification *v)
{
    const kith_study *study = v->study;
    const bool levels = v->bounded && v->data == NULL, earlier = lacks_earlier(v);
    const bool rows = lacks_rows(v);
    const bool means = shows_means(study) && (v->data == NULL || v->cover.check != COVER_IN_ORDER);
    if (study->joint.n_site_models == 0 && !rows && !levels && !means && !earlier)
        return;
    document_node *names = document_array(d, root, "not_checked");
    if (rows)
        document_put_text(d, names, NULL, "rows");
    if (levels)
        document_put_text(d, names, NULL, "levels");
    if (means)
        document_put_text(d, names, NULL, "means");
    if (earlier)
        document_put_text(d, names, NULL, "earlier releases");
    for (uint32_t i = 0; i < study->joint.n_site_models; i++)
        document_put_text(d, names, NULL, model_name(study->joint.site_models[i].id));
}

static kith_status make_verdict(kith_document **verdict, const verification *v, kith_error *error)
{
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    summary_put_heading(d, root, "verify", v->study);
    document_put_count(d, root, "records", v->report.n_rows);
    summary_put_classes(d, root, &v->report);
    verdict_put_models(d, root, v->study, &v->examples, &v->report);
    put_unchecked(d, root, v);
    uint32_t more = put_unexpected(d, root, v);
    if (v->data != NULL)
        verdict_put_cover(d, root, &v->prepared, v->release, v->release_share.n_rows, &v->cover,
                          table_input_given(&v->mapping_input));
    if (v->bounded && v->data != NULL)
        verdict_put_levels(d, root, &v->prepared, v->release, &v->levels);
    bool true_to_data = v->data == NULL || (v->cover.holds && (!v->bounded || v->levels.holds));
    document_put_flag(d, root, "holds", v->report.holds && more == 0 && true_to_data);
    return document_finish(verdict, d, error);
}

/* The same over ranks, whose tables have united dictionaries then. */
static kith_status check_shares(verification *v, kith_error *error)
{
    TRY(share_unite(&v->release, v->release, &v->context, error));
    TRY(share_cover(&v->cover, &v->prepared, NULL, v->study, &v->data_input, v->release,
                    &v->release_share, &v->context, error));
    v->data = v->prepared.table;
    return KITH_OK;
}

/* All rows are in this process. */
static kith_status check_whole(verification *v, kith_error *error)
{
    /* m-invariance needs to know which row belongs to which person. */
    bool in_order = v->data != NULL && v->cover.holds && v->cover.check == COVER_IN_ORDER;
    v->examples = (verdict_rows){v->release, NULL};
    return assess_models(&v->report, v->study, v->data == NULL ? NULL : &v->prepared, in_order,
                         v->release, &v->context, error);
}

/* What ranks cannot check together is refused before anything is read. */
static kith_status check_ranks(const verification *v, kith_error *error)
{
    TRY(assess_judges_parts(v->study, error));
    if (!table_input_given(&v->data_input))
        return KITH_OK;
    if (v->data_input.table != NULL || v->release_input.table != NULL)
        return error_set(error, KITH_INVALID,
                         "tables in memory cannot be compared over ranks: use options.data and "
                         "options.release");
    TRY(share_cover_no_mapping(&v->mapping_input, error));
    if (assess_bounds_levels(v->study))
        return error_set(error, KITH_INVALID,
                         "min_level and max_level cannot be checked over ranks: start one process, "
                         "without ranks, or leave the data out");
    return prepare_compare_check(v->study, error);
}

static bool stays_on_server(const verification *v)
{
    return v->study->engine == ENGINE_SQL && !table_input_given(&v->data_input) &&
           v->release_input.uri != NULL && uri_which(v->release_input.uri) == URI_POSTGRES;
}

/* Only the models. */
static kith_status verify_on_server(verification *v, kith_document **verdict, kith_error *error)
{
    sql_release *there;
    TRY(sql_release_open(&there, &v->release, v->study, v->release_input.uri, &v->context, error));
    TRY(check_columns(v, error));
    TRY(sql_release_judge(&v->report, &v->examples, there, error));
    v->bounded = assess_bounds_levels(v->study);
    return make_verdict(verdict, v, error);
}

static kith_status verify_all(verification *v, kith_document **verdict, kith_error *error)
{
    const bool over_ranks = crew_size(v->context.crew) > 1;
    if (!over_ranks && stays_on_server(v))
        return verify_on_server(v, verdict, error);
    if (over_ranks)
        TRY(check_ranks(v, error));
    TRY(read_release(v, error));
    if (table_input_given(&v->data_input))
        TRY(over_ranks ? check_shares(v, error) : check_data(v, error));
    if (over_ranks)
        TRY(parts_models(&v->report, &v->examples, v->study, v->release, v->release_share.first_row,
                         &v->context, error));
    else
        TRY(check_whole(v, error));
    v->bounded = assess_bounds_levels(v->study);
    if (v->bounded && v->data != NULL)
        TRY(assess_levels(&v->levels, &v->prepared, v->release, &v->report, &v->context, error));
    return make_verdict(verdict, v, error);
}

kith_status kith_verify(kith_document **verdict, const kith_study *study,
                        const kith_verify_options *options, const kith_run *run, kith_error *error)
{
    kith_verify_options own;
    verification v = {.study = study};
    TRY(OPTIONS_TAKE(kith_verify_options, separator, &own, options, error));
    v.release_input = (table_input){own.release, own.release_table, own.separator, NULL};
    const char data_separator = own.data_separator != 0 ? (char)own.data_separator : own.separator;
    v.data_input = (table_input){own.data, own.data_table, data_separator, own.csv};
    TRY(table_input_need(&v.release_input, "release", error));
    v.mapping_input = (table_input){own.mapping, own.mapping_table, own.separator, NULL};
    TRY(table_input_check(&v.data_input, "data", error));
    TRY(table_input_check(&v.mapping_input, "mapping", error));
    if (table_input_given(&v.mapping_input) && !table_input_given(&v.data_input))
        return error_set(error, KITH_INVALID, "a mapping is of no use without the data");
    TRY(context_init_shared(&v.context, run, error));
    kith_document *made = NULL;
    kith_status status = crew_leave(v.context.crew, verify_all(&v, &made, error), error);
    if (status == KITH_OK)
        *verdict = made;
    else
        kith_document_free(made);
    context_wipe(&v.context);
    return status;
}
