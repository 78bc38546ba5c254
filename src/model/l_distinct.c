/* Distinct l-diversity: at least l different sensitive values in a class, and none is certain of a
 * unit. */
#include "model/criteria.h"

model_finding l_distinct_judge(const model_spec *model, const class_view *view)
{
    const model_finding certain = criteria_certain(model, view);
    if (model->l > 1 && !certain.holds)
        return certain;
    return criteria_at_least("distinct values", criteria_distinct(criteria_histogram(model, view)),
                             model->l);
}
