#include "study/yaml/yaml_walk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/findings.h"
#include "core/text.h"
#include "study/yaml/did_you_mean.h"

enum { QUOTED = 80, EXPECTED_QUOTED = 120 };

size_t yaml_walk_line(const yaml_node_t *node)
{
    return node->start_mark.line + 1;
}

size_t yaml_walk_column(const yaml_node_t *node)
{
    return node->start_mark.column + 1;
}

void *yaml_walk_alloc(yaml_walk *walk, size_t count, size_t size)
{
    void *made = arena_zalloc(walk->memory, count, size);
    walk->nomem = walk->nomem || made == NULL;
    return made;
}

__attribute__((format(printf, 4, 0))) static void add_finding(yaml_walk *walk,
                                                              const yaml_node_t *node,
                                                              kith_severity severity,
                                                              const char *format, va_list arguments)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    findings_add(walk->findings, severity, walk->file, yaml_walk_line(node), yaml_walk_column(node),
                 "%s", text);
}

void yaml_walk_problem(yaml_walk *walk, const yaml_node_t *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_finding(walk, node, KITH_SEVERITY_PROBLEM, format, arguments);
    va_end(arguments);
}

void yaml_walk_warning(yaml_walk *walk, const yaml_node_t *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_finding(walk, node, KITH_SEVERITY_WARNING, format, arguments);
    va_end(arguments);
}

/* Written without quotes: only then are 5, true and null something else than texts. */
static bool plain(const yaml_node_t *node)
{
    return node != NULL && node->type == YAML_SCALAR_NODE &&
           node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static const char *scalar(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

/* The words that YAML 1.1 reads as null. */
static bool is_null(const yaml_node_t *node)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL", NULL};
    if (!plain(node))
        return false;
    for (const char *const *word = words; *word != NULL; word++)
        if (strcmp(scalar(node), *word) == 0)
            return true;
    return false;
}

/* What a node is, for messages: "a list", "the text 'x'", "5", "nothing". */
static const char *found(const yaml_node_t *node, char text[QUOTED + 16])
{
    if (node->type == YAML_SEQUENCE_NODE)
        return "a list";
    if (node->type == YAML_MAPPING_NODE)
        return "a mapping";
    if (is_null(node))
        return "nothing";
    char quoted[QUOTED];
    text_quote(quoted, sizeof quoted, scalar(node), node->data.scalar.length);
    snprintf(text, QUOTED + 16, plain(node) ? "'%s'" : "the text '%s'", quoted);
    return text;
}

/* Always false, so that a reader can return it. What is absent is not wrong. */
static bool wrong(yaml_walk *walk, const yaml_node_t *node, const char *what, const char *expected)
{
    char text[QUOTED + 16];
    if (node != NULL)
        yaml_walk_problem(walk, node, "%s: expected %s, found %s", what, expected,
                          found(node, text));
    return false;
}

void yaml_walk_expected(yaml_walk *walk, const yaml_node_t *node, const char *what,
                        const char *expected)
{
    char quoted[EXPECTED_QUOTED];
    text_quote(quoted, sizeof quoted, scalar(node), node->data.scalar.length);
    yaml_walk_problem(walk, node, "%s: expected %s, found '%s'", what, expected, quoted);
}

static yaml_node_t *node_at(yaml_walk *walk, int index)
{
    return yaml_document_get_node(&walk->document, index);
}

bool yaml_walk_is_map(const yaml_node_t *node)
{
    return node->type == YAML_MAPPING_NODE;
}

bool yaml_walk_is_text(const yaml_node_t *node)
{
    return node != NULL && node->type == YAML_SCALAR_NODE && !is_null(node);
}

size_t yaml_walk_count(yaml_walk *walk, const yaml_node_t *node, const char *what)
{
    if (node == NULL || node->type != YAML_SEQUENCE_NODE)
        return wrong(walk, node, what, "a list");
    return (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
}

const yaml_node_t *yaml_walk_item(yaml_walk *walk, const yaml_node_t *node, size_t index)
{
    ASSERT(node->type == YAML_SEQUENCE_NODE &&
           index < (size_t)(node->data.sequence.items.top - node->data.sequence.items.start));
    return node_at(walk, node->data.sequence.items.start[index]);
}

bool yaml_walk_raw(yaml_walk *walk, const yaml_node_t *node, const char *what, const char **text)
{
    if (node == NULL || node->type != YAML_SCALAR_NODE)
        return wrong(walk, node, what, "a text");
    if (strlen(scalar(node)) != node->data.scalar.length)
        return wrong(walk, node, what, "a text without NUL characters");
    *text = arena_strdup(walk->memory, scalar(node));
    walk->nomem = walk->nomem || *text == NULL;
    return *text != NULL;
}

bool yaml_walk_text(yaml_walk *walk, const yaml_node_t *node, const char *what, const char **text)
{
    if (!yaml_walk_is_text(node))
        return wrong(walk, node, what, "a text");
    if (node->data.scalar.length == 0)
        return wrong(walk, node, what, "a text that is not empty");
    return yaml_walk_raw(walk, node, what, text);
}

bool yaml_walk_number(yaml_walk *walk, const yaml_node_t *node, const char *what, double *number)
{
    if (!plain(node) || !text_decimal(scalar(node), node->data.scalar.length, number))
        return wrong(walk, node, what, "a number");
    return true;
}

/* The message names the bound that the number misses. */
bool yaml_walk_whole(yaml_walk *walk, const yaml_node_t *node, const char *what, uint32_t min,
                     uint32_t *number)
{
    int64_t value;
    char expected[64];
    snprintf(expected, sizeof expected, "a whole number of at least %u", min);
    if (!plain(node) || !text_integer(scalar(node), node->data.scalar.length, &value) ||
        value < min)
        return wrong(walk, node, what, expected);
    if (value > INT32_MAX)
        return wrong(walk, node, what, "a whole number of at most 2147483647");
    *number = (uint32_t)value;
    return true;
}

bool yaml_walk_flag(yaml_walk *walk, const yaml_node_t *node, const char *what, bool *flag)
{
    if (!plain(node) || (strcmp(scalar(node), "true") != 0 && strcmp(scalar(node), "false") != 0))
        return wrong(walk, node, what, "true or false");
    *flag = scalar(node)[0] == 't';
    return true;
}

void yaml_walk_list(char *text, size_t size, const char *const *names, const char *last)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; names[i] != NULL && used < size; i++) {
        const char *joint = i == 0 ? "" : names[i + 1] == NULL ? last : ", ";
        int wrote = snprintf(text + used, size - used, "%s%s", joint, names[i]);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

bool yaml_walk_choice(yaml_walk *walk, const yaml_node_t *node, const char *what,
                      const char *const *names, size_t *index)
{
    char expected[512], hint[SIMILAR_BYTES], text[QUOTED + 16];
    if (node == NULL)
        return false;
    did_you_mean near = {.word = node->type == YAML_SCALAR_NODE ? scalar(node) : ""};
    for (size_t i = 0; names[i] != NULL; i++) {
        if (yaml_walk_is_text(node) && strcmp(scalar(node), names[i]) == 0) {
            *index = i;
            return true;
        }
        did_you_mean_offer(&near, names[i]);
    }
    yaml_walk_list(expected, sizeof expected, names, " or ");
    yaml_walk_problem(walk, node, "%s: expected %s, found %s%s", what, expected, found(node, text),
                      did_you_mean_format(&near, hint));
    return false;
}

/* Refused keys are not suggested: a user who corrects a typing error should not be told no
 * again. */
static const yaml_key *yaml_walk_find_key(const yaml_key *keys, const char *name,
                                          did_you_mean *near)
{
    for (const yaml_key *key = keys; key->name != NULL; key++) {
        if (strcmp(key->name, name) == 0)
            return key;
        if (key->refused == NULL)
            did_you_mean_offer(near, key->name);
    }
    return NULL;
}

/* " (did you mean …?)" for an unknown key: one that belongs elsewhere, a similar one of the same
 * mapping, a similar one of another. */
static const char *suggest(const yaml_walk *walk, const char *what, const did_you_mean *near,
                           char text[SIMILAR_BYTES])
{
    char path[SIMILAR_BYTES / 2];
    const bool known = walk->elsewhere != NULL &&
                       walk->elsewhere(path, sizeof path, what, near->word, near->best != NULL);
    if (!known)
        return did_you_mean_format(near, text);
    snprintf(text, SIMILAR_BYTES, " (did you mean %s?)", path);
    return text;
}

/* One pair of a mapping; seen[] holds the line of each key's first use. */
static void take_pair(yaml_walk *walk, const yaml_node_pair_t *pair, const char *what,
                      const yaml_key *keys, size_t *seen, const yaml_node_t **values)
{
    const yaml_node_t *name = node_at(walk, pair->key);
    if (name->type != YAML_SCALAR_NODE) {
        wrong(walk, name, what, "a key");
        return;
    }
    did_you_mean near = {.word = scalar(name)};
    const yaml_key *key = yaml_walk_find_key(keys, scalar(name), &near);
    char quoted[QUOTED], hint[SIMILAR_BYTES];
    text_quote(quoted, sizeof quoted, scalar(name), name->data.scalar.length);
    if (key == NULL) {
        yaml_walk_problem(walk, name, "%s has no key '%s'%s", what, quoted,
                          suggest(walk, what, &near, hint));
    } else if (seen[key - keys] != 0) {
        yaml_walk_problem(walk, name, "key '%s' is given twice (first on line %zu)", quoted,
                          seen[key - keys]);
    } else {
        seen[key - keys] = yaml_walk_line(name);
        if (key->refused != NULL)
            yaml_walk_problem(walk, name, "'%s' %s", quoted, key->refused);
        else
            values[key - keys] = node_at(walk, pair->value);
    }
}

/* A required key that is given twice or refused counts as given: its problem has been reported. */
void yaml_walk_map(yaml_walk *walk, const yaml_node_t *node, const char *what, const yaml_key *keys,
                   const yaml_node_t **values)
{
    size_t seen[YAML_WALK_KEYS] = {0};
    for (const yaml_key *key = keys; key->name != NULL; key++) {
        ASSERT(key - keys < YAML_WALK_KEYS);
        values[key - keys] = NULL;
    }
    size_t count = yaml_walk_pairs(walk, node, what);
    for (size_t i = 0; i < count; i++)
        take_pair(walk, node->data.mapping.pairs.start + i, what, keys, seen, values);
    for (const yaml_key *key = keys; key->name != NULL; key++)
        if (key->required && seen[key - keys] == 0 && yaml_walk_is_map(node))
            yaml_walk_problem(walk, node, "%s lacks the key '%s'", what, key->name);
}

/* wrong() is false, which is 0 pairs. */
size_t yaml_walk_pairs(yaml_walk *walk, const yaml_node_t *node, const char *what)
{
    if (node == NULL || node->type != YAML_MAPPING_NODE)
        return wrong(walk, node, what, "a mapping of keys to values");
    return (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
}

void yaml_walk_pair(yaml_walk *walk, const yaml_node_t *node, size_t index, const yaml_node_t **key,
                    const yaml_node_t **value)
{
    ASSERT(node->type == YAML_MAPPING_NODE &&
           index < (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start));
    *key = node_at(walk, node->data.mapping.pairs.start[index].key);
    *value = node_at(walk, node->data.mapping.pairs.start[index].value);
}
