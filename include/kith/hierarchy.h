/* Generalization hierarchies as users see them: files, labels, builders, drawings. */
#ifndef KITH_HIERARCHY_H
#define KITH_HIERARCHY_H

#include <stddef.h>
#include <stdint.h>

#include <kith/document.h>
#include <kith/status.h>
#include <kith/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_hierarchy kith_hierarchy;

typedef struct kith_hierarchy_options {
    size_t size;
    char separator;       /* `;` `,` or tab; 0: detect */
    const char *encoding; /* a name that iconv knows; NULL: UTF-8, or what a byte-order mark says */
} kith_hierarchy_options;

/* Reads a hierarchy from a file in ARX's format: one row per leaf, leaf first, root last.
 * Returns: KITH_OK, KITH_DATA if the file is no hierarchy, KITH_IO if it cannot be read.
 * Out: *hierarchy, freed by kith_hierarchy_free; `findings` gets everything wrong (may be NULL).
 * In: `options` (may be NULL). */
KITH_API KITH_MUST_USE kith_status kith_hierarchy_read(kith_hierarchy **hierarchy, const char *path,
                                                       const kith_hierarchy_options *options,
                                                       kith_findings *findings, kith_error *error);

/* Makes a hierarchy of a text of `length` bytes in ARX's format: one row per leaf, leaf first, root
 * last.
 * Returns: KITH_OK, or KITH_DATA if the text is no hierarchy.
 * Out: *hierarchy, freed by kith_hierarchy_free; `findings` gets everything wrong (may be NULL).
 * In: `options` (may be NULL). */
KITH_API KITH_MUST_USE kith_status kith_hierarchy_parse(kith_hierarchy **hierarchy,
                                                        const char *text, size_t length,
                                                        const kith_hierarchy_options *options,
                                                        kith_findings *findings, kith_error *error);

/* Makes a hierarchy of labels.
 * Returns: KITH_OK, or KITH_DATA if they make no hierarchy.
 * Out: *hierarchy, freed by kith_hierarchy_free; `findings` gets everything wrong (may be NULL) and
 * names the leaf, from 1, as a line.
 * In: `labels`, n_levels for every leaf, from the leaf to the root, one leaf after the other. They
 * are UTF-8 and copied; NULL is the empty one, which only the missing value may have. */
KITH_API KITH_MUST_USE kith_status kith_hierarchy_from_labels(kith_hierarchy **hierarchy,
                                                              const char *const *labels,
                                                              size_t n_leaves, size_t n_levels,
                                                              kith_findings *findings,
                                                              kith_error *error);

/* Builds one from the YAML text that a study has behind `hierarchy:` (such as "{intervals: [5,
 * 10]}" or "{mask: right}") over the values of one column of a table. */
KITH_API KITH_MUST_USE kith_status kith_hierarchy_build(kith_hierarchy **hierarchy,
                                                        const char *builder,
                                                        const kith_table *table, size_t column,
                                                        kith_findings *findings, kith_error *error);
KITH_API void kith_hierarchy_free(kith_hierarchy *hierarchy);

/* Writes a hierarchy to a file in ARX's format, complete or not at all.
 * Returns: KITH_OK, or why it could not be written. In: `options` (may be NULL). */
KITH_API KITH_MUST_USE kith_status kith_hierarchy_write(const kith_hierarchy *hierarchy,
                                                        const char *path,
                                                        const kith_write_options *options,
                                                        kith_error *error);

/* Checks that every value of a column of a table is a leaf of the hierarchy.
 * Returns: KITH_OK, or KITH_DATA. Out: `findings` gets the values that are none (may be NULL). */
KITH_API KITH_MUST_USE kith_status kith_hierarchy_check_values(const kith_hierarchy *hierarchy,
                                                               const kith_table *table,
                                                               size_t column,
                                                               kith_findings *findings,
                                                               kith_error *error);

/* Structure. Node ids go level by level: leaves first (in depth-first order), the root last. */
KITH_API size_t kith_hierarchy_n_nodes(const kith_hierarchy *hierarchy);
KITH_API size_t kith_hierarchy_n_leaves(const kith_hierarchy *hierarchy);
KITH_API size_t kith_hierarchy_n_levels(const kith_hierarchy *hierarchy);
/* Nodes at a level, from the leaves (level 0) to the root. */
KITH_API size_t kith_hierarchy_n_nodes_at(const kith_hierarchy *hierarchy, size_t level);
KITH_API size_t kith_hierarchy_node_parent(const kith_hierarchy *hierarchy, size_t node);
KITH_API size_t kith_hierarchy_node_level(const kith_hierarchy *hierarchy, size_t node);
KITH_API const char *kith_hierarchy_node_label(const kith_hierarchy *hierarchy, size_t node);
/* The leaves below a node are `*first` … `*first + *n_leaves - 1`. */
KITH_API void kith_hierarchy_node_leaves(size_t *first, size_t *n_leaves,
                                         const kith_hierarchy *hierarchy, size_t node);

/* The whole tree as a document: {"file", "leaves", "levels", "nodes", "level_sizes", "root":
 * {"label", "leaves", "children": […]}}; leaves of the tree have a label only. */
KITH_API KITH_MUST_USE kith_status kith_hierarchy_describe(kith_document **document,
                                                           const kith_hierarchy *hierarchy,
                                                           kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
