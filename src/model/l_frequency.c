/* l-diversity by frequency (SEQ 7): no sensitive value makes up more than 1/l of a class, and none
 * is certain of a unit. */
#include "model/criteria.h"

model_finding l_frequency_judge(const model_spec *model, const class_view *view)
{
    uint32_t max_count = criteria_max_count(criteria_histogram(model, view));
    const model_finding certain = criteria_certain(model, view);
    if (model->l > 1 && !certain.holds)
        return certain;
    double value = max_count == 0 ? 0 : (double)view->size / (double)max_count;
    return criteria_at_least("records per record with the most frequent value", value, model->l);
}
