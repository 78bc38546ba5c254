/* p-sensitive k-anonymity: at least k records with at least p different sensitive values, none of
 * them certain of a unit. */
#include "model/criteria.h"

model_finding p_sensitive_judge(const model_spec *model, const class_view *view)
{
    if (view->size < model->k)
        return criteria_at_least(criteria_counted(view), view->size, model->k);
    const model_finding certain = criteria_certain(model, view);
    if (model->p > 1 && !certain.holds)
        return certain;
    return criteria_at_least("distinct values", criteria_distinct(criteria_histogram(model, view)),
                             model->p);
}
