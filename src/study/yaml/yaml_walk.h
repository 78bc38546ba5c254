/* Reading a YAML text strictly and to the end: everything wrong becomes a finding with line and
 * column, and the reader goes on. Knows nothing about studies.
 *
 * Anchors, aliases, tags, directives, second documents, nesting over YAML_WALK_DEPTH and texts over
 * YAML_WALK_BYTES are refused, so that the work is bounded by the length of the text. */
#ifndef STUDY_YAML_YAML_WALK_H
#define STUDY_YAML_YAML_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yaml.h>

#include <kith/status.h>

#include "core/arena.h"

enum { YAML_WALK_BYTES = 1 << 20, YAML_WALK_DEPTH = 64 };

typedef struct yaml_walk {
    arena *memory;
    const char *file; /* for messages */
    kith_findings *findings;
    /* Where else a key would belong (schema_places_find); may be NULL. */
    bool (*elsewhere)(char *path, size_t size, const char *what, const char *word, bool exactly);
    /* Whether a file that the text names may be opened; NULL: all may. */
    bool (*may_read)(void *user, const char *path);
    void *user;
    bool nomem; /* a text could not be copied: what was read is incomplete */
    yaml_document_t document;
} yaml_walk;

/* Parses the text. A text that is not YAML, or refused as above, is a finding, and *root is NULL.
 * All lives as long as `memory`; `findings` must not be NULL. */
kith_status yaml_walk_parse(yaml_walk **walk, const yaml_node_t **root, arena *memory,
                            const char *file, const char *text, size_t length,
                            kith_findings *findings, kith_error *error);

/* Cleared; without memory NULL, which the walk remembers. */
void *yaml_walk_alloc(yaml_walk *walk, size_t count, size_t size);

/* A problem or a warning at the place of a node. */
void yaml_walk_problem(yaml_walk *walk, const yaml_node_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void yaml_walk_warning(yaml_walk *walk, const yaml_node_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A problem with the text of a node: "what: expected …, found 'text'". */
void yaml_walk_expected(yaml_walk *walk, const yaml_node_t *node, const char *what,
                        const char *expected);

/* One key that a mapping may have, or that is known and refused. */
typedef struct yaml_key {
    const char *name;
    bool required;
    const char *refused; /* "needs …": why it cannot be used */
} yaml_key;

enum { YAML_WALK_KEYS = 64 };

/* Finds the values of a mapping: values[i] belongs to keys[i], NULL where it is absent. Unknown,
 * repeated, refused and missing keys are problems. `what` names the mapping in messages; `keys`
 * ends with a NULL name and has fewer than YAML_WALK_KEYS. */
void yaml_walk_map(yaml_walk *walk, const yaml_node_t *node, const char *what, const yaml_key *keys,
                   const yaml_node_t **values);

/* The functions below take NULL for a key that the text does not have: it has no items, and none of
 * them is read (false), without a problem.
 *
 * Pairs of a mapping whose keys are free; a node of another kind is a problem and has none. */
size_t yaml_walk_pairs(yaml_walk *walk, const yaml_node_t *node, const char *what);
void yaml_walk_pair(yaml_walk *walk, const yaml_node_t *node, size_t index, const yaml_node_t **key,
                    const yaml_node_t **value);

/* Number of items of a list; a node of another kind is a problem and has none. */
size_t yaml_walk_count(yaml_walk *walk, const yaml_node_t *node, const char *what);
const yaml_node_t *yaml_walk_item(yaml_walk *walk, const yaml_node_t *node, size_t index);

bool yaml_walk_is_map(const yaml_node_t *node);
bool yaml_walk_is_text(const yaml_node_t *node); /* any scalar that is not null */

/* Scalars: false after a problem, which names `what` and what was found. Texts are copied to the
 * walk's arena; an empty or null one is a problem, except for yaml_walk_raw. Numbers and flags must
 * be written without quotes. */
bool yaml_walk_text(yaml_walk *walk, const yaml_node_t *node, const char *what, const char **text);
bool yaml_walk_raw(yaml_walk *walk, const yaml_node_t *node, const char *what, const char **text);
bool yaml_walk_number(yaml_walk *walk, const yaml_node_t *node, const char *what, double *number);
bool yaml_walk_whole(yaml_walk *walk, const yaml_node_t *node, const char *what, uint32_t min,
                     uint32_t *number);
bool yaml_walk_flag(yaml_walk *walk, const yaml_node_t *node, const char *what, bool *flag);

/* One of some words; `names` ends with NULL. */
bool yaml_walk_choice(yaml_walk *walk, const yaml_node_t *node, const char *what,
                      const char *const *names, size_t *index);
/* "a, b or c" of names that end with NULL, where `last` is " or ". */
void yaml_walk_list(char *text, size_t size, const char *const *names, const char *last);

/* Line and column of a node, from 1. */
size_t yaml_walk_line(const yaml_node_t *node);
size_t yaml_walk_column(const yaml_node_t *node);

#endif
