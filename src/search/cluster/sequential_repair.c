#include "search/cluster/sequential_repair.h"

#include "core/error.h"
#include "search/class_rules.h"
#include "search/cluster/agglomerative.h"
#include "search/cluster/finish_hybrid.h"

/* How many classes break a model. */
static kith_status count_bad(uint32_t *bad, const partition *classes, const problem *p, context *c,
                             kith_error *error)
{
    admit a;
    uint32_t *start =
        TRY_ALLOC(arena_zalloc(c->memory, classes->classes + (size_t)2, sizeof *start), error);
    uint32_t *order = TRY_ALLOC(arena_array(c->memory, p->records, sizeof *order), error);
    TRY(admit_init(&a, p, c->memory, error));
    for (uint32_t i = 0; i < p->records; i++)
        start[classes->class_of[i] + 2]++;
    for (uint32_t k = 0; k < classes->classes; k++)
        start[k + 2] += start[k + 1];
    for (uint32_t i = 0; i < p->records; i++)
        order[start[classes->class_of[i] + 1]++] = i;
    *bad = 0;
    for (uint32_t k = 0; k < classes->classes; k++)
        *bad += !admit_class(&a, order + start[k], start[k + 1] - start[k]);
    return KITH_OK;
}

/* The classes as clusters. */
static kith_status load(clusters *out, const partition *classes, const problem *p,
                        kith_error *error)
{
    TRY(clusters_reserve(out, classes->classes, error));
    for (uint32_t k = 0; k < classes->classes; k++)
        (void)clusters_add(out); /* ids are given out in order */
    for (uint32_t i = 0; i < p->records; i++)
        TRY(clusters_append(out, classes->class_of[i], i, error));
    for (uint32_t k = 0; k < classes->classes; k++)
        clusters_close(out, k);
    return KITH_OK;
}

/* Moves single records to better classes while the models allow it. */
static kith_status polish(partition *classes, const problem *p, context *c, kith_error *error)
{
    slots rows;
    admit a;
    clusters out;
    TRY(slots_build(&rows, p, 1, c->memory, error));
    TRY(admit_init(&a, p, c->memory, error));
    TRY(clusters_init(&out, &rows, &a, classes->classes + 2, c->memory, error));
    TRY(load(&out, classes, p, error));
    TRY(hybrid_finish(&out, p->k, c, error));
    for (uint32_t i = 0; i < p->records; i++)
        classes->class_of[i] = out.of[i];
    classes->classes = out.used;
    return partition_close(classes, p, c->memory, error);
}

kith_status sequential_repair(search_result *result, const problem *p, const search_spec *spec,
                              context *c, kith_error *error)
{
    uint32_t least = admit_minimum_size(p), bad = 0;
    model_spec size = {.id = MODEL_K_ANONYMITY, .k = least};
    problem plain = *p;
    plain.models = 1;
    plain.model = &size;
    plain.k = least;
    search_result other = {0};
    TRY(sequential_run(&other, &plain, spec, c, error));
    TRY(count_bad(&bad, &other.partition, p, c, error));
    if (bad > REPAIR_MOST)
        return KITH_OK;
    if (bad > 0)
        TRY(agglomerative_finish(&other.partition, p, c, error));
    TRY(polish(&other.partition, p, c, error));
    if (partition_cost(&other.partition, p) >= partition_cost(&result->partition, p))
        return KITH_OK;
    other.passes += result->passes;
    *result = other;
    return KITH_OK;
}
