/* LKC-privacy: an attacker who knows up to L quasi-identifiers of a person finds at least K
 * matching records, and no protected value makes up more than a share C of these.
 *
 * A search applies this to the classes themselves, as if all quasi-identifiers were known. That is
 * enough: an attacker who knows fewer finds a union of classes, which is at least as large, and in
 * which a share is at most the largest share of the parts. */
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
