/* The criteria of the models, one file each: x_judge is in x.c. */
#ifndef MODEL_CRITERIA_H
#define MODEL_CRITERIA_H

#include "model/model.h"

/* Sums of logarithms and of many fractions are compared with this much tolerance, so that a bound
 * that is met exactly counts as met. */
#define MODEL_TOLERANCE 1e-9

typedef model_finding model_criterion(const model_spec *model, const class_view *view);

model_criterion k_anonymity_judge;
model_criterion k_map_judge;
model_criterion l_frequency_judge;
model_criterion l_distinct_judge;
model_criterion l_entropy_judge;
model_criterion l_recursive_judge;
model_criterion t_closeness_judge;
model_criterion delta_presence_judge;
model_criterion alpha_k_judge;
model_criterion p_sensitive_judge;
model_criterion lkc_judge;
model_criterion dissimilarity_judge;
model_criterion delta_disclosure_judge;
model_criterion beta_likeness_judge;
model_criterion m_invariance_judge;
model_criterion dominance_judge;

/* The counts of the sensitive attribute that a model looks at. */
static inline const histogram *criteria_histogram(const model_spec *model, const class_view *view)
{
    return &view->sensitive[model->sensitive];
}

static inline model_finding criteria_at_least(const char *quantity, double found, double needed)
{
    return (model_finding){found >= needed, quantity, found, needed, false};
}

static inline model_finding criteria_at_most(const char *quantity, double found, double needed)
{
    return (model_finding){found <= needed, quantity, found, needed, true};
}

static inline uint32_t criteria_max_count(const histogram *h)
{
    uint32_t max = 0;
    for (uint32_t v = 0; v < h->n_values; v++)
        max = h->counts[v] > max ? h->counts[v] : max;
    return max;
}

static inline uint32_t criteria_distinct(const histogram *h)
{
    uint32_t distinct = 0;
    for (uint32_t v = 0; v < h->n_values; v++)
        distinct += h->counts[v] > 0;
    return distinct;
}

/* What the size of a class counts. */
static inline const char *criteria_counted(const class_view *view)
{
    return view->units == NULL ? "records" : "persons";
}

/* Where units may have several records: is a value certain of one of them? Who knows how many
 * records a unit has learns a value from it if there are fewer records without the value; and all
 * learn a value that every unit shows. */
static inline model_finding criteria_certain(const model_spec *model, const class_view *view)
{
    const class_units *units = view->units;
    if (units == NULL)
        return (model_finding){.holds = true};
    const uint32_t others = units->n_records - units->most_shown[model->sensitive];
    if (units->most_records > others)
        return criteria_at_most("rows of one person, against those without the most frequent value",
                                units->most_records, others);
    return criteria_at_most("persons with the same value",
                            criteria_max_count(criteria_histogram(model, view)), view->size - 1.0);
}

#endif
