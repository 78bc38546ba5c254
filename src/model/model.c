/* The registry of criteria. */
#include "model/model.h"

#include "model/criteria.h"

static const char *const names[MODEL_COUNT] = {
    [MODEL_K_ANONYMITY] = "k-anonymity",
    [MODEL_L_DIVERSITY] = "l-diversity",
};

const char *model_name(model_id id)
{
    return names[id];
}

const char *model_variant_name(model_variant variant)
{
    return variant == VARIANT_FREQUENCY ? "frequency" : "";
}

double model_value(const model_spec *model, const class_view *view)
{
    return model->id == MODEL_K_ANONYMITY ? k_anonymity_value(model, view)
                                          : l_frequency_value(model, view);
}

static double needed(const model_spec *model)
{
    return model->id == MODEL_K_ANONYMITY ? (double)model->k : model->l;
}

bool model_holds(const model_spec *model, const class_view *view)
{
    return model_value(model, view) >= needed(model);
}

bool model_worse(const model_spec *model, double a, double b)
{
    (void)model; /* in both criteria a larger value is safer */
    return a < b;
}

uint32_t models_minimum_size(const model_spec *models, uint32_t count)
{
    uint32_t k = 1;
    for (uint32_t m = 0; m < count; m++)
        if (models[m].id == MODEL_K_ANONYMITY && models[m].k > k)
            k = models[m].k;
    return k;
}
