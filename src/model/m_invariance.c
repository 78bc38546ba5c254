/* m-invariance for a series of releases: a class has at least m records whose sensitive values are
 * all different, and a person who was in an earlier release is again among the same set of values.
 */
#include "model/criteria.h"

/* Is the set of values of the class this signature? */
static bool has_signature(const model_facts *facts, uint32_t signature, const histogram *h,
                          uint32_t distinct)
{
    uint32_t from = facts->signature_start[signature], to = facts->signature_start[signature + 1];
    if (to - from != distinct)
        return false;
    for (uint32_t i = from; i < to; i++)
        if (facts->signature_value[i] >= h->n_values || h->counts[facts->signature_value[i]] == 0)
            return false;
    return true;
}

/* The number of records that had another set of values in an earlier release. */
static uint32_t moved(const model_facts *facts, const class_view *view, const histogram *h,
                      uint32_t distinct)
{
    if (facts->signature_start == NULL)
        return 0;
    const histogram *earlier = &view->sensitive[facts->signature];
    uint32_t n_records = 0;
    for (uint32_t s = 1; s < earlier->n_values; s++)
        if (earlier->counts[s] > 0 && !has_signature(facts, s, h, distinct))
            n_records += earlier->counts[s];
    return n_records;
}

model_finding m_invariance_judge(const model_spec *model, const class_view *view)
{
    const histogram *h = criteria_histogram(model, view);
    uint32_t distinct = criteria_distinct(h), max_count = criteria_max_count(h);
    if (distinct < model->m)
        return criteria_at_least("distinct values", distinct, model->m);
    if (max_count > 1)
        return criteria_at_most("records with the same value", max_count, 1);
    return criteria_at_most("records with another signature than before",
                            moved(model->facts, view, h, distinct), 0);
}
