/* What edits of a study's text share: the text, its tree, and a path through it. */
#ifndef STUDY_EDIT_STUDY_EDITOR_H
#define STUDY_EDIT_STUDY_EDITOR_H

#include "core/arena.h"
#include "study/yaml/yaml_walk.h"

/* A text, its tree, and how far a path has been followed. */
typedef struct study_editor {
    arena *memory;
    const char *text;
    yaml_walk *walk;
    const char *path;          /* all of it, for messages */
    const yaml_node_t *parent; /* a mapping or a list */
    const yaml_node_t *node;   /* what the path names; NULL: `parent` is a mapping without it */
    const yaml_node_t *key;    /* of the node, NULL in a list */
    const char *rest;          /* of the path, from the first key that is not there */
} study_editor;

/* Parses e->text, which must be a mapping. */
kith_status study_editor_parse(study_editor *e, const yaml_node_t **root,
                               kith_error *error) KITH_MUST_USE;

/* Follows the path to its end, or to the first key that a mapping does not have. */
kith_status study_editor_follow(study_editor *e, const yaml_node_t *root,
                                kith_error *error) KITH_MUST_USE;

/* Where a character of the text begins: libyaml counts characters, and the text is UTF-8. */
size_t study_editor_byte(const char *text, size_t characters);

#endif
