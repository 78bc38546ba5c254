/* delta-presence: the share of a class that belongs to the research subset lies between two bounds.
 */
#include "model/criteria.h"

model_finding delta_presence_judge(const model_spec *model, const class_view *view)
{
    const histogram *h = criteria_histogram(model, view);
    uint64_t inside = 0;
    for (uint32_t v = 0; v < h->n_values; v++)
        inside += model->facts->listed[v] ? h->counts[v] : 0;
    double share = (double)inside / (double)view->size;
    return share < model->min ? criteria_at_least("share of the subset", share, model->min)
                              : criteria_at_most("share of the subset", share, model->max);
}
