#include "study/edit/study_path.h"

#include <stdio.h>
#include <string.h>

#include "core/findings.h"
#include "core/text.h"

static const char *scalar(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

const yaml_node_t *study_path_value(yaml_walk *walk, const yaml_node_t *map, const char *name,
                                    size_t length, const yaml_node_t **key)
{
    size_t count = (size_t)(map->data.mapping.pairs.top - map->data.mapping.pairs.start);
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *word, *value;
        yaml_walk_pair(walk, map, i, &word, &value);
        if (word->type != YAML_SCALAR_NODE || strlen(scalar(word)) != length ||
            strncmp(scalar(word), name, length) != 0)
            continue;
        if (key != NULL)
            *key = word;
        return value;
    }
    return NULL;
}

const char *study_path_item(yaml_walk *walk, const yaml_node_t *item)
{
    if (!yaml_walk_is_map(item))
        return NULL;
    const yaml_node_t *name = study_path_value(walk, item, "name", 4, NULL);
    if (name == NULL)
        name = study_path_value(walk, item, "model", 5, NULL);
    return name != NULL && name->type == YAML_SCALAR_NODE ? scalar(name) : NULL;
}

/* A search for a place. */
typedef struct search {
    yaml_walk *walk;
    size_t line, column; /* column 0: items of lists that begin on the line */
    char *path;          /* of the node that is being looked at */
    char found[STUDY_PATH_BYTES];
    size_t n_found;
} search;

static bool is_here(const search *s, const yaml_node_t *node)
{
    return yaml_walk_line(node) == s->line &&
           (s->column == 0 || yaml_walk_column(node) == s->column);
}

static void note(search *s)
{
    if (s->n_found++ == 0)
        memcpy(s->found, s->path, STUDY_PATH_BYTES);
}

/* Appends a step to the path, whose length was `used`; false if it cannot be written so. */
static bool step(const search *s, size_t used, const char *word)
{
    if (word[0] == '\0' || strchr(word, '.') != NULL)
        return false;
    int n = snprintf(s->path + used, STUDY_PATH_BYTES - used, "%s%s", used == 0 ? "" : ".", word);
    return n > 0 && (size_t)n < STUDY_PATH_BYTES - used;
}

/* The name of an item, if no other item has it and it is not taken for a number; else its number,
 * in `number`. */
static const char *item_word(const search *s, const yaml_node_t *list, size_t index,
                             char number[24])
{
    size_t count = (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
    const char *name = study_path_item(s->walk, yaml_walk_item(s->walk, list, index));
    int64_t value;
    snprintf(number, 24, "%zu", index);
    if (name == NULL || name[0] == '\0' || strchr(name, '.') != NULL ||
        text_integer(name, strlen(name), &value))
        return number;
    for (size_t i = 0; i < count; i++) {
        const char *other = study_path_item(s->walk, yaml_walk_item(s->walk, list, i));
        if (i != index && other != NULL && strcmp(other, name) == 0)
            return number;
    }
    return name;
}

static void look(search *s, const yaml_node_t *node);

static void look_at_list(search *s, const yaml_node_t *list, size_t used)
{
    size_t count = (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *item = yaml_walk_item(s->walk, list, i);
        char number[24];
        if (!step(s, used, item_word(s, list, i, number)))
            continue;
        if (is_here(s, item) && (s->column > 0 || yaml_walk_is_map(item)))
            note(s);
        else
            look(s, item);
    }
}

static void look_at_map(search *s, const yaml_node_t *map, size_t used)
{
    size_t count = (size_t)(map->data.mapping.pairs.top - map->data.mapping.pairs.start);
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *key, *value;
        yaml_walk_pair(s->walk, map, i, &key, &value);
        if (key->type != YAML_SCALAR_NODE || !step(s, used, scalar(key)))
            continue;
        if (s->column > 0 && (is_here(s, key) || is_here(s, value)))
            note(s);
        else
            look(s, value);
    }
}

/* The nesting of texts is bounded by YAML_WALK_DEPTH. */
static void look(search *s, const yaml_node_t *node)
{
    size_t used = strlen(s->path);
    if (node->type == YAML_SEQUENCE_NODE)
        look_at_list(s, node, used);
    else if (yaml_walk_is_map(node))
        look_at_map(s, node, used);
    s->path[used] = '\0';
}

bool study_path_at(char path[STUDY_PATH_BYTES], yaml_walk *walk, const yaml_node_t *root,
                   size_t line, size_t column)
{
    search s = {.walk = walk, .line = line, .column = column, .path = path};
    path[0] = '\0';
    if (line == 0 || (column > 0 && is_here(&s, root)))
        return false;
    look(&s, root);
    memcpy(path, s.found, STUDY_PATH_BYTES);
    return column > 0 ? s.n_found > 0 : s.n_found == 1;
}

void study_path_tell(kith_findings *findings, size_t first, const char *file, const char *text)
{
    if (findings_item(findings, first) == NULL)
        return;
    arena *scratch ARENA_SCOPED = arena_new();
    /* Those of the text itself are known already. */
    kith_findings *again FINDINGS_SCOPED = kith_findings_new();
    yaml_walk *walk;
    const yaml_node_t *root = NULL;
    if (scratch != NULL && again != NULL &&
        yaml_walk_parse(&walk, &root, scratch, file, text, strlen(text), again, NULL) == KITH_OK &&
        root != NULL) {
        const kith_finding *f;
        for (size_t i = first; (f = findings_item(findings, i)) != NULL; i++) {
            char path[STUDY_PATH_BYTES];
            if (f->path == NULL && f->file != NULL && strcmp(f->file, file) == 0 &&
                study_path_at(path, walk, root, f->line, f->column))
                findings_set_path(findings, i, path);
        }
    }
}
