/* One model of the section `privacy`: its keys, their bounds, and what it refers to. */
#ifndef STUDY_SCHEMA_SCHEMA_MODEL_H
#define STUDY_SCHEMA_SCHEMA_MODEL_H

#include "study/schema/schema.h"

/* The keys that a model has, ending with a NULL name. */
enum { SCHEMA_MODEL_KEYS = 16 };
void schema_model_keys(model_id id, yaml_key keys[SCHEMA_MODEL_KEYS]);

/* Reads the keys of the model m->id from a mapping. False after a problem. */
bool schema_model(study_draft *d, const yaml_node_t *node, model_spec *m);

#endif
