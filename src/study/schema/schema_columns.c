/* Section `columns`: names, roles, types, hierarchies and domains.
 *
 *     columns:
 *       - name: age
 *         role: quasi-identifying
 *         type: integer
 *         hierarchy: {intervals: [5, 10, 20]}
 *         domain: {range: [0, 119]}
 *
 * A column of the table that is not listed is identifying: it is neither read nor released. */
#include "study/schema/schema.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "study/yaml/did_you_mean.h"

enum {
    NAME,
    ROLE,
    TYPE,
    FORMAT,
    DECIMAL,
    HIERARCHY,
    DOMAIN,
    STEP,
    MIN_LEVEL,
    MAX_LEVEL,
    MICROAGGREGATE,
    RECODING, /* RECODING_KEYS of them */
    KEYS = RECODING + RECODING_KEYS
};

const yaml_key schema_columns_keys[] = {
    [NAME] = {"name", true, NULL},
    [ROLE] = {"role", true, NULL},
    [TYPE] = {"type", false, NULL},
    [FORMAT] = {"format", false, NULL},
    [DECIMAL] = {"decimal", false, NULL},
    [HIERARCHY] = {"hierarchy", false, NULL},
    [DOMAIN] = {"domain", false, NULL},
    [STEP] = {"step", false, NULL},
    [MIN_LEVEL] = {"min_level", false, NULL},
    [MAX_LEVEL] = {"max_level", false, NULL},
    [MICROAGGREGATE] = {"microaggregate", false, NULL},
    [RECODING + RECODING_TOP] = {"top", false, NULL},
    [RECODING + RECODING_BOTTOM] = {"bottom", false, NULL},
    [RECODING + RECODING_ROUND] = {"round", false, NULL},
    [RECODING + RECODING_PSEUDONYM] = {"pseudonym", false, NULL},
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

/* Linear: studies have tens of columns, and at most SCHEMA_COLUMNS. */
study_column *schema_find_column(study_draft *d, const char *name)
{
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        if (strcmp(d->columns[i].name, name) == 0)
            return &d->columns[i];
    return NULL;
}

/* Says that the study has no such column, and which one is meant perhaps. */
static void refuse_column(study_draft *d, const yaml_node_t *node, const char *name,
                          const char *what, const char *joint)
{
    did_you_mean near = {.word = name};
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        did_you_mean_offer(&near, d->columns[i].name);
    char quoted[80], hint[SIMILAR_BYTES];
    text_quote(quoted, sizeof quoted, name, strlen(name));
    yaml_walk_problem(d->walk, node, "%s%sthe study has no column '%s'%s", what, joint, quoted,
                      did_you_mean_format(&near, hint));
}

study_column *schema_refer_column(study_draft *d, const yaml_node_t *node, const char *what)
{
    const char *name;
    if (!yaml_walk_text(d->walk, node, what, &name))
        return NULL;
    study_column *found = schema_find_column(d, name);
    if (found == NULL)
        refuse_column(d, node, name, what, ": ");
    return found;
}

void schema_each_column(study_draft *d, const yaml_node_t *node, const char *what,
                        void (*read)(study_draft *d, study_column *c, const yaml_node_t *value))
{
    const size_t count = yaml_walk_pairs(d->walk, node, what);
    bool *seen = yaml_walk_alloc(d->walk, d->study->n_columns, sizeof *seen);
    for (size_t i = 0; i < count && seen != NULL; i++) {
        const yaml_node_t *key, *value;
        yaml_walk_pair(d->walk, node, i, &key, &value);
        study_column *c = schema_refer_column(d, key, what);
        if (c == NULL)
            continue;
        if (c->role != ROLE_QUASI_IDENTIFYING)
            yaml_walk_problem(d->walk, key, "%s: column '%s' is not quasi-identifying (line %zu)",
                              what, c->name, c->line);
        else if (seen[c - d->columns])
            yaml_walk_problem(d->walk, key, "%s: column '%s' is given twice", what, c->name);
        else
            read(d, c, value);
        seen[c - d->columns] = true;
    }
}

/* What strptime reads and then does not use, zones and weeks of ISO 8601: times that differ would
 * be taken for one. '\0': there is none. */
static char unused_conversion(const char *format)
{
    for (const char *at = strchr(format, '%'); at != NULL; at = strchr(at, '%')) {
        at += 1 + strspn(at + 1, "_-0^#EO123456789");
        if (*at != '\0' && strchr("zZGgV", *at) != NULL)
            return *at;
        at += *at != '\0';
    }
    return '\0';
}

/* A format without any % would match only itself, which is certainly a mistake. */
static void read_format(study_draft *d, study_column *c, const yaml_node_t *node)
{
    if (node != NULL && c->type != KITH_TYPE_DATE)
        yaml_walk_problem(d->walk, node, "format is for columns of type date only");
    else if (!yaml_walk_text(d->walk, node, "format", &c->date_format))
        return;
    else if (unused_conversion(c->date_format) != '\0')
        yaml_walk_problem(d->walk, node,
                          "format: %%%c would be read and not used, so that different times would "
                          "look alike: write the times of one zone, by year, month and day",
                          unused_conversion(c->date_format));
    else if (strchr(c->date_format, '%') == NULL)
        yaml_walk_expected(d->walk, node, "format", "a strptime format such as '%d.%m.%Y'");
}

/* Kept where dates have their format: both say how values are written. */
static void read_decimal(study_draft *d, study_column *c, const yaml_node_t *node)
{
    static const char *const marks[] = {"comma", "point", NULL};
    size_t choice;
    if (node != NULL && c->type != KITH_TYPE_INTEGER && c->type != KITH_TYPE_DECIMAL)
        yaml_walk_problem(d->walk, node, "decimal is for columns of type integer or decimal only");
    else if (yaml_walk_choice(d->walk, node, "decimal", marks, &choice))
        c->date_format = choice == 0 ? "," : ".";
}

/* The hierarchy that a program has made for a column, or NULL. */
static const kith_hierarchy *made_for(const study_draft *d, const char *name)
{
    for (size_t i = 0; i < d->from->n_hierarchies; i++)
        if (strcmp(d->from->hierarchies[i].column, name) == 0)
            return d->from->hierarchies[i].hierarchy;
    return NULL;
}

/* Hierarchy and domain. They are refused where the column's role does not use them, because a user
 * who writes one expects an effect. Sensitive columns may have a hierarchy, for distances. */
static void read_hierarchy(study_draft *d, study_column *c, const yaml_node_t *node,
                           const yaml_node_t *const *values)
{
    const kith_hierarchy *made = made_for(d, c->name);
    const yaml_node_t *hierarchy = made != NULL ? node : values[HIERARCHY];
    const yaml_node_t *domain = values[DOMAIN];
    bool generalized = c->role == ROLE_QUASI_IDENTIFYING;
    if (hierarchy != NULL && !generalized && c->role != ROLE_SENSITIVE)
        yaml_walk_problem(d->walk, hierarchy, "a hierarchy is of no use to an %s column",
                          roles[c->role]);
    if (domain != NULL && !generalized)
        yaml_walk_problem(d->walk, domain, "a domain is of use to quasi-identifying columns only");
    bool fine = true;
    c->has_hierarchy = hierarchy != NULL;
    if (made != NULL) {
        c->hierarchy.kind = HIERARCHY_FILE;
        c->hierarchy.made = made;
    } else if (hierarchy != NULL) {
        fine = schema_hierarchy(&c->hierarchy, d->walk, hierarchy, d->directory);
    }
    if (domain != NULL)
        fine = schema_domain(&c->domain, d->walk, domain, c->type) && fine;
    char quoted[96];
    text_quote(quoted, sizeof quoted, c->name, strlen(c->name));
    /* Builders run later, when the data is there, and must name the column in their messages. */
    c->hierarchy.where = arena_printf(d->walk->memory, "column %s", quoted);
    d->walk->nomem = d->walk->nomem || c->hierarchy.where == NULL;
    c->hierarchy.type = c->type;
    c->hierarchy.date_format = c->type == KITH_TYPE_DATE ? c->date_format : NULL;
    if (fine && generalized)
        hierarchy_spec_check(&c->hierarchy, c->type, &c->domain, c->hierarchy.where,
                             d->walk->findings, d->walk->file,
                             hierarchy != NULL ? yaml_walk_line(hierarchy) : c->line);
}

/* Which levels of its hierarchy a release may show. How many there are is known with the data. */
static void read_level_bound(study_draft *d, const study_column *c, const yaml_node_t *node,
                             const char *name, uint32_t *bound)
{
    if (node != NULL && c->role != ROLE_QUASI_IDENTIFYING)
        yaml_walk_problem(d->walk, node, "%s is of use to quasi-identifying columns only", name);
    else
        yaml_walk_whole(d->walk, node, name, 0, bound);
}

/* A column whose name is refused has none, and read_column then leaves it out. */
static void read_name(study_draft *d, study_column *c, const yaml_node_t *node)
{
    const char *name;
    if (!schema_name(d->walk, node, "name", &name))
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

/* One column. Without a readable role its hierarchy is not checked: the messages would be about a
 * role that the user did not mean. */
static void read_column(study_draft *d, const yaml_node_t *node)
{
    const yaml_node_t *values[KEYS];
    yaml_walk_map(d->walk, node, "a column", schema_columns_keys, values);
    study_column c = {
        .name = NULL, .weight = 1, .max_level = STUDY_ANY_LEVEL, .line = yaml_walk_line(node)};
    c.hierarchy.mask_character = '*';
    size_t choice = ROLE_IDENTIFYING;
    bool role_known = yaml_walk_choice(d->walk, values[ROLE], "role", roles, &choice);
    c.role = (role)choice;
    choice = KITH_TYPE_STRING;
    yaml_walk_choice(d->walk, values[TYPE], "type", types, &choice);
    c.type = (kith_type)choice;
    read_name(d, &c, values[NAME]);
    read_format(d, &c, values[FORMAT]);
    read_decimal(d, &c, values[DECIMAL]);
    yaml_walk_whole(d->walk, values[STEP], "step", 1, &c.step);
    if (c.name == NULL)
        return;
    if (role_known) {
        read_hierarchy(d, &c, node, values);
        read_level_bound(d, &c, values[MIN_LEVEL], "min_level", &c.min_level);
        read_level_bound(d, &c, values[MAX_LEVEL], "max_level", &c.max_level);
        if (c.min_level > c.max_level)
            yaml_walk_problem(d->walk, values[MIN_LEVEL], "min_level %u is above max_level %u",
                              c.min_level, c.max_level);
        schema_recoding(d, &c, values + RECODING);
        schema_microaggregate(d, &c, values[MICROAGGREGATE]);
    }
    d->columns[d->study->n_columns++] = c;
}

void schema_columns(study_draft *d, const yaml_node_t *node)
{
    size_t count = yaml_walk_count(d->walk, node, "columns");
    if (count > SCHEMA_COLUMNS) {
        yaml_walk_problem(d->walk, node, "more than %d columns", SCHEMA_COLUMNS);
        count = SCHEMA_COLUMNS;
    }
    d->columns = yaml_walk_alloc(d->walk, count, sizeof *d->columns);
    d->study->columns = d->columns;
    if (d->columns == NULL)
        return;
    size_t before = kith_findings_n_problems(d->walk->findings);
    for (size_t i = 0; i < count; i++)
        read_column(d, yaml_walk_item(d->walk, node, i));
    /* Every hierarchy of a program belongs to one column. */
    for (size_t i = 0; i < d->from->n_hierarchies; i++)
        if (schema_find_column(d, d->from->hierarchies[i].column) == NULL)
            refuse_column(d, node, d->from->hierarchies[i].column, "a hierarchy is given, but ",
                          "");
    uint32_t quasi = 0;
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        quasi += d->columns[i].role == ROLE_QUASI_IDENTIFYING;
    /* A column that could not be read may have been the quasi-identifying one: say nothing then. */
    if (quasi == 0 && kith_findings_n_problems(d->walk->findings) == before &&
        node->type == YAML_SEQUENCE_NODE)
        yaml_walk_problem(d->walk, node,
                          "no column is quasi-identifying, so there is nothing to anonymize");
}
