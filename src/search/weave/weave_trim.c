#include "search/weave/weave_trim.h"

#include <string.h>

enum { MOST_TURNS = 8 };

/* Records left if every value keeps `most` at most; count[] has those of the distinct values. */
static uint64_t kept_with(const uint32_t *count, uint32_t values, uint32_t most)
{
    uint64_t kept = 0;
    for (uint32_t v = 0; v < values; v++)
        kept += count[v] < most ? count[v] : most;
    return kept;
}

/* The largest number of records per value that makes the rest l-diverse. What is kept, divided by
 * it, falls as it grows: so it can be found by halving. */
static uint32_t most_per_value(const uint32_t *count, uint32_t values, uint32_t size, double l)
{
    uint32_t low = 0, high = size;
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if ((double)kept_with(count, values, middle) / middle >= l)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Trims for one condition; returns how many records stay. */
static uint32_t trim_for(const admit *a, const model_spec *model, uint32_t *members, uint32_t size,
                         uint32_t *spare)
{
    const uint32_t *value = a->problem->secret[model->sensitive].values;
    uint32_t values = 0, kept = 0, back = size;
    for (uint32_t m = 0; m < size; m++)
        if (a->count[value[members[m]]]++ == 0)
            spare[values++] = value[members[m]];
    for (uint32_t v = 0; v < values; v++) { /* spare becomes the list of counts */
        uint32_t which = spare[v];
        spare[v] = a->count[which];
        a->count[which] = 0;
    }
    uint32_t most = most_per_value(spare, values, size, model->l);
    for (uint32_t m = 0; m < size; m++) {
        bool stays = a->count[value[members[m]]] < most;
        a->count[value[members[m]]] += stays;
        spare[stays ? kept++ : --back] = members[m];
    }
    for (uint32_t m = 0; m < size; m++)
        a->count[value[members[m]]] = 0;
    memcpy(members, spare, size * sizeof *members);
    return kept;
}

uint32_t trim_set(const admit *a, uint32_t *members, uint32_t size, uint32_t *spare)
{
    for (int turn = 0; turn < MOST_TURNS && size > 0; turn++) {
        if (admit_class(a, members, size))
            return size;
        for (uint32_t c = 0; c < a->conditions; c++) {
            const model_spec *model = a->condition[c];
            if (model->id != MODEL_L_DIVERSITY || model->variant != VARIANT_FREQUENCY)
                return 0;
            size = trim_for(a, model, members, size, spare);
        }
    }
    return size > 0 && admit_class(a, members, size) ? size : 0;
}
