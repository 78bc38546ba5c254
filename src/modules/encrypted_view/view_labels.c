#include "modules/encrypted_view/view_labels.h"

#include <string.h>

#include "core/error.h"

static const char missing_text[1] = "";

static view_label text_label(const char *text)
{
    if (text == NULL || text[0] == '\0')
        return (view_label){missing_text, 1};
    return (view_label){text, strlen(text)};
}

bool view_labels_missing(const view_label *label)
{
    return label->length == 1 && *(const char *)label->bytes == '\0';
}

/* The nodes of a hierarchy that go into a dictionary, with new numbers. */
typedef struct chosen {
    const kith_hierarchy *hierarchy;
    uint32_t base;    /* level at which cells start */
    uint32_t *number; /* [n_nodes] new numbers, VIEW_NONE: not chosen */
    uint32_t count;
    uint32_t *start; /* [n_levels + 1 - base] */
} chosen;

/* Chooses used nodes from level `base` on (used NULL: all). */
static kith_status choose_nodes(chosen *n, const kith_hierarchy *h, uint32_t base, const bool *used,
                                arena *memory, kith_error *error)
{
    const tree *t = &h->tree;
    *n = (chosen){.hierarchy = h, .base = base};
    n->number = TRY_ARRAY(n->number, memory, t->n_nodes, error);
    n->start = TRY_ZEROS(n->start, memory, t->n_levels + (size_t)1, error);
    for (uint32_t level = 0; level < t->n_levels; level++) {
        for (uint32_t node = t->level_start[level]; node < t->level_start[level + 1]; node++)
            n->number[node] =
                level >= base && (used == NULL || used[node]) ? n->count++ : VIEW_NONE;
        if (level >= base)
            n->start[level + 1 - base] = n->count;
    }
    return KITH_OK;
}

static kith_status label_nodes(view_label **label, const chosen *n, arena *memory,
                               kith_error *error)
{
    *label = TRY_ARRAY(*label, memory, n->count, error);
    for (uint32_t node = 0; node < n->hierarchy->tree.n_nodes; node++)
        if (n->number[node] != VIEW_NONE)
            (*label)[n->number[node]] = text_label(n->hierarchy->label[node]);
    return KITH_OK;
}

kith_status view_labels_known(view_known *known, const kith_hierarchy *h, uint32_t base,
                              arena *memory, kith_error *error)
{
    chosen nodes;
    view_label *label = NULL;
    TRY(choose_nodes(&nodes, h, base, NULL, memory, error));
    TRY(label_nodes(&label, &nodes, memory, error));
    *known = (view_known){h->tree.n_levels - base, nodes.start, label};
    return KITH_OK;
}

kith_status view_labels_tree(view_source *s, const kith_hierarchy *h, const uint32_t *cells,
                             uint32_t n_rows, uint32_t base, bool whole, arena *memory,
                             kith_error *error)
{
    const tree *t = &h->tree;
    bool *used = TRY_ZEROS(used, memory, t->n_nodes, error);
    chosen nodes;
    ASSERT(base < t->n_levels);
    /* The nodes that cells are at, and all above: parents have higher numbers. */
    for (uint32_t i = 0; i < n_rows; i++)
        used[cells[i]] = true;
    for (uint32_t node = 0; node + 1 < t->n_nodes; node++)
        if (used[node])
            used[t->parent[node]] = true;
    TRY(choose_nodes(&nodes, h, base, whole ? NULL : used, memory, error));
    uint32_t *parent = TRY_ARRAY(parent, memory, nodes.count, error);
    uint32_t *codes = TRY_ARRAY(codes, memory, n_rows, error);
    view_label *label = NULL;
    TRY(label_nodes(&label, &nodes, memory, error));
    for (uint32_t node = 0; node < t->n_nodes; node++)
        if (nodes.number[node] != VIEW_NONE)
            parent[nodes.number[node]] =
                node == tree_root(t) ? VIEW_NONE : nodes.number[t->parent[node]];
    for (uint32_t i = 0; i < n_rows; i++)
        codes[i] = nodes.number[cells[i] < t->n_leaves ? tree_up(t, cells[i], base) : cells[i]];
    s->n_levels = t->n_levels - base;
    s->start = nodes.start;
    s->labels = label;
    s->parent = parent;
    s->codes = codes;
    return KITH_OK;
}

kith_status view_labels_plain(view_source *s, const column *source, const uint32_t *rows,
                              uint32_t n_rows, arena *memory, kith_error *error)
{
    const uint32_t n_values = source->values.count;
    /* number[n_values] is that of missing cells. */
    const size_t room = n_values + (size_t)1;
    uint32_t *number = TRY_ARRAY(number, memory, room, error);
    uint32_t *codes = TRY_ARRAY(codes, memory, n_rows, error);
    uint32_t *start = TRY_ZEROS(start, memory, 2, error);
    view_label *label = TRY_ARRAY(label, memory, room, error);
    memset(number, 0xff, room * sizeof *number);
    for (uint32_t i = 0; i < n_rows; i++) {
        uint32_t code = source->codes[rows[i]];
        uint32_t value = code == TABLE_MISSING ? n_values : code;
        if (number[value] == VIEW_NONE) {
            label[start[1]] = code == TABLE_MISSING
                                  ? text_label(NULL)
                                  : (view_label){dictionary_text(&source->values, code),
                                                 dictionary_length(&source->values, code)};
            number[value] = start[1]++;
        }
        codes[i] = number[value];
    }
    s->n_levels = 1;
    s->start = start;
    s->labels = label;
    s->codes = codes;
    return KITH_OK;
}
