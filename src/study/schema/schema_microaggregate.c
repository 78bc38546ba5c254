/* The key `microaggregate` of a column: a release shows the mean of each class instead of a label.
 *
 *     columns:
 *       - {name: income, role: quasi-identifying, type: integer, hierarchy: {intervals: [1000]},
 *          microaggregate: mean} */
#include "core/findings.h"
#include "study/schema/schema.h"

void schema_microaggregate(study_draft *d, study_column *c, const yaml_node_t *node)
{
    static const char *const ways[] = {"mean", NULL};
    size_t choice;
    if (!yaml_walk_choice(d->walk, node, "microaggregate", ways, &choice))
        return;
    if (c->role != ROLE_QUASI_IDENTIFYING)
        yaml_walk_problem(d->walk, node,
                          "microaggregate is for quasi-identifying columns only: no other column "
                          "is generalized");
    else if (c->type == KITH_TYPE_DATE)
        yaml_walk_problem(d->walk, node,
                          "microaggregate is for columns of type integer or decimal: dates are "
                          "released by their hierarchy, such as {dates: [month, year]}");
    else if (c->type == KITH_TYPE_STRING)
        yaml_walk_problem(d->walk, node,
                          "microaggregate is for columns of type integer or decimal");
    else if (c->min_level > 0)
        yaml_walk_problem(d->walk, node,
                          "microaggregate: a mean is finer than any level: leave out min_level of "
                          "column %s",
                          c->name);
    else
        c->mean = true;
}

/* Why a model does not go with means, or NULL. Two classes that show the same labels elsewhere and
 * the same mean are one class in the release, and few models are broken by that. */
static const char *model_refuses(const model_spec *m)
{
    if (m->id == MODEL_K_MAP)
        return "counts records of a population that fit a label, and a mean is no label";
    return model_closed(m) ? NULL
                           : "may be broken where two classes have the same mean, and so look like "
                             "one";
}

static void check_models(study_draft *d, const study_column *c)
{
    uint32_t smallest = 1;
    for (uint32_t i = 0; i < d->study->n_models; i++) {
        const model_spec *m = &d->study->models[i];
        const char *why = model_refuses(m);
        smallest = model_minimum_size(m) > smallest ? model_minimum_size(m) : smallest;
        if (why != NULL)
            findings_add(d->walk->findings, KITH_SEVERITY_PROBLEM, d->walk->file, c->line, 0,
                         "column %s: microaggregate is not available with %s, which %s", c->name,
                         model_name(m->id), why);
    }
    if (d->study->n_models > 0 && smallest < 2)
        findings_add(d->walk->findings, KITH_SEVERITY_PROBLEM, d->walk->file, c->line, 0,
                     "column %s: microaggregate would show the value of a class of one record: add "
                     "{model: k-anonymity, k: 5}",
                     c->name);
}

void schema_microaggregate_check(study_draft *d)
{
    const bool joint = d->study->joint.partition != PARTITION_NONE || d->study->n_parties > 0;
    for (uint32_t i = 0; i < d->study->n_columns; i++) {
        const study_column *c = &d->columns[i];
        if (!c->mean)
            continue;
        if (joint)
            findings_add(d->walk->findings, KITH_SEVERITY_PROBLEM, d->walk->file, c->line, 0,
                         "column %s: microaggregate is not available in joint runs: the parties "
                         "agree on labels, and none of them knows the mean of a class; leave it "
                         "out, and the column shows labels",
                         c->name);
        check_models(d, c);
    }
}
