/* delta-disclosure privacy: the share of every sensitive value in a class and its share in the
 * table differ by a factor below e^delta; so every value of the table is in every class. */
#include "model/criteria.h"

#include <math.h>

model_finding delta_disclosure_judge(const model_spec *model, const class_view *view)
{
    const model_facts *facts = model->facts;
    const uint32_t *counts = criteria_histogram(model, view)->counts;
    double worst = 0;
    for (uint32_t v = 0; v < facts->n_values; v++) {
        if (facts->overall[v] == 0)
            continue;
        double ratio =
            ((double)counts[v] * facts->n_records) / ((double)view->size * facts->overall[v]);
        worst = fmax(worst, fabs(log(ratio)));
    }
    model_finding f = criteria_at_most("logarithm of a change of share", worst, model->delta);
    f.holds = worst < model->delta;
    return f;
}
