/* Section `n_columns`: names, roles, types, hierarchies and domains. */
#include "study/schema.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "study/did_you_mean.h"

enum { NAME, ROLE, TYPE, FORMAT, HIERARCHY, DOMAIN, KEYS };

static const yaml_key keys[] = {
    [NAME] = {"name", true, NULL},
    [ROLE] = {"role", true, NULL},
    [TYPE] = {"type", false, NULL},
    [FORMAT] = {"format", false, NULL},
    [HIERARCHY] = {"hierarchy", false, NULL},
    [DOMAIN] = {"domain", false, NULL},
    [KEYS] = {NULL, false, NULL},
};

static const char *const roles[] = {
    [ROLE_IDENTIFYING] = "identifying",
    [ROLE_QUASI_IDENTIFYING] = "quasi-identifying",
    [ROLE_SENSITIVE] = "sensitive",
    [ROLE_INSENSITIVE] = "insensitive",
    NULL,
};

static const char *const types[] = {
    [KITH_TYPE_STRING] = "string",
    [KITH_TYPE_INTEGER] = "integer",
    [KITH_TYPE_DECIMAL] = "decimal",
    [KITH_TYPE_DATE] = "date",
    NULL,
};

study_column *schema_find_column(draft *d, const char *name)
{
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        if (strcmp(d->column[i].name, name) == 0)
            return &d->column[i];
    return NULL;
}

study_column *schema_refer_column(draft *d, const yaml_node_t *node, const char *what)
{
    const char *name;
    if (!yaml_walk_text(d->walk, node, what, &name))
        return NULL;
    study_column *found = schema_find_column(d, name);
    if (found != NULL)
        return found;
    did_you_mean near = {.word = name};
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        did_you_mean_offer(&near, d->column[i].name);
    char quoted[80], hint[SIMILAR_BYTES];
    text_quote(quoted, sizeof quoted, name, strlen(name));
    yaml_walk_problem(d->walk, node, "%s: the study has no column '%s'%s", what, quoted,
                      did_you_mean_format(&near, hint));
    return NULL;
}

static void read_format(draft *d, study_column *c, const yaml_node_t *node)
{
    if (c->type != KITH_TYPE_DATE)
        yaml_walk_problem(d->walk, node, "format is for columns of type date only");
    else if (yaml_walk_text(d->walk, node, "format", &c->date_format) &&
             strchr(c->date_format, '%') == NULL)
        yaml_walk_problem(d->walk, node,
                          "format: expected a strptime format such as '%%d.%%m.%%Y', found '%s'",
                          c->date_format);
}

/* Hierarchy and domain, and whether the column's role has a use for them. */
static void read_hierarchy(draft *d, study_column *c, const yaml_node_t *const *values)
{
    const yaml_node_t *hierarchy = values[HIERARCHY], *domain = values[DOMAIN];
    bool generalized = c->role == ROLE_QUASI_IDENTIFYING;
    if (hierarchy != NULL && !generalized && c->role != ROLE_SENSITIVE)
        yaml_walk_problem(d->walk, hierarchy, "a hierarchy is of no use to an %s column",
                          roles[c->role]);
    if (domain != NULL && !generalized)
        yaml_walk_problem(d->walk, domain, "a domain is of use to quasi-identifying columns only");
    bool fine = true;
    if (hierarchy != NULL) {
        c->has_hierarchy = true;
        fine = schema_hierarchy(&c->hierarchy, d->walk, hierarchy, d->directory);
    }
    if (domain != NULL)
        fine = schema_domain(&c->domain, d->walk, domain, c->type) && fine;
    char quoted[96];
    text_quote(quoted, sizeof quoted, c->name, strlen(c->name));
    c->hierarchy.where = arena_printf(d->walk->memory, "column %s", quoted);
    d->walk->nomem = d->walk->nomem || c->hierarchy.where == NULL;
    if (fine && generalized)
        hierarchy_spec_check(&c->hierarchy, c->type, &c->domain, c->hierarchy.where,
                             d->walk->findings, d->walk->file,
                             hierarchy != NULL ? yaml_walk_line(hierarchy) : c->line);
}

static void read_name(draft *d, study_column *c, const yaml_node_t *node)
{
    const char *name;
    if (node == NULL || !yaml_walk_text(d->walk, node, "name", &name))
        return;
    const study_column *before = schema_find_column(d, name);
    char quoted[80];
    text_quote(quoted, sizeof quoted, name, strlen(name));
    if (before != NULL)
        yaml_walk_problem(d->walk, node, "column '%s' is listed twice (first on line %zu)", quoted,
                          before->line);
    else
        c->name = name;
}

/* One column; its role counts as known only if it was readable. */
static void read_column(draft *d, const yaml_node_t *node)
{
    const yaml_node_t *values[KEYS];
    yaml_walk_map(d->walk, node, "a column", keys, values);
    study_column c = {.name = NULL, .weight = 1, .line = yaml_walk_line(node)};
    c.hierarchy.mask_character = '*';
    size_t choice = ROLE_IDENTIFYING;
    bool role_known =
        values[ROLE] != NULL && yaml_walk_choice(d->walk, values[ROLE], "role", roles, &choice);
    c.role = (role)choice;
    choice = KITH_TYPE_STRING;
    if (values[TYPE] != NULL)
        yaml_walk_choice(d->walk, values[TYPE], "type", types, &choice);
    c.type = (kith_type)choice;
    read_name(d, &c, values[NAME]);
    if (values[FORMAT] != NULL)
        read_format(d, &c, values[FORMAT]);
    if (c.name == NULL)
        return;
    if (role_known)
        read_hierarchy(d, &c, values);
    d->column[d->study->n_columns++] = c;
}

void schema_columns(draft *d, const yaml_node_t *node)
{
    size_t count = yaml_walk_count(d->walk, node, "columns");
    if (count > SCHEMA_COLUMNS) {
        yaml_walk_problem(d->walk, node, "more than %d columns", SCHEMA_COLUMNS);
        count = SCHEMA_COLUMNS;
    }
    d->column = arena_zalloc(d->walk->memory, count, sizeof *d->column);
    d->study->columns = d->column;
    if (d->column == NULL) {
        d->walk->nomem = true;
        return;
    }
    size_t before = kith_findings_n_problems(d->walk->findings);
    for (size_t i = 0; i < count; i++)
        read_column(d, yaml_walk_item(d->walk, node, i));
    uint32_t quasi = 0;
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        quasi += d->column[i].role == ROLE_QUASI_IDENTIFYING;
    if (quasi == 0 && kith_findings_n_problems(d->walk->findings) == before &&
        node->type == YAML_SEQUENCE_NODE)
        yaml_walk_problem(d->walk, node,
                          "no column is quasi-identifying, so there is nothing to anonymize");
}
