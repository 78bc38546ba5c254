/* Keys of the encrypted view: master, replicas, pregeneralize, unmatched. */
#include "study/schema.h"

#include <string.h>

#include "core/text.h"

/* A mapping from columns to levels. Whether the hierarchy has that many levels shows when it is
 * built. */
static void read_pregeneralize(study_draft *d, const yaml_node_t *node)
{
    size_t count = yaml_walk_pairs(d->walk, node, "pregeneralize");
    uint32_t *level = arena_zalloc(d->walk->memory, d->study->n_columns, sizeof *level);
    d->walk->nomem = d->walk->nomem || level == NULL;
    for (size_t i = 0; level != NULL && i < count; i++) {
        const yaml_node_t *key, *value;
        yaml_walk_pair(d->walk, node, i, &key, &value);
        const study_column *c = schema_refer_column(d, key, "pregeneralize");
        if (c == NULL)
            continue;
        if (c->role != ROLE_QUASI_IDENTIFYING)
            yaml_walk_problem(d->walk, key, "pregeneralize: column '%s' is not quasi-identifying",
                              c->name);
        yaml_walk_whole(d->walk, value, "pregeneralize", 0, &level[c - d->columns]);
    }
    d->study->joint.pregeneralize = level;
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
    char quoted[80];
    text_quote(quoted, sizeof quoted, text, strlen(text));
    yaml_walk_problem(d->walk, node, "master: expected external or the name of a party, found '%s'",
                      quoted);
}

/* The keys of the encrypted view. */
void schema_view(study_draft *d, const yaml_node_t *const *nodes)
{
    static const char *const unmatched[] = {"drop", "error", NULL};
    protocol_options *o = &d->study->joint;
    size_t choice;
    if (nodes[JOINT_MASTER] != NULL)
        read_master(d, nodes[JOINT_MASTER]);
    if (nodes[JOINT_REPLICAS] != NULL &&
        yaml_walk_whole(d->walk, nodes[JOINT_REPLICAS], "replicas", 1, &o->n_replicas) &&
        o->n_replicas > 1 && o->master != PROTOCOL_MASTER_EXTERNAL)
        yaml_walk_problem(d->walk, nodes[JOINT_REPLICAS], "replicas need master: external");
    if (nodes[JOINT_PREGENERALIZE] != NULL)
        read_pregeneralize(d, nodes[JOINT_PREGENERALIZE]);
    if (nodes[JOINT_UNMATCHED] != NULL &&
        yaml_walk_choice(d->walk, nodes[JOINT_UNMATCHED], "unmatched", unmatched, &choice))
        o->drop_unmatched = choice == 0;
}
