/* Models about sites. A joint release does not show to which site a row belongs, but where every
 * site publishes its own rows, a simulation can count them. */
#include <math.h>

#include "core/error.h"
#include "job/rehearse/simulate.h"

/* What the rows of each site in each class show. */
typedef struct site_counts {
    double sites; /* in the class with the fewest */
    double
        others; /* rows of other sites: the fewest that a site finds in a class. Classes with rows
                 * of a single site do not count: it learns nothing about others from them */
} site_counts;

/* `fewest` begins with infinity. */
static kith_status count_sites(site_counts *fewest, const simulation *s, const simulate_result *r,
                               kith_error *error)
{
    const verify_report *v = &r->publication.assessment.verified;
    const classes *all = v->grouping;
    const size_t n = s->n_parties;
    uint32_t *counts = /* [class * n_parties + site] */
        TRY_ALLOC(arena_zalloc(s->context.memory, all->count * n, sizeof *counts), error);
    for (uint32_t row = 0; row < r->publication.texts->n_rows; row++)
        counts[all->class_of[row] * n + r->site_of[row]]++;
    for (uint32_t c = 0; c < all->count; c++) {
        uint32_t n_sites = 0;
        for (uint32_t i = 0; i < n && c != v->suppressed_class; i++) {
            const uint32_t own = counts[c * n + i], others = all->size[c] - own;
            n_sites += own > 0;
            if (others > 0)
                fewest->others = fmin(fewest->others, others);
        }
        if (c != v->suppressed_class)
            fewest->sites = fmin(fewest->sites, n_sites);
    }
    return KITH_OK;
}

static kith_status broken(model_id id, kith_error *error)
{
    return error_set(error, KITH_BUG, "the joint release breaks the model %s; nothing is written",
                     model_name(id));
}

kith_status simulate_site_models_check(simulate_result *r, simulation *s, kith_error *error)
{
    const protocol_options *o = &s->site_study->joint;
    site_counts fewest = {INFINITY, INFINITY};
    if ((o->n_site_models == 0 && o->min_others == 0) || r->site_of == NULL)
        return KITH_OK;
    TRY(count_sites(&fewest, s, r, error));
    if (fewest.others < o->min_others)
        return broken(MODEL_M_PRIVACY, error);
    r->site_worst =
        TRY_ALLOC(arena_array(s->context.memory, o->n_site_models, sizeof *r->site_worst), error);
    for (uint32_t i = 0; i < o->n_site_models; i++) {
        const model_spec *m = &o->site_models[i];
        double needed = m->id == MODEL_M_PRIVACY ? m->k : m->l;
        r->site_worst[i] = m->id == MODEL_M_PRIVACY      ? fewest.others
                           : m->variant == VARIANT_SITES ? fewest.sites
                                                         : NAN;
        if (r->site_worst[i] < needed)
            return broken(m->id, error);
    }
    return KITH_OK;
}
