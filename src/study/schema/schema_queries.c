/* Sections `clients` and `queries`: who may ask the virtual database, and what.
 *
 *     clients:
 *       - name: alice
 *         key: sha256:…
 *     queries: {rows: false, per_day: 100}
 *
 * Parties may ask as well; `queries` holds for all. */

#include "study/schema/schema.h"

enum { NAME, KEY };
enum { ROWS, PER_DAY };
enum { MAX_CLIENTS = 32, MAX_PER_DAY = 1000000 };

static const yaml_key client_keys[] = {
    [NAME] = {"name", true, NULL}, [KEY] = {"key", true, NULL}, {NULL, false, NULL}};
const yaml_key schema_queries_keys[] = {
    [ROWS] = {"rows", false, NULL}, [PER_DAY] = {"per_day", false, NULL}, {NULL, false, NULL}};

/* Every name and every key stands for one querier only. */
static void check_unique(study_draft *d, const yaml_node_t *node, const study_client *all,
                         uint32_t index)
{
    const study_client *c = &all[index];
    for (uint32_t i = 0; i < index; i++) {
        if (schema_same_text(all[i].name, c->name))
            yaml_walk_problem(d->walk, node, "client %s is listed twice", c->name);
        else if (schema_same_text(all[i].key, c->key))
            yaml_walk_problem(d->walk, node, "this client has the key of client %u",
                              (unsigned)i + 1);
    }
    for (uint32_t i = 0; i < d->study->n_parties; i++) {
        const study_party *p = &d->study->parties[i];
        if (schema_same_text(p->name, c->name))
            yaml_walk_problem(d->walk, node, "%s is a party, which may ask without being a client",
                              c->name);
        else if (schema_same_text(p->key, c->key))
            yaml_walk_problem(d->walk, node, "this client has the key of party %u",
                              (unsigned)i + 1);
    }
}

static void read_clients(study_draft *d, const yaml_node_t *clients)
{
    const yaml_node_t *values[YAML_WALK_KEYS];
    const size_t count = yaml_walk_count(d->walk, clients, "clients");
    if (count > MAX_CLIENTS) {
        yaml_walk_problem(d->walk, clients, "clients: expected at most %d clients, found %zu",
                          MAX_CLIENTS, count);
        return;
    }
    study_client *all = yaml_walk_alloc(d->walk, count, sizeof *all);
    for (uint32_t i = 0; all != NULL && i < count; i++) {
        const yaml_node_t *node = yaml_walk_item(d->walk, clients, i);
        yaml_walk_map(d->walk, node, "a client", client_keys, values);
        schema_parties_name(d, values[NAME], &all[i].name);
        schema_parties_key(d, values[KEY], &all[i].key);
        check_unique(d, node, all, i);
    }
    d->study->clients = all;
    d->study->n_clients = all == NULL ? 0 : (uint32_t)count;
}

static void read_queries(study_draft *d, const yaml_node_t *queries)
{
    const yaml_node_t *values[YAML_WALK_KEYS];
    uint32_t per_day;
    yaml_walk_map(d->walk, queries, "queries", schema_queries_keys, values);
    yaml_walk_flag(d->walk, values[ROWS], "rows", &d->study->query_rows);
    if (!yaml_walk_whole(d->walk, values[PER_DAY], "per_day", 0, &per_day))
        return;
    if (per_day > MAX_PER_DAY)
        yaml_walk_problem(d->walk, values[PER_DAY], "per_day: expected at most %d, found %u",
                          MAX_PER_DAY, per_day);
    else
        d->study->queries_per_day = per_day;
}

void schema_queries(study_draft *d, const yaml_node_t *clients, const yaml_node_t *queries)
{
    d->study->queries_per_day = STUDY_PER_DAY;
    const yaml_node_t *const any = clients != NULL ? clients : queries;
    if (any == NULL)
        return;
    if (d->study->n_parties == 0 || !d->study->joint.virtual_rows) {
        yaml_walk_problem(d->walk, any, "%s is for studies with parties and 'publish: virtual'",
                          clients != NULL ? "clients" : "queries");
        return;
    }
    if (clients != NULL)
        read_clients(d, clients);
    if (queries != NULL)
        read_queries(d, queries);
}
