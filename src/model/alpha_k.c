/* (alpha,k)-anonymity: at least k records, and no sensitive value in more than a share alpha. */
#include "model/criteria.h"

model_finding alpha_k_judge(const model_spec *model, const class_view *view)
{
    if (view->size < model->k)
        return criteria_at_least("records", view->size, model->k);
    double share = (double)criteria_max_count(criteria_histogram(model, view)) / (double)view->size;
    return criteria_at_most("share of one value", share, model->alpha);
}
