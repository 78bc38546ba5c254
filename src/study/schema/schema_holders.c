/* Checks which party holds which column in studies whose columns are split. */
#include "study/schema/schema.h"

#include "core/findings.h"
#include "study/holders.h"

/* Unlike holders_have: here a party without a list holds nothing, because the missing list has been
 * reported and must not hide a column that no party lists. */
static bool lists(const study_party *p, uint32_t number)
{
    for (uint32_t i = 0; i < p->n_columns; i++)
        if (p->columns[i] == number)
            return true;
    return false;
}

/* Every party that holds data must list its columns if columns are split, and no other party
 * may. */
static void check_parties(study_draft *d, const yaml_node_t *root, uint32_t n_holders, bool split)
{
    for (uint32_t i = 0; i < d->study->n_parties; i++) {
        const study_party *p = &d->study->parties[i];
        const char *name = p->name != NULL ? p->name : "?";
        if (split && i < n_holders && p->n_columns == 0)
            yaml_walk_problem(d->walk, root,
                              "party %s lacks 'columns': the study says that columns are split",
                              name);
        if (p->n_columns > 0 && !split)
            yaml_walk_problem(d->walk, root,
                              "party %s has 'columns', but the study does not say that columns are "
                              "split (partition: vertical or hybrid)",
                              name);
        if (p->n_columns > 0 && i >= n_holders)
            yaml_walk_problem(d->walk, root,
                              "party %s has 'columns', but as an external master it holds no data",
                              name);
    }
}

/* Vertical clustering releases sensitive and published insensitive cells as they are. The cells of
 * a record must stay together, therefore one party must hold all of these columns. */
static void check_cells(study_draft *d, const yaml_node_t *root)
{
    const kith_study *s = d->study;
    uint32_t holder, one = 0, other = 0;
    for (uint32_t i = 0; i < s->n_parties; i++)
        if (s->parties[i].n_columns == 0)
            return; /* that is a problem of its own */
    if (holders_of_cells(s, &holder, &one, &other))
        return;
    bool sensitive =
        s->columns[one].role == ROLE_SENSITIVE && s->columns[other].role == ROLE_SENSITIVE;
    yaml_walk_problem(d->walk, root,
                      "the columns '%s' and '%s' lie at different parties; with protocol "
                      "%s one must hold all sensitive columns%s",
                      s->columns[one].name, s->columns[other].name,
                      options_protocol_name(&s->joint),
                      sensitive ? "" : " and the insensitive ones that are published");
}

void schema_holders(study_draft *d, const yaml_node_t *root)
{
    const kith_study *s = d->study;
    const protocol_options *o = &s->joint;
    if (s->n_parties == 0)
        return;
    bool split = o->partition == PARTITION_VERTICAL || o->partition == PARTITION_HYBRID;
    if (options_external_master(o) && s->n_parties < o->n_replicas + 2) {
        yaml_walk_problem(d->walk, root,
                          "with master: external the last %u of the parties hold no data, which "
                          "leaves fewer than two that do",
                          o->n_replicas);
        return;
    }
    /* A master without data is listed among the parties, behind those that hold data. */
    uint32_t n_holders = options_holders(o, s->n_parties);
    check_parties(d, root, n_holders, split);
    for (uint32_t i = 0; split && i < s->n_columns; i++) {
        uint32_t count = 0;
        for (uint32_t p = 0; p < n_holders; p++)
            count += lists(&s->parties[p], i);
        /* Identifying columns never leave their party, so that several or none may have them. */
        if (s->columns[i].role == ROLE_IDENTIFYING)
            continue;
        if (count == 0)
            yaml_walk_problem(d->walk, root, "no party holds the column '%s'", s->columns[i].name);
        /* In hybrid data several parties hold the same columns of other rows. */
        if (count > 1 && o->partition == PARTITION_VERTICAL)
            yaml_walk_problem(d->walk, root, "%u parties hold the column '%s'; one can", count,
                              s->columns[i].name);
    }
    if (o->partition == PARTITION_VERTICAL && !o->protocol->by_master)
        check_cells(d, root);
    if (split && !o->ids_aligned && s->id_column == NULL)
        yaml_walk_problem(d->walk, root,
                          "ids: say by which identifying column rows are joined, or 'aligned' if "
                          "they are in the same order everywhere");
}

/* A column that disappears without a word would be missed too late. */
void schema_holders_left_out(study_draft *d)
{
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        if (d->columns[i].role == ROLE_INSENSITIVE && !d->study->joint.publish_insensitive)
            findings_add(d->walk->findings, KITH_SEVERITY_WARNING, d->walk->file,
                         d->columns[i].line, 0,
                         "the insensitive column '%s' is left out of the joint release; "
                         "publish_insensitive: true releases it, false says that this is meant",
                         d->columns[i].name);
}
