/* libyaml tells where every node begins and ends, in characters: the text between these marks is
 * replaced, or a key is written in front of the first key of its mapping. Afterwards the new text
 * is parsed and the value looked up, so that no unusual layout can be spoilt unnoticed. */
#include "study/edit/study_edit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/system/text_stream.h"
#include "study/edit/study_editor.h"
#include "study/edit/study_path.h"
#include "study/yaml/yaml_text.h"

static const char *scalar(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

/* Numbers and words are written as they are, because quotes would make a text of them. */
static bool is_plain(const char *value)
{
    size_t sign = value[0] == '-' || value[0] == '+' || value[0] == '.';
    if (!isalnum((unsigned char)value[sign]))
        return false;
    for (const char *s = value + sign; *s != '\0'; s++)
        if (!isalnum((unsigned char)*s) && strchr("._+-", *s) == NULL)
            return false;
    return true;
}

static void put_value(FILE *out, const char *value)
{
    if (is_plain(value))
        fputs(value, out);
    else
        yaml_text_quote(out, value);
}

/* "utility: {suppression: 0.02}" for the part of the path that is not there. */
static void put_keys(FILE *out, const char *rest, const char *value)
{
    size_t depth = 0;
    for (;; depth++) {
        size_t length = strcspn(rest, ".");
        fprintf(out, "%.*s: ", (int)length, rest);
        rest += length + (rest[length] == '.');
        if (*rest == '\0')
            break;
        fputc('{', out);
    }
    put_value(out, value);
    for (; depth > 0; depth--)
        fputc('}', out);
}

/* Writes the keys in front of the first one of the mapping. Returns false for a mapping that has
 * no place for them; *at is the byte where they were written. */
static bool add_keys(const study_editor *e, FILE *out, const char *value, size_t *at)
{
    const yaml_node_t *map = e->parent, *key, *first;
    bool empty = map->data.mapping.pairs.top == map->data.mapping.pairs.start;
    *at = study_editor_byte(e->text, map->start_mark.index);
    if (map->data.mapping.style == YAML_FLOW_MAPPING_STYLE) {
        if (e->text[*at] != '{')
            return false;
        ++*at;
        fwrite(e->text, 1, *at, out);
        put_keys(out, e->rest, value);
        fputs(empty ? "" : ", ", out);
    } else {
        if (empty)
            return false;
        yaml_walk_pair(e->walk, map, 0, &key, &first);
        *at = study_editor_byte(e->text, key->start_mark.index);
        fwrite(e->text, 1, *at, out);
        put_keys(out, e->rest, value);
        fprintf(out, "\n%*s", (int)key->start_mark.column, "");
    }
    fputs(e->text + *at, out);
    return true;
}

/* Replaces a value on one line; the rest of a text over several lines would change its meaning. */
static bool replace(const study_editor *e, FILE *out, const char *value)
{
    if (e->node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE &&
        e->node->data.scalar.style != YAML_SINGLE_QUOTED_SCALAR_STYLE &&
        e->node->data.scalar.style != YAML_DOUBLE_QUOTED_SCALAR_STYLE)
        return false;
    size_t from = study_editor_byte(e->text, e->node->start_mark.index);
    size_t to = study_editor_byte(e->text, e->node->end_mark.index);
    fwrite(e->text, 1, from, out);
    put_value(out, value);
    fputs(e->text + to, out);
    return true;
}

/* Line and column, from 1, of a byte. */
static void study_edit_place_of(const char *text, size_t at, size_t *line, size_t *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < at; i++) {
        bool ends = text[i] == '\n';
        *line += ends;
        *column = ends ? 1 : *column + (((unsigned char)text[i] & 0xc0) != 0x80);
    }
}

static kith_status write_edited(const study_editor *e, study_edit *edit, const char *value,
                                kith_error *error)
{
    char *made = NULL;
    size_t size, at = 0;
    FILE *out = TRY_ALLOC(open_memstream(&made, &size), error);
    bool written = e->node == NULL ? add_keys(e, out, value, &at) : replace(e, out, value);
    TRY(text_stream_close(out, &made, error));
    if (written)
        edit->text = arena_strdup(e->memory, made);
    free(made);
    if (written && edit->text == NULL)
        return error_nomem(error);
    if (written && e->node == NULL)
        study_edit_place_of(edit->text, at, &edit->line, &edit->from);
    return written ? KITH_OK : error_set(error, KITH_INVALID, "'%s' cannot be set there", e->path);
}

kith_status study_edit_set(study_edit *edit, arena *memory, const char *text, const char *path,
                           const char *value, kith_error *error)
{
    study_editor e = {.memory = memory, .text = text, .path = path};
    const yaml_node_t *root;
    *edit = (study_edit){.text = NULL};
    TRY(study_editor_parse(&e, &root, error));
    TRY(study_editor_follow(&e, root, error));
    if (e.node != NULL && e.node->type != YAML_SCALAR_NODE) {
        bool map = yaml_walk_is_map(e.node);
        kith_status status = error_set(error, KITH_INVALID, "'%s' is a %s, not a single value",
                                       path, map ? "mapping" : "list");
        return error_hint(error, status, "keys below it are written with a dot: %s.%s", path,
                          map ? "KEY" : "0");
    }
    TRY(write_edited(&e, edit, value, error));
    /* Is the value there now? */
    study_editor again = {.memory = e.memory, .text = edit->text, .path = e.path};
    const yaml_node_t *found;
    TRY(study_editor_parse(&again, &found, error));
    TRY(study_editor_follow(&again, found, error));
    if (again.node == NULL || again.node->type != YAML_SCALAR_NODE ||
        strcmp(scalar(again.node), value) != 0)
        return error_set(error, KITH_INVALID, "'%s' cannot be set there", e.path);
    edit->to = yaml_walk_column(again.node);
    return KITH_OK;
}

/* Lists the models that have a key, as paths: "privacy.0.k (k-anonymity), …". */
static kith_status find_in_models(const study_editor *e, const yaml_node_t *root, const char *given,
                                  size_t *count, const char **found, char *list, size_t size)
{
    const yaml_node_t *privacy = study_path_value(e->walk, root, "privacy", 7, NULL);
    size_t used = 0;
    *count = 0;
    if (privacy == NULL || privacy->type != YAML_SEQUENCE_NODE)
        return KITH_OK;
    size_t n_models =
        (size_t)(privacy->data.sequence.items.top - privacy->data.sequence.items.start);
    for (size_t i = 0; i < n_models; i++) {
        const yaml_node_t *item = yaml_walk_item(e->walk, privacy, i);
        if (!yaml_walk_is_map(item) ||
            study_path_value(e->walk, item, given, strlen(given), NULL) == NULL)
            continue;
        const char *name = study_path_item(e->walk, item);
        if (used < size)
            used += (size_t)snprintf(list + used, size - used, "%sprivacy.%zu.%s (%s)",
                                     *count == 0 ? "" : ", ", i, given, name == NULL ? "" : name);
        if ((*count)++ == 0)
            *found = arena_printf(e->memory, "privacy.%zu.%s", i, given);
        if (*found == NULL)
            return KITH_NOMEM;
    }
    return KITH_OK;
}

kith_status study_edit_path(const char **path, arena *memory, const char *text, const char *given,
                            kith_error *error)
{
    study_editor e = {.memory = memory, .text = text, .path = given};
    const yaml_node_t *root;
    size_t count;
    char list[512];
    *path = given;
    TRY(study_editor_parse(&e, &root, error));
    if (strchr(given, '.') != NULL ||
        study_path_value(e.walk, root, given, strlen(given), NULL) != NULL)
        return KITH_OK;
    if (find_in_models(&e, root, given, &count, path, list, sizeof list) != KITH_OK)
        return error_nomem(error);
    if (count < 2)
        return KITH_OK;
    kith_status status =
        error_set(error, KITH_INVALID, "'%s' is a key of %zu privacy models", given, count);
    return error_hint(error, status, "name one of them: %s", list);
}

kith_status study_edit_place(study_edit *place, arena *memory, const char *text, const char *path,
                             kith_error *error)
{
    study_editor e = {.memory = memory, .text = text, .path = path};
    const yaml_node_t *root;
    *place = (study_edit){.text = text};
    TRY(study_editor_parse(&e, &root, error));
    TRY(study_editor_follow(&e, root, error));
    if (e.node == NULL)
        return KITH_OK;
    place->line = yaml_walk_line(e.node);
    place->from = yaml_walk_column(e.key == NULL ? e.node : e.key);
    place->to = yaml_walk_column(e.node);
    return KITH_OK;
}
