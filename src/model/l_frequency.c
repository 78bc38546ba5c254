/* l-diversity by frequency (SEQ 7): no sensitive value makes up more than 1/l of a class. */
#include "model/criteria.h"

double l_frequency_value(const model_spec *model, const class_view *view)
{
    const histogram *h = &view->sensitive[model->sensitive];
    uint32_t most = 0;
    for (uint32_t v = 0; v < h->values; v++)
        most = h->counts[v] > most ? h->counts[v] : most;
    return most == 0 ? 0 : (double)view->size / (double)most;
}
