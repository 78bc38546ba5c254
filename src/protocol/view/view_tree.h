/* The encrypted hierarchy of a column as a tree for the search algorithms. */
#ifndef PROTOCOL_VIEW_VIEW_TREE_H
#define PROTOCOL_VIEW_VIEW_TREE_H

#include "hierarchy/tree.h"
#include "protocol/view/view_packet.h"

typedef struct view_tree {
    tree tree;
    uint32_t *node_of;  /* [n_entries] node of an entry; VIEW_NONE if it has no leaf below */
    uint32_t *entry_of; /* [n_nodes]; VIEW_NONE for the leaf of a column without any value */
} view_tree;

/* The column has a hierarchy with all parents and one root, as at a master after view_gather.
 * Siblings are in the order of their ciphertexts. Lives in `memory`. */
kith_status view_tree_make(view_tree *t, const view_column *c, arena *memory,
                           kith_error *error) KITH_MUST_USE;

#endif
