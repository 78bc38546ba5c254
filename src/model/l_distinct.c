/* Distinct l-diversity: at least l different sensitive values in a class. */
#include "model/criteria.h"

model_finding l_distinct_judge(const model_spec *model, const class_view *view)
{
    return criteria_at_least("distinct values", criteria_distinct(criteria_histogram(model, view)),
                             model->l);
}
