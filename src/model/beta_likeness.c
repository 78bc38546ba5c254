/* beta-likeness: no sensitive value's share in a class exceeds its share q in the table by more
 * than beta times q; enhanced: nor by more than -ln q times q. */
#include "model/criteria.h"

#include <math.h>

/* The largest relative gain that a value may have. For a value that all records of the table have
 * it is 0 in the enhanced form, as is the gain. */
static double bound_of(const model_spec *model, uint32_t value)
{
    const model_facts *facts = model->facts;
    double bound = model->beta;
    if (model->variant == VARIANT_ENHANCED)
        bound = fmin(bound, -log((double)facts->overall[value] / facts->n_records));
    return bound;
}

model_finding beta_likeness_judge(const model_spec *model, const class_view *view)
{
    const model_facts *facts = model->facts;
    const uint32_t *counts = criteria_histogram(model, view)->counts;
    model_finding f = criteria_at_most("relative gain of a share", 0, model->beta);
    for (uint32_t v = 0; v < facts->n_values; v++) {
        if (counts[v] == 0)
            continue;
        double gain =
            ((double)counts[v] * facts->n_records) / ((double)view->size * facts->overall[v]) - 1;
        double bound = bound_of(model, v);
        if (gain > bound + MODEL_TOLERANCE ? f.holds || gain - bound > f.found - f.needed
                                           : f.holds && gain > f.found)
            f = (model_finding){gain <= bound + MODEL_TOLERANCE, f.quantity, gain, bound, true};
    }
    return f;
}
