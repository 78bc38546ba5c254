/* All models are read by the same code from a table of shapes: which numbers a model has, within
 * which bounds, which variants, and what else it refers to.
 *
 *     - {model: l-diversity, variant: recursive, l: 3, c: 2, attribute: disease} */
#include "study/schema/schema_model.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

/* A number of a model: where it goes, and what it may be. */
typedef struct parameter {
    const char *name;
    size_t offset;    /* in model_spec */
    bool whole;       /* a whole number (uint32_t) of at least `low`, else a double */
    double low, high; /* high 0: no upper bound */
    bool open;        /* low itself is too little */
    bool optional;
} parameter;

/* What a model has besides numbers. */
enum {
    HAS_ATTRIBUTE = 1,
    HAS_VALUES = 2,
    HAS_SUBSET = 4,
    HAS_POPULATION = 8,
    HAS_PREVIOUS = 16,
    HAS_ATTRIBUTES = 32
};

enum { PARAMETERS = 4, VARIANTS = 5 };

typedef struct shape {
    int has;
    model_variant variant[VARIANTS]; /* the first is the default */
    parameter number[PARAMETERS];
} shape;

/* The name of a key is the name of its field in model_spec. */
#define REAL(field, ...)                                               \
    {                                                                  \
#field, offsetof(model_spec, field), false, __VA_ARGS__, false \
    }
#define WHOLE(field, least)                                               \
    {                                                                     \
#field, offsetof(model_spec, field), true, least, 0, false, false \
    }

/* One line for each model. A new model needs an entry here; the functions below read any shape. */
static const shape shapes[MODEL_COUNT] = {
    [MODEL_K_ANONYMITY] = {0, {VARIANT_NONE}, {WHOLE(k, 2)}},
    [MODEL_K_MAP] = {HAS_POPULATION, {VARIANT_NONE}, {WHOLE(k, 2)}},
    [MODEL_L_DIVERSITY] = {HAS_ATTRIBUTE,
                           {VARIANT_FREQUENCY, VARIANT_DISTINCT, VARIANT_ENTROPY,
                            VARIANT_RECURSIVE},
                           {REAL(l, 1, 0, false),
                            {"c", offsetof(model_spec, c), false, 0, 0, true, true}}},
    [MODEL_T_CLOSENESS] = {HAS_ATTRIBUTE,
                           {VARIANT_EQUAL, VARIANT_ORDERED, VARIANT_HIERARCHICAL},
                           {REAL(t, 0, 1, false)}},
    [MODEL_DELTA_PRESENCE] = {HAS_SUBSET,
                              {VARIANT_NONE},
                              {REAL(min, 0, 1, false), REAL(max, 0, 1, false)}},
    [MODEL_ALPHA_K] = {HAS_ATTRIBUTE, {VARIANT_NONE}, {REAL(alpha, 0, 1, true), WHOLE(k, 2)}},
    [MODEL_P_SENSITIVE] = {HAS_ATTRIBUTE, {VARIANT_NONE}, {WHOLE(p, 2), WHOLE(k, 2)}},
    [MODEL_LKC] = {HAS_ATTRIBUTE | HAS_VALUES,
                   {VARIANT_NONE},
                   {REAL(l, 1, 0, false), WHOLE(k, 2), REAL(c, 0, 1, true)}},
    [MODEL_DISSIMILARITY] = {HAS_ATTRIBUTE,
                             {VARIANT_EQUAL, VARIANT_ORDERED, VARIANT_HIERARCHICAL},
                             {REAL(epsilon, 0, 1, false), REAL(delta, 0, 1, true), WHOLE(k, 2)}},
    [MODEL_DELTA_DISCLOSURE] = {HAS_ATTRIBUTE, {VARIANT_NONE}, {REAL(delta, 0, 0, true)}},
    [MODEL_BETA_LIKENESS] = {HAS_ATTRIBUTE,
                             {VARIANT_BASIC, VARIANT_ENHANCED},
                             {REAL(beta, 0, 0, true)}},
    [MODEL_M_INVARIANCE] = {HAS_ATTRIBUTE | HAS_PREVIOUS, {VARIANT_NONE}, {WHOLE(m, 2)}},
    [MODEL_DOMINANCE] = {0, {VARIANT_NONE}, {REAL(share, 0, 1, true)}},
    [MODEL_L_SITE_DIVERSITY] = {HAS_ATTRIBUTES,
                                {VARIANT_SITES, VARIANT_ATTRIBUTES},
                                {REAL(l, 2, 128, false)}},
    [MODEL_M_PRIVACY] = {0,
                         {VARIANT_NONE},
                         {WHOLE(k, 0), /* 0: off */
                          {"values", offsetof(model_spec, other_values), true, 0, 0, false, true}}},
};

/* The keys that are not numbers. */
enum {
    KEY_MODEL,
    KEY_VARIANT,
    KEY_ATTRIBUTE,
    KEY_VALUES,
    KEY_SUBSET,
    KEY_POPULATION,
    KEY_PREVIOUS,
    KEY_ID,
    KEY_ATTRIBUTES,
    KEY_COUNT
};

/* The keys that one model may have. */
typedef struct key_list {
    yaml_key keys[KEY_COUNT + PARAMETERS + 1];
    int place[KEY_COUNT]; /* of each in `keys`, -1 if the model does not have it */
    int number[PARAMETERS];
    int count;
} key_list;

/* Returns the place of the key in the list. */
static int add_key(key_list *keys, const char *name, bool required)
{
    keys->keys[keys->count] = (yaml_key){name, required, NULL};
    return keys->count++;
}

/* yaml_walk_map takes a list without gaps, so that the list is made for each model and remembers
 * where each key went. */
static key_list list_keys(const shape *s)
{
    key_list keys = {.count = 0};
    int has = s->has;
    keys.place[KEY_MODEL] = add_key(&keys, "model", true);
    keys.place[KEY_VARIANT] = s->variant[0] == VARIANT_NONE ? -1 : add_key(&keys, "variant", false);
    for (int i = 0; i < PARAMETERS && s->number[i].name != NULL; i++)
        keys.number[i] = add_key(&keys, s->number[i].name, !s->number[i].optional);
    keys.place[KEY_ATTRIBUTE] = has & HAS_ATTRIBUTE ? add_key(&keys, "attribute", false) : -1;
    keys.place[KEY_VALUES] = has & HAS_VALUES ? add_key(&keys, "values", false) : -1;
    keys.place[KEY_SUBSET] = has & HAS_SUBSET ? add_key(&keys, "subset", true) : -1;
    keys.place[KEY_POPULATION] = has & HAS_POPULATION ? add_key(&keys, "population", true) : -1;
    keys.place[KEY_PREVIOUS] = has & HAS_PREVIOUS ? add_key(&keys, "previous", false) : -1;
    keys.place[KEY_ID] = has & HAS_PREVIOUS ? add_key(&keys, "id", false) : -1;
    keys.place[KEY_ATTRIBUTES] = has & HAS_ATTRIBUTES ? add_key(&keys, "attributes", false) : -1;
    keys.keys[keys.count] = (yaml_key){NULL, false, NULL};
    return keys;
}

_Static_assert(KEY_COUNT + PARAMETERS + 1 <= SCHEMA_MODEL_KEYS, "all keys of a model fit");

void schema_model_keys(model_id id, yaml_key keys[SCHEMA_MODEL_KEYS])
{
    const key_list list = list_keys(&shapes[id]);
    memcpy(keys, list.keys, sizeof list.keys);
}

/* NaN fails the first comparison. */
static void read_number(study_draft *d, const yaml_node_t *node, const parameter *p, model_spec *m)
{
    char *place = (char *)m + p->offset;
    double number;
    if (p->whole) {
        yaml_walk_whole(d->walk, node, p->name, (uint32_t)p->low, (uint32_t *)(void *)place);
        return;
    }
    if (!yaml_walk_number(d->walk, node, p->name, &number))
        return;
    if (!(number >= p->low) || (p->open && number <= p->low) || (p->high > 0 && number > p->high)) {
        char low[32], high[32], expected[128];
        text_format_decimal(low, p->low);
        text_format_decimal(high, p->high);
        if (p->high > 0)
            snprintf(expected, sizeof expected, "a number %s %s %s %s", p->open ? "above" : "from",
                     low, p->open ? "and up to" : "to", high);
        else
            snprintf(expected, sizeof expected, "a number %s %s", p->open ? "above" : "of at least",
                     low);
        yaml_walk_expected(d->walk, node, p->name, expected);
    }
    *(double *)(void *)place = number;
}

/* The column that a model without `attribute` means: the only sensitive one; NULL if there are
 * several. */
static study_column *only_sensitive(study_draft *d)
{
    study_column *only = NULL;
    for (uint32_t i = 0; i < d->study->n_columns; i++) {
        if (d->columns[i].role != ROLE_SENSITIVE)
            continue;
        if (only != NULL)
            return NULL;
        only = &d->columns[i];
    }
    return only;
}

/* The sensitive column that a model protects; without `attribute` it is the only one. */
static const study_column *read_attribute(study_draft *d, const yaml_node_t *model,
                                          const yaml_node_t *node, const char *what, model_spec *m)
{
    study_column *found = node != NULL ? schema_refer_column(d, node, what) : only_sensitive(d);
    if (found == NULL) {
        if (node == NULL)
            yaml_walk_problem(d->walk, model,
                              "%s needs an attribute: the sensitive column that it protects",
                              model_name(m->id));
        return NULL;
    }
    if (found->role != ROLE_SENSITIVE) {
        yaml_walk_problem(d->walk, node, "%s: column '%s' is not sensitive (line %zu)", what,
                          found->name, found->line);
        return NULL;
    }
    m->attribute = found->name;
    /* Models refer to sensitive columns by their number among the sensitive ones, as the problem
     * does. */
    m->sensitive = 0;
    for (const study_column *c = d->columns; c < found; c++)
        m->sensitive += c->role == ROLE_SENSITIVE;
    return found;
}

/* Distances need a hierarchy, or an order. */
static void check_distance(study_draft *d, const yaml_node_t *node, const study_column *c,
                           const model_spec *m)
{
    if (m->variant == VARIANT_HIERARCHICAL && !c->has_hierarchy)
        yaml_walk_problem(d->walk, node,
                          "%s: the hierarchical distance needs a hierarchy of column '%s'",
                          model_name(m->id), c->name);
    if (m->variant == VARIANT_ORDERED && c->type == KITH_TYPE_STRING && !c->has_hierarchy)
        yaml_walk_problem(d->walk, node,
                          "%s: the ordered distance needs an order: give column '%s' a type other "
                          "than string, or a hierarchy, whose leaves then count in their order",
                          model_name(m->id), c->name);
}

/* A list of texts. An empty list is an error: leaving the key out says the same. */
static void read_texts(study_draft *d, const yaml_node_t *node, const char *what,
                       const char *const **list, uint32_t *count)
{
    size_t n_items = yaml_walk_count(d->walk, node, what);
    const char **texts = yaml_walk_alloc(d->walk, n_items, sizeof *texts);
    *list = texts;
    for (size_t i = 0; texts != NULL && i < n_items; i++)
        *count += yaml_walk_text(d->walk, yaml_walk_item(d->walk, node, i), what, &texts[*count]);
    if (n_items == 0)
        yaml_walk_problem(d->walk, node, "%s: the list is empty", what);
}

/* {column: NAME, values: [TEXT, …]} */
static void read_subset(study_draft *d, const yaml_node_t *node, model_spec *m)
{
    static const yaml_key keys[] = {
        {"column", true, NULL}, {"values", true, NULL}, {NULL, false, NULL}};
    const yaml_node_t *values[2];
    yaml_walk_map(d->walk, node, "subset", keys, values);
    if (values[0] != NULL)
        read_attribute(d, node, values[0], "subset", m);
    if (values[1] != NULL)
        read_texts(d, values[1], "subset values", &m->values, &m->n_values);
}

/* The mappings of earlier releases and the column that identifies persons in them. */
static void read_previous(study_draft *d, const yaml_node_t *model, const yaml_node_t *node,
                          const yaml_node_t *id, model_spec *m)
{
    const char *const *list = NULL;
    const study_column *person = id == NULL ? NULL : schema_refer_column(d, id, "id");
    if ((node == NULL) != (id == NULL)) {
        yaml_walk_problem(d->walk, model,
                          "m-invariance: previous and id belong together: the mappings of earlier "
                          "releases, and the column that tells records apart");
        return;
    }
    if (node == NULL || person == NULL)
        return;
    if (person->role != ROLE_IDENTIFYING) {
        yaml_walk_problem(d->walk, id, "id: column '%s' is not identifying (line %zu)",
                          person->name, person->line);
        return;
    }
    m->person = person->name;
    read_texts(d, node, "previous", &list, &m->n_previous);
    const char **paths = yaml_walk_alloc(d->walk, m->n_previous, sizeof *paths);
    m->previous = paths;
    for (uint32_t i = 0; paths != NULL && i < m->n_previous; i++)
        paths[i] = schema_path(d->walk, node, d->directory, list[i]);
}

/* The quasi-identifiers that tell sites apart. */
static void read_site_attributes(study_draft *d, const yaml_node_t *model, const yaml_node_t *node,
                                 model_spec *m)
{
    if ((node != NULL) != (m->variant == VARIANT_ATTRIBUTES)) {
        yaml_walk_problem(d->walk, node != NULL ? node : model,
                          "l-site-diversity: attributes belong to the variant attributes");
        return;
    }
    if (node == NULL)
        return;
    read_texts(d, node, "attributes", &m->values, &m->n_values);
    size_t n_items = yaml_walk_count(d->walk, node, "attributes");
    for (size_t i = 0; i < n_items; i++) {
        const yaml_node_t *items = yaml_walk_item(d->walk, node, i);
        const study_column *c = schema_refer_column(d, items, "attributes");
        if (c != NULL && c->role != ROLE_QUASI_IDENTIFYING)
            yaml_walk_problem(d->walk, items, "attributes: column '%s' is not quasi-identifying",
                              c->name);
    }
}

/* What depends on several keys. */
static void check_together(study_draft *d, const yaml_node_t *node, const yaml_node_t *c,
                           const model_spec *m)
{
    const char *name = model_name(m->id);
    if (m->id == MODEL_L_DIVERSITY && (c != NULL) != (m->variant == VARIANT_RECURSIVE))
        yaml_walk_problem(d->walk, c != NULL ? c : node,
                          c != NULL ? "c belongs to the variant recursive"
                                    : "the variant recursive lacks the key 'c'");
    bool whole = m->variant == VARIANT_RECURSIVE || m->variant == VARIANT_DISTINCT ||
                 m->id == MODEL_L_SITE_DIVERSITY;
    if ((m->id == MODEL_LKC || whole) && m->l != floor(m->l))
        yaml_walk_problem(d->walk, node, "%s: l must be a whole number here, not %g", name, m->l);
    if (m->id == MODEL_DELTA_PRESENCE && m->min > m->max)
        yaml_walk_problem(d->walk, node, "%s: min is %g, more than max, which is %g", name, m->min,
                          m->max);
    if (m->id == MODEL_P_SENSITIVE && m->p > m->k && m->k > 0)
        yaml_walk_problem(d->walk, node,
                          "%s: p is %u, but a class of k = %u records has at most %u values", name,
                          m->p, m->k, m->k);
}

/* Keys that name columns, values or files. */
static void read_references(study_draft *d, const yaml_node_t *node, const yaml_node_t *const *at,
                            const shape *s, model_spec *m)
{
    const char *path;
    if (s->has & HAS_ATTRIBUTE) {
        const study_column *c = read_attribute(d, node, at[KEY_ATTRIBUTE], "attribute", m);
        /* Without a word on it, the distance is the finest that the column has. */
        if (c != NULL && m->id == MODEL_DISSIMILARITY && at[KEY_VARIANT] == NULL)
            m->variant = c->has_hierarchy              ? VARIANT_HIERARCHICAL
                         : c->type != KITH_TYPE_STRING ? VARIANT_ORDERED
                                                       : VARIANT_EQUAL;
        if (c != NULL)
            check_distance(d, at[KEY_VARIANT] != NULL ? at[KEY_VARIANT] : node, c, m);
    }
    if (at[KEY_VALUES] != NULL)
        read_texts(d, at[KEY_VALUES], "values", &m->values, &m->n_values);
    if (at[KEY_SUBSET] != NULL)
        read_subset(d, at[KEY_SUBSET], m);
    if (yaml_walk_text(d->walk, at[KEY_POPULATION], "population", &path))
        m->population = schema_path(d->walk, at[KEY_POPULATION], d->directory, path);
    if (s->has & HAS_PREVIOUS)
        read_previous(d, node, at[KEY_PREVIOUS], at[KEY_ID], m);
    if (s->has & HAS_ATTRIBUTES)
        read_site_attributes(d, node, at[KEY_ATTRIBUTES], m);
}

/* Bounds that involve several keys are checked only if each key was readable. */
bool schema_model(study_draft *d, const yaml_node_t *node, model_spec *m)
{
    const shape *s = &shapes[m->id];
    key_list keys = list_keys(s);
    const yaml_node_t *values[KEY_COUNT + PARAMETERS + 1] = {NULL}, *at[KEY_COUNT], *c = NULL;
    size_t before = kith_findings_n_problems(d->walk->findings);
    yaml_walk_map(d->walk, node, model_name(m->id), keys.keys, values);
    for (int i = 0; i < KEY_COUNT; i++)
        at[i] = keys.place[i] < 0 ? NULL : values[keys.place[i]];
    const char *names[VARIANTS + 1] = {NULL};
    size_t choice = 0;
    for (int i = 0; i < VARIANTS && s->variant[i] != VARIANT_NONE; i++)
        names[i] = model_variant_name(s->variant[i]);
    yaml_walk_choice(d->walk, at[KEY_VARIANT], "variant", names, &choice);
    m->variant = s->variant[choice];
    for (int i = 0; i < PARAMETERS && s->number[i].name != NULL; i++) {
        const yaml_node_t *number = values[keys.number[i]];
        read_number(d, number, &s->number[i], m);
        c = strcmp(s->number[i].name, "c") == 0 ? number : c;
    }
    read_references(d, node, at, s, m);
    if (kith_findings_n_problems(d->walk->findings) == before)
        check_together(d, node, c, m);
    return kith_findings_n_problems(d->walk->findings) == before;
}
