/* Joint runs on rows at several sites: the joint tree and clustering. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "job/joint/joint_run.h"
#include "job/joint/joint_domain.h"
#include "job/joint/joint_publish_rows.h"
#include "protocol/rows.h"
#include "smc/sum.h"

static kith_status add_counts(void *user, uint64_t *count, size_t n, kith_error *error)
{
    return sum_masked(user, count, count, n, 0, SMC_ALL, error);
}

/* The models about sites, with their attributes as the problem numbers them. */
static kith_status bind_site_models(protocol_options *o, const prepared *p, arena *memory,
                                    kith_error *error)
{
    model_spec *models = TRY_ALLOC(arena_array(memory, o->n_site_models, sizeof *models), error);
    for (uint32_t i = 0; i < o->n_site_models; i++) {
        models[i] = o->site_models[i];
        uint32_t *among = TRY_ALLOC(arena_array(memory, models[i].n_values, sizeof *among), error);
        for (uint32_t v = 0; v < models[i].n_values; v++)
            for (uint32_t j = 0; j < p->problem.n_attributes; j++)
                if (strcmp(p->columns[p->quasi[j]].study->name, models[i].values[v]) == 0)
                    among[v] = j;
        models[i].among = among;
    }
    o->site_models = models;
    return KITH_OK;
}

/* From the closures alone; what a measure subtracts for each record as it was is not known. */
static void measure_loss(joint_run *j, const prepared *p, const rows_result *r)
{
    uint32_t n_attributes = p->problem.n_attributes;
    double lm = 0, weighted = 0, records = 0, weights = 0;
    for (uint32_t a = 0; a < n_attributes; a++)
        weights += p->problem.attributes[a].weight;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        double size = (double)r->size[c];
        for (uint32_t a = 0; a < n_attributes; a++) {
            const attribute *at = &p->problem.attributes[a];
            uint32_t node = r->closure[(uint64_t)c * n_attributes + a];
            if (at->tree->n_leaves > 1)
                lm += size * (tree_size(at->tree, node) - 1.0) / (at->tree->n_leaves - 1.0);
            weighted += size * at->cost[node];
        }
        records += size;
    }
    j->n_records = (uint64_t)records;
    j->loss.known = records > 0 && n_attributes > 0 && p->study->measure != MEASURE_ENTROPY &&
                    p->study->measure != MEASURE_MI;
    j->loss.lm = lm / (records * n_attributes);
    j->loss.objective = weights > 0 ? weighted / (records * weights) : 0;
}

static rows_protocol *protocol_of(const kith_study *study)
{
    return study->joint.protocol == PROTOCOL_CLUSTERING ? rows_clustering : joint_tree_run;
}

kith_status joint_rows(joint_run *j, kith_error *error)
{
    joint_domain domain;
    prepared mine;
    rows_result result = {0};
    protocol_options options = j->study->joint;
    context *c = j->context;
    TRY(joint_domain_agree(&domain, j->party, j->study, j->table, c, error));
    prepare_joint joint = {domain.held, domain.missing, add_counts, j->party};
    TRY(prepare_part(&mine, j->study, domain.table, &joint, c, error));
    mine.problem.may_suppress = 0;
    TRY(bind_site_models(&options, &mine, c->memory, error));
    rows_task task = {.mine = &mine.problem,
                      .spec = &j->study->search,
                      .options = &options,
                      .context = c,
                      .seeded = c->run->seeded,
                      .seed = c->run->seed};
    TRY(protocol_of(j->study)(&result, j->party, &task, error));
    j->report = result.report;
    measure_loss(j, &mine, &result);
    if (options.own_rows)
        return joint_publish_rows_own(&j->release, &mine, &result, c, error);
    return joint_publish_rows(&j->release, j->party, &mine, &domain, &result, c, error);
}
