/* Keys of the encrypted view: master, replicas, pregeneralize, unmatched. */
#include "study/schema.h"

#include <string.h>

#include "core/text.h"

/* Whether the hierarchy has that many levels shows when it is built. */
static void read_pregeneralize(study_draft *d, study_column *c, const yaml_node_t *value)
{
    uint32_t *level = d->study->joint.pregeneralize;
    yaml_walk_whole(d->walk, value, "pregeneralize", 0, &level[c - d->columns]);
}

/* A study without parties can be simulated; the simulated sites are called site1, site2, … */
static bool is_simulated(const char *text, uint32_t *index)
{
    int64_t number;
    if (strncmp(text, "site", 4) != 0 || !text_integer(text + 4, strlen(text + 4), &number) ||
        number < 1 || number > 128)
        return false;
    *index = (uint32_t)number - 1;
    return true;
}

/* The name of a party that holds data; parties have been read. */
static void read_master(study_draft *d, const yaml_node_t *node)
{
    const char *text;
    if (!yaml_walk_text(d->walk, node, "master", &text) || strcmp(text, "external") == 0)
        return;
    if (d->study->n_parties == 0 && is_simulated(text, &d->study->joint.master))
        return;
    for (uint32_t i = 0; i < d->study->n_parties; i++)
        if (d->study->parties[i].name != NULL && strcmp(d->study->parties[i].name, text) == 0) {
            d->study->joint.master = i;
            if (d->study->n_parties < 3)
                yaml_walk_problem(d->walk, node,
                                  "master: with two parties it must be external, a third one "
                                  "without data");
            return;
        }
    yaml_walk_expected(d->walk, node, "master", "external or the name of a party");
}

/* The keys of the encrypted view. */
void schema_view(study_draft *d, const yaml_node_t *const *nodes)
{
    static const char *const unmatched[] = {"drop", "error", NULL};
    protocol_options *o = &d->study->joint;
    size_t choice;
    read_master(d, nodes[JOINT_MASTER]);
    if (yaml_walk_whole(d->walk, nodes[JOINT_REPLICAS], "replicas", 1, &o->n_replicas) &&
        o->n_replicas > 1 && o->master != PROTOCOL_MASTER_EXTERNAL)
        yaml_walk_problem(d->walk, nodes[JOINT_REPLICAS], "replicas need master: external");
    if (nodes[JOINT_PREGENERALIZE] != NULL)
        o->pregeneralize = yaml_walk_alloc(d->walk, d->study->n_columns, sizeof *o->pregeneralize);
    if (o->pregeneralize != NULL)
        schema_each_column(d, nodes[JOINT_PREGENERALIZE], "pregeneralize", read_pregeneralize);
    if (yaml_walk_choice(d->walk, nodes[JOINT_UNMATCHED], "unmatched", unmatched, &choice))
        o->drop_unmatched = choice == 0;
}
