/* The registry of algorithms, and the conditions that are checked before one of them runs. */
#include "search/search.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/text.h"
#include "search/algorithms.h"
#include "search/class_counts.h"
#include "search/cluster/agglomerative.h"
#include "search/intersections.h"
#include "search/level_bounds.h"
#include "search/local_run.h"
#include "search/records/records_memory.h"
#include "search/records/records_ranks.h"
#include "search/unit_homes.h"
#include "search/weave/weave.h"
#include "search/whole_closure.h"

/* For algorithms that check every class they form or unite, and fall back on the whole table. */
static bool class_wise(const model_spec *model)
{
    return model_exists(model->id, model->variant) && !model_of_sites(model->id);
}

/* For algorithms that unite good classes without a check. */
static bool closed(const model_spec *model)
{
    return class_wise(model) && model_closed(model);
}

static bool k_only(const model_spec *model)
{
    return model->id == MODEL_K_ANONYMITY;
}

/* Weave, over the records of the problem: all of the table, or the share of a rank. */
static kith_status run_weave(search_result *result, const problem *p, const search_spec *spec,
                             context *c, kith_error *error)
{
    record_source r;
    partition *found = &result->partition;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    TRY(ranks_count(c->ranks) > 1 ? records_ranks_open(&r, found, p, spec->named, scratch, c, error)
                                  : records_memory_open(&r, found, p, scratch, c, error));
    return weave_run(result, p, &r, spec, c, error);
}

/* What all searches of the lattice can. */
#define LATTICE .supports_model = class_wise, .global = true, .ranks = true

static const algorithm registry[] = {
    {.name = "weave",
     .supports_model = class_wise,
     .run = run_weave,
     .suppresses = true,
     .ranks = true},
    {.name = "sequential",
     .passes = true,
     .supports_model = closed,
     .run = sequential_run,
     .suppresses = true,
     .sensitive_costs = true},
    {.name = "mondrian", .supports_model = class_wise, .run = mondrian_run},
    {.name = "agglomerative",
     .supports_model = class_wise,
     .run = agglomerative_run,
     .sensitive_costs = true},
    {.name = "k-member", .supports_model = k_only, .run = k_member_run, .sensitive_costs = true},
    {.name = "hilbert", .supports_model = k_only, .run = hilbert_run},
    {.name = "flash", .run = flash_run, LATTICE},
    {.name = "ola", .run = ola_run, LATTICE},
    {.name = "incognito", .run = incognito_run, LATTICE},
    {.name = "breadth-first", .run = exhaustive_breadth_first_run, LATTICE},
    {.name = "depth-first", .run = exhaustive_depth_first_run, LATTICE},
    {.name = "datafly", .run = datafly_run, LATTICE},
    {.name = "top-down",
     .supports_model = class_wise,
     .run = top_down_run,
     .global = true,
     .cuts = true},
};

enum { ALGORITHMS = sizeof registry / sizeof registry[0] };

const algorithm *search_at(uint32_t index)
{
    return index < ALGORITHMS ? &registry[index] : NULL;
}

const algorithm *search_find(const char *name)
{
    for (uint32_t i = 0; i < ALGORITHMS; i++)
        if (strcmp(registry[i].name, name) == 0)
            return &registry[i];
    return NULL;
}

bool search_minimizes(const algorithm *a, measure_id id)
{
    const measure_info *measure = measure_at(id);
    if (a->global && !a->cuts)
        return measure->lattice;
    return measure->additive && (a->sensitive_costs || !measure->uses_sensitive);
}

bool search_suppresses(const algorithm *a, measure_id id)
{
    bool sum_of_nodes =
        id == MEASURE_LM || id == MEASURE_EM || id == MEASURE_TREE || id == MEASURE_PRECISION;
    return a->global || (a->suppresses && sum_of_nodes);
}

/* Names the algorithms that serve a model, or with NULL those that can minimize costs that depend
 * on sensitive values: "sequential, mondrian". */
static void list_algorithms(char *text, size_t size, const model_spec *model)
{
    text[0] = '\0';
    for (uint32_t i = 0; i < ALGORITHMS; i++)
        if (model == NULL ? registry[i].sensitive_costs : registry[i].supports_model(model))
            text_list_add(text, size, registry[i].name);
}

static kith_status check_support(const algorithm *a, const model_spec *model, kith_error *error)
{
    if (a->supports_model(model))
        return KITH_OK;
    const char *variant = model_variant_name(model->variant);
    char supporters[256];
    list_algorithms(supporters, sizeof supporters, model);
    kith_status status =
        error_set(error, KITH_INVALID, "algorithm %s does not serve the model %s%s%s%s", a->name,
                  model_name(model->id), variant[0] == '\0' ? "" : " (", variant,
                  variant[0] == '\0' ? "" : ")");
    return supporters[0] == '\0' ? error_hint(error, status, "no algorithm serves it yet")
                                 : error_hint(error, status, "it is served by: %s", supporters);
}

/* What the records show of an attribute if they are one class: after global recoding the root at
 * most, otherwise no more than they need. */
static uint32_t close_table(const algorithm *a, const problem *p, uint32_t j)
{
    const attribute *at = &p->attributes[j];
    if (a->global)
        return tree_root(at->tree);
    uint32_t node = p->n_records == 0 ? WHOLE_CLOSURE_EMPTY : at->cells[0];
    for (uint32_t i = 1; i < p->n_records && node != tree_root(at->tree); i++)
        node = tree_lca(at->tree, node, at->cells[i]);
    return node;
}

/* Reports that no table with these values can reach l; every class together reaches `reachable`. */
static kith_status too_diverse(const model_spec *model, double reachable, kith_error *error)
{
    kith_status status =
        error_set(error, KITH_INFEASIBLE,
                  "l-diversity with l = %g cannot be met%s%s: the largest l that this table "
                  "allows is %.6g",
                  model->l, model->attribute == NULL ? "" : " for ",
                  model->attribute == NULL ? "" : model->attribute, reachable);
    if (model->variant == VARIANT_FREQUENCY)
        return error_hint(error, status,
                          "%.1f%% of the %s have the most frequent value; ask for a smaller l",
                          100 / reachable, model->by_units ? "persons" : "records");
    return error_hint(error, status, "ask for a smaller l");
}

/* `broader`: roots, which the algorithm does not show unless the records need them, would do. */
static kith_status not_reachable(const algorithm *a, const model_spec *model,
                                 const model_finding *f, bool broader, kith_error *error)
{
    const char *name = model_name(model->id);
    kith_status status = error_set(
        error, KITH_INFEASIBLE,
        "%s cannot be met%s%s: %s in the whole table: %.6g, needed: %s %.6g", name,
        model->attribute == NULL ? "" : " for ", model->attribute == NULL ? "" : model->attribute,
        f->quantity, f->found, f->at_most ? "at most" : "at least", f->needed);
    if (broader)
        return error_hint(error, status,
                          "%s generalizes no more than the records of a class need; flash and "
                          "other searches of global recoding go further",
                          a->name);
    return model_closed(model)
               ? error_hint(error, status, "no way to form classes does better than %.6g", f->found)
               : error_hint(error, status,
                            "%s falls back on the whole table as one class, so %s must hold there",
                            a->name, name);
}

/* If all classes satisfied a model that is closed under union, so would the whole table, which is
 * their union; the other models must hold there because the algorithms may end with it. */
static kith_status judge_table(const algorithm *a, const problem *p, const class_view *table,
                               arena *memory, kith_error *error)
{
    uint32_t *all_roots = TRY_ARRAY(all_roots, memory, p->n_attributes, error);
    for (uint32_t j = 0; j < p->n_attributes; j++)
        all_roots[j] = tree_root(p->attributes[j].tree);
    for (uint32_t m = 0; m < p->n_models; m++) {
        const model_spec *model = &p->models[m];
        model_finding found = model_judge(model, table);
        if (found.holds)
            continue;
        if (model->id == MODEL_L_DIVERSITY && !found.at_most)
            return too_diverse(model, found.found, error);
        class_view roots = *table;
        roots.closure = all_roots;
        model_finding at_most = model_judge(model, &roots);
        return not_reachable(a, model, at_most.holds ? &found : &at_most, at_most.holds, error);
    }
    return KITH_OK;
}

static kith_status check_table(const algorithm *a, const problem *p, uint32_t size,
                               kith_ranks *ranks, arena *memory, kith_error *error)
{
    class_view table;
    /* Shows the whole table, which has `size` records, as one class. The counts and closures live
     * in `memory`. */
    class_counts *counts = TRY_ALLOC(arena_alloc(memory, sizeof *counts), error);
    uint32_t *closure = TRY_ARRAY(closure, memory, p->n_attributes, error);
    for (uint32_t j = 0; j < p->n_attributes; j++)
        closure[j] = close_table(a, p, j);
    TRY(whole_closure(closure, 1, p, ranks, memory, error));
    if (p->unit != NULL && ranks_count(ranks) > 1) {
        /* The whole table where units have records on several ranks. */
        unit_homes *home = TRY_ALLOC(arena_alloc(memory, sizeof *home), error);
        class_counts *by_unit = TRY_ALLOC(arena_alloc(memory, sizeof *by_unit), error);
        TRY(unit_homes_bring(home, p, NULL, NULL, p->n_records, 1, ranks, memory, error));
        const uint32_t n = home->records.n_records;
        TRY(class_counts_init(by_unit, &home->records, NULL, memory, error));
        class_counts_add(by_unit, NULL, n);
        TRY(unit_homes_view(&table, by_unit, closure, NULL, n, ranks, memory, error));
        return judge_table(a, p, &table, memory, error);
    }
    TRY(class_counts_init(counts, p, NULL, memory, error));
    class_counts_add(counts, NULL, p->n_records);
    if (p->unit == NULL) {
        /* Adds up the counts of all ranks, whose records are units. */
        for (uint32_t s = 0; s < p->n_sensitive; s++) {
            const uint32_t n_values = p->sensitive[s].count;
            uint64_t *sum = TRY_ARRAY(sum, memory, n_values, error);
            for (uint32_t v = 0; v < n_values; v++)
                sum[v] = counts->counts[s][v];
            TRY(ranks_sum(ranks, sum, n_values, error));
            for (uint32_t v = 0; v < n_values; v++)
                counts->counts[s][v] = (uint32_t)sum[v];
        }
    }
    counts->n_records = size;
    table = class_counts_view(counts, closure, NULL, p->n_records);
    return judge_table(a, p, &table, memory, error);
}

static kith_status no_records(kith_error *error)
{
    return error_set(error, KITH_INFEASIBLE, "no records to anonymize");
}

static kith_status check_size(const problem *p, uint32_t n_records, kith_error *error)
{
    if (n_records >= p->k)
        return KITH_OK;
    return error_set(error, KITH_INFEASIBLE,
                     "only %u record%s: k-anonymity with k = %u cannot be met", n_records,
                     n_records == 1 ? "" : "s", p->k);
}

#if KITH_DEBUG
/* A problem has been prepared by our own code: indices are in range. */
static void check_problem(const problem *p)
{
    ASSERT(p->k == models_minimum_size(p->models, p->n_models));
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *a = &p->attributes[j];
        ASSERT((a->sensitive_cost != NULL) == problem_costs_sensitive(p));
        for (uint32_t i = 0; i < p->n_records; i++)
            ASSERT(a->cells[i] < a->tree->n_nodes);
    }
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        for (uint32_t i = 0; i < p->n_records; i++)
            ASSERT(p->sensitive[s].values[i] < p->sensitive[s].count);
    for (uint32_t m = 0; m < p->n_models; m++)
        ASSERT(!model_looks_at_values(&p->models[m]) || model_of_sites(p->models[m].id) ||
               p->models[m].sensitive < p->n_sensitive);
    ASSERT(!problem_costs_sensitive(p) || p->cost_sensitive < p->n_sensitive);
}
#endif

kith_status search_feasible(const problem *p, arena *memory, kith_error *error)
{
    CHECK(check_problem(p));
    TRY(check_size(p, p->n_records, error));
    return check_table(search_find("sequential"), p, p->n_records, NULL, memory, error);
}

/* Are there bounds on levels that the algorithm does not apply itself, or records to suppress?
 * Searches of the lattice apply all bounds, cuts begin at the highest level, both suppress. */
static bool needs_local_run(const algorithm *a, const problem *p)
{
    if (a->global && !a->cuts)
        return false;
    return level_bounds_low(p) || (!a->cuts && (level_bounds_high(p) || p->may_suppress > 0));
}

static kith_status check_algorithm(const algorithm *a, const problem *p, kith_error *error)
{
    for (uint32_t m = 0; m < p->n_models; m++)
        TRY(check_support(a, &p->models[m], error));
    if (p->common != NULL && a->global)
        return error_set(error, KITH_INVALID,
                         "algorithm %s cannot unite classes: intersections: refuse is not "
                         "available with it",
                         a->name);
    if (!problem_costs_sensitive(p) || a->sensitive_costs)
        return KITH_OK;
    char able[256];
    list_algorithms(able, sizeof able, NULL);
    kith_status status = error_set(
        error, KITH_INVALID,
        "algorithm %s cannot minimize a measure that depends on sensitive values", a->name);
    return error_hint(error, status, "these can: %s", able);
}

/* Must the table as one class satisfy the models? Where records may be suppressed, the rest can
 * satisfy what the whole table does not. */
static bool judges_whole(const algorithm *a, const problem *p)
{
    return !a->global || (p->may_suppress == 0 && models_closed(p->models, p->n_models));
}

kith_status search_check_whole(const algorithm *a, const problem *p, const class_view *whole,
                               arena *memory, kith_error *error)
{
    TRY(check_algorithm(a, p, error));
    if (judges_whole(a, p))
        TRY(check_size(p, whole->units == NULL ? whole->size : whole->units->n_records, error));
    if (whole->size == 0)
        return no_records(error);
    return judges_whole(a, p) ? judge_table(a, p, whole, memory, error) : KITH_OK;
}

kith_status search_run_weighted(search_result *result, const algorithm *a, const problem *p,
                                const search_spec *spec, context *c, kith_error *error)
{
    CHECK(check_problem(p));
    ASSERT(a->global && !a->cuts && ranks_count(c->ranks) == 1);
    *result = (search_result){0};
    return a->run(result, p, spec, c, error);
}

kith_status search_run_records(search_result *result, const problem *p, const record_source *r,
                               const search_spec *spec, context *c, kith_error *error)
{
    *result = (search_result){0};
    return weave_run(result, p, r, spec, c, error);
}

kith_status search_run(search_result *result, const algorithm *a, const problem *p,
                       const search_spec *spec, context *c, kith_error *error)
{
    CHECK(check_problem(p));
    ASSERT(ranks_count(c->ranks) == 1 || a->ranks);
    *result = (search_result){0};
    TRY(check_algorithm(a, p, error));
    /* How many records all ranks have together. */
    uint64_t sum = p->n_records;
    TRY(ranks_sum(c->ranks, &sum, 1, error));
    if (sum > UINT32_MAX) /* models count in 32 bits */
        return error_set(error, KITH_INVALID, "more than %u records cannot be anonymized together",
                         UINT32_MAX);
    const uint32_t n_records = (uint32_t)sum;
    const bool whole = judges_whole(a, p);
    if (whole)
        TRY(check_size(p, n_records, error));
    if (n_records == 0)
        return no_records(error);
    if (whole)
        TRY(check_table(a, p, n_records, c->ranks, c->memory, error));
    if (needs_local_run(a, p)) {
        TRY(local_run(result, a, p, spec, c, error));
        CHECK(partition_check(&result->partition, p));
        return KITH_OK;
    }
    TRY(a->run(result, p, spec, c, error));
    /* Classes with the same closure are one class in the release, which must satisfy the models. Of
     * those of several ranks the caller takes care. */
    if (!a->global && !models_closed(p->models, p->n_models) && ranks_count(c->ranks) == 1)
        TRY(agglomerative_unite_equal(&result->partition, p, c, error));
    if (p->common != NULL)
        TRY(intersections_close(&result->partition, p, c, error));
    CHECK(partition_check(&result->partition, p));
    return KITH_OK;
}
