/* LKC-privacy: whoever knows up to L quasi-identifiers of a person meets at least K records, of
 * which no protected value has more than a share C.
 *
 * While classes are formed this is asked of the classes themselves, where all quasi-identifiers are
 * known. That is enough: what is found by fewer of them is a union of classes, which is no smaller
 * and in which no share is higher than in all of its parts. */
#include "model/criteria.h"

model_finding lkc_judge(const model_spec *model, const class_view *view)
{
    if (view->size < model->k)
        return criteria_at_least("records", view->size, model->k);
    const histogram *h = criteria_histogram(model, view);
    uint32_t max_count = 0;
    for (uint32_t v = 0; v < h->n_values; v++)
        if (model->facts->listed[v] && h->counts[v] > max_count)
            max_count = h->counts[v];
    return criteria_at_most("share of a protected value", (double)max_count / (double)view->size,
                            model->c);
}
