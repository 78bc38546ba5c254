#include "search/weave/weave_trim.h"

#include <string.h>

enum { MAX_ROUNDS = 8 };

/* Records left if every value keeps `max_count` at most; count[] has those of the distinct values.
 */
static uint64_t kept_with(const uint32_t *count, uint32_t n_values, uint32_t max_count)
{
    uint64_t kept = 0;
    for (uint32_t v = 0; v < n_values; v++)
        kept += count[v] < max_count ? count[v] : max_count;
    return kept;
}

/* The largest number of records per value with which what is kept is l-diverse. The number of
 * records kept, divided by this number, falls as it grows: bisection finds it. */
static uint32_t max_per_value(const uint32_t *count, uint32_t n_values, uint32_t size, double l)
{
    uint32_t low = 0, high = size;
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if ((double)kept_with(count, n_values, middle) / middle >= l)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Trims for one condition; returns how many records stay. */
static uint32_t trim_for(const class_rules *a, const model_spec *model, uint32_t *members,
                         uint32_t size, uint32_t *spare)
{
    const uint32_t *values = a->problem->sensitive[model->sensitive].values;
    uint32_t n_values = 0, kept = 0, back = size;
    for (uint32_t m = 0; m < size; m++)
        if (a->count[values[members[m]]]++ == 0)
            spare[n_values++] = values[members[m]];
    for (uint32_t v = 0; v < n_values; v++) { /* spare becomes the list of counts */
        uint32_t which = spare[v];
        spare[v] = a->count[which];
        a->count[which] = 0;
    }
    uint32_t max_count = max_per_value(spare, n_values, size, model->l);
    for (uint32_t m = 0; m < size; m++) {
        bool stays = a->count[values[members[m]]] < max_count;
        a->count[values[members[m]]] += stays;
        spare[stays ? kept++ : --back] = members[m];
    }
    for (uint32_t m = 0; m < size; m++)
        a->count[values[members[m]]] = 0;
    memcpy(members, spare, size * sizeof *members);
    return kept;
}

/* Trimming for one condition may break another one; a few rounds are enough in practice. */
uint32_t weave_trim(const class_rules *a, uint32_t *members, uint32_t size, uint32_t *spare)
{
    for (int turn = 0; turn < MAX_ROUNDS && size > 0; turn++) {
        if (class_rules_allow(a, members, size))
            return size;
        const uint32_t before = size;
        for (uint32_t c = 0; c < a->n_conditions; c++) {
            const model_spec *model = a->conditions[c];
            if (model->id == MODEL_K_ANONYMITY) /* a condition where units are counted */
                continue;
            if (model->id != MODEL_L_DIVERSITY || model->variant != VARIANT_FREQUENCY)
                return 0;
            size = trim_for(a, model, members, size, spare);
        }
        if (size == before) /* trimming looks at records: it cannot do more for units */
            return 0;
    }
    return size > 0 && class_rules_allow(a, members, size) ? size : 0;
}
