/* Hierarchies as documents. */
#include "core/document.h"
#include "core/error.h"
#include "hierarchy/hierarchy.h"

/* Recursion is at most HIERARCHY_MAX_LEVELS deep. */
static void put_node(kith_document *d, document_node *place, const kith_hierarchy *h, uint32_t node)
{
    const tree *t = &h->tree;
    document_put_text(d, place, "label", h->label[node]);
    if (t->level[node] == 0)
        return;
    document_put_count(d, place, "leaves", tree_size(t, node));
    document_node *children = document_array(d, place, "children");
    uint32_t below = t->level[node] - 1u;
    uint32_t last = tree_up(t, t->end[node] - 1, below);
    for (uint32_t child = tree_up(t, t->first[node], below); child <= last; child++)
        put_node(d, document_object(d, children, NULL), h, child);
}

kith_status kith_hierarchy_describe(kith_document **document, const kith_hierarchy *hierarchy,
                                    kith_error *error)
{
    const tree *t = &hierarchy->tree;
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    if (hierarchy->file != NULL)
        document_put_text(d, root, "file", hierarchy->file);
    document_put_count(d, root, "leaves", t->n_leaves);
    document_put_count(d, root, "levels", t->n_levels);
    document_put_count(d, root, "nodes", t->n_nodes);
    document_node *sizes = document_array(d, root, "level_sizes");
    for (uint32_t level = 0; level < t->n_levels; level++)
        document_put_count(d, sizes, NULL, t->level_start[level + 1] - t->level_start[level]);
    put_node(d, document_object(d, root, "root"), hierarchy, tree_root(t));
    return document_finish(document, d, error);
}
