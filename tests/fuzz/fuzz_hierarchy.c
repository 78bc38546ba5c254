/* Any bytes as a hierarchy file: refused with findings, or a tree that keeps its promises. */
#include <stdlib.h>
#include <string.h>

#include "core/findings.h"
#include "hierarchy/arx_read.h"

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_hierarchy(const kith_hierarchy *h)
{
    const tree *t = &h->tree;
    require(t->n_levels >= 2 && t->n_leaves >= 1 && tree_size(t, tree_root(t)) == t->n_leaves);
    for (uint32_t node = 0; node < t->n_nodes; node++) {
        require(t->first[node] < t->end[node] && t->end[node] <= t->n_leaves);
        require(tree_covers(t, t->parent[node], node));
        require(node == tree_root(t) || t->level[t->parent[node]] == t->level[node] + 1);
        require(tree_up(t, t->first[node], t->level[node]) == node);
    }
}

/* Each label stands for one set. */
static void check_labels(const kith_hierarchy *h, arena *memory)
{
    label_index *index;
    require(label_index_new(&index, memory, h, NULL) == KITH_OK);
    for (uint32_t node = 0; node < h->tree.n_nodes; node++) {
        uint32_t found = label_index_find(index, h->label[node]);
        require(found <= node && h->tree.first[found] == h->tree.first[node] &&
                h->tree.end[found] == h->tree.end[node]);
    }
}

static kith_status parse(kith_hierarchy **h, arena *memory, arena *scratch, const uint8_t *data,
                         size_t size, kith_findings *findings)
{
    draft d;
    kith_error error;
    char *copy = arena_strndup(scratch, (const char *)data, size);
    require(copy != NULL && draft_init(&d, memory, scratch, &error) == KITH_OK);
    kith_status status = arx_read_text(&d, "fuzz", copy, size, 0, findings, &error);
    if (status == KITH_OK)
        status = findings_status(findings, 0, KITH_DATA, &error);
    return status != KITH_OK ? status : draft_finish(&d, h, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena *memory = arena_new();
    arena *scratch = arena_new();
    kith_findings *findings = kith_findings_new();
    require(memory != NULL && scratch != NULL && findings != NULL);
    kith_hierarchy *h = NULL;
    kith_status status = parse(&h, memory, scratch, data, size, findings);
    require(status == KITH_OK || status == KITH_DATA);
    if (status == KITH_OK) {
        check_hierarchy(h);
        check_labels(h, memory);
    }
    kith_findings_free(findings);
    arena_free(scratch);
    arena_free(memory);
    return 0;
}
