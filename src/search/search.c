/* The registry of algorithms, and what must be right before one of them runs. */
#include "search/search.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "search/algorithms.h"

static bool class_wise(const model_spec *model)
{
    return model->id == MODEL_K_ANONYMITY ||
           (model->id == MODEL_L_DIVERSITY && model->variant == VARIANT_FREQUENCY);
}

static bool k_only(const model_spec *model)
{
    return model->id == MODEL_K_ANONYMITY;
}

static const algorithm registry[] = {
    {.name = "weave", .title = "weave", .supports_model = class_wise, .run = weave_run},
    {.name = "sequential",
     .title = "sequential clustering",
     .passes = true,
     .supports_model = class_wise,
     .run = sequential_run,
     .secret_costs = true},
    {.name = "mondrian",
     .title = "Mondrian multidimensional cuts",
     .supports_model = class_wise,
     .run = mondrian_run},
    {.name = "agglomerative",
     .title = "agglomerative clustering",
     .supports_model = class_wise,
     .run = agglomerative_run,
     .secret_costs = true},
    {.name = "k-member",
     .title = "k-member clustering",
     .supports_model = k_only,
     .run = k_member_run,
     .secret_costs = true},
    {.name = "hilbert",
     .title = "grouping along a Hilbert curve",
     .supports_model = k_only,
     .run = hilbert_run},
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

/* Names the algorithms that serve a model: "sequential, mondrian". */
static void list_supporters(char *text, size_t size, const model_spec *model)
{
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < ALGORITHMS && length < size; i++)
        if (registry[i].supports_model(model))
            length += (size_t)snprintf(text + length, size - length, "%s%s",
                                       length == 0 ? "" : ", ", registry[i].name);
}

static kith_status check_support(const algorithm *a, const model_spec *model, kith_error *error)
{
    if (a->supports_model(model))
        return KITH_OK;
    const char *variant = model_variant_name(model->variant);
    char supporters[256];
    list_supporters(supporters, sizeof supporters, model);
    kith_status status =
        error_set(error, KITH_INVALID, "algorithm %s does not serve the model %s%s%s%s", a->name,
                  model_name(model->id), variant[0] == '\0' ? "" : " (", variant,
                  variant[0] == '\0' ? "" : ")");
    return supporters[0] == '\0' ? error_hint(error, status, "no algorithm serves it yet")
                                 : error_hint(error, status, "it is served by: %s", supporters);
}

static kith_status check_costs(const algorithm *a, const problem *p, kith_error *error)
{
    if (!problem_costs_secrets(p) || a->secret_costs)
        return KITH_OK;
    char able[256];
    size_t length = 0;
    able[0] = '\0';
    for (uint32_t i = 0; i < ALGORITHMS && length < sizeof able; i++)
        if (registry[i].secret_costs)
            length += (size_t)snprintf(able + length, sizeof able - length, "%s%s",
                                       length == 0 ? "" : ", ", registry[i].name);
    kith_status status = error_set(
        error, KITH_INVALID,
        "algorithm %s cannot minimize a measure that depends on sensitive values", a->name);
    return error_hint(error, status, "these can: %s", able);
}

/* n / largest count: no class can be more diverse than the whole table. */
static kith_status check_diversity(const model_spec *model, const problem *p, arena *memory,
                                   kith_error *error)
{
    const secret *s = &p->secret[model->sensitive];
    uint32_t *count = arena_zalloc(memory, (size_t)s->count + 1, sizeof *count);
    TRY_ALLOC(count, error);
    for (uint32_t i = 0; i < p->records; i++)
        count[s->values[i]]++;
    histogram *sensitive = arena_zalloc(memory, p->secrets, sizeof *sensitive);
    TRY_ALLOC(sensitive, error);
    sensitive[model->sensitive] = (histogram){count, s->count};
    class_view table = {p->records, sensitive};
    if (model_holds(model, &table))
        return KITH_OK;
    double reachable = model_value(model, &table);
    kith_status status =
        error_set(error, KITH_INFEASIBLE,
                  "l-diversity with l = %g cannot be met%s%s: the largest l that this table "
                  "allows is %.6g",
                  model->l, model->attribute == NULL ? "" : " for ",
                  model->attribute == NULL ? "" : model->attribute, reachable);
    return error_hint(error, status,
                      "the most frequent value makes up %.1f%% of the records; ask for a smaller l",
                      100 / reachable);
}

static kith_status check_size(const problem *p, kith_error *error)
{
    if (p->records >= p->k)
        return KITH_OK;
    return error_set(error, KITH_INFEASIBLE,
                     "only %u record%s: k-anonymity with k = %u cannot be met", p->records,
                     p->records == 1 ? "" : "s", p->k);
}

kith_status search_run(search_result *result, const algorithm *a, const problem *p,
                       const search_spec *spec, context *c, kith_error *error)
{
    *result = (search_result){0};
    for (uint32_t m = 0; m < p->models; m++)
        TRY(check_support(a, &p->model[m], error));
    TRY(check_costs(a, p, error));
    TRY(check_size(p, error));
    if (p->records == 0)
        return error_set(error, KITH_INFEASIBLE, "no records to anonymize");
    for (uint32_t m = 0; m < p->models; m++)
        if (p->model[m].id == MODEL_L_DIVERSITY)
            TRY(check_diversity(&p->model[m], p, c->memory, error));
    return a->run(result, p, spec, c, error);
}
