/* The distance between two sensitive values. */
#ifndef MODEL_MODEL_DISTANCE_H
#define MODEL_MODEL_DISTANCE_H

#include <stdint.h>

#include "model/model.h"

/* The distance between two values that occur in the table, from 0 to 1. By variant: equal (1 for
 * any two different values), ordered (by rank) or hierarchical (by the level of the lowest common
 * ancestor). */
double model_distance(const model_facts *facts, model_variant variant, uint32_t a, uint32_t b);

#endif
