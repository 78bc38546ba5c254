/* The top level of a study, and what its sections share.
 *
 * Every reader takes a node that may have any form and reports what is wrong with it. It leaves the
 * default in the study then, so that the readers behind it find something to work with. */
#include "study/schema/schema.h"

#include <math.h>
#include <string.h>

#include "study/memory_size.h"

/* A user may expect such a key; the message tells why there is none. */
#define NEVER "is not offered: a run never lowers a privacy parameter, ask for what can be met"

enum {
    STUDY,
    COLUMNS,
    PRIVACY,
    UTILITY,
    MISSING,
    MISSING_VALUES,
    TRIM,
    POPULATION,
    SAMPLE,
    UNIT,
    INTERSECTIONS,
    MEMORY,
    PARTIES,
    TIMEOUT,
    LIMIT,
    CLIENTS,
    QUERIES,
    LEVELS,
    ENGINE,
    SEARCH,                       /* SEARCH_KEYS of them */
    JOINT = SEARCH + SEARCH_KEYS, /* JOINT_KEYS of them */
    KEYS = JOINT + JOINT_KEYS
};

#define SEARCH_KEY(number, name, use) [SEARCH + (number)] = {name, false, NULL},
#define JOINT_KEY(number, name, use) [JOINT + (number)] = {name, false, NULL},

/* The numbers of the keys leave room for two blocks, so that schema_search and schema_joint can
 * number their own keys from 0. */
const yaml_key schema_keys[] = {
    [STUDY] = {"study", true, NULL},
    [COLUMNS] = {"columns", true, NULL},
    [PRIVACY] = {"privacy", true, NULL},
    [UTILITY] = {"utility", false, NULL},
    [MISSING] = {"missing", false, NULL},
    [MISSING_VALUES] = {"missing_values", false, NULL},
    [TRIM] = {"trim", false, NULL},
    [POPULATION] = {"population", false, NULL},
    [SAMPLE] = {"sample", false, NULL},
    [UNIT] = {"unit", false, NULL},
    [INTERSECTIONS] = {"intersections", false, NULL},
    [MEMORY] = {"memory", false, NULL},
    [PARTIES] = {"parties", false, NULL},
    [TIMEOUT] = {"timeout", false, NULL},
    [LIMIT] = {"limit", false, NULL},
    [CLIENTS] = {"clients", false, NULL},
    [QUERIES] = {"queries", false, NULL},
    [LEVELS] = {"levels", false, NULL},
    [ENGINE] = {"engine", false,
                "is gone: write 'memory: 500MB', say; rows that do not fit there go to the disk, "
                "wherever they come from"},
    [KEYS] = {"relax", false, NEVER},
    {NULL, false, NULL},
    SCHEMA_SEARCH_KEYS(SEARCH_KEY) SCHEMA_JOINT_KEYS(JOINT_KEY)};

_Static_assert(sizeof schema_keys / sizeof *schema_keys <= YAML_WALK_KEYS,
               "yaml_walk_map keeps that many");

const char *schema_joint_key(int key)
{
    return schema_keys[JOINT + key].name;
}

const char *schema_search_key(int key)
{
    return schema_keys[SEARCH + key].name;
}

bool schema_same_text(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

void schema_joint_keys(const char *names[YAML_WALK_KEYS], bool particular)
{
    size_t n = 0;
    for (int i = 0; i < KEYS; i++) {
        const bool joint = i >= SEARCH || (i >= PARTIES && i <= QUERIES);
        const bool of_all = i == JOINT + JOINT_IDS || i == JOINT + JOINT_AGAIN ||
                            i == JOINT + JOINT_PUBLISH_INSENSITIVE;
        if (joint && !(particular && of_all))
            names[n++] = schema_keys[i].name;
    }
    names[n] = NULL;
}

const char *schema_path(yaml_walk *walk, const yaml_node_t *node, const char *directory,
                        const char *path)
{
    /* The current directory is left out, because messages show the path. */
    bool as_it_is =
        path[0] == '/' || directory == NULL || directory[0] == '\0' || strcmp(directory, ".") == 0;
    const char *whole = as_it_is ? path : arena_printf(walk->memory, "%s/%s", directory, path);
    walk->nomem = walk->nomem || whole == NULL;
    if (whole != NULL && walk->may_read != NULL && !walk->may_read(walk->user, whole)) {
        yaml_walk_problem(walk, node, "%s: this file may not be read here", path);
        return NULL;
    }
    return whole;
}

bool schema_share(study_draft *d, const yaml_node_t *node, const char *what, const char *expected,
                  double *share)
{
    double number;
    if (!yaml_walk_number(d->walk, node, what, &number))
        return false;
    if (number >= 0 && number <= 1)
        *share = number;
    else
        yaml_walk_expected(d->walk, node, what, expected);
    return number >= 0 && number <= 1;
}

bool schema_name(yaml_walk *walk, const yaml_node_t *node, const char *what, const char **name)
{
    const char *text;
    if (!yaml_walk_text(walk, node, what, &text))
        return false;
    if (!study_is_plain(text)) {
        yaml_walk_expected(walk, node, what, "a name without control characters");
        return false;
    }
    *name = text;
    return true;
}

/* The empty text may be listed, therefore yaml_walk_raw. */
static void read_missing_value(study_draft *d, const yaml_node_t *node, const char **texts)
{
    uint32_t count = d->study->n_missing_values;
    if (!yaml_walk_raw(d->walk, node, "missing_values", &texts[count]))
        return;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(texts[i], texts[count]) == 0) {
            yaml_walk_problem(d->walk, node, "missing_values: '%.40s' is listed twice", texts[i]);
            return;
        }
    d->study->n_missing_values++;
}

/* A list replaces the default, which is the empty text alone: a study that means both lists "" as
 * well. */
static void read_missing_values(study_draft *d, const yaml_node_t *node)
{
    enum { MAX_MISSING_VALUES = 1000 };
    size_t count = yaml_walk_count(d->walk, node, "missing_values");
    if (count > MAX_MISSING_VALUES) {
        yaml_walk_problem(d->walk, node, "missing_values: more than %d texts", MAX_MISSING_VALUES);
        return;
    }
    const char **texts = yaml_walk_alloc(d->walk, count, sizeof *texts);
    if (texts == NULL)
        return;
    d->study->n_missing_values = 0;
    d->study->missing_values = texts;
    for (size_t i = 0; i < count; i++)
        read_missing_value(d, yaml_walk_item(d->walk, node, i), texts);
}

/* What missing cells look like, and what becomes of them. */
static void read_cells(study_draft *d, const yaml_node_t *const *values)
{
    static const char *const policies[] = {
        [MISSING_VALUE] = "value",
        [MISSING_WILDCARD] = "wildcard",
        [MISSING_REJECT] = "reject",
        [MISSING_DROP] = "drop",
        NULL,
    };
    static const char *const empty[] = {""};
    size_t choice = MISSING_VALUE;
    yaml_walk_choice(d->walk, values[MISSING], "missing", policies, &choice);
    d->study->missing = (missing_policy)choice;
    d->study->missing_values = empty;
    d->study->n_missing_values = 1;
    if (values[MISSING_VALUES] != NULL)
        read_missing_values(d, values[MISSING_VALUES]);
    yaml_walk_flag(d->walk, values[TRIM], "trim", &d->study->trim);
}

/* The people of whom the data is a sample, or the share of them that it has. */
static void read_population(study_draft *d, const yaml_node_t *node)
{
    double number;
    if (!yaml_walk_number(d->walk, node, "population", &number))
        return;
    if (number > 0 && number <= 1e15 && (number < 1 || number == floor(number)))
        d->study->population = number;
    else
        yaml_walk_expected(d->walk, node, "population",
                           "the number of its records, or the share of them that is in the data "
                           "(above 0 and below 1)");
}

/* The share of the rows that is drawn. */
static void read_sample(study_draft *d, const yaml_node_t *node)
{
    double share;
    if (!yaml_walk_number(d->walk, node, "sample", &share))
        return;
    if (share > 0 && share < 1)
        d->study->sample = share;
    else
        yaml_walk_expected(d->walk, node, "sample", "a share of the rows above 0 and below 1");
}

/* How much of the memory a run may take. */
static void read_memory(study_draft *d, const yaml_node_t *node)
{
    const char *text;
    if (node != NULL && d->study->joint.partition != PARTITION_NONE)
        yaml_walk_problem(d->walk, node,
                          "memory is for runs in one place: every party of a joint run has its "
                          "table in memory");
    if (yaml_walk_text(d->walk, node, "memory", &text) &&
        !memory_size_parse(text, &d->study->memory_bytes))
        yaml_walk_expected(d->walk, node, "memory", MEMORY_SIZE_EXPECTED);
}

void schema_study(study_draft *d, const yaml_node_t *root)
{
    const yaml_node_t *values[YAML_WALK_KEYS];
    d->walk->elsewhere = schema_places_find;
    yaml_walk_map(d->walk, root, "the study", schema_keys, values);
    schema_name(d->walk, values[STUDY], "study", &d->study->name);
    if (values[COLUMNS] != NULL)
        schema_columns(d, values[COLUMNS]);
    schema_levels(d, values[LEVELS]);
    if (values[PRIVACY] != NULL)
        schema_privacy(d, values[PRIVACY]);
    schema_unit(d, values[UNIT]);
    schema_utility(d, values[UTILITY]);
    /* The protocol decides which algorithm is the default, and the algorithm's keys are checked
     * against it. */
    schema_joint_begin(d, values + JOINT);
    schema_search(d, root, values + SEARCH);
    read_cells(d, values);
    read_population(d, values[POPULATION]);
    read_sample(d, values[SAMPLE]);
    read_memory(d, values[MEMORY]);
    schema_parties(d, values[PARTIES], values[TIMEOUT], values[LIMIT]);
    schema_joint(d, root, values + JOINT);
    schema_recoding_alone(d);
    schema_unit_joint(d, values[UNIT]);
    schema_intersections(d, values[INTERSECTIONS]);
    schema_microaggregate_check(d);
    schema_queries(d, values[CLIENTS], values[QUERIES]);
    schema_levels_check(d, root);
}
