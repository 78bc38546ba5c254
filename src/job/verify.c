/* kith_verify: do the privacy models of a study hold in a release? */
#include <kith/kith.h>

#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "core/options.h"
#include "job/assess/assess.h"
#include "job/result/summary.h"
#include "job/result/verdict.h"
#include "job/slice/comparison.h"
#include "job/slice/slice_tell.h"
#include "job/store/store_verify.h"
#include "study/memory_size.h"
#include "table/source.h"

/* Classes by all quasi-identifiers that are good suffice for lkc. If they are not, it is the
 * classes by fewer of them that decide, and these are not complete on any rank, or in any part. */
static kith_status verify_decided(const verify_report *report, const kith_study *study,
                                  kith_error *error)
{
    uint32_t n_quasi = 0;
    for (uint32_t i = 0; i < study->n_columns; i++)
        n_quasi += study->columns[i].role == ROLE_QUASI_IDENTIFYING;
    for (uint32_t i = 0; i < study->n_models; i++) {
        const model_spec *m = &study->models[i];
        if (m->id == MODEL_LKC && !report->verdict[i].holds && m->l < n_quasi)
            return error_hint(error,
                              error_set(error, KITH_INVALID,
                                        "%s: whether %s holds cannot be decided over ranks or "
                                        "from the disk",
                                        study->path, model_name(m->id)),
                              "start one process with more memory");
    }
    return KITH_OK;
}

/* The first wrong row is that of the lowest rank: their rows follow each other. */
static kith_status unite_levels(levels_report *levels, uint64_t first_row, context *c,
                                kith_error *error)
{
    levels_report own = *levels, one;
    ranks_bytes *all = TRY_ARRAY(all, c->memory, ranks_count(c->ranks), error);
    if (!own.holds)
        own.row += (uint32_t)first_row;
    TRY(ranks_gather(c->ranks, &own, sizeof own, all, c->memory, error));
    *levels = (levels_report){.holds = true};
    for (uint32_t r = 0; r < ranks_count(c->ranks); r++) {
        memcpy(&one, all[r].bytes, sizeof one);
        one.n_wrong_rows += levels->n_wrong_rows;
        if (levels->holds)
            *levels = one;
        levels->n_wrong_rows = one.n_wrong_rows;
    }
    return KITH_OK;
}

/* Examples of what a release breaks that lies on all ranks: one row for each model, and one for the
 * levels. Verdicts of the report name rows of the whole release, of which `own`, with united
 * dictionaries, are here from `first_row` on; `levels` is about these. Afterwards both are about
 * the whole, name rows of the examples, and are the same on all ranks. */
static kith_status verify_examples(verdict_rows *examples, verify_report *report,
                                   levels_report *levels, const kith_study *study,
                                   const kith_table *own, uint64_t first_row, context *c,
                                   kith_error *error)
{
    *examples = (verdict_rows){own, NULL};
    if (ranks_count(c->ranks) == 1)
        return KITH_OK;
    const uint32_t n_models = study->n_models;
    verdict_place *place = TRY_ARRAY(place, c->memory, n_models + (size_t)1, error);
    TRY(verify_decided(report, study, error));
    TRY(unite_levels(levels, first_row, c, error));
    for (uint32_t i = 0; i < n_models; i++) {
        verify_verdict *v = &report->verdict[i];
        place[i].row = v->holds ? VERDICT_NOWHERE : v->row;
        v->row = i;
    }
    place[n_models].row = levels->holds ? VERDICT_NOWHERE : levels->row;
    levels->row = n_models;
    return slice_tell(examples, place, n_models + 1, own, first_row, c, error);
}

typedef struct verification {
    const kith_study *study;
    comparison compared;
    context context;
    bool with_data;
    uint64_t memory_bytes;     /* that a release may take; 0: no limit */
    const kith_table *release; /* over ranks this rank's slice of it */
    verdict_rows examples;     /* of classes that break a model */
    verify_report report;
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

/* True if the study does not release a column of this name. */
static bool unexpected(const kith_study *study, const char *name)
{
    const uint32_t i = study_find_column(study, name);
    return i == UINT32_MAX || (study->columns[i].role == ROLE_IDENTIFYING &&
                               study->columns[i].recoding.key_file == NULL);
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

/* Lists what cannot be checked: models that count units, persons, where it is not known whose row
 * is whose; rows where cells were only counted; models about sites, since a
 * release does not show the site of a row; bounds on levels without the data, from which
 * hierarchies are made; means unless the records of each class are known; earlier releases unless
 * it is known whose row is whose. */
static void put_unchecked(kith_document *d, document_node *root, const verification *v)
{
    const kith_study *study = v->study;
    const bool levels = v->bounded && !v->with_data, earlier = lacks_earlier(v);
    /* Was the release compared with the data, but only column by column? */
    const bool rows = v->with_data && !v->compared.cover.counts_differ &&
                      v->compared.cover.check == COVER_COUNTED,
               units = v->report.unknown;
    const bool means =
        shows_means(study) && (!v->with_data || v->compared.cover.check != COVER_IN_ORDER);
    if (study->joint.n_site_models == 0 && !rows && !levels && !means && !earlier && !units)
        return;
    document_node *names = document_array(d, root, "not_checked");
    if (units)
        document_put_text(d, names, NULL, "units");
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
    const comparison *k = &v->compared;
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    summary_put_heading(d, root, "verify", v->study);
    document_put_count(d, root, "records", v->report.n_rows);
    summary_put_classes(d, root, &v->report);
    verdict_put_models(d, root, v->study, &v->examples, &v->report);
    verdict_put_intersections(d, root, v->study, &v->report);
    put_unchecked(d, root, v);
    /* Lists the columns that should not be in the release, and counts them. */
    uint32_t more = 0;
    document_node *names = document_array(d, root, "unexpected_columns");
    for (uint32_t i = 0; i < v->release->n_columns; i++)
        if (unexpected(v->study, v->release->columns[i].name)) {
            document_put_text(d, names, NULL, v->release->columns[i].name);
            more++;
        }
    if (v->with_data)
        verdict_put_cover(d, root, &k->prepared, &k->wrong, k->place.n_rows, &k->cover,
                          k->data_line, table_input_given(&k->mapping_input));
    if (v->bounded && v->with_data)
        verdict_put_levels(d, root, &k->prepared, &v->examples, &v->levels);
    bool true_to_data = !v->with_data || (k->cover.holds && v->levels.holds);
    const bool holds = v->report.holds && more == 0 && true_to_data;
    if (v->report.unknown && holds)
        document_put_null(d, root, "holds");
    else
        document_put_flag(d, root, "holds", holds);
    return document_finish(verdict, d, error);
}

static assess_task task_of(const verification *v)
{
    return (assess_task){.study = v->study,
                         .data = v->with_data ? &v->compared.prepared : NULL,
                         .models_alone = true,
                         .in_order = v->compared.in_order,
                         .mapped = table_input_given(&v->compared.mapping_input),
                         .grouped = v->with_data && v->bounded,
                         .first_row = v->compared.place.first_row};
}

/* Models and bounds on levels. m-invariance needs to know which row belongs to which person. */
static kith_status check_promises(verification *v, kith_error *error)
{
    context *c = &v->context;
    const comparison *k = &v->compared;
    assessment found;
    const assess_task task = task_of(v);
    if (!v->with_data)
        TRY(assess_unite(&v->release, v->release, &task, c, error));
    TRY(assess_release(&found, &task, v->release, c, error));
    v->report = found.verified;
    v->levels = (levels_report){.holds = true};
    if (task.grouped)
        TRY(assess_levels(&v->levels, &k->prepared, v->release, &v->report, c, error));
    return verify_examples(&v->examples, &v->report, &v->levels, v->study, v->release,
                           k->place.first_row, c, error);
}

/* Does the release, with the data, take more memory than it may? Tables that are in memory do not.
 */
static kith_status is_large(bool *large, const verification *v, kith_error *error)
{
    const kith_input *of[] = {&v->compared.release_input, &v->compared.data_input};
    const kith_table_options options = KITH_INIT(kith_table_options);
    uint64_t sum = 0;
    *large = false;
    if (v->memory_bytes > 0 && ranks_count(v->context.ranks) > 1)
        return error_set(error, KITH_INVALID, "--memory is not available over ranks");
    for (int i = 0; i < 2 && v->memory_bytes > 0 && sum <= v->memory_bytes; i++) {
        uint64_t n_bytes = 0;
        if (of[i]->uri != NULL)
            TRY(source_bytes(&n_bytes, of[i]->uri, &options, v->memory_bytes, v->context.run,
                             error));
        sum = n_bytes > UINT64_MAX - sum ? UINT64_MAX : sum + n_bytes;
    }
    *large = v->memory_bytes > 0 && sum > v->memory_bytes;
    return KITH_OK;
}

static kith_status verify_from_disk(verification *v, kith_document **verdict, kith_error *error)
{
    comparison *k = &v->compared;
    store *s;
    if (table_input_given(&k->mapping_input)) {
        error_set(error, KITH_INVALID, "a mapping names every record: it needs all in memory");
        return error_hint(error, KITH_INVALID, "leave it out, or allow more memory");
    }
    TRY(assess_judges_parts(v->study, error));
    TRY(store_verify_read(&s, &v->release, v->study, &k->release_input, v->memory_bytes,
                          &v->context, error));
    TRY(check_columns(v, error));
    if (v->with_data)
        TRY(store_verify_cover(s, &k->data_input, &k->prepared, &k->cover, &k->place.n_rows,
                               error));
    k->in_order = k->cover.holds && k->cover.check == COVER_IN_ORDER;
    v->levels = (levels_report){.holds = true};
    const assess_task task = task_of(v);
    TRY(store_verify_judge(s, &task, &v->report, task.grouped ? &v->levels : NULL, &v->examples,
                           error));
    TRY(verify_decided(&v->report, v->study, error));
    return make_verdict(verdict, v, error);
}

static kith_status verify_all(verification *v, kith_document **verdict, kith_error *error)
{
    bool large;
    comparison *k = &v->compared;
    context *c = &v->context;
    v->with_data = table_input_given(&k->data_input);
    v->bounded = assess_bounds_levels(v->study);
    TRY(is_large(&large, v, error));
    if (large)
        return verify_from_disk(v, verdict, error);
    TRY(comparison_check(k, c, error));
    TRY(comparison_read(k, c, error));
    v->release = k->release;
    TRY(check_columns(v, error));
    if (v->with_data)
        TRY(comparison_make(k, c, error));
    v->release = k->release;
    TRY(check_promises(v, error));
    return make_verdict(verdict, v, error);
}

kith_status kith_verify(kith_document **verdict, const kith_study *study,
                        const kith_verify_options *options, const kith_run *run, kith_error *error)
{
    kith_verify_options own;
    verification v = {.study = study, .compared = {.study = study, .no_rows = true}};
    comparison *k = &v.compared;
    TRY(OPTIONS_TAKE(kith_verify_options, memory_bytes, &own, options, error));
    TRY(table_input_need(&k->release_input, own.release, "release", error));
    TRY(table_input_take(&k->data_input, own.data, "data", error));
    TRY(table_input_take(&k->mapping_input, own.mapping, "mapping", error));
    if (table_input_given(&k->mapping_input) && !table_input_given(&k->data_input))
        return error_set(error, KITH_INVALID, "a mapping is of no use without the data");
    TRY(memory_size_check(own.memory_bytes, error));
    v.memory_bytes = own.memory_bytes;
    TRY(context_init_shared(&v.context, run, error));
    kith_document *made = NULL;
    const kith_status status = ranks_leave(v.context.ranks, verify_all(&v, &made, error), error);
    context_wipe(&v.context);
    return document_hand_over(verdict, made, status);
}
