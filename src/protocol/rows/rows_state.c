#include "protocol/rows/rows_state.h"

#include "core/error.h"
#include "protocol/rows/rows_clustering.h"
#include "protocol/private_choices.h"
#include "protocol/rows/rows_diversity.h"
#include "protocol/supports.h"

bool rows_clustering_supports(const model_spec *model)
{
    switch (model->id) { /* models that depend on the counts of a class alone */
    case MODEL_K_ANONYMITY:
    case MODEL_L_DIVERSITY:
    case MODEL_ALPHA_K:
    case MODEL_P_SENSITIVE:
    case MODEL_L_SITE_DIVERSITY:
    case MODEL_M_PRIVACY: return true;
    case MODEL_DOMINANCE: return supports_persons_bound(model);
    default: return false;
    }
}

kith_status rows_state_accept_task(rows_state *v, kith_error *error)
{
    const problem *p = v->mine;
    /* Not class_rules_min_size, which looks at the number of records: n counts here, not mine. */
    v->k = p->k;
    for (uint32_t m = 0; m < p->n_models; m++) {
        uint32_t min_size = model_minimum_size(&p->models[m]);
        v->k = min_size > v->k ? min_size : v->k;
        if (model_of_sites(p->models[m].id) || !rows_clustering_supports(&p->models[m]))
            return error_set(error, KITH_INVALID, "clustering over sites cannot keep %s",
                             model_name(p->models[m].id));
    }
    if (problem_costs_sensitive(p))
        return error_set(error, KITH_INVALID,
                         "clustering over sites needs a measure that does not depend on sensitive "
                         "values");
    if (v->k >= 2 && v->task->options->withhold > v->k)
        return error_set(error, KITH_INVALID, "withhold: at most k = %u, found %u", v->k,
                         v->task->options->withhold);
    if (v->k < 2)
        return error_set(error, KITH_INVALID, "clustering over sites needs k of at least 2");
    if (v->k > v->n)
        return error_set(error, KITH_INFEASIBLE,
                         "classes of %u records are asked for, but all sites together have only %u",
                         v->k, v->n);
    return KITH_OK;
}

kith_status rows_state_init(rows_state *v, kith_error *error)
{
    rows_models *models = &v->models;
    TRY(slots_build_whole(&v->rows, v->mine, v->memory, error));
    TRY(rows_trees_build(&v->trees, v->mine, &v->rows, v->memory, error));
    v->row = TRY_ALLOC(arena_array(v->memory, v->rows.stride, sizeof *v->row), error);
    v->node = TRY_ALLOC(arena_array(v->memory, v->mine->n_attributes, sizeof *v->node), error);

    TRY(class_rules_init(&models->rules, v->mine, v->memory, error));
    /* The hybrid finish clusters by size alone and repairs the models in the end. */
    models->strict = v->task->spec->finish == FINISH_MERGE && models->rules.n_conditions > 0;
    /* Clusters that keep models about values all the time never have a single record. */
    const uint32_t withhold = v->task->options->withhold;
    models->min_known = models->strict || withhold < 2 ? 0 : withhold;
    TRY(rows_diversity_check(v, site_choices_parts(v->n, v->k, models->min_known), error));
    models->sizes = *v->mine;
    models->sizes.n_models = 0;
    TRY(class_rules_init(&models->by_size, &models->sizes, v->memory, error));
    TRY(paper_calls_init(&v->totals.paper, v->mine, &v->rows, v->memory, error));
    if (v->task->seeded) {
        site_choices_rng(&v->rng, v->task->seed, party_self(v->p));
        site_choices_padding_rng(&v->padding, v->task->seed, party_self(v->p));
    } else {
        private_choices_rng(&v->rng, v->task->choices, "clustering over rows");
        /* Padding is the same in identical runs, too: else comparing two of them would show which
         * questions are real. */
        private_choices_rng(&v->padding, v->task->choices, "padding of questions");
    }
    return KITH_OK;
}

kith_status rows_state_begin(rows_state *v, kith_error *error)
{
    rows_models *models = &v->models;
    const uint32_t block = v->task->spec->block > 0 ? v->task->spec->block : ROWS_BLOCK;
    const uint32_t n_parts = site_choices_parts(v->n, v->k, models->min_known);
    const class_rules *during = models->strict ? &models->rules : &models->by_size;
    const sensitive_attribute *by = NULL;
    v->pass = (rows_pass){.laps = v->pass.laps};
    v->own = (rows_own_closures){.nodes = NULL};
    TRY(clusters_init(&v->c, &v->rows, during, n_parts + n_parts / 4 + 2, v->memory, error));
    v->c.min_known = models->min_known;
    TRY(block_pass_init(&v->block_pass, &v->c, NULL, block, error));
    TRY(block_pass_reserve(&v->block_pass, v->n, error));
    v->block_pass.paper = &v->totals.paper;
    if (models->strict) {
        TRY(clusters_count_values(&v->c, &models->value_counts, error));
        by = &v->mine->sensitive[models->value_counts.tightest];
    }
    return site_choices_init(&v->site_choices, &v->c, NULL, by, n_parts, error);
}

kith_status rows_state_reserve(rows_state *v, kith_error *error)
{
    rows_own_closures *own = &v->own;
    const uint32_t room = v->c.capacity;
    if (own->room >= room)
        return KITH_OK;
    own->nodes = TRY_ARRAY(own->nodes, v->memory, (size_t)room * v->mine->n_attributes, error);
    own->stamps = TRY_ALLOC(arena_zalloc(v->memory, room, sizeof *own->stamps), error);
    own->room = room;
    own->now++; /* so that a stamp of 0 is never valid */
    return KITH_OK;
}

const uint32_t *rows_state_local(rows_state *v, uint32_t cluster)
{
    ASSERT(cluster < v->c.used && cluster < v->own.room);
    const clusters *c = &v->c;
    uint32_t *local = v->own.nodes + (size_t)cluster * v->mine->n_attributes;
    if (v->own.stamps[cluster] == v->own.now)
        return local;
    v->own.stamps[cluster] = v->own.now;
    if (c->held[cluster] > 0) {
        slots_close(&v->rows, v->row, c->member[cluster], c->held[cluster]);
        slots_to_nodes(&v->rows, v->mine, v->row, v->node);
    }
    for (uint32_t j = 0; j < v->mine->n_attributes; j++)
        local[j] = c->held[cluster] > 0 ? v->trees[j].number[v->node[j]] : LCA_NONE;
    return local;
}

#if KITH_DEBUG
void rows_state_check(const rows_state *v)
{
    uint64_t total = 0, held = 0;
    clusters_check(&v->c);
    for (uint32_t cluster = 0; cluster < v->c.used; cluster++) {
        total += v->c.size[cluster];
        held += v->c.held[cluster];
    }
    ASSERT(total == v->n);
    ASSERT(held == v->mine->n_records);
}
#endif
