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

/* In the order of their ids: name, unit, and whether they are additive, can be minimized in a
 * lattice, and use a sensitive attribute. */
static const entry registry[MEASURE_COUNT] = {
    {{MEASURE_LM, "lm", "share of the domain", true, true, false}, lm_costs, NULL},
    {{MEASURE_EM, "em", "bits per cell", true, true, false}, em_costs, NULL},
    {{MEASURE_ENTROPY, "entropy", "bits per cell", true, true, false}, entropy_costs, NULL},
    {{MEASURE_TREE, "tree", "share of the height", true, true, false}, height_costs, NULL},
    {{MEASURE_MI, "mi", "bits per cell", true, true, false}, entropy_costs, NULL},
    {{MEASURE_PRECISION, "precision", "share of the height", true, true, false},
     height_costs,
     NULL},
    {{MEASURE_PMI, "pmi", "bits per cell", true, false, true}, NULL, pmi_costs},
    {{MEASURE_WMI, "wmi", "bits per cell", true, false, true}, NULL, wmi_costs},
    {{MEASURE_DM, "dm", "pairs of records", false, true, false}, NULL, NULL},
    {{MEASURE_CM, "cm", "share of records", false, false, false}, NULL, NULL},
    {{MEASURE_AVERAGE_CLASS, "average_class", "records", false, false, false}, NULL, NULL},
    {{MEASURE_AM, "am", "possible records per record", false, false, false}, NULL, NULL},
    {{MEASURE_KL, "kl", "bits", false, false, false}, NULL, NULL},
    {{MEASURE_ARX_LOSS, "arx-loss", "share of the domain", false, true, false}, NULL, NULL},
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
    ASSERT(id < MEASURE_COUNT && registry[id].info.id == id);
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
