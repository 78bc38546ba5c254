/* (alpha,k)-anonymity: at least k records, and no sensitive value in more than a share alpha, and
 * none that is certain of a unit. */
#include "model/criteria.h"

model_finding alpha_k_judge(const model_spec *model, const class_view *view)
{
    if (view->size < model->k)
        return criteria_at_least(criteria_counted(view), view->size, model->k);
    const model_finding certain = criteria_certain(model, view);
    if (model->alpha < 1 && !certain.holds)
        return certain;
    double share = (double)criteria_max_count(criteria_histogram(model, view)) / (double)view->size;
    return criteria_at_most("share of one value", share, model->alpha);
}
