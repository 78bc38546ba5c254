/* (epsilon,delta)^k-dissimilarity: at least k records, and the sensitive value of each is further
 * than epsilon from those of at least a share delta of the others. */
#include "model/criteria.h"

#include "model/model_distance.h"

/* Records whose value is further than epsilon from a value. */
static uint64_t far_from(const model_spec *model, const histogram *h, uint32_t value)
{
    uint64_t far = 0;
    for (uint32_t v = 0; v < h->n_values; v++)
        if (h->counts[v] > 0 &&
            model_distance(model->facts, model->variant, value, v) > model->epsilon)
            far += h->counts[v];
    return far;
}

model_finding dissimilarity_judge(const model_spec *model, const class_view *view)
{
    if (view->size < model->k)
        return criteria_at_least("records", view->size, model->k);
    const histogram *h = criteria_histogram(model, view);
    uint64_t min_far = view->size, others = view->size - 1;
    for (uint32_t v = 0; v < h->n_values; v++)
        if (h->counts[v] > 0) {
            uint64_t far = far_from(model, h, v);
            min_far = far < min_far ? far : min_far;
        }
    double share = others == 0 ? 1 : (double)min_far / (double)others;
    return criteria_at_least("share of dissimilar records", share, model->delta);
}
