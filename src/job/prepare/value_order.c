#include "job/prepare/value_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "hierarchy/leaf_reader.h"

/* What a leaf is sorted by: number first, then label, then leaf; the missing value is last. */
typedef struct leaf_key {
    uint32_t leaf;
    bool missing;
    double number; /* 0 for texts */
    const char *label;
} leaf_key;

/* Equal numbers are possible (1.0 and 1 as labels of a file), therefore the label and the leaf
 * decide then: the order must not depend on qsort. */
static int value_order_compare(const void *a, const void *b)
{
    const leaf_key *x = a, *y = b;
    if (x->missing != y->missing)
        return x->missing ? 1 : -1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    int order = strcmp(x->label, y->label);
    return order != 0 ? order : (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

/* A label that is not a number or date goes to the end. */
static double label_number(const leaf_reader *reader, const char *label)
{
    int64_t whole = 0;
    double number = 0;
    if (!leaf_reader_read(reader, label, &whole, &number))
        return HUGE_VAL;
    return reader->type == KITH_TYPE_DECIMAL ? number : (double)whole;
}

kith_status value_order_leaves(uint32_t **rank, const kith_hierarchy *hierarchy,
                               const dictionary *values, const uint32_t *leaf_of, bool by_hierarchy,
                               arena *memory, kith_error *error)
{
    uint32_t n_leaves = hierarchy->tree.n_leaves;
    leaf_key *keys = arena_array(memory, n_leaves, sizeof *keys);
    *rank = arena_array(memory, n_leaves, sizeof **rank);
    TRY_ALLOC(keys, error);
    TRY_ALLOC(*rank, error);
    leaf_reader reader;
    TRY(leaf_reader_init(&reader, hierarchy, values, error));
    /* Labels of leaves that do not occur in the data are parsed; for the others the dictionary has
     * the value. */
    bool numeric = values->whole != NULL || values->decimal != NULL;
    for (uint32_t leaf = 0; leaf < hierarchy->tree.n_leaves; leaf++) {
        keys[leaf] = (leaf_key){leaf, hierarchy->label[leaf][0] == '\0', 0, hierarchy->label[leaf]};
        if (by_hierarchy)
            keys[leaf].number = leaf;
        else if (numeric)
            keys[leaf].number = label_number(&reader, hierarchy->label[leaf]);
    }
    for (uint32_t code = 0; numeric && !by_hierarchy && code < values->count; code++)
        keys[leaf_of[code]].number =
            values->whole != NULL ? (double)values->whole[code] : values->decimal[code];
    /* Built hierarchies, and most files, have their leaves in order already. */
    uint32_t n_sorted = 1;
    while (n_sorted < n_leaves && value_order_compare(&keys[n_sorted - 1], &keys[n_sorted]) < 0)
        n_sorted++;
    if (n_sorted < n_leaves)
        qsort(keys, n_leaves, sizeof *keys, value_order_compare);
    for (uint32_t i = 0; i < n_leaves; i++)
        (*rank)[keys[i].leaf] = i;
    arena_release(memory, keys, n_leaves * sizeof *keys);
    return KITH_OK;
}
