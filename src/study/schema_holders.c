/* Who holds which column, where columns lie at several parties. */
#include "study/schema.h"

#include <string.h>

#include "study/holders.h"

static bool holds(const study_party *p, uint32_t number)
{
    for (uint32_t i = 0; i < p->n_columns; i++)
        if (p->columns[i] == number)
            return true;
    return false;
}

static uint32_t count_holders(const kith_study *s, uint32_t n_holders, uint32_t number)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n_holders; i++)
        count += holds(&s->parties[i], number);
    return count;
}

static void check_parties(draft *d, const yaml_node_t *root, uint32_t n_holders, bool split)
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

/* Cells that are released as they are stay together, so one party must have them all. */
static void check_cells(draft *d, const yaml_node_t *root)
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
                      "clustering one must hold all sensitive columns%s",
                      s->columns[one].name, s->columns[other].name,
                      sensitive ? "" : " and the insensitive ones that are published");
}

void schema_holders(draft *d, const yaml_node_t *root)
{
    const kith_study *s = d->study;
    const protocol_options *o = &s->joint;
    if (s->n_parties == 0)
        return;
    bool split = o->partition == PARTITION_VERTICAL || o->partition == PARTITION_HYBRID;
    bool view = o->protocol == PROTOCOL_ENCRYPTED_VIEW && o->master == PROTOCOL_MASTER_EXTERNAL;
    if (view && s->n_parties < o->n_replicas + 2) {
        yaml_walk_problem(d->walk, root,
                          "with master: external the last %u of the parties hold no data, which "
                          "leaves fewer than two that do",
                          o->n_replicas);
        return;
    }
    uint32_t n_holders = options_holders(o, s->n_parties);
    check_parties(d, root, n_holders, split);
    for (uint32_t i = 0; split && i < s->n_columns; i++) {
        uint32_t count = count_holders(s, n_holders, i);
        if (s->columns[i].role == ROLE_IDENTIFYING)
            continue;
        if (count == 0)
            yaml_walk_problem(d->walk, root, "no party holds the column '%s'", s->columns[i].name);
        if (count > 1 && o->partition == PARTITION_VERTICAL)
            yaml_walk_problem(d->walk, root, "%u parties hold the column '%s'; one can", count,
                              s->columns[i].name);
    }
    if (o->partition == PARTITION_VERTICAL && o->protocol == PROTOCOL_CLUSTERING)
        check_cells(d, root);
    if (split && !o->ids_aligned && s->id_column == NULL)
        yaml_walk_problem(d->walk, root,
                          "ids: say by which identifying column rows are joined, or 'aligned' if "
                          "they stand in the same order everywhere");
}
