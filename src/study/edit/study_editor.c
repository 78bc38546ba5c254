/* A path through the text of a study. */
#include "study/edit/study_editor.h"

#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/text.h"
#include "study/yaml/did_you_mean.h"
#include "study/edit/study_path.h"

kith_status study_editor_parse(study_editor *e, const yaml_node_t **root, kith_error *error)
{
    kith_findings *findings FINDINGS_SCOPED = TRY_ALLOC(kith_findings_new(), error);
    TRY(yaml_walk_parse(&e->walk, root, e->memory, "<memory>", e->text, strlen(e->text), findings,
                        error));
    if (*root == NULL || !yaml_walk_is_map(*root))
        return error_set(error, KITH_INVALID, "'%s' cannot be set there", e->path);
    return KITH_OK;
}

/* An item by its number or name, NULL after an error. */
static const yaml_node_t *find_item(const study_editor *e, const yaml_node_t *list,
                                    const char *name, size_t length, kith_error *error)
{
    size_t count = (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
    char shown[TEXT_QUOTED], hint[SIMILAR_BYTES];
    int64_t number;
    if (text_integer(name, length, &number) && number >= 0) {
        if ((uint64_t)number < count)
            return yaml_walk_item(e->walk, list, (size_t)number);
        error_set(error, KITH_INVALID, "'%s': there %s %zu item%s, numbered from 0", e->path,
                  count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
        return NULL;
    }
    const yaml_node_t *found = NULL;
    text_quote(shown, sizeof shown, name, length);
    char *word = arena_strndup(e->memory, name, length);
    did_you_mean near = {.word = word == NULL ? "" : word};
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *item = yaml_walk_item(e->walk, list, i);
        const char *called = study_path_item(e->walk, item);
        if (called == NULL)
            continue;
        did_you_mean_offer(&near, called);
        if (strlen(called) != length || strncmp(called, name, length) != 0)
            continue;
        if (found != NULL) {
            error_set(error, KITH_INVALID, "'%s': several items are called '%s'; use the number",
                      e->path, shown);
            return NULL;
        }
        found = item;
    }
    if (found == NULL)
        error_set(error, KITH_INVALID, "'%s': no item is called '%s'%s", e->path, shown,
                  did_you_mean_format(&near, hint));
    return found;
}

kith_status study_editor_follow(study_editor *e, const yaml_node_t *root, kith_error *error)
{
    e->node = root;
    for (e->rest = e->path; *e->rest != '\0';) {
        size_t length = strcspn(e->rest, ".");
        size_t step = length + (e->rest[length] == '.');
        if (length == 0 || (step > length && e->rest[step] == '\0'))
            return error_set(error, KITH_INVALID, "'%s' is not a key", e->path);
        e->parent = e->node;
        e->key = NULL;
        if (e->node->type == YAML_SEQUENCE_NODE) {
            e->node = find_item(e, e->node, e->rest, length, error);
            if (e->node == NULL)
                return KITH_INVALID;
        } else if (!yaml_walk_is_map(e->node)) {
            return error_set(error, KITH_INVALID, "'%s': '%.*s' is a single value without keys",
                             e->path, (int)(e->rest - e->path) - 1, e->path);
        } else {
            e->node = study_path_value(e->walk, e->node, e->rest, length, &e->key);
            if (e->node == NULL)
                return KITH_OK;
        }
        e->rest += step;
    }
    return KITH_OK;
}

size_t study_editor_byte(const char *text, size_t characters)
{
    size_t at = 0;
    for (; characters > 0 && text[at] != '\0'; characters--)
        do
            at++;
        while (((unsigned char)text[at] & 0xc0) == 0x80);
    return at;
}
