/* The registry of measures. */
#include "measure/measure.h"

#include <string.h>

#include "core/check.h"
#include "measure/costs.h"

typedef struct entry {
    measure_info info;
    void (*costs)(double *cost, const tree *t, const uint64_t *count); /* additive ones only */
    kith_status (*sensitive_costs)(double *cost, const sensitive_input *in, arena *memory,
                                   kith_error *error);
} entry;

static const entry registry[MEASURE_COUNT] = {
    [MEASURE_LM] = {.info = {.id = MEASURE_LM,
                             .name = "lm",
                             .unit = "share of the domain",
                             .additive = true,
                             .lattice = true},
                    .costs = lm_costs},
    [MEASURE_EM] = {.info = {.id = MEASURE_EM,
                             .name = "em",
                             .unit = "bits per cell",
                             .additive = true,
                             .lattice = true},
                    .costs = em_costs},
    [MEASURE_ENTROPY] = {.info = {.id = MEASURE_ENTROPY,
                                  .name = "entropy",
                                  .unit = "bits per cell",
                                  .additive = true,
                                  .lattice = true},
                         .costs = entropy_costs},
    [MEASURE_TREE] = {.info = {.id = MEASURE_TREE,
                               .name = "tree",
                               .unit = "share of the height",
                               .additive = true,
                               .lattice = true},
                      .costs = height_costs},
    [MEASURE_MI] = {.info = {.id = MEASURE_MI,
                             .name = "mi",
                             .unit = "bits per cell",
                             .additive = true,
                             .lattice = true},
                    .costs = entropy_costs},
    [MEASURE_PRECISION] = {.info = {.id = MEASURE_PRECISION,
                                    .name = "precision",
                                    .unit = "share of the height",
                                    .additive = true,
                                    .lattice = true},
                           .costs = height_costs},
    [MEASURE_PMI] = {.info = {.id = MEASURE_PMI,
                              .name = "pmi",
                              .unit = "bits per cell",
                              .additive = true,
                              .uses_sensitive = true},
                     .sensitive_costs = pmi_costs},
    [MEASURE_WMI] = {.info = {.id = MEASURE_WMI,
                              .name = "wmi",
                              .unit = "bits per cell",
                              .additive = true,
                              .uses_sensitive = true},
                     .sensitive_costs = wmi_costs},
    [MEASURE_DM] =
        {.info = {.id = MEASURE_DM, .name = "dm", .unit = "pairs of records", .lattice = true}},
    [MEASURE_CM] = {.info = {.id = MEASURE_CM, .name = "cm", .unit = "share of records"}},
    [MEASURE_AVERAGE_CLASS] = {.info = {.id = MEASURE_AVERAGE_CLASS,
                                        .name = "average_class",
                                        .unit = "records"}},
    [MEASURE_AM] = {.info = {.id = MEASURE_AM,
                             .name = "am",
                             .unit = "possible records per record"}},
    [MEASURE_KL] = {.info = {.id = MEASURE_KL, .name = "kl", .unit = "bits"}},
    [MEASURE_ARX_LOSS] = {.info = {.id = MEASURE_ARX_LOSS,
                                   .name = "arx-loss",
                                   .unit = "share of the domain",
                                   .lattice = true}},
};

const measure_info *measure_find(const char *name)
{
    for (int id = 0; id < MEASURE_COUNT; id++)
        if (strcmp(registry[id].info.name, name) == 0)
            return &registry[id].info;
    return NULL;
}

const measure_info *measure_at(measure_id id)
{
    ASSERT(id < MEASURE_COUNT);
    return &registry[id].info;
}

void measure_node_costs(double *cost, measure_id id, const tree *t, const uint64_t *count)
{
    ASSERT(id < MEASURE_COUNT && registry[id].costs != NULL);
    registry[id].costs(cost, t, count);
}

kith_status measure_sensitive_costs(double *cost, measure_id id, const sensitive_input *in,
                                    arena *memory, kith_error *error)
{
    ASSERT(id < MEASURE_COUNT && registry[id].sensitive_costs != NULL);
    return registry[id].sensitive_costs(cost, in, memory, error);
}
