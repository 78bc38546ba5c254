#include "verify/cover_cells.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"

/* Where a leaf stands in the order behind ranges. */
static uint32_t rank_of(const cover_column *c, uint32_t leaf)
{
    return c->rank == NULL ? leaf : c->rank[leaf];
}

/* A label may hold ".." itself, so every place where the text could be cut is tried. */
static cell_set cover_cells_read_range(const cover_column *c, const label_index *labels, char *text)
{
    uint32_t n_leaves = c->hierarchy->tree.n_leaves;
    for (char *dots = strstr(text, ".."); dots != NULL; dots = strstr(dots + 1, "..")) {
        *dots = '\0';
        uint32_t low = label_index_find(labels, text);
        *dots = '.';
        uint32_t high = label_index_find(labels, dots + 2);
        if (low < n_leaves && high < n_leaves && rank_of(c, low) <= rank_of(c, high))
            return (cell_set){CELL_RANGE, rank_of(c, low), rank_of(c, high)};
    }
    return (cell_set){CELL_NOTHING, 0, 0};
}

/* What a text of the release stands for: a node, everything, or nothing that is known. */
static cell_set read_label(uint32_t node, const char *text)
{
    if (node != UINT32_MAX)
        return (cell_set){CELL_NODE, node, 0};
    return (cell_set){strcmp(text, "*") == 0 ? CELL_ALL : CELL_NOTHING, 0, 0};
}

/* Texts that are no labels may be ranges between two. */
static kith_status read_ranges(cover_cells *cells, arena *memory, const dictionary *values,
                               kith_error *error)
{
    label_index *labels;
    TRY(label_index_new(&labels, memory, cells->column->hierarchy, error));
    for (uint32_t i = 0; i < values->count; i++) {
        const char *text = dictionary_text(values, i);
        if (cells->sets[i].kind != CELL_NOTHING || strstr(text, "..") == NULL)
            continue;
        char *copy = TRY_ALLOC(arena_strdup(memory, text), error);
        cells->sets[i] = cover_cells_read_range(cells->column, labels, copy);
    }
    return KITH_OK;
}

/* Binary search in a dictionary of strings, which is sorted by bytes. It does without table/intern,
 * so that the verifier depends on as little of the other code as possible. */
static uint32_t find_text(const dictionary *values, const char *text)
{
    uint32_t low = 0, high = values->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(dictionary_text(values, middle), text);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    /* A release cannot tell the empty text from a missing one. */
    return text[0] == '\0' ? TABLE_MISSING : CELL_ABSENT;
}

/* The same for cells that may be written in another way. Equal values have one code, that of the
 * first text that the data has of them; the release gets codes of its own, which mean the same. */
static kith_status translate_values(cover_cells *cells, arena *memory, const dictionary *from,
                                    const column *released, uint32_t n_rows, kith_error *error)
{
    const char *format = cells->column->date_format;
    const dictionary *to = &released->values;
    uint32_t *value_of = TRY_ARRAY(value_of, memory, from->count + (size_t)1, error);
    uint32_t *value_shown = TRY_ARRAY(value_shown, memory, to->count + (size_t)1, error);
    uint32_t *codes = TRY_ARRAY(codes, memory, n_rows, error);
    dictionary_values(from, value_of);
    for (uint32_t i = 0; i < to->count; i++) {
        const uint32_t found = dictionary_find(from, format, dictionary_text(to, i));
        value_shown[i] = found == UINT32_MAX ? CELL_ABSENT : value_of[found];
    }
    for (uint32_t row = 0; row < n_rows; row++)
        codes[row] = released->codes[row] == TABLE_MISSING ? TABLE_MISSING
                                                           : value_shown[released->codes[row]];
    value_of[from->count] = TABLE_MISSING;
    cells->same = value_of;
    cells->release = codes;
    return KITH_OK;
}

/* Values that the study changes: what they become is computed here, from the data as it was read.
 */
static kith_status find_recoded(cover_cells *cells, arena *memory, const dictionary *released,
                                kith_error *error)
{
    const cover_recoding *r = cells->column->recoding;
    const kith_hierarchy *h = cells->column->hierarchy;
    const uint32_t n = r->original->values.count,
                   n_texts = h != NULL ? h->tree.n_leaves : released->count;
    uint32_t *found = TRY_ARRAY(found, memory, n + (size_t)1, error);
    const char **texts = TRY_ARRAY(texts, memory, n_texts, error);
    for (uint32_t i = 0; i < n_texts; i++)
        texts[i] = h != NULL ? h->label[i] : dictionary_text(released, i);
    TRY(recoded_find(found, r, texts, n_texts, CELL_ABSENT, memory, error));
    found[n] = TABLE_MISSING;
    if (h != NULL)
        cells->leaf_of = found;
    else
        cells->same = found;
    return KITH_OK;
}

kith_status cover_cells_init(cover_cells *cells, arena *memory, const kith_table *release,
                             const kith_table *data, const cover_column *c, bool ranges,
                             kith_error *error)
{
    const column *released = &release->columns[c->release];
    const column *original = c->recoding != NULL ? c->recoding->original : &data->columns[c->data];
    *cells = (cover_cells){.column = c,
                           .release = released->codes,
                           .data = original->codes,
                           .n_release_values = released->values.count,
                           .n_data_values = original->values.count,
                           .leaf_of = c->leaf_of};
    if (c->recoding != NULL)
        TRY(find_recoded(cells, memory, &released->values, error));
    if (c->hierarchy != NULL) {
        /* Every distinct text is read once; rows then only look up their code. */
        const kith_hierarchy *h = cells->column->hierarchy;
        uint32_t *node_of = TRY_ARRAY(node_of, memory, released->values.count, error);
        TRY(label_index_nodes(node_of, h, h->tree.n_nodes, &released->values, memory, error));
        /* [count]: missing */
        cells->sets = TRY_ARRAY(cells->sets, memory, released->values.count + (size_t)1, error);
        for (uint32_t i = 0; i < released->values.count; i++)
            cells->sets[i] = read_label(node_of[i], dictionary_text(&released->values, i));
        arena_release(memory, node_of, released->values.count * sizeof *node_of);
        cells->sets[released->values.count] = read_label(label_index_empty(h), "");
        return ranges ? read_ranges(cells, memory, &released->values, error) : KITH_OK;
    }
    if (cells->same != NULL)
        return KITH_OK;
    if (c->by_value)
        return translate_values(cells, memory, &original->values, released, release->n_rows, error);
    /* For columns that are released as they are: the code that each value of the data has in the
     * release. */
    /* [count]: missing */
    cells->same = TRY_ARRAY(cells->same, memory, original->values.count + (size_t)1, error);
    for (uint32_t i = 0; i < original->values.count; i++)
        cells->same[i] = find_text(&released->values, dictionary_text(&original->values, i));
    cells->same[original->values.count] = TABLE_MISSING;
    return KITH_OK;
}

cell_set cover_cells_set(const cover_cells *cells, uint32_t release_row)
{
    uint32_t code = cells->release[release_row];
    ASSERT(cells->sets != NULL && (code == TABLE_MISSING || code < cells->n_release_values));
    return cells->sets[code == TABLE_MISSING ? cells->n_release_values : code];
}

uint32_t cover_cells_leaf(const cover_cells *cells, uint32_t data_row)
{
    uint32_t code = cells->data[data_row];
    return code == TABLE_MISSING ? cells->column->hierarchy->missing_leaf : cells->leaf_of[code];
}

uint32_t cover_cells_same(const cover_cells *cells, uint32_t data_row)
{
    uint32_t code = cells->data[data_row];
    return cells->same[code == TABLE_MISSING ? cells->n_data_values : code];
}

/* Does the set hold this original value? A missing value without a leaf is in the root alone. */
static bool set_holds(const cover_column *c, cell_set set, uint32_t leaf)
{
    const tree *t = &c->hierarchy->tree;
    if (leaf == CELL_ABSENT)
        return false; /* the hierarchy lacks the changed value */
    switch (set.kind) {
    case CELL_NOTHING: return false;
    case CELL_ALL: return true;
    case CELL_NODE:
        if (leaf ==
            UINT32_MAX) /* lower nodes may have the root's label, if they are all there is */
            return strcmp(c->hierarchy->label[set.a], hierarchy_root_label(c->hierarchy)) == 0;
        return t->first[set.a] <= leaf && leaf < t->end[set.a];
    case CELL_RANGE:
        return leaf != UINT32_MAX && leaf != c->hierarchy->missing_leaf &&
               set.a <= rank_of(c, leaf) && rank_of(c, leaf) <= set.b;
    }
    return false;
}

bool cover_cells_match(const cover_cells *cells, uint32_t release_row, uint32_t data_row)
{
    if (cells->same != NULL)
        return cells->release[release_row] == cover_cells_same(cells, data_row);
    return set_holds(cells->column, cover_cells_set(cells, release_row),
                     cover_cells_leaf(cells, data_row));
}
