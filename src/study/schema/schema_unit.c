/* The key `unit`: what a person is, whom models count.
 *
 *     unit: row                  each row is a person
 *     unit: patient              all rows with one value of an identifying column are
 *     unit: [hospital, patient]  all rows with the same values of several are
 *
 * and `intersections`: whether it matters which values the classes of a person have in common. */
#include <string.h>

#include "core/findings.h"
#include "protocol/supports.h"
#include "study/schema/schema.h"

/* Columns in the order of the study, so that the order in the list does not matter. */
static void schema_unit_add_column(study_draft *d, const yaml_node_t *node, uint32_t *columns)
{
    const study_column *c = schema_refer_column(d, node, "unit");
    if (c == NULL)
        return;
    const uint32_t number = (uint32_t)(c - d->columns);
    uint32_t at = d->study->n_unit;
    while (at > 0 && columns[at - 1] > number)
        at--;
    if (at > 0 && columns[at - 1] == number) {
        yaml_walk_problem(d->walk, node, "unit: column %s is listed twice", c->name);
    } else if (c->role != ROLE_IDENTIFYING) {
        yaml_walk_problem(d->walk, node,
                          "unit: column %s is released, so that its values would link all rows of "
                          "a person: the columns of a unit have the role identifying",
                          c->name);
    } else if (c->recoding.key_file != NULL) {
        yaml_walk_problem(d->walk, node,
                          "unit: column %s is released as a pseudonym: all rows of a person would "
                          "be linked; leave the pseudonym out",
                          c->name);
    } else {
        memmove(columns + at + 1, columns + at, (d->study->n_unit - at) * sizeof *columns);
        columns[at] = number;
        d->study->n_unit++;
    }
}

static void read_columns(study_draft *d, const yaml_node_t *node)
{
    const bool list = node->type == YAML_SEQUENCE_NODE;
    const size_t count = list ? yaml_walk_count(d->walk, node, "unit") : 1;
    if (count == 0 || count > SCHEMA_COLUMNS) {
        yaml_walk_problem(d->walk, node,
                          "unit: expected row (each row is a person), or the identifying columns "
                          "that tell persons apart");
        return;
    }
    uint32_t *columns = arena_array(d->walk->memory, count, sizeof *columns);
    if (columns == NULL) {
        d->walk->nomem = true;
        return;
    }
    d->study->unit = columns;
    for (size_t i = 0; i < count; i++)
        schema_unit_add_column(d, list ? yaml_walk_item(d->walk, node, i) : node, columns);
}

/* Why a model cannot count people who have several rows; NULL: it can. */
static const char *model_refuses(const model_spec *m)
{
    if (m->id == MODEL_M_INVARIANCE)
        return "asks for records whose values are all different, and follows one record of each "
               "person";
    if (m->id == MODEL_LKC)
        return "speaks of all who know fewer columns, and find several classes: the share of a "
               "value can be larger there where persons have rows in several of them";
    return NULL;
}

void schema_unit(study_draft *d, const yaml_node_t *node)
{
    for (uint32_t i = 0; i < d->study->n_models && node == NULL; i++)
        if (d->models[i].id == MODEL_DOMINANCE)
            findings_add(d->walk->findings, KITH_SEVERITY_PROBLEM, d->walk->file, d->models[i].line,
                         0,
                         "dominance is about the rows of one person: say whose rows they are, as "
                         "in 'unit: patient', or 'unit: row'");
    if (node == NULL)
        return;
    d->study->unit_row =
        yaml_walk_is_text(node) && strcmp((const char *)node->data.scalar.value, "row") == 0;
    if (d->study->unit_row)
        return;
    read_columns(d, node);
    for (uint32_t i = 0; i < d->study->n_models; i++) {
        model_spec *m = &d->models[i];
        const char *why = model_refuses(m);
        m->by_units = true;
        if (why != NULL)
            yaml_walk_problem(d->walk, node, "unit: %s (line %zu) is not available: it %s",
                              model_name(m->id), (size_t)m->line, why);
    }
}

/* Protocols that count persons who have several rows, with what this study says of overlap. */
static void list_able(char *list, size_t size, const protocol_options *o)
{
    const char *names[PROTOCOL_MODULES + 1] = {NULL};
    size_t count = 0;
    protocol_options other = *o;
    for (const protocol_module *const *m = protocol_modules; *m != NULL; m++) {
        other.protocol = *m;
        if (supports_units(&other))
            names[count++] = (*m)->name;
    }
    yaml_walk_list(list, size, names, " or ");
}

/* With rows of one person at several sites no site sees all values of a person in a class. */
static void check_models(study_draft *d, const yaml_node_t *node)
{
    for (uint32_t i = 0; i < d->study->n_models; i++) {
        const model_spec *m = &d->models[i];
        const char *variant = model_variant_name(m->variant);
        if (model_needs_one_value(m))
            yaml_walk_problem(d->walk, node,
                              "unit: %s%s%s%s (line %zu) is not available with overlap: matched: "
                              "it needs one value of each person, and no site sees those that "
                              "others hold",
                              model_name(m->id), variant[0] == '\0' ? "" : " (", variant,
                              variant[0] == '\0' ? "" : ")", (size_t)m->line);
    }
}

void schema_unit_joint(study_draft *d, const yaml_node_t *node)
{
    const protocol_options *o = &d->study->joint;
    char able[64];
    if (node == NULL || (o->partition == PARTITION_NONE && d->study->n_parties == 0))
        return;
    if (d->study->unit_row) {
        if (o->partition == PARTITION_HORIZONTAL && o->overlap == OVERLAP_UNKNOWN)
            yaml_walk_warning(d->walk, node,
                              "unit: whoever is at two sites counts twice: say 'overlap: none' if "
                              "nobody is");
        return;
    }
    list_able(able, sizeof able, o);
    if (o->partition == PARTITION_VERTICAL || o->partition == PARTITION_HYBRID)
        yaml_walk_problem(d->walk, node,
                          "unit: sites that hold columns need one row per person: only 'unit: row' "
                          "is available");
    else if (!supports_units(o))
        yaml_walk_problem(d->walk, node,
                          "unit: protocol %s cannot count persons who have several rows%s: only "
                          "'unit: row' is available%s%s%s",
                          options_protocol_name(o),
                          o->overlap == OVERLAP_MATCHED ? ", or are at several sites" : "",
                          able[0] == '\0' ? "" : "; ", able, able[0] == '\0' ? "" : " can");
    else if (o->quiet)
        yaml_walk_problem(d->walk, node,
                          "unit: with quiet: true nobody can count persons who have several rows: "
                          "which of them are in a rest depends on what stays secret");
    else if (o->overlap == OVERLAP_UNKNOWN)
        yaml_walk_warning(d->walk, node,
                          "unit: whoever is at two sites counts twice: say 'overlap: none' if "
                          "nobody is, or 'overlap: matched' to find out");
    if (o->overlap == OVERLAP_MATCHED && !o->protocol->by_master)
        check_models(d, node);
}

void schema_intersections(study_draft *d, const yaml_node_t *node)
{
    static const char *const words[] = {"warn", "refuse", NULL};
    const algorithm *found = search_find(d->study->algorithm);
    bool protects = false;
    size_t choice = 0;
    if (!yaml_walk_choice(d->walk, node, "intersections", words, &choice))
        return;
    d->study->refuse_intersections = choice == 1;
    for (uint32_t i = 0; i < d->study->n_models; i++)
        protects = protects || model_looks_at_values(&d->models[i]);
    if (d->study->n_unit == 0)
        yaml_walk_problem(d->walk, node,
                          "intersections is about the classes of one person: say whose rows they "
                          "are, as in 'unit: patient'");
    else if (!protects)
        yaml_walk_problem(d->walk, node,
                          "intersections is about sensitive values: no model looks at any");
    else if (choice == 1 && d->study->joint.partition != PARTITION_NONE)
        yaml_walk_problem(d->walk, node,
                          "intersections: refuse is not available in joint runs: no party knows "
                          "all classes of a person");
    else if (choice == 1 && found != NULL && found->global)
        yaml_walk_problem(d->walk, node,
                          "intersections: refuse is not available with algorithm %s, which cannot "
                          "unite classes; these can: weave, mondrian, agglomerative",
                          found->name);
}
