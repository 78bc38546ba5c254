/* k-anonymity: at least k records in a class. */
#include "model/criteria.h"

model_finding k_anonymity_judge(const model_spec *model, const class_view *view)
{
    return criteria_at_least(criteria_counted(view), view->size, model->k);
}
