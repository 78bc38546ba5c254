#include "risk/uniqueness.h"

#include <math.h>
#include <stdbool.h>

/* Up to this share of the population the rule of Dankar et al. takes Pitman's model. */
static const double small_share = 0.1;

/* The chance that a class of x people has one record in the sample is hypergeometric,
 *     x (n / N) (1 - (n - 1) / (N - 1)) … (1 - (n - 1) / (N - x + 1)),
 * and Bayes' rule asks how likely x = 1 was. */
double uniqueness_zayatz_chance(const class_sizes *s, double population)
{
    const double n = (double)s->n_records;
    double product = 1, sum = 0;
    uint32_t x = 1;
    if (s->n_singles == 0)
        return 0;
    for (uint32_t i = 0; i < s->count; i++) {
        for (; x < s->sizes[i]; x++)
            product *= fmax(0, 1 - (n - 1) / (population - x));
        sum += s->n_classes[i] * x * product;
    }
    return s->n_singles / sum;
}

static bool usable(double estimate)
{
    return isfinite(estimate) && estimate > 0;
}

static void decide(uniqueness *u, double share)
{
    u->dankar = u->zayatz;
    u->dankar_took = "zayatz";
    if (share <= small_share && usable(u->pitman)) {
        u->dankar = u->pitman;
        u->dankar_took = "pitman";
    } else if (share > small_share && usable(u->snb) && u->snb <= u->zayatz) {
        u->dankar = u->snb;
        u->dankar_took = "snb";
    }
}

void uniqueness_estimate(uniqueness *u, const class_sizes *s, double population)
{
    *u = (uniqueness){.dankar_took = "zayatz"};
    if (s->n_singles == 0)
        return; /* nobody is unique in the sample, so no model sees a unique person */
    const double share = (double)s->n_records / population;
    /* So many of the sample's uniques are unique in the population; it has n / N of those. */
    u->zayatz =
        uniqueness_zayatz_chance(s, population) * s->n_singles * population / (double)s->n_records;
    if (share >= 1) { /* the sample is the population */
        u->pitman = u->snb = u->zayatz = s->n_singles;
    } else {
        u->pitman = pitman_uniques(pitman_estimate(s), population);
        u->snb = slide_binomial_uniques(s, population);
    }
    decide(u, share);
}
