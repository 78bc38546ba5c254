/* Entropy l-diversity: the entropy of the sensitive values in a class is at least log l. The value
 * is the number of equally frequent values with that entropy. */
#include "model/criteria.h"

#include <math.h>

model_finding l_entropy_judge(const model_spec *model, const class_view *view)
{
    const histogram *h = criteria_histogram(model, view);
    double sum = 0;
    for (uint32_t v = 0; v < h->n_values; v++)
        if (h->counts[v] > 0)
            sum += h->counts[v] * log(h->counts[v]);
    double entropy = log(view->size) - sum / view->size;
    model_finding f = criteria_at_least("effective number of values", exp(entropy), model->l);
    f.holds = entropy >= log(model->l) - MODEL_TOLERANCE;
    return f;
}
