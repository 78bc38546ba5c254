/* Keys of a column that change its values before anything else: top and bottom coding, rounding,
 * pseudonyms.
 *
 *     columns:
 *       - {name: age, role: quasi-identifying, type: integer, top: 90, round: 5}
 *       - {name: patient, role: identifying, pseudonym: study.key} */
#include <math.h>

#include "core/findings.h"
#include "study/schema/schema.h"

static bool is_whole(double number)
{
    return fabs(number) <= 0x1p53 && number == floor(number);
}

/* A multiple of 0.3 has no short form in binary: only whole numbers and their inverses are. */
static bool can_round(double to, kith_type type)
{
    if (!(to > 0))
        return false;
    return is_whole(to) || (type == KITH_TYPE_DECIMAL && to < 1 &&
                            fabs(1 / to - nearbyint(1 / to)) < 1e-9 * nearbyint(1 / to));
}

static bool read_bound(study_draft *d, const study_column *c, const yaml_node_t *node,
                       const char *what, double *bound)
{
    if (node == NULL || !yaml_walk_number(d->walk, node, what, bound))
        return false;
    if (c->type == KITH_TYPE_INTEGER && !is_whole(*bound)) {
        yaml_walk_problem(d->walk, node, "%s: expected an integer, as column %s has, found '%s'",
                          what, c->name, (const char *)node->data.scalar.value);
        return false;
    }
    return true;
}

static void read_round(study_draft *d, study_column *c, const yaml_node_t *node)
{
    double to;
    if (!yaml_walk_number(d->walk, node, "round", &to))
        return;
    if (can_round(to, c->type))
        c->recoding.round = to;
    else
        yaml_walk_expected(d->walk, node, "round",
                           c->type == KITH_TYPE_INTEGER
                               ? "a whole number above 0"
                               : "a whole number above 0, or 0.5, 0.25, 0.1, 0.01 …");
}

static void read_pseudonym(study_draft *d, study_column *c, const yaml_node_t *node)
{
    const char *path;
    if (c->role != ROLE_IDENTIFYING)
        yaml_walk_problem(d->walk, node,
                          "pseudonym is for identifying columns only: other columns are released "
                          "already");
    else if (c->type != KITH_TYPE_STRING)
        yaml_walk_problem(d->walk, node,
                          "pseudonym: column %s is read as text, so that 007 and 7 stay different: "
                          "leave out its type",
                          c->name);
    else if (yaml_walk_text(d->walk, node, "pseudonym", &path))
        c->recoding.key_file = schema_path(d->walk, node, d->directory, path);
}

void schema_recoding(study_draft *d, study_column *c, const yaml_node_t *const nodes[RECODING_KEYS])
{
    static const char *const names[] = {"top", "bottom", "round"};
    const bool number = c->type == KITH_TYPE_INTEGER || c->type == KITH_TYPE_DECIMAL;
    bool fine = true;
    for (int i = RECODING_TOP; i <= RECODING_ROUND; i++) {
        if (nodes[i] == NULL)
            continue;
        fine = false;
        if (!number)
            yaml_walk_problem(d->walk, nodes[i], "%s is for columns of type integer or decimal",
                              names[i]);
        else if (c->role == ROLE_IDENTIFYING)
            yaml_walk_problem(d->walk, nodes[i],
                              "%s is of no use to an identifying column, which is never released",
                              names[i]);
        else if (c->date_format != NULL)
            yaml_walk_problem(d->walk, nodes[i], "%s is not available with 'decimal: comma'",
                              names[i]);
        else
            fine = true;
        if (!fine)
            break;
    }
    if (nodes[RECODING_PSEUDONYM] != NULL)
        read_pseudonym(d, c, nodes[RECODING_PSEUDONYM]);
    if (!fine)
        return;
    recoding *r = &c->recoding;
    r->has_top = read_bound(d, c, nodes[RECODING_TOP], "top", &r->top);
    r->has_bottom = read_bound(d, c, nodes[RECODING_BOTTOM], "bottom", &r->bottom);
    read_round(d, c, nodes[RECODING_ROUND]);
    if (r->has_top && r->has_bottom && !(r->bottom < r->top))
        yaml_walk_problem(d->walk, nodes[RECODING_BOTTOM], "bottom must be below top");
}

void schema_recoding_alone(study_draft *d)
{
    const bool joint = d->study->joint.partition != PARTITION_NONE || d->study->n_parties > 0;
    if (joint && d->study->sample > 0)
        findings_add(d->walk->findings, KITH_SEVERITY_PROBLEM, d->walk->file, 0, 0,
                     "sample is not available in joint runs: every party can draw its own rows "
                     "before");
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        if (joint && recoding_is_any(&d->columns[i].recoding))
            findings_add(
                d->walk->findings, KITH_SEVERITY_PROBLEM, d->walk->file, d->columns[i].line, 0,
                "column %s: %s is not available in joint runs: change the values before",
                d->columns[i].name,
                d->columns[i].recoding.key_file != NULL ? "pseudonym" : "top, bottom or round");
}
