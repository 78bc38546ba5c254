/* Section `privacy`: the models that every class of the release must meet. */
#include "study/schema.h"

#include <math.h>
#include <string.h>

#include "core/text.h"

static const char *const models[] = {
    [MODEL_K_ANONYMITY] = "k-anonymity",
    [MODEL_L_DIVERSITY] = "l-diversity",
    NULL,
};

static const char *const later_models[] = {
    "t-closeness",
    "k-map",
    "delta-presence",
    "alpha-k",
    "p-sensitive",
    "lkc",
    "dissimilarity",
    "beta-likeness",
    "delta-disclosure",
    "m-invariance",
    "l-site-diversity",
    "m-privacy",
    NULL,
};

static const char *const variants[] = {"frequency", NULL};
static const char *const later_variants[] = {"distinct", "entropy", "recursive", NULL};

enum { K_MODEL, K_K, K_KEYS };
static const yaml_key k_keys[] = {
    [K_MODEL] = {"model", true, NULL},
    [K_K] = {"k", true, NULL},
    [K_KEYS] = {NULL, false, NULL},
};

enum { L_MODEL, L_VARIANT, L_L, L_ATTRIBUTE, L_C, L_KEYS };
static const yaml_key l_keys[] = {
    [L_MODEL] = {"model", true, NULL},
    [L_VARIANT] = {"variant", false, NULL},
    [L_L] = {"l", true, NULL},
    [L_ATTRIBUTE] = {"attribute", false, NULL},
    [L_C] = {"c", false, "belongs to the variant recursive, which this version does not have"},
    [L_KEYS] = {NULL, false, NULL},
};

static bool read_k(draft *d, const yaml_node_t *node, model_spec *m)
{
    const yaml_node_t *values[K_KEYS];
    yaml_walk_map(d->walk, node, "k-anonymity", k_keys, values);
    return values[K_K] != NULL && yaml_walk_whole(d->walk, values[K_K], "k", 2, &m->k);
}

static uint32_t sensitive_index(const draft *d, const study_column *found)
{
    uint32_t index = 0;
    for (const study_column *c = d->column; c < found; c++)
        index += c->role == ROLE_SENSITIVE;
    return index;
}

static study_column *only_sensitive(draft *d)
{
    study_column *only = NULL;
    for (uint32_t i = 0; i < d->study->columns; i++) {
        if (d->column[i].role != ROLE_SENSITIVE)
            continue;
        if (only != NULL)
            return NULL;
        only = &d->column[i];
    }
    return only;
}

/* The sensitive column that a model protects; without `attribute` it is the only one. */
static bool read_attribute(draft *d, const yaml_node_t *model, const yaml_node_t *node,
                           model_spec *m)
{
    study_column *found =
        node != NULL ? schema_refer_column(d, node, "attribute") : only_sensitive(d);
    if (found == NULL) {
        if (node == NULL)
            yaml_walk_problem(d->walk, model,
                              "l-diversity needs an attribute: the sensitive column that it "
                              "protects");
        return false;
    }
    if (found->role != ROLE_SENSITIVE) {
        yaml_walk_problem(d->walk, node, "attribute: column '%s' is not sensitive (line %zu)",
                          found->name, found->line);
        return false;
    }
    m->attribute = found->name;
    m->sensitive = sensitive_index(d, found);
    return true;
}

static bool read_l(draft *d, const yaml_node_t *node, model_spec *m)
{
    const yaml_node_t *values[L_KEYS];
    size_t before = kith_findings_problems(d->walk->findings), variant = 0;
    yaml_walk_map(d->walk, node, "l-diversity", l_keys, values);
    if (values[L_VARIANT] != NULL &&
        !schema_later(d->walk, values[L_VARIANT], "variant", later_variants, variants))
        yaml_walk_choice(d->walk, values[L_VARIANT], "variant", variants, &variant);
    m->variant = VARIANT_FREQUENCY;
    if (values[L_L] != NULL && yaml_walk_number(d->walk, values[L_L], "l", &m->l) && m->l < 1)
        yaml_walk_problem(d->walk, values[L_L], "l: expected a number of at least 1, found '%s'",
                          (const char *)values[L_L]->data.scalar.value);
    read_attribute(d, node, values[L_ATTRIBUTE], m);
    return kith_findings_problems(d->walk->findings) == before;
}

/* The value of `model` in a mapping whose other keys depend on it. */
static const yaml_node_t *model_node(draft *d, const yaml_node_t *node)
{
    size_t count = yaml_walk_pairs(d->walk, node, "a model");
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *key, *value;
        yaml_walk_pair(d->walk, node, i, &key, &value);
        if (yaml_walk_is_text(key) && strcmp((const char *)key->data.scalar.value, "model") == 0)
            return value;
    }
    if (yaml_walk_is_map(node))
        yaml_walk_problem(d->walk, node, "a model lacks the key 'model'");
    return NULL;
}

static bool same(const model_spec *a, const model_spec *b)
{
    return a->id == b->id && a->variant == b->variant &&
           (a->attribute == NULL || strcmp(a->attribute, b->attribute) == 0);
}

static void add_model(draft *d, const yaml_node_t *node, const model_spec *m)
{
    for (uint32_t i = 0; i < d->study->models; i++)
        if (same(&d->model[i], m)) {
            yaml_walk_problem(d->walk, node, "%s%s%s is given twice (first on line %zu)",
                              models[m->id], m->attribute != NULL ? " for " : "",
                              m->attribute != NULL ? m->attribute : "", (size_t)d->model[i].line);
            return;
        }
    d->model[d->study->models++] = *m;
}

static void read_model(draft *d, const yaml_node_t *node)
{
    size_t id = 0;
    const yaml_node_t *name = model_node(d, node);
    if (name == NULL || schema_later(d->walk, name, "model", later_models, models) ||
        !yaml_walk_choice(d->walk, name, "model", models, &id))
        return;
    model_spec m = {.id = (model_id)id, .line = yaml_walk_line(node)};
    if (m.id == MODEL_K_ANONYMITY ? read_k(d, node, &m) : read_l(d, node, &m))
        add_model(d, node, &m);
}

/* Does the study protect anything at all? l = 1 allows every class. */
static bool protects(const draft *d)
{
    for (uint32_t i = 0; i < d->study->models; i++)
        if (d->model[i].id == MODEL_K_ANONYMITY || d->model[i].l > 1)
            return true;
    return false;
}

void schema_privacy(draft *d, const yaml_node_t *node)
{
    size_t before = kith_findings_problems(d->walk->findings);
    size_t count = yaml_walk_count(d->walk, node, "privacy");
    if (count > SCHEMA_MODELS) {
        yaml_walk_problem(d->walk, node, "more than %d models", SCHEMA_MODELS);
        return;
    }
    d->model = arena_zalloc(d->walk->memory, count + 1, sizeof *d->model);
    d->study->model = d->model;
    if (d->model == NULL) {
        d->walk->nomem = true;
        return;
    }
    for (size_t i = 0; i < count; i++)
        read_model(d, yaml_walk_item(d->walk, node, i));
    if (kith_findings_problems(d->walk->findings) != before)
        return;
    if (count == 0)
        yaml_walk_problem(d->walk, node,
                          "privacy: the list is empty; say at least {model: k-anonymity, k: 5}");
    else if (!protects(d))
        yaml_walk_problem(d->walk, node,
                          "privacy: l = 1 protects nothing; add {model: k-anonymity, k: 5}");
}
