/* Models about sites. A joint release does not show to which site a row belongs, but where every
 * site publishes its own rows, a simulation can count them. */
#include <math.h>

#include "core/error.h"
#include "job/simulate/simulate.h"

/* counts[class * n_parties + site]: rows of each site in each class. */
static kith_status count_rows(uint32_t **counts, const simulation *s, const simulate_result *r,
                              kith_error *error)
{
    const classes *all = r->publication.assessment.verified.grouping;
    *counts = arena_zalloc(s->context.memory, (size_t)all->count * s->n_parties, sizeof **counts);
    TRY_ALLOC(*counts, error);
    for (uint32_t row = 0; row < r->publication.texts->n_rows; row++)
        (*counts)[(size_t)all->class_of[row] * s->n_parties + r->site_of[row]]++;
    return KITH_OK;
}

/* The smallest number of sites in a class. */
static double min_sites(const uint32_t *counts, const simulation *s, const simulate_result *r)
{
    double min = INFINITY;
    for (uint32_t c = 0; c < r->publication.assessment.verified.grouping->count; c++) {
        uint32_t n_sites = 0;
        for (uint32_t i = 0; i < s->n_parties; i++)
            n_sites += counts[(size_t)c * s->n_parties + i] > 0;
        if (c != r->publication.assessment.verified.suppressed_class)
            min = fmin(min, n_sites);
    }
    return min;
}

/* The smallest number of rows of other sites that a site finds in a class. Classes with rows of a
 * single site do not count: that site learns nothing about others from them. */
static double min_others(const uint32_t *counts, const simulation *s, const simulate_result *r)
{
    double min = INFINITY;
    for (uint32_t c = 0; c < r->publication.assessment.verified.grouping->count; c++)
        for (uint32_t i = 0;
             i < s->n_parties && c != r->publication.assessment.verified.suppressed_class; i++) {
            uint32_t own = counts[(size_t)c * s->n_parties + i];
            uint32_t others = r->publication.assessment.verified.grouping->size[c] - own;
            if (others > 0)
                min = fmin(min, others);
        }
    return min;
}

static kith_status broken(model_id id, kith_error *error)
{
    return error_set(error, KITH_BUG, "the joint release breaks the model %s; nothing is written",
                     model_name(id));
}

kith_status simulate_site_models_check(simulate_result *r, simulation *s, kith_error *error)
{
    const protocol_options *o = &s->site_study->joint;
    const uint32_t by_default = o->min_others;
    uint32_t *counts;
    if ((o->n_site_models == 0 && by_default == 0) || r->site_of == NULL)
        return KITH_OK;
    TRY(count_rows(&counts, s, r, error));
    if (min_others(counts, s, r) < by_default)
        return broken(MODEL_M_PRIVACY, error);
    r->site_worst =
        TRY_ALLOC(arena_array(s->context.memory, o->n_site_models, sizeof *r->site_worst), error);
    for (uint32_t i = 0; i < o->n_site_models; i++) {
        const model_spec *m = &o->site_models[i];
        double needed = m->id == MODEL_M_PRIVACY ? m->k : m->l;
        r->site_worst[i] = m->id == MODEL_M_PRIVACY      ? min_others(counts, s, r)
                           : m->variant == VARIANT_SITES ? min_sites(counts, s, r)
                                                         : NAN;
        if (r->site_worst[i] < needed)
            return broken(m->id, error);
    }
    return KITH_OK;
}
