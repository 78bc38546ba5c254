#include "search/cluster/sequential_repair.h"

#include "core/error.h"
#include "core/group_by_part.h"
#include "search/class_rules.h"
#include "search/cluster/agglomerative.h"
#include "search/cluster/finish_hybrid.h"

/* Moves single records to better classes while the models allow it. */
static kith_status polish(partition *classes, const problem *p, context *c, kith_error *error)
{
    slots rows;
    class_rules a;
    clusters out;
    TRY(slots_build(&rows, p, 1, c->memory, error));
    TRY(class_rules_init(&a, p, c->memory, error));
    TRY(clusters_init(&out, &rows, &a, classes->n_classes + 2, c->memory, error));
    /* Makes one cluster of each class. */
    TRY(clusters_reserve(&out, classes->n_classes, error));
    for (uint32_t k = 0; k < classes->n_classes; k++)
        (void)clusters_add(&out); /* ids are given out in order */
    for (uint32_t i = 0; i < p->n_records; i++)
        TRY(clusters_append(&out, classes->class_of[i], i, error));
    for (uint32_t k = 0; k < classes->n_classes; k++)
        clusters_close(&out, k);
    TRY(finish_hybrid(&out, p->k, c, error));
    for (uint32_t i = 0; i < p->n_records; i++)
        classes->class_of[i] = out.of[i];
    classes->n_classes = out.used;
    return partition_close(classes, p, c->memory, error);
}

kith_status sequential_repair(search_result *result, const problem *p, const search_spec *spec,
                              context *c, kith_error *error)
{
    uint32_t min_size = class_rules_min_size(p), bad = 0;
    model_spec size = {.id = MODEL_K_ANONYMITY, .k = min_size, .by_units = p->unit != NULL};
    problem plain = *p;
    plain.n_models = 1;
    plain.models = &size;
    plain.k = min_size;
    search_result other = {0};
    TRY(sequential_run(&other, &plain, spec, c, error));
    /* Counts the classes that violate a model. */
    class_rules a;
    uint32_t *start = TRY_ARRAY(start, c->memory, other.partition.n_classes + (size_t)2, error);
    uint32_t *order = TRY_ARRAY(order, c->memory, p->n_records, error);
    TRY(class_rules_init(&a, p, c->memory, error));
    group_by_part(order, start, other.partition.class_of, other.partition.n_classes, NULL,
                  p->n_records);
    bad = 0;
    for (uint32_t k = 0; k < other.partition.n_classes; k++)
        bad += !class_rules_allow(&a, order + start[k], start[k + 1] - start[k]);
    if (bad > REPAIR_MAX)
        return KITH_OK;
    if (bad > 0)
        TRY(agglomerative_finish(&other.partition, p, c, error));
    TRY(polish(&other.partition, p, c, error));
    if (partition_cost(&other.partition, p) >= partition_cost(&result->partition, p))
        return KITH_OK;
    other.n_passes += result->n_passes;
    *result = other;
    return KITH_OK;
}
