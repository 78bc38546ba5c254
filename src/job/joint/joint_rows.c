/* Joint runs on rows at several sites. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "job/joint/joint_run.h"
#include "job/joint/joint_domain.h"
#include "job/joint/joint_homes.h"
#include "job/joint/joint_publish_rows.h"
#include "job/joint/joint_release.h"
#include "job/history/run_identity.h"
#include "job/prepare/kept_rows.h"
#include "job/prepare/units.h"
#include "protocol/joint_rules/joint_tree_feasible.h"
#include "job/result/make_release.h"
#include "job/query/virtual_table.h"
#include "protocol/rows.h"
#include "smc/sums/sum.h"
#include "wire/party_work.h"

/* How prepare_price_together adds up counts over all parties. */
static kith_status add_counts(void *user, uint64_t *count, size_t n, kith_error *error)
{
    const char *before = party_step(user, "domains");
    TRY(sum_masked(user, count, count, n, 0, SMC_ALL, error));
    party_step(user, before);
    return KITH_OK;
}

/* Copies the models about sites, with the numbers of their attributes in the problem, which the
 * study does not know. */
static kith_status bind_site_models(protocol_options *o, const prepared *p, arena *memory,
                                    kith_error *error)
{
    model_spec *models = TRY_ARRAY(models, memory, o->n_site_models, error);
    for (uint32_t i = 0; i < o->n_site_models; i++) {
        models[i] = o->site_models[i];
        uint32_t *among = TRY_ARRAY(among, memory, models[i].n_values, error);
        for (uint32_t v = 0; v < models[i].n_values; v++)
            for (uint32_t j = 0; j < p->problem.n_attributes; j++)
                if (strcmp(p->columns[p->quasi[j]].study->name, models[i].values[v]) == 0)
                    among[v] = j;
        models[i].among = among;
    }
    o->site_models = models;
    return KITH_OK;
}

/* Can a question about numbers of records say anything about a model of sites? A protocol that lets
 * a class belong to one site alone where m-privacy is asked for asks about that model itself; values
 * that few sites have are cut off before classes are formed. */
static bool depends_on_size(const model_spec *m, const protocol_module *protocol)
{
    return m->variant != VARIANT_ATTRIBUTES && (!protocol->one_site || m->id != MODEL_M_PRIVACY);
}

/* Asks whether the run can succeed, before any value is told. */
static kith_status ask_feasible(joint_run *j, kith_error *error)
{
    const kith_study *study = j->study;
    protocol_options options = study->joint;
    arena *memory = j->context->memory;
    model_spec *models = TRY_ARRAY(models, memory, options.n_site_models, error);
    const kept_rows kept = {study, NULL};
    options.n_site_models = 0;
    for (uint32_t i = 0; i < study->joint.n_site_models; i++)
        if (depends_on_size(&study->joint.site_models[i], options.protocol))
            models[options.n_site_models++] = study->joint.site_models[i];
    options.site_models = models;
    if (options.protocol->one_site)
        options.min_others = 0; /* asked about by the protocol, as depends_on_size says */
    problem mine = {.n_records = kept_rows_count(&kept, j->table),
                    .k = models_minimum_size(study->models, study->n_models)};
    TRY(units_of_kept_rows(&mine, study, j->table, j->context, error));
    return joint_tree_feasible(j->party, &mine, &options, j->context, error);
}

/* What a party can check where persons count: it knows those of its own rows, and each row of
 * others is at most a person more. */
static kith_status check_persons(const prepared *mine, const rows_result *r, arena *memory,
                                 kith_error *error)
{
    const problem *p = &mine->problem;
    const uint32_t n = p->n_records;
    if (p->unit == NULL)
        return KITH_OK;
    uint64_t *pairs = TRY_ARRAY(pairs, memory, n, error);
    uint64_t *at_most = TRY_ARRAY(at_most, memory, r->n_classes, error);
    memcpy(at_most, r->size, r->n_classes * sizeof *at_most);
    for (uint32_t i = 0; i < n; i++)
        pairs[i] = (uint64_t)r->class_of[i] << 32 | p->unit[i];
    qsort(pairs, n, sizeof *pairs, sort_uint64);
    for (uint32_t i = 0; i < n; i++) {
        const bool again = i > 0 && pairs[i] == pairs[i - 1];
        at_most[pairs[i] >> 32] -= again || (p->home != NULL && !p->home[(uint32_t)pairs[i]]);
    }
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (at_most[c] < p->k)
            return error_set(error, KITH_PEER,
                             "class %u cannot have k = %u persons: some party has not followed the "
                             "protocol",
                             c, p->k);
    return KITH_OK;
}

/* All parties know all closures and sizes, so each computes the loss by itself. */
static void measure_loss(joint_run *j, const prepared *p, const rows_result *r)
{
    const uint32_t n_attributes = p->problem.n_attributes;
    const joint_release_loss sum =
        joint_release_sum_loss(&p->problem, r->n_classes, r->closure, r->size);
    /* By how much a range costs less than the lowest node above it, summed over the records. */
    joint_release_loss saved = {0};
    for (uint32_t c = 0; r->low != NULL && c < r->n_classes; c++)
        for (uint32_t n = 0; n < n_attributes; n++) {
            const attribute *a = &p->problem.attributes[n];
            const size_t at = (size_t)c * n_attributes + n;
            const uint32_t low = r->low[at], high = r->high[at], n_leaves = a->tree->n_leaves;
            if (low >= n_leaves || high >= n_leaves || n_leaves < 2)
                continue;
            const double covered =
                a->rank == NULL ? high - low + 1.0 : a->rank[high] - a->rank[low] + 1.0;
            const double cells = (tree_size(a->tree, r->closure[at]) - covered) / (n_leaves - 1.0);
            saved.lm += cells * (double)r->size[c];
            saved.weighted += cells * (double)r->size[c] * a->weight;
        }
    double weights = 0;
    uint64_t records = 0;
    for (uint32_t a = 0; a < n_attributes; a++)
        weights += p->problem.attributes[a].weight;
    for (uint32_t c = 0; c < r->n_classes; c++)
        records += r->size[c];
    j->n_records = records;
    j->loss.known = records > 0 && n_attributes > 0 && joint_release_loss_known(p->study->measure);
    j->loss.lm = (sum.lm - saved.lm) / ((double)records * n_attributes);
    const double weighted = sum.weighted - (p->study->measure == MEASURE_LM ? saved.weighted : 0);
    j->loss.objective = weights > 0 ? weighted / ((double)records * weights) : 0;
}

/* What this site prepares, and how. */
typedef struct preparation {
    joint_run *j;
    prepared *mine;
    const joint_domain *domain;
    const prepare_joint *joint;
} preparation;

static kith_status prepare_rows(void *user, kith_error *error)
{
    const preparation *p = user;
    return prepare_part(p->mine, p->j->study, p->domain->table, p->joint, p->j->context, error);
}

/* What takes long is done beside the network; only then do the parties add up their counts. */
static kith_status joint_rows_prepare(prepared *mine, joint_run *j, const joint_domain *domain,
                                      const prepare_joint *joint, kith_error *error)
{
    preparation p = {j, mine, domain, joint};
    const prepare_sum sum = {add_counts, j->party};
    TRY(party_work(j->party, &(party_work_task){.work = prepare_rows, .user = &p}, error));
    return prepare_price_together(mine, &sum, j->context, error);
}

/* What write_rows needs. */
typedef struct writing {
    joint_run *j;
    const prepared *mine;
    const rows_result *result;
} writing;

/* Writes this site's rows into its database; they appear with the commit of the run. */
static kith_status joint_rows_write_rows(void *user, kith_error *error)
{
    const writing *w = user;
    char digest[65], run[65];
    virtual_about about = {.study = w->j->study->name,
                           .digest = digest,
                           .run = run,
                           .n_rows = w->j->n_records,
                           .n_classes = w->result->n_classes};
    kith_study_digest(digest, w->j->study);
    sodium_bin2hex(run, sizeof run, party_run_id(w->j->party), 32);
    if (w->j->place->rows == NULL)
        return KITH_OK; /* the caller looks at the classes only */
    return virtual_table_write(&w->j->rows, w->j->place->rows, w->j->place->overwrite, w->mine,
                               w->result, &about, w->j->context->memory, error);
}

kith_status joint_rows(joint_run *j, kith_error *error)
{
    joint_domain domain;
    const bool *home;
    prepared mine;
    rows_result result = {0};
    protocol_options options = j->study->joint;
    context *c = j->context;
    TRY(ask_feasible(j, error));
    TRY(joint_homes_find(j, &home, error));
    TRY(joint_domain_agree(&domain, j->party, j->study, j->table, c, error));
    prepare_joint joint = {.held = domain.held, .missing = domain.missing, .home = home};
    TRY(joint_rows_prepare(&mine, j, &domain, &joint, error));
    mine.problem.may_suppress = 0; /* these protocols have no way to suppress records */
    if (j->study->search.ranges)
        TRY(make_release_check_ranges(&mine, error));
    if (j->study->joint.virtual_rows)
        TRY(virtual_table_check_order(&mine, j->study->search.ranges, error));
    TRY(bind_site_models(&options, &mine, c->memory, error));
    rows_task task = {.mine = &mine.problem,
                      .spec = &j->study->search,
                      .options = &options,
                      .context = c,
                      .choices = j->place->choices,
                      .coins = run_identity_coins(j->study),
                      .seeded = c->run->seeded,
                      .seed = c->run->seed,
                      .enough = home == NULL}; /* who is at home was not known then */
    TRY(joint_run_opening(j, error));
    TRY(options.protocol->rows(&result, j->party, &task, error));
    j->report = result.report;
    TRY(check_persons(&mine, &result, c->memory, error));
    measure_loss(j, &mine, &result);
    TRY(joint_run_publishing(j, error));
    if (options.virtual_rows) {
        writing w = {j, &mine, &result};
        return party_work(j->party, &(party_work_task){.work = joint_rows_write_rows, .user = &w},
                          error);
    }
    if (options.own_rows)
        return joint_publish_rows_own(&j->release, j->party, &mine, &result, c, error);
    return joint_publish_rows(&j->release, j->party, &mine, &domain, &result, c, error);
}
