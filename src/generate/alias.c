#include "generate/alias.h"

#include "core/check.h"

/* Each of the `count` cells has the capacity of the whole sum S, and value v brings count x w[v].
 * A cell short of S (light) is topped up by one value that has more (heavy). Shares are kept as
 * 32-bit fractions of S: the error of a probability is below 2^-32. */
static void alias_split(const uint32_t *weights, uint32_t count, uint64_t sum, uint64_t *mass,
                        uint64_t *light, uint64_t *heavy, uint32_t *lights, uint32_t *heavies)
{
    *lights = *heavies = 0;
    for (uint32_t v = 0; v < count; v++) {
        mass[v] = (uint64_t)weights[v] * count;
        if (mass[v] < sum)
            light[(*lights)++] = v;
        else
            heavy[(*heavies)++] = v;
    }
}

int alias_build(alias_cell *cells, const uint32_t *weights, uint32_t count, uint64_t *scratch)
{
    uint64_t sum = 0;
    for (uint32_t v = 0; v < count; v++)
        sum += weights[v];
    if (sum == 0 || sum > UINT32_MAX)
        return 0;
    uint64_t *mass = scratch, *light = scratch + count, *heavy = scratch + 2 * (uint64_t)count;
    uint32_t lights, heavies;
    alias_split(weights, count, sum, mass, light, heavy, &lights, &heavies);
    while (lights > 0 && heavies > 0) {
        uint32_t low = (uint32_t)light[--lights];
        uint32_t high = (uint32_t)heavy[heavies - 1];
        cells[low] = (alias_cell){.threshold = (uint32_t)((mass[low] << 32) / sum), .other = high};
        /* What the light cell lacked comes from the heavy one, which may become light itself. */
        mass[high] -= sum - mass[low];
        if (mass[high] < sum) {
            heavies--;
            light[lights++] = high;
        }
    }
    /* Cells that are exactly full keep their own value, whatever the coin says. */
    while (heavies > 0) {
        uint32_t v = (uint32_t)heavy[--heavies];
        cells[v] = (alias_cell){.threshold = UINT32_MAX, .other = v};
    }
    /* The masses add up to count x sum exactly, so that the last cell is never light. */
    ASSERT(lights == 0);
    return 1;
}
