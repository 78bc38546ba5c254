/* What stands behind `hierarchy:` and `domain:` of a column.
 *
 *     suppress                                   leaf > *
 *     jobs.csv                                   a file in ARX's format
 *     {file: jobs.csv, separator: ";", encoding: WINDOWS-1252}    the same
 *     {intervals: [5, 10], origin: 0, snap: true}
 *     {mask: right, character: "*"}
 *     {dates: [month, quarter, year]}
 *     {order: [2, 4]}                            groups of neighbours in sorted order
 *
 *     hierarchy | data | {range: [0, 119]}       where the leaves come from
 *
 * Only the form is checked here; hierarchy_spec_check says whether it makes sense for the type. */
#include "study/schema/schema.h"

#include <math.h>
#include <string.h>

#include "core/text.h"

enum {
    INTERVALS,
    ORIGIN,
    SNAP,
    MASK,
    CHARACTER,
    DATES,
    ORDER,
    FILE_PATH,
    SEPARATOR,
    ENCODING,
    KEYS
};

const yaml_key schema_hierarchy_keys[] = {
    [INTERVALS] = {"intervals", false, NULL},
    [ORIGIN] = {"origin", false, NULL},
    [SNAP] = {"snap", false, NULL},
    [MASK] = {"mask", false, NULL},
    [CHARACTER] = {"character", false, NULL},
    [DATES] = {"dates", false, NULL},
    [ORDER] = {"order", false, NULL},
    [FILE_PATH] = {"file", false, NULL},
    [SEPARATOR] = {"separator", false, NULL},
    [ENCODING] = {"encoding", false, NULL},
    [KEYS] = {NULL, false, NULL},
};

/* Which builder each key belongs to; a builder belongs to itself. */
static const int belongs[KEYS] = {
    [INTERVALS] = INTERVALS, [ORIGIN] = INTERVALS,   [SNAP] = INTERVALS, [MASK] = MASK,
    [CHARACTER] = MASK,      [DATES] = DATES,        [ORDER] = ORDER,    [FILE_PATH] = FILE_PATH,
    [SEPARATOR] = FILE_PATH, [ENCODING] = FILE_PATH,
};

static const char *const units[] = {
    [DATE_MINUTE] = "minute", [DATE_HOUR] = "hour",     [DATE_DAY] = "day",
    [DATE_WEEK] = "week",     [DATE_MONTH] = "month",   [DATE_QUARTER] = "quarter",
    [DATE_YEAR] = "year",     [DATE_DECADE] = "decade", NULL,
};

/* Length of a list that fits between the leaves and the root; 0 after a problem. */
static uint32_t list_length(yaml_walk *walk, const yaml_node_t *node, const char *what)
{
    size_t before = kith_findings_n_problems(walk->findings);
    size_t count = yaml_walk_count(walk, node, what);
    if (count > HIERARCHY_MAX_LEVELS - 2)
        yaml_walk_problem(walk, node, "%s: %zu levels are more than the %d allowed", what, count,
                          HIERARCHY_MAX_LEVELS - 2);
    else if (count == 0 && kith_findings_n_problems(walk->findings) == before)
        yaml_walk_problem(walk, node, "%s: the list is empty", what);
    return count > HIERARCHY_MAX_LEVELS - 2 ? 0 : (uint32_t)count;
}

/* Whether the widths divide each other is checked by hierarchy_spec_check, which other callers of
 * the library need, too. */
static void read_intervals(hierarchy_spec *spec, yaml_walk *walk, const yaml_node_t *const *values)
{
    spec->kind = HIERARCHY_INTERVALS;
    spec->count = list_length(walk, values[INTERVALS], "intervals");
    for (uint32_t i = 0; i < spec->count; i++) {
        const yaml_node_t *item = yaml_walk_item(walk, values[INTERVALS], i);
        yaml_walk_number(walk, item, "intervals", &spec->widths[i]);
    }
    yaml_walk_number(walk, values[ORIGIN], "origin", &spec->origin);
    yaml_walk_flag(walk, values[SNAP], "snap", &spec->snap);
}

/* Masks and separators are bytes, therefore ASCII only. */
static void read_character(yaml_walk *walk, const yaml_node_t *node, const char *what, char *out)
{
    const char *text;
    if (!yaml_walk_text(walk, node, what, &text))
        return;
    if (text[1] != '\0' || (unsigned char)text[0] >= 0x80)
        yaml_walk_expected(walk, node, what, "one ASCII character");
    else
        *out = text[0];
}

static void read_path(hierarchy_spec *spec, yaml_walk *walk, const yaml_node_t *node,
                      const char *directory)
{
    const char *path;
    spec->kind = HIERARCHY_FILE;
    if (yaml_walk_text(walk, node, "hierarchy", &path))
        spec->path = schema_path(walk, node, directory, path);
}

/* A single word: `suppress` or the path of a file. The name of a builder alone would be taken as a
 * path, and the message that the file does not exist would not help; an example does. */
static void read_word(hierarchy_spec *spec, yaml_walk *walk, const yaml_node_t *node,
                      const char *directory)
{
    const char *word = (const char *)node->data.scalar.value;
    static const char *const builders[] = {"intervals", "mask", "dates", "order", NULL};
    if (strcmp(word, "suppress") == 0) {
        spec->kind = HIERARCHY_SUPPRESS;
        return;
    }
    for (const char *const *b = builders; *b != NULL; b++)
        if (strcmp(word, *b) == 0) {
            yaml_walk_problem(walk, node, "hierarchy: %s needs a parameter, such as %s", word,
                              b == builders       ? "{intervals: [5, 10, 20]}"
                              : b == builders + 1 ? "{mask: right}"
                              : b == builders + 2 ? "{dates: [month, year]}"
                                                  : "{order: [2, 4]}");
            return;
        }
    read_path(spec, walk, node, directory);
}

/* The one builder that a mapping names, or -1 after a problem. */
static int find_builder(yaml_walk *walk, const yaml_node_t *node, const yaml_node_t *const *values)
{
    int builder = -1;
    for (int i = 0; i < KEYS; i++) {
        if (values[i] == NULL || belongs[i] != i)
            continue;
        if (builder >= 0) {
            yaml_walk_problem(walk, values[i], "hierarchy: %s and %s exclude each other",
                              schema_hierarchy_keys[builder].name, schema_hierarchy_keys[i].name);
            return -1;
        }
        builder = i;
    }
    if (builder < 0)
        yaml_walk_problem(walk, node, "hierarchy: expected intervals, mask, dates, order or file");
    return builder;
}

/* A mapping: exactly one builder and the keys that belong to it. */
static void read_map(hierarchy_spec *spec, yaml_walk *walk, const yaml_node_t *node,
                     const char *directory)
{
    static const char *const sides[] = {"right", "left", NULL};
    const yaml_node_t *values[KEYS];
    size_t before = kith_findings_n_problems(walk->findings);
    yaml_walk_map(walk, node, "a hierarchy", schema_hierarchy_keys, values);
    if (kith_findings_n_problems(walk->findings) != before)
        return;
    int builder = find_builder(walk, node, values);
    if (builder < 0)
        return;
    for (int i = 0; i < KEYS; i++)
        if (values[i] != NULL && belongs[i] != builder)
            yaml_walk_problem(walk, values[i], "hierarchy: %s belongs to %s, not to %s",
                              schema_hierarchy_keys[i].name, schema_hierarchy_keys[belongs[i]].name,
                              schema_hierarchy_keys[builder].name);
    size_t choice = 0;
    switch (builder) {
    case INTERVALS: read_intervals(spec, walk, values); break;
    case MASK:
        spec->kind = HIERARCHY_MASK;
        yaml_walk_choice(walk, values[MASK], "mask", sides, &choice);
        spec->mask_left = choice == 1;
        read_character(walk, values[CHARACTER], "character", &spec->mask_character);
        break;
    case DATES:
        spec->kind = HIERARCHY_DATES;
        spec->count = list_length(walk, values[DATES], "dates");
        for (uint32_t i = 0; i < spec->count; i++) {
            choice = 0;
            yaml_walk_choice(walk, yaml_walk_item(walk, values[DATES], i), "dates", units, &choice);
            spec->units[i] = (date_unit)choice;
        }
        break;
    case ORDER:
        spec->kind = HIERARCHY_ORDER;
        spec->count = list_length(walk, values[ORDER], "order");
        for (uint32_t i = 0; i < spec->count; i++)
            yaml_walk_whole(walk, yaml_walk_item(walk, values[ORDER], i), "order", 2,
                            &spec->groups[i]);
        break;
    default: read_path(spec, walk, values[FILE_PATH], directory); break;
    }
    read_character(walk, values[SEPARATOR], "separator", &spec->separator);
    yaml_walk_text(walk, values[ENCODING], "encoding", &spec->encoding);
}

bool schema_hierarchy(hierarchy_spec *spec, yaml_walk *walk, const yaml_node_t *node,
                      const char *directory)
{
    size_t before = kith_findings_n_problems(walk->findings);
    if (yaml_walk_is_map(node))
        read_map(spec, walk, node, directory);
    else if (yaml_walk_is_text(node))
        read_word(spec, walk, node, directory);
    else
        yaml_walk_problem(walk, node,
                          "hierarchy: expected suppress, a file, or a builder such as "
                          "{intervals: [5, 10]}");
    return kith_findings_n_problems(walk->findings) == before;
}

/* Dates are written as dates, not as days: a user cannot be expected to count from 1970. */
static void read_bound(double *bound, yaml_walk *walk, const yaml_node_t *node, kith_type type)
{
    const char *text;
    int64_t days;
    if (type != KITH_TYPE_DATE) {
        if (yaml_walk_number(walk, node, "range", bound) && floor(*bound) != *bound)
            yaml_walk_problem(walk, node, "range: expected a whole number");
    } else if (yaml_walk_text(walk, node, "range", &text)) {
        if (text_date(text, strlen(text), &days))
            *bound = (double)days;
        else
            yaml_walk_expected(walk, node, "range", "a date as YYYY-MM-DD");
    }
}

/* Only integers and dates have a next value, without which a range is not a finite set of
 * leaves. */
static void schema_hierarchy_read_range(domain_spec *domain, yaml_walk *walk,
                                        const yaml_node_t *node, kith_type type)
{
    static const yaml_key range[] = {{"range", true, NULL}, {NULL, false, NULL}};
    const yaml_node_t *list;
    yaml_walk_map(walk, node, "a domain", range, &list);
    if (list == NULL)
        return;
    size_t before = kith_findings_n_problems(walk->findings);
    size_t count = yaml_walk_count(walk, list, "range");
    domain->kind = DOMAIN_RANGE;
    if (type != KITH_TYPE_INTEGER && type != KITH_TYPE_DATE)
        yaml_walk_problem(walk, node, "range needs a column of type integer or date");
    else if (count != 2 && kith_findings_n_problems(walk->findings) == before)
        yaml_walk_problem(walk, list, "range: expected the lowest and the highest value");
    if (kith_findings_n_problems(walk->findings) != before)
        return;
    read_bound(&domain->low, walk, yaml_walk_item(walk, list, 0), type);
    read_bound(&domain->high, walk, yaml_walk_item(walk, list, 1), type);
    if (domain->low > domain->high && kith_findings_n_problems(walk->findings) == before)
        yaml_walk_problem(walk, list, "range: the lowest value is above the highest");
}

/* The third name stands in the message only: a range is a mapping, which is handled before. */
bool schema_domain(domain_spec *domain, yaml_walk *walk, const yaml_node_t *node, kith_type type)
{
    static const char *const names[] = {"hierarchy", "data", "{range: [a, b]}", NULL};
    size_t before = kith_findings_n_problems(walk->findings), choice = DOMAIN_HIERARCHY;
    if (yaml_walk_is_map(node))
        schema_hierarchy_read_range(domain, walk, node, type);
    else if (yaml_walk_choice(walk, node, "domain", names, &choice) && choice < 2)
        domain->kind = (domain_kind)choice;
    return kith_findings_n_problems(walk->findings) == before;
}
