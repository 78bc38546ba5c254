/* Paths in the text of a study: keys joined by dots, "utility.suppression". In a list an item is
 * named by its number, from 0, or by its `name` or `model`: "privacy.0.k", "columns.age.type". */
#ifndef STUDY_EDIT_STUDY_PATH_H
#define STUDY_EDIT_STUDY_PATH_H

#include "study/yaml/yaml_walk.h"

/* The value of a key, or NULL. *key (may be NULL) becomes the node of the key. */
const yaml_node_t *study_path_value(yaml_walk *walk, const yaml_node_t *map, const char *name,
                                    size_t length, const yaml_node_t **key);
/* What an item of a list is called by its `name` or `model`; NULL: neither. */
const char *study_path_item(yaml_walk *walk, const yaml_node_t *item);

enum { STUDY_PATH_BYTES = 256 };

/* The path of the value or key that begins at a place of the text; the outermost of several. With
 * column 0 it is the item of a list that begins on the line, if there is one only. False if there
 * is nothing, or no path for it: the whole text has none. */
bool study_path_at(char path[STUDY_PATH_BYTES], yaml_walk *walk, const yaml_node_t *root,
                   size_t line, size_t column);

/* Gives all findings about this text, whose file is `file`, their path, from finding `first` on. A
 * path that cannot be found out is left out. */
void study_path_tell(kith_findings *findings, size_t first, const char *file, const char *text);

#endif
