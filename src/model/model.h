/* Privacy models as conditions on a class of records.
 *
 * A search asks three things of a class: may it be released, may a record leave it, may a record
 * join it. A class is described by its size and, for each sensitive attribute, how often every
 * value occurs in it. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

typedef enum model_id { MODEL_K_ANONYMITY, MODEL_L_DIVERSITY, MODEL_COUNT } model_id;

typedef enum model_variant { VARIANT_NONE, VARIANT_FREQUENCY } model_variant;

/* What a study says about one model. */
typedef struct model_spec {
    model_id id;
    model_variant variant;
    uint32_t k;
    double l;
    const char *attribute; /* sensitive column, NULL where the model has none */
    uint32_t sensitive;    /* index of that attribute among the problem's sensitive ones */
    uint64_t line;         /* of the study, for messages */
} model_spec;

/* Counts of one sensitive attribute in a class; counts[value], dense. */
typedef struct histogram {
    const uint32_t *counts;
    uint32_t values;
} histogram;

typedef struct class_view {
    uint32_t size;
    const histogram *sensitive; /* [number of sensitive attributes of the problem] */
} class_view;

const char *model_name(model_id id); /* "k-anonymity" */
const char *model_variant_name(model_variant variant);

/* The class's value in the model's own unit (k: its size; l by frequency: size / largest count). */
double model_value(const model_spec *model, const class_view *view);
bool model_holds(const model_spec *model, const class_view *view);
/* Is a the worse of two values of this model? */
bool model_worse(const model_spec *model, double a, double b);

/* Smallest class that these models allow: the largest k, at least 1. */
uint32_t models_minimum_size(const model_spec *models, uint32_t count);

#endif
