/* l-diversity by frequency (SEQ 7): no sensitive value makes up more than 1/l of a class. */
#include "model/criteria.h"

model_finding l_frequency_judge(const model_spec *model, const class_view *view)
{
    uint32_t most = criteria_largest(criteria_histogram(model, view));
    double value = most == 0 ? 0 : (double)view->size / (double)most;
    return criteria_at_least("records per record with the most frequent value", value, model->l);
}
