#include "protocol/rows/rows_state.h"

#include "core/error.h"
#include "protocol/supports.h"
#include "protocol/rows/rows_clustering.h"
#include "protocol/rows/rows_diversity.h"

static uint32_t least_size(const problem *p)
{
    uint32_t least = p->k;
    for (uint32_t m = 0; m < p->models; m++) {
        uint32_t own = model_minimum_size(&p->model[m]);
        least = own > least ? own : least;
    }
    return least;
}

kith_status horizontal_view_check(horizontal_view *v, kith_error *error)
{
    const problem *p = v->mine;
    v->k = least_size(p);
    for (uint32_t m = 0; m < p->models; m++)
        if (model_of_sites(p->model[m].id) || !supports_rows_clustering(&p->model[m]))
            return error_set(error, KITH_INVALID, "clustering over sites cannot keep %s",
                             model_name(p->model[m].id));
    if (problem_costs_secrets(p))
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

static kith_status make_room(horizontal_view *v, kith_error *error)
{
    v->row = TRY_ALLOC(arena_array(v->memory, v->rows.stride, sizeof *v->row), error);
    v->node = TRY_ALLOC(arena_array(v->memory, v->mine->attributes, sizeof *v->node), error);
    return KITH_OK;
}

kith_status horizontal_view_init(horizontal_view *v, kith_error *error)
{
    const search_spec *spec = v->task->spec;
    uint32_t parts = sequential_parts(v->n, v->k), block = spec->block;
    TRY(slots_build_whole(&v->rows, v->mine, v->memory, error));
    TRY(admit_init(&v->admit, v->mine, v->memory, error));
    TRY(horizontal_diversity_weigh(v, parts, error));
    v->sizes = *v->mine;
    v->sizes.models = 0;
    TRY(admit_init(&v->by_size, &v->sizes, v->memory, error));
    v->strict = spec->finish == FINISH_MERGE && v->admit.conditions > 0;
    const admit *during = v->strict ? &v->admit : &v->by_size;
    TRY(clusters_init(&v->c, &v->rows, during, parts + parts / 4 + 2, v->memory, error));
    TRY(turns_init(&v->turns, &v->c, NULL, block > 0 ? block : HORIZONTAL_BLOCK, error));
    TRY(turns_join(&v->turns, v->n, error));
    TRY(paper_calls_init(&v->paper, v->mine, &v->rows, v->memory, error));
    v->turns.paper = &v->paper;
    if (v->strict)
        TRY(clusters_count(&v->c, &v->census, error));
    const secret *by = v->strict ? &v->mine->secret[v->census.tightest] : NULL;
    TRY(sites_init(&v->sites, &v->c, NULL, by, parts, error));
    uint64_t seed = v->task->seeded ? v->task->seed : rng_fresh_seed();
    sites_rng(&v->rng, seed, party_self(v->p));
    TRY(horizontal_trees_build(&v->tree, v->mine, &v->rows, v->memory, error));
    return make_room(v, error);
}

kith_status horizontal_view_reserve(horizontal_view *v, kith_error *error)
{
    uint32_t room = v->c.capacity;
    if (v->local_room >= room)
        return KITH_OK;
    v->local = TRY_ALLOC(
        arena_array(v->memory, (size_t)room * v->mine->attributes, sizeof *v->local), error);
    v->local_stamp = TRY_ALLOC(arena_zalloc(v->memory, room, sizeof *v->local_stamp), error);
    v->local_room = room;
    v->stamp++; /* from 1 */
    return KITH_OK;
}

const uint32_t *horizontal_view_local(horizontal_view *v, uint32_t cluster)
{
    const clusters *c = &v->c;
    uint32_t *local = v->local + (size_t)cluster * v->mine->attributes;
    if (v->local_stamp[cluster] == v->stamp)
        return local;
    v->local_stamp[cluster] = v->stamp;
    if (c->held[cluster] > 0) {
        slots_close(&v->rows, v->row, c->member[cluster], c->held[cluster]);
        slots_to_nodes(&v->rows, v->mine, v->row, v->node);
    }
    for (uint32_t j = 0; j < v->mine->attributes; j++)
        local[j] = c->held[cluster] > 0 ? v->tree[j].number[v->node[j]] : LCA_NONE;
    return local;
}
