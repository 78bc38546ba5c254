/* A hierarchy as a tree with the numbers of records on it. */
#include "console/pages/tree_view.h"

#include <stdlib.h>
#include <string.h>

#include "console/server/json.h"

enum { MAX_CHILDREN = 40, MAX_NODES = 4000, MAX_UNPLACED = 200 };

static const size_t none = (size_t)-1;

typedef struct tree_view {
    const kith_hierarchy *hierarchy;
    size_t n_nodes;
    double *records; /* [n_nodes] */
    size_t *first;   /* [n_nodes] first child, or none */
    size_t *next;    /* [n_nodes] next sibling, or none */
    size_t *leaves;  /* [n_leaves], sorted by label */
    size_t shown;    /* nodes so far */
} tree_view;

static void view_close(tree_view *v)
{
    free(v->records);
    free(v->first);
    free(v->next);
    free(v->leaves);
}

static int compare_leaves(const void *a, const void *b, void *user)
{
    const kith_hierarchy *h = user;
    return strcmp(kith_hierarchy_node_label(h, *(const size_t *)a),
                  kith_hierarchy_node_label(h, *(const size_t *)b));
}

/* Ids go level by level, so that every parent comes after its children. */
static bool view_open(tree_view *v, const kith_hierarchy *h)
{
    const size_t n_leaves = kith_hierarchy_n_leaves(h);
    *v = (tree_view){.hierarchy = h, .n_nodes = kith_hierarchy_n_nodes(h)};
    v->records = calloc(v->n_nodes, sizeof *v->records);
    v->first = calloc(v->n_nodes, sizeof *v->first);
    v->next = calloc(v->n_nodes, sizeof *v->next);
    v->leaves = calloc(n_leaves, sizeof *v->leaves);
    if (v->records == NULL || v->first == NULL || v->next == NULL || v->leaves == NULL)
        return false;
    for (size_t i = 0; i < v->n_nodes; i++)
        v->first[i] = v->next[i] = none;
    for (size_t i = v->n_nodes - 1; i-- > 0;) {
        const size_t parent = kith_hierarchy_node_parent(h, i);
        v->next[i] = v->first[parent];
        v->first[parent] = i;
    }
    for (size_t i = 0; i < n_leaves; i++)
        v->leaves[i] = i;
    qsort_r(v->leaves, n_leaves, sizeof *v->leaves, compare_leaves, (void *)(size_t)h);
    return true;
}

static size_t find_leaf(const tree_view *v, const char *label)
{
    size_t low = 0, high = kith_hierarchy_n_leaves(v->hierarchy);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(label, kith_hierarchy_node_label(v->hierarchy, v->leaves[middle]));
        if (order == 0)
            return v->leaves[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return none;
}

static bool add_unplaced(cJSON *list, const char *value, double records)
{
    cJSON *item = cJSON_CreateObject();
    if (item == NULL || !cJSON_AddItemToArray(list, item)) {
        cJSON_Delete(item);
        return false;
    }
    cJSON_AddStringToObject(item, "value", value);
    cJSON_AddNumberToObject(item, "records", records);
    return true;
}

/* Puts the records of every value on its leaf; values without one are listed. */
static kith_status place_values(tree_view *v, cJSON *object, const kith_table *values,
                                const uint32_t *counts, kith_error *error)
{
    cJSON *unplaced = cJSON_AddArrayToObject(object, "unplaced");
    const uint32_t *codes = kith_table_codes(values, 0);
    size_t n_unplaced = 0;
    for (size_t i = 0; i < kith_table_n_rows(values); i++) {
        const char *text = kith_table_value(values, 0, codes[i]);
        const size_t leaf = text == NULL ? none : find_leaf(v, text);
        if (leaf != none)
            v->records[leaf] += counts[i];
        else if (text != NULL && n_unplaced++ < MAX_UNPLACED &&
                 !add_unplaced(unplaced, text, counts[i]))
            return json_fail(error, KITH_NOMEM, "out of memory");
    }
    cJSON_AddNumberToObject(object, "nUnplaced", (double)n_unplaced);
    for (size_t i = 0; i + 1 < v->n_nodes; i++)
        v->records[kith_hierarchy_node_parent(v->hierarchy, i)] += v->records[i];
    return KITH_OK;
}

static kith_status add_node(tree_view *v, cJSON *to, size_t node, kith_error *error)
{
    cJSON_AddStringToObject(to, "label", kith_hierarchy_node_label(v->hierarchy, node));
    cJSON_AddNumberToObject(to, "records", v->records[node]);
    v->shown++;
    if (v->first[node] == none)
        return KITH_OK;
    cJSON *children = cJSON_AddArrayToObject(to, "children");
    size_t n_more = 0, n_shown = 0;
    for (size_t child = v->first[node]; child != none; child = v->next[child]) {
        if (n_shown == MAX_CHILDREN || v->shown >= MAX_NODES) {
            n_more++;
            continue;
        }
        n_shown++;
        cJSON *item = cJSON_CreateObject();
        if (item == NULL || !cJSON_AddItemToArray(children, item)) {
            cJSON_Delete(item);
            return json_fail(error, KITH_NOMEM, "out of memory");
        }
        TRY(add_node(v, item, child, error));
    }
    if (n_more > 0)
        cJSON_AddNumberToObject(to, "more", (double)n_more);
    return KITH_OK;
}

static kith_status fill(tree_view *v, cJSON *object, const kith_table *values,
                        const uint32_t *counts, kith_error *error)
{
    TRY(place_values(v, object, values, counts, error));
    cJSON *levels = cJSON_AddArrayToObject(object, "levels");
    for (size_t i = 0; i < kith_hierarchy_n_levels(v->hierarchy); i++)
        cJSON_AddItemToArray(
            levels, cJSON_CreateNumber((double)kith_hierarchy_n_nodes_at(v->hierarchy, i)));
    cJSON *tree = cJSON_AddObjectToObject(object, "tree");
    return tree == NULL ? json_fail(error, KITH_NOMEM, "out of memory")
                        : add_node(v, tree, v->n_nodes - 1, error);
}

kith_status tree_view_add(cJSON *object, const kith_hierarchy *hierarchy, const kith_table *values,
                          const dataset *d, size_t column, kith_error *error)
{
    tree_view v;
    double present = 0;
    const kith_status status = view_open(&v, hierarchy)
                                   ? fill(&v, object, values, d->counts[column], error)
                                   : json_fail(error, KITH_NOMEM, "out of memory");
    view_close(&v);
    const uint32_t *codes = kith_table_codes(values, 0);
    for (size_t i = 0; i < kith_table_n_rows(values); i++)
        if (codes[i] < kith_table_n_values(values, 0))
            present += d->counts[column][i];
    cJSON_AddNumberToObject(object, "missing", (double)kith_table_n_rows(d->table) - present);
    return status;
}
