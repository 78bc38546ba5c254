/* The registry of criteria. */
#include "model/model.h"

#include <math.h>

#include "core/check.h"
#include "model/criteria.h"
#include "model/k_map.h"

static const char *const names[MODEL_COUNT] = {
    [MODEL_K_ANONYMITY] = "k-anonymity",       [MODEL_L_DIVERSITY] = "l-diversity",
    [MODEL_T_CLOSENESS] = "t-closeness",       [MODEL_K_MAP] = "k-map",
    [MODEL_DELTA_PRESENCE] = "delta-presence", [MODEL_ALPHA_K] = "alpha-k",
    [MODEL_P_SENSITIVE] = "p-sensitive",       [MODEL_LKC] = "lkc",
    [MODEL_DISSIMILARITY] = "dissimilarity",   [MODEL_DELTA_DISCLOSURE] = "delta-disclosure",
    [MODEL_BETA_LIKENESS] = "beta-likeness",   [MODEL_M_INVARIANCE] = "m-invariance",
    [MODEL_DOMINANCE] = "dominance",           [MODEL_L_SITE_DIVERSITY] = "l-site-diversity",
    [MODEL_M_PRIVACY] = "m-privacy",
};

static const char *const variants[VARIANT_COUNT] = {
    [VARIANT_NONE] = "",
    [VARIANT_FREQUENCY] = "frequency",
    [VARIANT_DISTINCT] = "distinct",
    [VARIANT_ENTROPY] = "entropy",
    [VARIANT_RECURSIVE] = "recursive",
    [VARIANT_EQUAL] = "equal",
    [VARIANT_ORDERED] = "ordered",
    [VARIANT_HIERARCHICAL] = "hierarchical",
    [VARIANT_BASIC] = "basic",
    [VARIANT_ENHANCED] = "enhanced",
    [VARIANT_ATTRIBUTES] = "attributes",
    [VARIANT_SITES] = "sites",
};

/* A criterion and how it behaves when classes grow. */
typedef struct entry {
    model_criterion *judge;
    bool closed; /* unions of good classes are good, if each record is a unit */
    bool grows;  /* a good class stays good whichever records join it, then */
    bool less;   /* a smaller value is safer */
} entry;

static const entry table[MODEL_COUNT][VARIANT_COUNT] = {
    [MODEL_K_ANONYMITY][VARIANT_NONE] = {k_anonymity_judge, true, true, false},
    [MODEL_K_MAP][VARIANT_NONE] = {k_map_judge, true, true, false},
    [MODEL_L_DIVERSITY][VARIANT_FREQUENCY] = {l_frequency_judge, true, false, false},
    [MODEL_L_DIVERSITY][VARIANT_DISTINCT] = {l_distinct_judge, true, true, false},
    [MODEL_L_DIVERSITY][VARIANT_ENTROPY] = {l_entropy_judge, true, false, false},
    [MODEL_L_DIVERSITY][VARIANT_RECURSIVE] = {l_recursive_judge, true, false, true},
    [MODEL_T_CLOSENESS][VARIANT_EQUAL] = {t_closeness_judge, true, false, true},
    [MODEL_T_CLOSENESS][VARIANT_ORDERED] = {t_closeness_judge, true, false, true},
    [MODEL_T_CLOSENESS][VARIANT_HIERARCHICAL] = {t_closeness_judge, true, false, true},
    [MODEL_DELTA_PRESENCE][VARIANT_NONE] = {delta_presence_judge, true, false, true},
    [MODEL_ALPHA_K][VARIANT_NONE] = {alpha_k_judge, true, false, true},
    [MODEL_P_SENSITIVE][VARIANT_NONE] = {p_sensitive_judge, true, true, false},
    [MODEL_LKC][VARIANT_NONE] = {lkc_judge, true, false, true},
    [MODEL_DISSIMILARITY][VARIANT_EQUAL] = {dissimilarity_judge, false, false, false},
    [MODEL_DISSIMILARITY][VARIANT_ORDERED] = {dissimilarity_judge, false, false, false},
    [MODEL_DISSIMILARITY][VARIANT_HIERARCHICAL] = {dissimilarity_judge, false, false, false},
    [MODEL_DELTA_DISCLOSURE][VARIANT_NONE] = {delta_disclosure_judge, true, false, true},
    [MODEL_BETA_LIKENESS][VARIANT_BASIC] = {beta_likeness_judge, true, false, true},
    [MODEL_BETA_LIKENESS][VARIANT_ENHANCED] = {beta_likeness_judge, true, false, true},
    [MODEL_M_INVARIANCE][VARIANT_NONE] = {m_invariance_judge, false, false, false},
    [MODEL_DOMINANCE][VARIANT_NONE] = {dominance_judge, true, false, true},
};

static const entry *model_find(const model_spec *model)
{
    ASSERT(model_exists(model->id, model->variant) && !model_of_sites(model->id));
    return &table[model->id][model->variant];
}

const char *model_name(model_id id)
{
    ASSERT(id < MODEL_COUNT);
    return names[id];
}

const char *model_variant_name(model_variant variant)
{
    ASSERT(variant < VARIANT_COUNT);
    return variants[variant];
}

bool model_of_sites(model_id id)
{
    return id == MODEL_L_SITE_DIVERSITY || id == MODEL_M_PRIVACY;
}

bool model_exists(model_id id, model_variant variant)
{
    if (id == MODEL_L_SITE_DIVERSITY)
        return variant == VARIANT_ATTRIBUTES || variant == VARIANT_SITES;
    return id == MODEL_M_PRIVACY ? variant == VARIANT_NONE : table[id][variant].judge != NULL;
}

#if KITH_DEBUG
/* The counts of the values that the model looks at add up to the size of the class. */
static void check_view(const model_spec *model, const class_view *view)
{
    ASSERT(view->size > 0);
    if (!model_looks_at_values(model))
        return;
    const histogram *h = &view->sensitive[model->sensitive];
    uint64_t n_records = 0;
    for (uint32_t v = 0; v < h->n_values; v++)
        n_records += h->counts[v];
    ASSERT(n_records == view->size ||
           (n_records > view->size && view->units != NULL && !model_needs_one_value(model)));
}
#endif

model_finding model_judge(const model_spec *model, const class_view *view)
{
    CHECK(check_view(model, view));
    return model_find(model)->judge(model, view);
}

bool model_holds(const model_spec *model, const class_view *view)
{
    if (model->id == MODEL_K_MAP)
        return k_map_population_reaches(model->facts->population, view->closure, model->k);
    return model_judge(model, view).holds;
}

/* How far a share is outside its bounds; negative inside. */
static double outside(const model_spec *model, double share)
{
    return fmax(model->min - share, share - model->max);
}

bool model_worse(const model_spec *model, double a, double b)
{
    if (model->id == MODEL_DELTA_PRESENCE)
        return outside(model, a) > outside(model, b);
    return model_find(model)->less ? a > b : a < b;
}

/* Where units are counted, a unit of two classes, or with two records, counts once in their union,
 * and makes the share of another value larger there. */
bool model_closed(const model_spec *model)
{
    return model_find(model)->closed && !(model->by_units && model_looks_at_values(model));
}

bool model_closed_by_records(const model_spec *model)
{
    return model_find(model)->closed;
}

bool models_closed(const model_spec *models, uint32_t count)
{
    for (uint32_t m = 0; m < count; m++)
        if (!model_closed(&models[m]))
            return false;
    return true;
}

bool model_monotone(const model_spec *model, bool with_suppression)
{
    return model_closed(model) && (!with_suppression || model_find(model)->grows);
}

bool models_need_closure(const model_spec *models, uint32_t count)
{
    for (uint32_t m = 0; m < count; m++)
        if (models[m].id == MODEL_K_MAP)
            return true;
    return false;
}

bool model_needs_one_value(const model_spec *model)
{
    switch (model->id) {
    case MODEL_L_DIVERSITY:
        return model->variant == VARIANT_ENTROPY || model->variant == VARIANT_RECURSIVE;
    case MODEL_T_CLOSENESS:
    case MODEL_DISSIMILARITY:
    case MODEL_DELTA_PRESENCE: return true;
    default: return false;
    }
}

bool model_looks_at_values(const model_spec *model)
{
    return model->id != MODEL_K_ANONYMITY && model->id != MODEL_K_MAP &&
           model->id != MODEL_DOMINANCE;
}

uint32_t models_values_needed(const model_spec *models, uint32_t count, uint32_t sensitive)
{
    double needed = 0;
    for (uint32_t m = 0; m < count; m++) {
        const model_spec *model = &models[m];
        if (!model_looks_at_values(model) || model->sensitive != sensitive)
            continue;
        const double own = model->id == MODEL_L_DIVERSITY   ? model->l
                           : model->id == MODEL_P_SENSITIVE ? model->p
                           : model->id == MODEL_ALPHA_K     ? 1 / model->alpha
                                                            : 2;
        needed = fmax(needed, ceil(own - MODEL_TOLERANCE));
    }
    return (uint32_t)needed;
}

/* The number of records that a class itself must have. */
static uint32_t own_k(const model_spec *model)
{
    switch (model->id) {
    case MODEL_K_ANONYMITY:
    case MODEL_ALPHA_K:
    case MODEL_P_SENSITIVE:
    case MODEL_LKC:
    case MODEL_DISSIMILARITY: return model->k;
    case MODEL_M_INVARIANCE: return model->m;
    default: return 1;
    }
}

uint32_t models_minimum_size(const model_spec *models, uint32_t count)
{
    uint32_t k = 1;
    for (uint32_t m = 0; m < count; m++)
        k = own_k(&models[m]) > k ? own_k(&models[m]) : k;
    return k;
}

/* The smallest class of which a share between min and max can be in the subset. */
static double presence_size(const model_spec *model)
{
    for (uint32_t n = 1; n < 10000; n++)
        if (floor(model->max * n + MODEL_TOLERANCE) >= ceil(model->min * n - MODEL_TOLERANCE))
            return n;
    return 1;
}

/* The number of records that a class needs to have enough different values. */
static double size_for_values(const model_spec *model)
{
    switch (model->id) {
    case MODEL_L_DIVERSITY: return ceil(model->l - MODEL_TOLERANCE);
    case MODEL_ALPHA_K: return ceil(1 / model->alpha - MODEL_TOLERANCE);
    case MODEL_P_SENSITIVE: return model->p;
    case MODEL_DOMINANCE: return ceil(1 / model->share - MODEL_TOLERANCE);
    case MODEL_DELTA_PRESENCE: return presence_size(model);
    case MODEL_DELTA_DISCLOSURE: return model->facts == NULL ? 1 : model->facts->occurring;
    default: return 1;
    }
}

uint32_t model_minimum_size(const model_spec *model)
{
    double min_size = fmax(own_k(model), size_for_values(model));
    return min_size < UINT32_MAX ? (uint32_t)min_size : UINT32_MAX;
}
