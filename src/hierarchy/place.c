#include "hierarchy/place.h"

#include <string.h>

#include "core/error.h"
#include "hierarchy/builders.h"
#include "hierarchy/leaf_reader.h"
#include "hierarchy/locate.h"
#include "table/typed_value.h"

typedef struct work {
    const kith_hierarchy *h;
    const hierarchy_spec *spec;
    const dictionary *values;
    leaf_source people; /* the values as if they were leaves */
    label_index *labels;
    interval_scale scale;  /* INTERVALS */
    leaf_reader reader;    /* ORDER: leaves are ascending, but for the missing value, the last */
    kith_hierarchy *whole; /* FILE: all of it, and where the values are in it */
    uint32_t *whole_leaf_of;
} work;

static bool place_find(const work *w, char *label, size_t length, uint32_t *node)
{
    label[length] = '\0';
    const uint32_t found = label_index_find(w->labels, label);
    if (found != UINT32_MAX)
        *node = found;
    return found != UINT32_MAX;
}

static void by_intervals(const work *w, uint32_t code, uint32_t *node)
{
    char label[INTERVAL_TEXT + 1];
    size_t length;
    for (uint32_t i = 0; i < w->spec->count; i++)
        if (!build_intervals_label(label, &length, &w->scale, i, &w->people, code) ||
            place_find(w, label, length, node))
            return;
}

/* Times without a date are all on the first day that there is. */
static void by_dates(const work *w, uint32_t code, uint32_t *node)
{
    const int64_t seconds = w->values->whole[code];
    const bool may_lack_day = seconds >= 0 && seconds < TYPED_VALUE_DAY;
    char label[LEAF_TEXT + 1];
    for (uint32_t i = 0; i < w->spec->count; i++) {
        const date_unit unit = w->spec->units[i];
        if (place_find(w, label, build_dates_label(label, seconds, unit, true), node) ||
            (may_lack_day &&
             place_find(w, label, build_dates_label(label, seconds, unit, false), node)))
            return;
    }
}

/* A value that is longer than all of the data fits the root only. */
static void by_mask(const work *w, uint32_t code, uint32_t *node)
{
    const char *text = dictionary_text(w->values, code);
    const size_t size = dictionary_length(w->values, code);
    const uint32_t longest = w->h->tree.n_levels - 1;
    char label[MASK_TEXT + 1];
    if (build_mask_characters(text, size) > longest)
        return;
    for (uint32_t level = 1; level < longest; level++) {
        size_t length = build_mask_label(label, w->spec, longest, level, text, size);
        if (length > 0 && place_find(w, label, length, node))
            return;
    }
}

/* Is the value of a leaf smaller than that of a code? */
static bool is_below(const work *w, uint32_t leaf, uint32_t code)
{
    int64_t whole = 0;
    double decimal = 0;
    const char *label = w->h->label[leaf];
    if (w->values->type == KITH_TYPE_STRING)
        return strcmp(label, dictionary_text(w->values, code)) < 0;
    if (!leaf_reader_read(&w->reader, label, &whole, &decimal))
        return false;
    return w->values->whole != NULL ? whole < w->values->whole[code]
                                    : decimal < w->values->decimal[code];
}

/* The groups that hold the neighbours on both sides hold the value. */
static void by_order(const work *w, uint32_t code, uint32_t *node)
{
    const tree *t = &w->h->tree;
    uint32_t low = 0, high = t->n_leaves - (w->h->missing_leaf != UINT32_MAX);
    const uint32_t end = high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (is_below(w, middle, code))
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && low < end)
        *node = tree_lca(t, low - 1, low);
}

/* The file of a hierarchy that has only the values that occur in the data. */
static void by_file(const work *w, uint32_t code, uint32_t *node)
{
    if (w->whole == NULL || w->whole_leaf_of[code] == UINT32_MAX)
        return;
    const tree *t = &w->whole->tree;
    for (uint32_t at = w->whole_leaf_of[code]; at != tree_root(t); at = t->parent[at]) {
        const uint32_t found = label_index_find(w->labels, w->whole->label[at]);
        if (found != UINT32_MAX) {
            *node = found;
            return;
        }
    }
}

/* What the search for labels needs. */
static kith_status prepare_place(work *w, const domain_spec *domain, arena *scratch,
                                 kith_error *error)
{
    uint32_t n_unknown;
    w->people =
        (leaf_source){.values = w->values, .type = w->values->type, .count = w->values->count};
    TRY(label_index_new(&w->labels, scratch, w->h, error));
    TRY(leaf_reader_init(&w->reader, w->h, w->values, error));
    if (w->spec->kind == HIERARCHY_INTERVALS &&
        !build_intervals_scale(&w->scale, w->spec, w->values->type))
        return error_set(error, KITH_BUG, "interval widths were not checked");
    if (w->spec->kind != HIERARCHY_FILE || domain->kind != DOMAIN_DATA)
        return KITH_OK;
    TRY(hierarchy_make(&w->whole, scratch, w->spec, NULL, NULL, false, NULL, error));
    w->whole_leaf_of = TRY_ARRAY(w->whole_leaf_of, scratch, w->values->count, error);
    return locate(w->whole, w->values, w->whole_leaf_of, &n_unknown, scratch, error);
}

kith_status place_values(const kith_hierarchy *hierarchy, const hierarchy_spec *spec,
                         const domain_spec *domain, const dictionary *values, uint32_t *node_of,
                         arena *scratch, kith_error *error)
{
    work w = {.h = hierarchy, .spec = spec, .values = values};
    uint32_t n_unknown;
    TRY(locate(hierarchy, values, node_of, &n_unknown, scratch, error));
    TRY(prepare_place(&w, domain, scratch, error));
    for (uint32_t code = 0; code < values->count; code++) {
        /* Masks hide characters of the text, so that other texts of the value have other places. */
        if (node_of[code] != UINT32_MAX &&
            (spec->kind != HIERARCHY_MASK ||
             strcmp(hierarchy->label[node_of[code]], dictionary_text(values, code)) == 0))
            continue;
        node_of[code] = tree_root(&hierarchy->tree);
        switch (spec->kind) {
        case HIERARCHY_INTERVALS: by_intervals(&w, code, &node_of[code]); break;
        case HIERARCHY_DATES: by_dates(&w, code, &node_of[code]); break;
        case HIERARCHY_MASK: by_mask(&w, code, &node_of[code]); break;
        case HIERARCHY_ORDER: by_order(&w, code, &node_of[code]); break;
        case HIERARCHY_FILE: by_file(&w, code, &node_of[code]); break;
        case HIERARCHY_SUPPRESS: break;
        }
    }
    return KITH_OK;
}
