#include "hierarchy/locate.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "hierarchy/leaf_reader.h"

/* Leaves that are the values in their order, as those of built hierarchies are. False at the first
 * value that is not the next leaf. */
static bool in_order(const kith_hierarchy *h, const dictionary *values, uint32_t *leaf_of)
{
    if (values->count > h->tree.n_leaves)
        return false;
    for (uint32_t code = 0; code < values->count; code++) {
        if (strcmp(h->label[code], dictionary_text(values, code)) != 0)
            return false;
        leaf_of[code] = code;
    }
    return true;
}

/* A number or date as a key that is equal for equal values. */
typedef struct value_key {
    int64_t key;
    uint32_t leaf;
} value_key;

/* Equal doubles have equal bits, apart from the two zeros. */
static int64_t decimal_key(double value)
{
    int64_t key;
    value += 0.0; /* -0 becomes 0 */
    memcpy(&key, &value, sizeof key);
    return key;
}

/* Of several leaves with the same value the first. */
static uint32_t locate_find_key(const value_key *sorted, uint32_t count, int64_t key)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sorted[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && sorted[low].key == key ? sorted[low].leaf : UINT32_MAX;
}

/* Numbers and dates may be written in another way than in the hierarchy (1.0 and 1, another date
 * format): the rest is found by value. */
static kith_status by_value(const kith_hierarchy *h, const dictionary *values, uint32_t *leaf_of,
                            uint32_t *n_unknown, arena *scratch, kith_error *error)
{
    value_key *sorted = TRY_ARRAY(sorted, scratch, h->tree.n_leaves, error);
    uint32_t count = 0;
    leaf_reader reader;
    TRY(leaf_reader_init(&reader, h, values, error));
    for (uint32_t leaf = 0; leaf < h->tree.n_leaves; leaf++) {
        double value = 0;
        if (!leaf_reader_read(&reader, h->label[leaf], &sorted[count].key, &value))
            continue; /* the label is not a value of the type */
        if (reader.type == KITH_TYPE_DECIMAL)
            sorted[count].key = decimal_key(value);
        sorted[count++].leaf = leaf;
    }
    qsort(sorted, count, sizeof *sorted, sort_int64_uint32);
    for (uint32_t code = 0; code < values->count; code++) {
        if (leaf_of[code] != UINT32_MAX)
            continue;
        int64_t key = values->type == KITH_TYPE_DECIMAL ? decimal_key(values->decimal[code])
                                                        : values->whole[code];
        leaf_of[code] = locate_find_key(sorted, count, key);
        *n_unknown -= leaf_of[code] != UINT32_MAX;
    }
    return KITH_OK;
}

kith_status locate(const kith_hierarchy *hierarchy, const dictionary *values, uint32_t *leaf_of,
                   uint32_t *n_unknown, arena *scratch, kith_error *error)
{
    *n_unknown = 0;
    if (in_order(hierarchy, values, leaf_of))
        return KITH_OK;
    /* Most are found by their texts. */
    TRY(label_index_nodes(leaf_of, hierarchy, hierarchy->tree.n_leaves, values, scratch, error));
    for (uint32_t code = 0; code < values->count; code++)
        *n_unknown += leaf_of[code] == UINT32_MAX;
    if (*n_unknown > 0 && values->type != KITH_TYPE_STRING)
        TRY(by_value(hierarchy, values, leaf_of, n_unknown, scratch, error));
    return KITH_OK;
}
