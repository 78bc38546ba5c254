/* Section `privacy`: the models that every class of the release must meet.
 *
 *     privacy:
 *       - {model: k-anonymity, k: 5}
 *       - {model: l-diversity, l: 2, attribute: disease} */
#include "study/schema/schema.h"

#include <string.h>

#include "core/findings.h"
#include "study/schema/schema_model.h"

/* The value of `model` in a mapping whose other keys depend on it. */
static const yaml_node_t *model_node(study_draft *d, const yaml_node_t *node)
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

/* Keeps the order of the study, which reports use. The same model twice with other parameters is a
 * mistake: the stricter one decides, and the other has no effect. Variants and attributes make
 * different models. */
static void add_model(study_draft *d, const yaml_node_t *node, const model_spec *m)
{
    for (uint32_t i = 0; i < d->study->n_models; i++)
        if (d->models[i].id == m->id && d->models[i].variant == m->variant &&
            (m->attribute == NULL || strcmp(m->attribute, d->models[i].attribute) == 0)) {
            yaml_walk_problem(d->walk, node, "%s%s%s is given twice (first on line %zu)",
                              model_name(m->id), m->attribute != NULL ? " for " : "",
                              m->attribute != NULL ? m->attribute : "", (size_t)d->models[i].line);
            return;
        }
    d->models[d->study->n_models++] = *m;
}

/* The name is read first, because it decides which other keys there are. */
static void read_model(study_draft *d, const yaml_node_t *node)
{
    size_t id = 0;
    const char *models[MODEL_COUNT + 1] = {NULL};
    for (int i = 0; i < MODEL_COUNT; i++)
        models[i] = model_name((model_id)i);
    const yaml_node_t *name = model_node(d, node);
    if (name == NULL || !yaml_walk_choice(d->walk, name, "model", models, &id))
        return;
    model_spec m = {.id = (model_id)id, .line = yaml_walk_line(node)};
    if (m.id == MODEL_M_PRIVACY)
        m.other_values = SCHEMA_NOT_GIVEN;
    if (schema_model(d, node, &m))
        add_model(d, node, &m);
}

/* Does some model forbid anything? l-diversity with l = 1 allows every class. */
static bool protects(const study_draft *d)
{
    for (uint32_t i = 0; i < d->study->n_models; i++)
        if (d->models[i].id != MODEL_L_DIVERSITY || d->models[i].l > 1)
            return true;
    return false;
}

/* Does a model use the distances between the values of this column? */
static bool looks_at_distances(const study_draft *d, const char *name)
{
    for (uint32_t i = 0; i < d->study->n_models; i++) {
        const model_spec *m = &d->models[i];
        if ((m->variant == VARIANT_HIERARCHICAL || m->variant == VARIANT_ORDERED) &&
            strcmp(m->attribute, name) == 0)
            return true;
    }
    return false;
}

/* Moves the models about sites into a list of their own: the protocol checks them, because the
 * search does not know which site a record comes from. m-privacy with k = 0 asks for nothing; it is
 * kept apart only because it says that the default is not wanted. */
static void part_models(study_draft *d)
{
    uint32_t all = d->study->n_models, kept = 0, n_sites = 0;
    model_spec *sites = yaml_walk_alloc(d->walk, all, sizeof *sites);
    for (uint32_t i = 0; sites != NULL && i < all; i++) {
        if (d->models[i].id == MODEL_M_PRIVACY)
            d->m_privacy = d->models[i];
        if (d->models[i].id == MODEL_M_PRIVACY && d->models[i].k == 0)
            continue;
        if (model_of_sites(d->models[i].id))
            sites[n_sites++] = d->models[i];
        else
            d->models[kept++] = d->models[i];
    }
    d->study->n_models = kept;
    d->site_models = sites;
    d->n_site_models = n_sites;
}

void schema_privacy(study_draft *d, const yaml_node_t *node)
{
    size_t before = kith_findings_n_problems(d->walk->findings);
    size_t count = yaml_walk_count(d->walk, node, "privacy");
    if (count > SCHEMA_MODELS) {
        yaml_walk_problem(d->walk, node, "more than %d models", SCHEMA_MODELS);
        return;
    }
    d->models = yaml_walk_alloc(d->walk, count, sizeof *d->models);
    d->study->models = d->models;
    if (d->models == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        read_model(d, yaml_walk_item(d->walk, node, i));
    part_models(d);
    /* Warns about hierarchies of sensitive columns that no model uses: the user may have meant
     * another variant of a model, or another role of the column. */
    for (uint32_t i = 0; i < d->study->n_columns; i++) {
        const study_column *c = &d->columns[i];
        if (c->role == ROLE_SENSITIVE && c->has_hierarchy && !looks_at_distances(d, c->name))
            findings_add(d->walk->findings, KITH_SEVERITY_WARNING, d->walk->file, c->line, 0,
                         "the hierarchy of a sensitive column serves distances only, and no model "
                         "of this study uses that of '%s'",
                         c->name);
    }
    /* A list with problems may be incomplete; what follows is about the whole list. */
    if (kith_findings_n_problems(d->walk->findings) != before)
        return;
    if (count == 0)
        yaml_walk_problem(d->walk, node,
                          "privacy: the list is empty; add at least {model: k-anonymity, k: 5}");
    else if (d->study->n_models == 0)
        yaml_walk_problem(d->walk, node,
                          "privacy: models about sites come on top of one about classes; add "
                          "{model: k-anonymity, k: 5}");
    else if (!protects(d))
        yaml_walk_problem(d->walk, node,
                          "privacy: l = 1 protects nothing; add {model: k-anonymity, k: 5}");
}
