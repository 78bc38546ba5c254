#include <math.h>
#include <string.h>

#include "core/error.h"
#include "reference/joint_tree_plain_internal.h"

/* How many values of an attribute all sites but this one have. */
static uint32_t other_values(const plain_grower *g, plain_list rows, uint32_t number,
                             uint32_t without)
{
    const sensitive_attribute *of = &g->problem->sensitive[number];
    uint32_t n = 0;
    for (uint32_t v = 0; v < of->count; v++) {
        bool has = false;
        for (uint32_t i = 0; i < rows.count && !has; i++)
            has = of->values[rows.items[i]] == v && g->sites->site_of[rows.items[i]] != without;
        n += has;
    }
    return n;
}

/* m-privacy by values, of the attributes that models look at. */
static bool enough_values(const plain_grower *g, plain_list rows, uint32_t min_values)
{
    for (uint32_t m = 0; m < g->problem->n_models; m++)
        for (uint32_t s = 0; s < g->sites->count && min_values > 1; s++)
            if (joint_tree_diversity_of(&g->problem->models[m]).asks != JOINT_TREE_ASKS_NOTHING &&
                other_values(g, rows, g->problem->models[m].sensitive, s) < min_values)
                return false;
    return true;
}

static bool enough_sites(plain_grower *g, plain_list rows, const model_spec *model)
{
    uint32_t present = 0;
    memset(g->at_site, 0, g->sites->count * sizeof *g->at_site);
    for (uint32_t i = 0; i < rows.count; i++)
        g->at_site[g->sites->site_of[rows.items[i]]]++;
    for (uint32_t s = 0; s < g->sites->count; s++) {
        present += g->at_site[s] > 0;
        if (model->id == MODEL_M_PRIVACY && rows.count - g->at_site[s] < model->k)
            return false;
    }
    return model->id == MODEL_M_PRIVACY ? enough_values(g, rows, model->other_values)
                                        : (double)present >= model->l;
}

static bool holds(plain_grower *g, plain_list rows, const model_spec *model)
{
    const sensitive_attribute *s = &g->problem->sensitive[model->sensitive];
    for (uint32_t i = 0; i < rows.count; i++)
        g->count[s->values[rows.items[i]]]++;
    g->histogram[model->sensitive] = (histogram){g->count, s->count};
    class_view view = {.size = rows.count, .sensitive = g->histogram};
    bool good = model_holds(model, &view);
    for (uint32_t i = 0; i < rows.count; i++)
        g->count[s->values[rows.items[i]]] = 0;
    return good;
}

static void count_values(const plain_grower *g, plain_list rows, const sensitive_attribute *of)
{
    memset(g->count, 0, of->count * sizeof *g->count);
    for (uint32_t i = 0; i < rows.count; i++)
        g->count[of->values[rows.items[i]]]++;
}

/* The largest diverse part of the records: tries all bounds for the number of one value. */
static uint64_t diverse_part(const plain_grower *g, const plain_frequency *f, uint32_t n)
{
    uint64_t most = 0;
    for (uint32_t bound = 1; bound <= n; bound++) {
        uint64_t sum = 0;
        for (uint32_t s = 0; s < f->of->count; s++)
            sum += g->count[s] < bound ? g->count[s] : bound;
        if (joint_tree_plain_may_have(f, bound, sum))
            most = sum;
    }
    return most;
}

/* Is there a diverse part of this size that is, from LEAN_FROM on, not too small a part? */
static bool has_diverse_part(const plain_grower *g, const plain_frequency *f, plain_list rows,
                             uint64_t min_size)
{
    const double l = joint_tree_diversity_l(&f->rule), whole_l = ceil(l);
    double lean = 0;
    count_values(g, rows, f->of);
    bool enough = diverse_part(g, f, rows.count) >= min_size;
    for (uint32_t v = 0; v < f->of->count; v++)
        lean += fmin(JOINT_TREE_LEAN_PART * whole_l * g->count[v], rows.count);
    memset(g->count, 0, f->of->count * sizeof *g->count);
    return enough && (l < JOINT_TREE_LEAN_FROM || lean >= whole_l * rows.count);
}

/* Is no value too frequent? */
static bool is_trim(const plain_grower *g, const plain_frequency *f, plain_list rows)
{
    bool good = true;
    count_values(g, rows, f->of);
    for (uint32_t v = 0; v < f->of->count; v++)
        good = good && joint_tree_plain_may_have(f, g->count[v], rows.count);
    memset(g->count, 0, f->of->count * sizeof *g->count);
    return good;
}

/* Size, sites, and models that a good set keeps whatever joins it. */
static bool is_monotone_good(plain_grower *g, plain_list rows, uint64_t min_size)
{
    const problem *p = g->problem;
    if (rows.count < min_size)
        return false;
    for (uint32_t m = 0; m < p->n_models; m++)
        if (joint_tree_diversity_of(&p->models[m]).asks == JOINT_TREE_ASKS_DISTINCT &&
            !holds(g, rows, &p->models[m]))
            return false;
    for (uint32_t m = 0; g->sites != NULL && m < g->sites->n_models; m++)
        if (g->sites->models[m].variant != VARIANT_ATTRIBUTES &&
            !enough_sites(g, rows, &g->sites->models[m]))
            return false;
    return true;
}

bool joint_tree_plain_good(plain_grower *g, plain_list rows, uint64_t min_size)
{
    bool good = is_monotone_good(g, rows, min_size);
    for (uint32_t i = 0; i < g->n_frequencies; i++)
        good = good && is_trim(g, &g->frequencies[i], rows);
    return good;
}

bool joint_tree_plain_fit(plain_grower *g, plain_list rows, uint64_t min_size)
{
    bool fits = is_monotone_good(g, rows, min_size);
    for (uint32_t i = 0; i < g->n_frequencies; i++)
        fits = fits && has_diverse_part(g, &g->frequencies[i], rows, min_size);
    return fits;
}

/* --- models about sites that only some attributes tell --- */

/* Nodes that fewer than l sites have a record below are forbidden; cells move up to the lowest
 * node that is not. */
static kith_status forbid(plain_grower *g, const model_spec *model, uint32_t a, kith_error *error)
{
    const struct tree *t = g->problem->attributes[a].tree;
    const uint32_t records = g->problem->n_records;
    uint8_t *forbidden = TRY_ALLOC(arena_zalloc(g->memory, t->n_nodes, 1), error);
    uint32_t *raised = TRY_ALLOC(arena_array(g->memory, records, sizeof *raised), error);
    for (uint32_t node = 0; node < tree_root(t); node++) {
        uint32_t present = 0;
        memset(g->at_site, 0, g->sites->count * sizeof *g->at_site);
        for (uint32_t i = 0; i < records; i++)
            if (tree_covers(t, node, g->cells[a][i]))
                g->at_site[g->sites->site_of[i]] = 1;
        for (uint32_t s = 0; s < g->sites->count; s++)
            present += g->at_site[s];
        forbidden[node] = present < model->l;
    }
    for (uint32_t i = 0; i < records; i++)
        for (raised[i] = g->cells[a][i]; forbidden[raised[i]];)
            raised[i] = t->parent[raised[i]];
    g->cells[a] = raised;
    g->forbidden[a] = forbidden;
    return KITH_OK;
}

kith_status joint_tree_plain_forbid(plain_grower *g, kith_error *error)
{
    for (uint32_t m = 0; g->sites != NULL && m < g->sites->n_models; m++) {
        const model_spec *model = &g->sites->models[m];
        if (model->variant == VARIANT_ATTRIBUTES)
            for (uint32_t i = 0; i < model->n_values; i++)
                TRY(forbid(g, model, model->among[i], error));
    }
    return KITH_OK;
}
