/* The registry of measures. */
#include "measure/measure.h"

#include <string.h>

#include "measure/costs.h"

typedef struct entry {
    measure_info info;
    void (*costs)(double *cost, const tree *t, const uint64_t *count); /* additive ones only */
} entry;

static const entry registry[MEASURE_COUNT] = {
    [MEASURE_LM] = {{MEASURE_LM, "lm", "loss metric", "share of the domain", true}, lm_costs},
    [MEASURE_EM] = {{MEASURE_EM, "em", "entropy measure", "bits per cell", true}, em_costs},
    [MEASURE_ENTROPY] = {{MEASURE_ENTROPY, "entropy", "non-uniform entropy", "bits per cell", true},
                         entropy_costs},
    [MEASURE_TREE] = {{MEASURE_TREE, "tree", "height in the hierarchy", "share of the height",
                       true},
                      level_costs},
    [MEASURE_DM] = {{MEASURE_DM, "dm", "discernibility", "pairs of records", false}, NULL},
    [MEASURE_CM] = {{MEASURE_CM, "cm", "classification metric", "share of records", false}, NULL},
    [MEASURE_AVERAGE_CLASS] = {{MEASURE_AVERAGE_CLASS, "average_class", "average class size",
                                "records", false},
                               NULL},
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
    return &registry[id].info;
}

void measure_node_costs(double *cost, measure_id id, const tree *t, const uint64_t *count)
{
    registry[id].costs(cost, t, count);
}

/* What the cell costs if it is released as it is: log2 count(value) for a leaf under entropy, 0 for
 * a leaf under the others, cost[root] for a wildcard. So a cell that is not touched loses nothing,
 * whatever node it stood at. */
double measure_constant(measure_id id, const tree *t, const double *cost, const uint64_t *count,
                        uint32_t cell)
{
    (void)id;
    (void)t;
    (void)count;
    return cost[cell];
}
