/* Keys of protocol id-based:
 *
 *     lists: 1000          how many different quasi-identifiers a party may have
 *     hashing: on | off    off: all pairs are compared, as in the paper
 *     pkg: self            or the file of a key generator's public parameters
 *     period: "2026-11"    of the keys that the generator issued */
#include "study/schema/schema.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#if KITH_PAIRING
#include "crypto/ibe_text.h"
#endif

enum { MAX_LISTS = 1 << 20, MAX_K = 1 << 12, PARAMETERS_BYTES = 1 << 16, PERIOD_BYTES = 63 };

bool schema_lists_available(study_draft *d, const yaml_node_t *protocol)
{
    if (KITH_PAIRING || !yaml_walk_is_text(protocol) ||
        strcmp((const char *)protocol->data.scalar.value, "id-based") != 0)
        return true;
    yaml_walk_problem(d->walk, protocol,
                      "protocol: id-based needs pairings, which this kith was built without "
                      "(KITH_PAIRING=OFF)");
    return false;
}

/* Only looks whether they can be read: a party parses them once more when it runs. */
static void check_parameters(study_draft *d, const yaml_node_t *node, const char *text,
                             size_t length)
{
#if KITH_PAIRING
    kith_error error = {0};
    ibe_heading heading;
    ibe_parameters *parameters = yaml_walk_alloc(d->walk, 1, sizeof *parameters);
    if (parameters != NULL && ibe_text_parse_parameters(parameters, &heading, text, length,
                                                        d->study->pkg, &error) != KITH_OK)
        yaml_walk_problem(d->walk, node, "pkg: %s", error.message);
#else
    (void)d, (void)node, (void)text, (void)length;
#endif
}

/* Keeps the file's text: the digest covers it, and a party parses it when it runs. */
static void read_parameters(study_draft *d, const yaml_node_t *node, const char *path)
{
    kith_study *study = d->study;
    study->pkg = schema_path(d->walk, node, d->directory, path);
    char *text = yaml_walk_alloc(d->walk, PARAMETERS_BYTES + 1, 1);
    if (study->pkg == NULL || text == NULL)
        return;
    FILE *in = fopen(study->pkg, "rb");
    if (in == NULL) {
        yaml_walk_problem(d->walk, node, "pkg: cannot open %s: %s", study->pkg, strerror(errno));
        return;
    }
    const size_t length = fread(text, 1, PARAMETERS_BYTES, in);
    if (ferror(in) != 0)
        yaml_walk_problem(d->walk, node, "pkg: cannot read %s: %s", study->pkg, strerror(errno));
    else
        check_parameters(d, node, text, length);
    fclose(in);
    text[length] = '\0';
    study->pkg_text = text;
}

static void read_generator(study_draft *d, const yaml_node_t *pkg, const yaml_node_t *period)
{
    const char *text;
    if (yaml_walk_text(d->walk, pkg, "pkg", &text) && strcmp(text, "self") != 0)
        read_parameters(d, pkg, text);
    if (period == NULL)
        return;
    if (d->study->pkg == NULL)
        yaml_walk_problem(d->walk, period, "period is for keys of a generator: pkg names its file");
    else if (schema_name(d->walk, period, "period", &d->study->pkg_period) &&
             strlen(d->study->pkg_period) > PERIOD_BYTES)
        yaml_walk_problem(d->walk, period, "period: expected at most %d bytes", PERIOD_BYTES);
}

void schema_lists(study_draft *d, const yaml_node_t *place, const yaml_node_t *const *nodes)
{
    static const char *const switches[] = {"on", "off", NULL};
    protocol_options *o = &d->study->joint;
    size_t choice;
    if (o->protocol != PROTOCOL_ID_BASED)
        return;
    o->hashing = true;
    if (yaml_walk_whole(d->walk, nodes[JOINT_LISTS], "lists", 1, &o->lists) && o->lists > MAX_LISTS)
        yaml_walk_problem(d->walk, nodes[JOINT_LISTS], "lists: expected at most %d, found %u",
                          MAX_LISTS, o->lists);
    if (o->lists == 0 && o->max_rows == 0)
        o->max_rows = OPTIONS_ROWS_OF_LISTS;
    if (yaml_walk_choice(d->walk, nodes[JOINT_HASHING], "hashing", switches, &choice))
        o->hashing = choice == 0;
    read_generator(d, nodes[JOINT_PKG], nodes[JOINT_PERIOD]);
    /* k decides how long lists are, so it has a bound here. Everything else that could be asked of
     * a release is refused by supports_model and supports_measure. */
    for (uint32_t i = 0; i < d->study->n_models; i++)
        if (d->study->models[i].id == MODEL_K_ANONYMITY && d->study->models[i].k > MAX_K)
            yaml_walk_problem(d->walk, place, "protocol id-based: k must be at most %d, found %u",
                              MAX_K, d->study->models[i].k);
    /* The protocol compares whole tuples of cells: what is between a cell and nothing has no
     * effect. */
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        if (d->columns[i].role == ROLE_QUASI_IDENTIFYING && d->columns[i].weight != 1)
            yaml_walk_problem(d->walk, place,
                              "protocol id-based suppresses all quasi-identifiers of a row or "
                              "none: utility.weights have no effect");
    if (d->study->n_parties != 0 && d->study->n_parties != 2)
        yaml_walk_problem(d->walk, place, "protocol id-based is for two parties, not for %u",
                          d->study->n_parties);
}
