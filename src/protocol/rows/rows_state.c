#include "protocol/rows/rows_state.h"

#include "core/error.h"
#include "protocol/supports.h"
#include "protocol/rows/rows_clustering.h"
#include "protocol/rows/rows_diversity.h"

static uint32_t min_size(const problem *p)
{
    uint32_t min = p->k;
    for (uint32_t m = 0; m < p->n_models; m++) {
        uint32_t own = model_minimum_size(&p->models[m]);
        min = own > min ? own : min;
    }
    return min;
}

kith_status rows_state_check(rows_state *v, kith_error *error)
{
    const problem *p = v->mine;
    v->k = min_size(p);
    for (uint32_t m = 0; m < p->n_models; m++)
        if (model_of_sites(p->models[m].id) || !supports_rows_clustering(&p->models[m]))
            return error_set(error, KITH_INVALID, "clustering over sites cannot keep %s",
                             model_name(p->models[m].id));
    if (problem_costs_sensitive(p))
        return error_set(error, KITH_INVALID,
                         "clustering over sites needs a measure that does not depend on sensitive "
                         "values");
    if (v->k < 2)
        return error_set(error, KITH_INVALID, "clustering over sites needs k of at least 2");
    if (v->k > v->n)
        return error_set(error, KITH_INFEASIBLE,
                         "classes of %u records are asked for, but all sites together have only %u",
                         v->k, v->n);
    return KITH_OK;
}

static kith_status make_room(rows_state *v, kith_error *error)
{
    v->row = TRY_ALLOC(arena_array(v->memory, v->rows.stride, sizeof *v->row), error);
    v->node = TRY_ALLOC(arena_array(v->memory, v->mine->n_attributes, sizeof *v->node), error);
    return KITH_OK;
}

kith_status rows_state_init(rows_state *v, kith_error *error)
{
    const search_spec *spec = v->task->spec;
    uint32_t n_parts = sequential_parts(v->n, v->k), block = spec->block;
    TRY(slots_build_whole(&v->rows, v->mine, v->memory, error));
    TRY(class_rules_init(&v->rules, v->mine, v->memory, error));
    TRY(rows_diversity_check(v, n_parts, error));
    v->sizes = *v->mine;
    v->sizes.n_models = 0;
    TRY(class_rules_init(&v->by_size, &v->sizes, v->memory, error));
    v->strict = spec->finish == FINISH_MERGE && v->rules.n_conditions > 0;
    const class_rules *during = v->strict ? &v->rules : &v->by_size;
    TRY(clusters_init(&v->c, &v->rows, during, n_parts + n_parts / 4 + 2, v->memory, error));
    TRY(block_pass_init(&v->block_pass, &v->c, NULL, block > 0 ? block : ROWS_BLOCK, error));
    TRY(block_pass_reserve(&v->block_pass, v->n, error));
    TRY(paper_calls_init(&v->paper, v->mine, &v->rows, v->memory, error));
    v->block_pass.paper = &v->paper;
    if (v->strict)
        TRY(clusters_count_values(&v->c, &v->value_counts, error));
    const sensitive_attribute *by =
        v->strict ? &v->mine->sensitive[v->value_counts.tightest] : NULL;
    TRY(site_choices_init(&v->site_choices, &v->c, NULL, by, n_parts, error));
    uint64_t seed = v->task->seeded ? v->task->seed : rng_fresh_seed();
    site_choices_rng(&v->rng, seed, party_self(v->p));
    TRY(rows_trees_build(&v->tree, v->mine, &v->rows, v->memory, error));
    return make_room(v, error);
}

kith_status rows_state_reserve(rows_state *v, kith_error *error)
{
    uint32_t room = v->c.capacity;
    if (v->local_room >= room)
        return KITH_OK;
    v->local = TRY_ALLOC(
        arena_array(v->memory, (size_t)room * v->mine->n_attributes, sizeof *v->local), error);
    v->local_stamp = TRY_ALLOC(arena_zalloc(v->memory, room, sizeof *v->local_stamp), error);
    v->local_room = room;
    v->stamp++; /* from 1 */
    return KITH_OK;
}

const uint32_t *rows_state_local(rows_state *v, uint32_t cluster)
{
    const clusters *c = &v->c;
    uint32_t *local = v->local + (size_t)cluster * v->mine->n_attributes;
    if (v->local_stamp[cluster] == v->stamp)
        return local;
    v->local_stamp[cluster] = v->stamp;
    if (c->held[cluster] > 0) {
        slots_close(&v->rows, v->row, c->member[cluster], c->held[cluster]);
        slots_to_nodes(&v->rows, v->mine, v->row, v->node);
    }
    for (uint32_t j = 0; j < v->mine->n_attributes; j++)
        local[j] = c->held[cluster] > 0 ? v->tree[j].number[v->node[j]] : LCA_NONE;
    return local;
}
