/* kith_study_outline and kith_study_edit: the text of a study while it is being written. Edits work
 * on the lines of the text: what is not edited stays as it was, comments included. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/application.h>
#include <kith/study.h>

#include "core/document.h"
#include "core/error.h"
#include "core/findings.h"
#include "core/system/text_stream.h"
#include "study/edit/study_editor.h"

static void outline_node(kith_document *d, document_node *parent, const char *key, yaml_walk *walk,
                         const yaml_node_t *node)
{
    if (node->type == YAML_SCALAR_NODE) {
        document_put_text(d, parent, key, (const char *)node->data.scalar.value);
    } else if (node->type == YAML_SEQUENCE_NODE) {
        document_node *list = document_array(d, parent, key);
        const yaml_node_item_t *start = node->data.sequence.items.start;
        const size_t count = (size_t)(node->data.sequence.items.top - start);
        for (size_t i = 0; i < count; i++)
            outline_node(d, list, NULL, walk, yaml_walk_item(walk, node, i));
    } else {
        document_node *map = document_object(d, parent, key);
        const size_t count =
            (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
        for (size_t i = 0; i < count; i++) {
            const yaml_node_t *name, *value;
            yaml_walk_pair(walk, node, i, &name, &value);
            if (name->type == YAML_SCALAR_NODE)
                outline_node(d, map, (const char *)name->data.scalar.value, walk, value);
        }
    }
}

kith_status kith_study_outline(kith_document **outline, const char *text, size_t length,
                               kith_error *error)
{
    *outline = NULL;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    kith_findings *findings FINDINGS_SCOPED = TRY_ALLOC(kith_findings_new(), error);
    yaml_walk *walk;
    const yaml_node_t *root;
    TRY(yaml_walk_parse(&walk, &root, memory, "<memory>", text, length, findings, error));
    TRY(findings_status(findings, 0, KITH_INVALID, error));
    if (root == NULL || !yaml_walk_is_map(root))
        return error_set(error, KITH_INVALID, "a study is a mapping of keys to values");
    kith_document *d = TRY_ALLOC(document_new(), error);
    const size_t count = (size_t)(root->data.mapping.pairs.top - root->data.mapping.pairs.start);
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *name, *value;
        yaml_walk_pair(walk, root, i, &name, &value);
        if (name->type == YAML_SCALAR_NODE)
            outline_node(d, document_root(d), (const char *)name->data.scalar.value, walk, value);
    }
    return document_finish(outline, d, error);
}

/* Where a node really ends. libyaml lets a block end where the next one begins, behind comments. */
static size_t end_of(const study_editor *e, const yaml_node_t *node)
{
    if (node->type == YAML_SEQUENCE_NODE && node->data.sequence.style != YAML_FLOW_SEQUENCE_STYLE &&
        node->data.sequence.items.top > node->data.sequence.items.start) {
        const yaml_node_item_t *start = node->data.sequence.items.start;
        const size_t count = (size_t)(node->data.sequence.items.top - start);
        return end_of(e, yaml_walk_item(e->walk, node, count - 1));
    }
    if (node->type == YAML_MAPPING_NODE && node->data.mapping.style != YAML_FLOW_MAPPING_STYLE &&
        node->data.mapping.pairs.top > node->data.mapping.pairs.start) {
        const yaml_node_t *key, *value;
        const yaml_node_pair_t *start = node->data.mapping.pairs.start;
        const size_t count = (size_t)(node->data.mapping.pairs.top - start);
        yaml_walk_pair(e->walk, node, count - 1, &key, &value);
        return end_of(e, value);
    }
    return study_editor_byte(e->text, node->end_mark.index);
}

static bool is_flow(const yaml_node_t *node)
{
    return node->type == YAML_MAPPING_NODE ? node->data.mapping.style == YAML_FLOW_MAPPING_STYLE
                                           : node->data.sequence.style == YAML_FLOW_SEQUENCE_STYLE;
}

static bool is_empty(const yaml_node_t *node)
{
    return node->type == YAML_MAPPING_NODE
               ? node->data.mapping.pairs.top == node->data.mapping.pairs.start
               : node->data.sequence.items.top == node->data.sequence.items.start;
}

/* An edit replaces the bytes from `from` up to `to`, by texts that are written one after another.
 */
typedef struct splice {
    size_t from, to;
    const char *before, *yaml, *after;
    size_t indent; /* blanks in front of `before`, on a line of its own; line_of_its_own only */
    bool line_of_its_own;
} splice;

static size_t line_end(const char *text, size_t at)
{
    return at + strcspn(text + at, "\n");
}

/* One more key or item at the end of a mapping or list. */
static splice splice_add(const study_editor *e, const yaml_node_t *to, const char *before,
                         const char *yaml, const char *after)
{
    if (is_flow(to)) {
        const size_t at = study_editor_byte(e->text, to->end_mark.index) - 1;
        size_t from = at;
        while (from > 0 && (e->text[from - 1] == ' ' || e->text[from - 1] == '\n'))
            from--;
        const bool first = is_empty(to), comma = from > 0 && e->text[from - 1] == ',';
        const char *lead = first || comma ? (first ? "" : " ") : ", ";
        return (splice){.from = from,
                        .to = at,
                        .before = arena_printf(e->memory, "%s%s", lead, before),
                        .yaml = yaml,
                        .after = after};
    }
    const size_t at = line_end(e->text, end_of(e, to));
    return (splice){.from = at,
                    .to = at,
                    .before = before,
                    .yaml = yaml,
                    .after = after,
                    .indent = to->start_mark.column,
                    .line_of_its_own = true};
}

/* A key or item with its lines, or, inside braces, with one comma. */
static splice splice_remove(const study_editor *e)
{
    const yaml_node_t *first = e->key == NULL ? e->node : e->key;
    splice s = {.from = study_editor_byte(e->text, first->start_mark.index),
                .to = end_of(e, e->node),
                .before = "",
                .yaml = "",
                .after = ""};
    if (!is_flow(e->parent)) {
        while (s.from > 0 && e->text[s.from - 1] != '\n')
            s.from--; /* to the start of the line */
        s.to = line_end(e->text, s.to);
        s.to += e->text[s.to] == '\n';
        return s;
    }
    const size_t blanks = strspn(e->text + s.to, " \n");
    if (e->text[s.to + blanks] == ',') {
        s.to += blanks + 1;
        s.to += strspn(e->text + s.to, " ");
        return s;
    }
    size_t before = s.from;
    while (before > 0 && strchr(" \n", e->text[before - 1]) != NULL)
        before--;
    if (before > 0 && e->text[before - 1] == ',')
        s.from = before - 1;
    return s;
}

/* "utility: {suppression: " and "}" for the keys of a path that are not there. */
static kith_status key_texts(const study_editor *e, const char *rest, bool item,
                             const char **before, const char **after, kith_error *error)
{
    *before = item ? "[" : "";
    *after = item ? "]" : "";
    for (const char *end = rest + strlen(rest); end > rest;) {
        const char *start = end;
        while (start > rest && start[-1] != '.')
            start--;
        const bool outermost = start == rest;
        *before = TRY_ALLOC(arena_printf(e->memory, "%s%.*s: %s", outermost ? "" : "{",
                                         (int)(end - start), start, *before),
                            error);
        *after = TRY_ALLOC(arena_printf(e->memory, "%s%s", *after, outermost ? "" : "}"), error);
        end = outermost ? rest : start - 1;
    }
    return KITH_OK;
}

static kith_status apply(char **changed, const study_editor *e, const splice *s, kith_error *error)
{
    char *made = NULL;
    size_t size;
    FILE *out = TRY_ALLOC(open_memstream(&made, &size), error);
    fwrite(e->text, 1, s->from, out);
    if (s->line_of_its_own)
        fprintf(out, "\n%*s", (int)s->indent, "");
    fprintf(out, "%s%s%s%s", s->before, s->yaml, s->after, e->text + s->to);
    TRY(text_stream_close(out, &made, error));
    *changed = made;
    return KITH_OK;
}

static kith_status plan(splice *s, study_editor *e, bool appends, const char *yaml,
                        kith_error *error)
{
    const yaml_node_t *root;
    const char *before, *after;
    TRY(study_editor_parse(e, &root, error));
    TRY(study_editor_follow(e, root, error));
    if (e->node == NULL && yaml == NULL)
        return error_set(error, KITH_INVALID, "'%s' is not there", e->path);
    if (e->node == NULL) {
        TRY(key_texts(e, e->rest, appends, &before, &after, error));
        *s = splice_add(e, e->parent, before, yaml, after);
    } else if (yaml == NULL) {
        *s = splice_remove(e);
    } else if (appends && e->node->type == YAML_SEQUENCE_NODE) {
        *s = splice_add(e, e->node, is_flow(e->node) ? "" : "- ", yaml, "");
    } else if (appends) {
        return error_set(error, KITH_INVALID, "'%s' is not a list", e->path);
    } else {
        *s = (splice){.from = study_editor_byte(e->text, e->node->start_mark.index),
                      .to = end_of(e, e->node),
                      .before = "",
                      .yaml = yaml,
                      .after = ""};
    }
    return s->before == NULL ? error_nomem(error) : KITH_OK;
}

/* A value in one line that ends where it should: no comment, no line end. */
static bool is_value(const char *yaml)
{
    return yaml[0] != '\0' && strpbrk(yaml, "\n\r") == NULL && strstr(yaml, " #") == NULL &&
           yaml[0] != '#';
}

/* Is the value there now, and nothing but it? An unusual layout must not be spoilt unnoticed. */
static kith_status check_text(arena *memory, const char *text, const char *path, bool appends,
                              const char *yaml, kith_error *error)
{
    study_editor e = {.memory = memory, .text = text, .path = path};
    const yaml_node_t *root;
    TRY(study_editor_parse(&e, &root, error));
    if (yaml == NULL)
        return KITH_OK;
    TRY(study_editor_follow(&e, root, error));
    const yaml_node_t *node = e.node;
    if (node != NULL && appends && node->type == YAML_SEQUENCE_NODE && !is_empty(node)) {
        const yaml_node_item_t *start = node->data.sequence.items.start;
        node = yaml_walk_item(e.walk, node, (size_t)(node->data.sequence.items.top - start) - 1);
    }
    const size_t from = node == NULL ? 0 : study_editor_byte(text, node->start_mark.index);
    if (node == NULL || end_of(&e, node) - from != strlen(yaml) ||
        strncmp(text + from, yaml, strlen(yaml)) != 0)
        return error_set(error, KITH_INVALID, "'%s' cannot be set there", path);
    return KITH_OK;
}

kith_status kith_study_edit(char **changed, const char *text, const char *path, const char *yaml,
                            kith_error *error)
{
    *changed = NULL;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    const size_t length = strlen(path);
    const bool appends = length > 2 && strcmp(path + length - 2, ".+") == 0;
    study_editor e = {.memory = memory, .text = text};
    e.path = TRY_ALLOC(arena_strndup(memory, path, appends ? length - 2 : length), error);
    if (yaml != NULL && !is_value(yaml))
        return error_set(error, KITH_INVALID, "'%s': expected a value in one line", path);
    splice s = {.from = 0};
    char *made = NULL;
    TRY(plan(&s, &e, appends, yaml, error));
    TRY(apply(&made, &e, &s, error));
    kith_status status = check_text(memory, made, e.path, appends, yaml, error);
    if (status == KITH_OK)
        *changed = made;
    else
        free(made);
    return status;
}
