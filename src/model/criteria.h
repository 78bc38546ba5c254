/* The criteria, one file each: the value of a class in the model's own unit, larger is safer. */
#ifndef MODEL_CRITERIA_H
#define MODEL_CRITERIA_H

#include "model/model.h"

double k_anonymity_value(const model_spec *model, const class_view *view);
double l_frequency_value(const model_spec *model, const class_view *view);

#endif
