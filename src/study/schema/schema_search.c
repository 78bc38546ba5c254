/* The algorithm and the keys that only some algorithms understand.
 *
 * Whether an algorithm can minimize the measure and keep the models is asked of the registry of
 * searches (search/search.h); nothing about single algorithms is repeated here except the names of
 * their keys. */
#include "study/schema/schema.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

enum { ALGORITHMS = 32 };

/* Which algorithm a key is for. Protocols that run an algorithm of their own have its keys, but for
 * those of weave, which are for the search in one place. */
#define USE(number, name, algorithm) [number] = (algorithm),
static const char *const uses[SEARCH_KEYS] = {SCHEMA_SEARCH_KEYS(USE)};

/* Can it do what the study asks for besides its measure and models? */
static bool serves_study(const algorithm *a, const kith_study *study, double suppression)
{
    if (study->has_levels)
        return a->global && !a->cuts;
    /* No joint run suppresses records by local recoding. */
    return suppression == 0 || a->global ||
           (search_suppresses(a, study->measure) && study->joint.partition == PARTITION_NONE);
}

/* The first algorithm of the registry that can minimize the measure and, if the study allows
 * suppression, suppress records, or, if the study fixes levels, apply them. If none can do both,
 * the first for the measure; check_suppression then reports the problem. */
static const char *default_algorithm(const kith_study *study, double suppression)
{
    const algorithm *able = NULL;
    for (uint32_t i = 0; search_at(i) != NULL; i++) {
        if (!search_minimizes(search_at(i), study->measure))
            continue;
        if (serves_study(search_at(i), study, suppression))
            return search_at(i)->name;
        able = able != NULL ? able : search_at(i);
    }
    return able != NULL ? able->name : search_at(0)->name;
}

/* False after a problem: then the keys of the algorithm cannot be checked. */
static bool read_algorithm(study_draft *d, const yaml_node_t *node)
{
    const char *names[ALGORITHMS + 1] = {NULL};
    for (uint32_t i = 0; i < ALGORITHMS && search_at(i) != NULL; i++)
        names[i] = search_at(i)->name;
    size_t choice;
    if (!yaml_walk_choice(d->walk, node, "algorithm", names, &choice))
        return false;
    if (d->study->joint.protocol->suppresses)
        yaml_walk_problem(d->walk, node,
                          "protocol %s suppresses and has no algorithm; leave it out",
                          options_protocol_name(&d->study->joint));
    else if (d->engine != NULL && strcmp(d->engine, names[choice]) != 0)
        yaml_walk_problem(d->walk, node, "protocol %s runs %s, not %s; leave the algorithm out",
                          options_protocol_name(&d->study->joint), d->engine, names[choice]);
    d->study->algorithm = names[choice];
    return true;
}

/* A key of another algorithm has no effect, which a user would not expect: refuse it. */
static void check_uses(study_draft *d, const yaml_node_t *const *nodes)
{
    char none[80];
    snprintf(none, sizeof none, "protocol %s, which has none",
             options_protocol_name(&d->study->joint));
    for (int key = SEARCH_ALGORITHM + 1; key < SEARCH_KEYS; key++) {
        const bool apart = d->engine != NULL && strcmp(uses[key], "weave") == 0;
        if (nodes[key] == NULL || (strcmp(uses[key], d->study->algorithm) == 0 && !apart))
            continue;
        char other[80];
        snprintf(other, sizeof other, apart ? "the protocol %s, which has its own search" : "%s",
                 apart ? options_protocol_name(&d->study->joint) : d->study->algorithm);
        yaml_walk_problem(d->walk, nodes[key], "%s is for the algorithm %s, not for %s",
                          schema_search_key(key), uses[key],
                          d->study->joint.protocol->suppresses ? none : other);
    }
}

const char *schema_algorithms(char text[SCHEMA_ALGORITHMS], uint32_t able)
{
    const char *names[ALGORITHMS + 1] = {NULL};
    uint32_t count = 0;
    for (uint32_t i = 0; i < ALGORITHMS && search_at(i) != NULL; i++)
        if (able >> i & 1)
            names[count++] = search_at(i)->name;
    yaml_walk_list(text, SCHEMA_ALGORITHMS, names, ", ");
    return text;
}

/* Refuses a measure that the algorithm cannot minimize, and names the algorithms that can. */
static void check_measure(study_draft *d, const yaml_node_t *place)
{
    const algorithm *found = search_find(d->study->algorithm);
    const measure_info *measure = measure_at(d->study->measure);
    if (found == NULL || search_minimizes(found, measure->id))
        return;
    uint32_t able = 0;
    for (uint32_t i = 0; search_at(i) != NULL; i++)
        able |= (uint32_t)search_minimizes(search_at(i), measure->id) << i;
    char list[SCHEMA_ALGORITHMS];
    yaml_walk_problem(d->walk, place, "algorithm %s cannot minimize the measure %s; these can: %s",
                      found->name, measure->name, schema_algorithms(list, able));
}

/* With an algorithm that suppresses no records the share has no effect. In joint runs only global
 * recoding of an encrypted view suppresses. */
static void check_suppression(study_draft *d, const yaml_node_t *place)
{
    const algorithm *found = search_find(d->study->algorithm);
    bool joint = d->study->joint.partition != PARTITION_NONE;
    if (found == NULL || found->global || d->study->suppression == 0 ||
        (!joint && search_suppresses(found, d->study->measure)))
        return;
    if (d->study->joint.protocol->suppresses) {
        yaml_walk_problem(d->walk, d->suppression == NULL ? place : d->suppression,
                          "utility.suppression: protocol %s suppresses as many rows as it "
                          "must; leave it out",
                          options_protocol_name(&d->study->joint));
        return;
    }
    if (joint) {
        yaml_walk_problem(
            d->walk, place,
            "utility.suppression: protocol %s with %s suppresses no records; a search "
            "of the lattice on an encrypted view does",
            options_protocol_name(&d->study->joint), found->name);
        return;
    }
    uint32_t able = 0;
    for (uint32_t i = 0; search_at(i) != NULL; i++)
        able |= (uint32_t)(search_suppresses(search_at(i), d->study->measure) &&
                           search_minimizes(search_at(i), d->study->measure))
                << i;
    char list[SCHEMA_ALGORITHMS];
    yaml_walk_problem(
        d->walk, place, "utility.suppression: algorithm %s suppresses no records%s; %s%s",
        found->name, found->suppresses ? " for this measure" : "",
        able != 0 ? "these can: " : "none can that minimizes the measure ",
        able != 0 ? schema_algorithms(list, able) : measure_at(d->study->measure)->name);
}

/* A share of records to suppress changes the default algorithm, which a user may not expect. */
static void note_default(study_draft *d)
{
    const algorithm *found = search_find(d->study->algorithm);
    const char *otherwise = default_algorithm(d->study, 0);
    if (d->suppression == NULL || found == NULL || !found->global ||
        strcmp(found->name, otherwise) == 0)
        return;
    yaml_walk_warning(
        d->walk, d->suppression,
        "suppression without algorithm selects %s (global recoding) instead of %s, "
        "which suppresses no records for this measure; 'algorithm: %s' says that it is meant",
        found->name, otherwise, found->name);
}

/* An algorithm that cannot keep a model is refused here, before any data is read. */
static void check_models(study_draft *d, const yaml_node_t *place)
{
    const algorithm *found = search_find(d->study->algorithm);
    for (uint32_t i = 0; found != NULL && i < d->study->n_models; i++) {
        const model_spec *m = &d->models[i];
        const char *variant = model_variant_name(m->variant);
        char list[SCHEMA_ALGORITHMS];
        uint32_t able = 0;
        model_spec of_rows = *m, kept = *m;
        of_rows.by_units = false;
        kept.by_units = m->by_units && d->engine == NULL; /* protocols count persons themselves */
        for (uint32_t a = 0; search_at(a) != NULL; a++)
            able |= (uint32_t)search_at(a)->supports_model(&kept) << a;
        if (found->supports_model(&kept))
            continue;
        yaml_walk_problem(
            d->walk, place,
            "algorithm %s cannot keep the model %s%s%s%s of line %zu%s; these can: %s", found->name,
            model_name(m->id), variant[0] == '\0' ? "" : " (", variant,
            variant[0] == '\0' ? "" : ")", (size_t)m->line,
            found->supports_model(&of_rows) ? " by persons" : "", schema_algorithms(list, able));
    }
}

/* A word, or how many seconds to search. */
static void read_effort(study_draft *d, const yaml_node_t *node)
{
    static const char *const words[] = {"quick", "normal", "best", NULL};
    static const search_effort efforts[] = {EFFORT_QUICK, EFFORT_NORMAL, EFFORT_BEST};
    search_spec *spec = &d->study->search;
    if (node == NULL)
        return;
    const char *text = yaml_walk_is_text(node) ? (const char *)node->data.scalar.value : "";
    for (size_t i = 0; words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0) {
            spec->effort = efforts[i];
            return;
        }
    double seconds;
    if (!text_decimal(text, strlen(text), &seconds) || !(seconds > 0)) {
        char quoted[64];
        text_quote(quoted, sizeof quoted, text, strlen(text));
        yaml_walk_problem(d->walk, node,
                          "effort must be quick, normal, best or a number of seconds, not '%s'",
                          quoted);
        return;
    }
    spec->effort = EFFORT_SECONDS;
    spec->seconds = seconds;
}

void schema_search(study_draft *d, const yaml_node_t *root, const yaml_node_t *const *nodes)
{
    static const char *const kinds[] = {"strict", "relaxed", NULL};
    static const char *const orders[] = {"value", "hierarchy", NULL};
    static const char *const finishes[] = {"merge", "hybrid", NULL};
    search_spec *spec = &d->study->search;
    size_t choice;
    d->study->algorithm =
        d->engine != NULL ? d->engine : default_algorithm(d->study, d->study->suppression);
    /* Problems of a default algorithm have no key to point to. */
    const yaml_node_t *place = nodes[SEARCH_ALGORITHM] != NULL ? nodes[SEARCH_ALGORITHM] : root;
    if (nodes[SEARCH_ALGORITHM] == NULL || read_algorithm(d, nodes[SEARCH_ALGORITHM])) {
        check_uses(d, nodes);
        check_models(d, place);
        check_measure(d, place);
        check_suppression(d, place);
    }
    /* After a problem the default may be another one than the user will get. */
    if (nodes[SEARCH_ALGORITHM] == NULL && kith_findings_n_problems(d->walk->findings) == 0)
        note_default(d);
    yaml_walk_whole(d->walk, nodes[SEARCH_RESTARTS], "restarts", 1, &spec->n_restarts);
    yaml_walk_whole(d->walk, nodes[SEARCH_MAX_PASSES], "max_passes", 1, &spec->max_passes);
    if (yaml_walk_choice(d->walk, nodes[SEARCH_FINISH], "finish", finishes, &choice))
        spec->finish = choice == 0 ? FINISH_MERGE : FINISH_HYBRID;
    /* Then no node has a cost of its own, by which a block could be placed. */
    const measure_info *measure = measure_at(d->study->measure);
    if (yaml_walk_whole(d->walk, nodes[SEARCH_BLOCK], "block", 1, &spec->block) &&
        measure->uses_sensitive && spec->block > 1)
        yaml_walk_problem(d->walk, nodes[SEARCH_BLOCK],
                          "block is not for the measure %s, which depends on sensitive values",
                          measure->name);
    read_effort(d, nodes[SEARCH_EFFORT]);
    yaml_walk_whole(d->walk, nodes[SEARCH_PIECE], "piece", 1, &spec->piece);
    if (yaml_walk_choice(d->walk, nodes[SEARCH_MONDRIAN], "mondrian", kinds, &choice))
        spec->relaxed = choice == 1;
    if (yaml_walk_choice(d->walk, nodes[SEARCH_ORDER], "order", orders, &choice))
        spec->by_hierarchy = choice == 1;
    spec->all_ordered = nodes[SEARCH_ORDER] != NULL;
    spec->ranges = spec->regions; /* a region is seldom a node */
    if (yaml_walk_flag(d->walk, nodes[SEARCH_RANGES], "ranges", &spec->ranges)) {
        /* k-map counts the people below the nodes of a class, and models that are not closed must
         * find classes that look the same: both compare nodes, and a range is not one. The joint
         * protocol compares ranges where a person of two classes counts once. */
        bool (*closed)(const model_spec *) = spec->regions ? model_closed_by_records : model_closed;
        for (uint32_t i = 0; i < d->study->n_models && d->study->search.ranges; i++)
            if (d->models[i].id == MODEL_K_MAP || !closed(&d->models[i]))
                yaml_walk_problem(d->walk, nodes[SEARCH_RANGES],
                                  "ranges: %s needs nodes of the hierarchies, not ranges",
                                  model_name(d->models[i].id));
    }
}
