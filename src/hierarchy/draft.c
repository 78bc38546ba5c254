#include "hierarchy/draft.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "hierarchy/tree_numbering.h"
#include "table/typed_value.h"

kith_status draft_init(draft *d, arena *memory, arena *scratch, kith_error *error)
{
    *d = (draft){.memory = memory, .scratch = scratch};
    return intern_init(&d->labels, scratch, NULL, error);
}

kith_status draft_reserve(draft *d, uint64_t n_leaves, uint32_t n_levels, kith_error *error)
{
    if (n_leaves > HIERARCHY_MAX_LEAVES)
        return error_set(error, KITH_DATA, "%llu values are too many for a hierarchy (most: %d)",
                         (unsigned long long)n_leaves, HIERARCHY_MAX_LEAVES);
    d->n_leaves = (uint32_t)n_leaves;
    d->n_levels = n_levels;
    d->cell = TRY_ARRAY(d->cell, d->scratch, n_leaves * n_levels, error);
    return KITH_OK;
}

bool draft_values_sorted(const dictionary *values)
{
    switch (values->type) {
    case KITH_TYPE_STRING: return values->whole == NULL && values->decimal == NULL;
    case KITH_TYPE_INTEGER: return values->whole != NULL;
    case KITH_TYPE_DECIMAL: return values->decimal != NULL;
    case KITH_TYPE_DATE: return false;
    }
    return false;
}

/* What is looked for. */
typedef struct wanted {
    const char *text;
    size_t length;
    int64_t whole;
    double decimal;
} wanted;

static int compare_text(const dictionary *values, const wanted *w, uint32_t code)
{
    const size_t length = dictionary_length(values, code);
    const int order =
        memcmp(w->text, dictionary_text(values, code), length < w->length ? length : w->length);
    return order != 0 ? order : (w->length > length) - (w->length < length);
}

/* The order of what is wanted and a value. Numbers that are equal may be written in several ways.
 */
static int draft_compare(const dictionary *values, const wanted *w, uint32_t code)
{
    switch (values->type) {
    case KITH_TYPE_INTEGER:
        return (w->whole > values->whole[code]) - (w->whole < values->whole[code]);
    case KITH_TYPE_DECIMAL:
        return (w->decimal > values->decimal[code]) - (w->decimal < values->decimal[code]);
    default: return compare_text(values, w, code);
    }
}

/* The first value that is not below what is wanted, or the count. */
static uint32_t lower_bound(const dictionary *values, const wanted *w, uint32_t near)
{
    uint32_t low = 0, high = values->count; /* all below `low` are smaller, `high` is not */
    for (uint32_t step = 1, at = near;; step *= 2) {
        if (draft_compare(values, w, at) > 0) {
            low = at + 1;
            if (high < values->count || high - low < step)
                break;
            at += step;
        } else {
            high = at;
            if (low > 0 || high < step)
                break;
            at -= step;
        }
    }
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (draft_compare(values, w, middle) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t draft_values_find(const dictionary *values, const char *text, size_t length, uint32_t near)
{
    wanted w = {.text = text, .length = length};
    if (values->count == 0 ||
        (values->type == KITH_TYPE_INTEGER &&
         !typed_value_integer(text, length, values->mark, &w.whole)) ||
        (values->type == KITH_TYPE_DECIMAL &&
         !typed_value_decimal(text, length, values->mark, &w.decimal)))
        return UINT32_MAX;
    /* Masks begin with a character that comes before or behind all values: those are few steps. */
    if (draft_compare(values, &w, 0) < 0 || draft_compare(values, &w, values->count - 1) > 0)
        return UINT32_MAX;
    uint32_t code = lower_bound(values, &w, near < values->count ? near : values->count - 1);
    for (; code < values->count && draft_compare(values, &w, code) == 0; code++)
        if (compare_text(values, &w, code) == 0)
            return code;
    return UINT32_MAX;
}

kith_status draft_take_values(draft *d, const dictionary *values, kith_error *error)
{
    ASSERT(d->n_leaves == values->count && draft_n_labels(d) == 0);
    if (draft_values_sorted(values)) {
        d->values = values;
        d->n_values = values->count;
    }
    for (uint32_t leaf = 0; leaf < d->n_leaves; leaf++)
        if (d->values != NULL)
            d->cell[(uint64_t)leaf * d->n_levels] = leaf;
        else
            TRY(draft_set(d, leaf, 0, dictionary_text(values, leaf),
                          dictionary_length(values, leaf), error));
    return KITH_OK;
}

uint32_t draft_find(const draft *d, const char *text, size_t length)
{
    const uint32_t code = intern_find(&d->labels, text, length);
    if (code != INTERN_NONE)
        return d->n_values + code;
    return d->n_values == 0 ? INTERN_NONE : draft_values_find(d->values, text, length, 0);
}

/* Neighbouring leaves mostly share their labels above the lowest level. */
kith_status draft_set(draft *d, uint32_t leaf, uint32_t level, const char *text, size_t length,
                      kith_error *error)
{
    ASSERT(leaf < d->n_leaves && level < d->n_levels);
    uint32_t *cell = &d->cell[(uint64_t)leaf * d->n_levels + level];
    const uint32_t last = d->last[level] - 1;
    d->in_order = false;
    if (d->last[level] != 0 && draft_length(d, last) == length &&
        memcmp(draft_text(d, last), text, length) == 0) {
        *cell = last;
        return KITH_OK;
    }
    intern_key key;
    intern_prepare(&d->labels, text, length, &key);
    uint32_t code = intern_find_key(&d->labels, text, length, &key), value = INTERN_NONE;
    if (code == INTERN_NONE && d->n_values > 0)
        value = draft_values_find(d->values, text, length, leaf);
    if (code == INTERN_NONE && value == INTERN_NONE) {
        code = d->labels.count;
        TRY(intern_add_key(&d->labels, text, length, &key, error));
    }
    *cell = value != INTERN_NONE ? value : d->n_values + code;
    d->last[level] = *cell + 1;
    return KITH_OK;
}

void draft_repeat(draft *d, uint32_t leaf, uint32_t level)
{
    ASSERT(leaf > 0 && leaf < d->n_leaves && level < d->n_levels);
    uint32_t *cell = &d->cell[(uint64_t)leaf * d->n_levels + level];
    d->in_order = false;
    *cell = cell[-(ptrdiff_t)d->n_levels];
}

kith_status draft_copy(draft *d, const kith_hierarchy *from, kith_error *error)
{
    const tree *t = &from->tree;
    TRY(draft_reserve(d, t->n_leaves, t->n_levels, error));
    for (uint32_t leaf = 0; leaf < t->n_leaves; leaf++)
        for (uint32_t level = 0; level < t->n_levels; level++) {
            const char *label = from->label[tree_up(t, leaf, level)];
            TRY(draft_set(d, leaf, level, label, strlen(label), error));
        }
    d->file = from->file;
    d->n_file_rows = from->n_file_rows;
    return KITH_OK;
}

kith_status draft_add_missing(draft *d, kith_error *error)
{
    const uint32_t empty = draft_find(d, "", 0); /* the label that means missing */
    for (uint32_t i = 0; i < d->n_leaves && empty != INTERN_NONE; i++)
        if (draft_cell(d, i, 0) == empty)
            return KITH_OK;
    const size_t levels = d->n_levels;
    TRY_RESIZE(d->cell, d->scratch, d->n_leaves * levels, (d->n_leaves + 1) * levels, error);
    if (d->line != NULL) {
        TRY_RESIZE(d->line, d->scratch, d->n_leaves, d->n_leaves + (size_t)1, error);
        d->line[d->n_leaves] = 0; /* added, not read from a line */
    }
    /* The placeholder stands for no value, so that the missing value takes its place. */
    uint32_t leaf = d->placeholder ? 0 : d->n_leaves++;
    for (uint32_t level = 0; level + 1 < d->n_levels; level++)
        TRY(draft_set(d, leaf, level, "", 0, error));
    d->cell[(uint64_t)leaf * d->n_levels + d->n_levels - 1] = draft_cell(d, 0, d->n_levels - 1);
    return KITH_OK;
}

/* A copy in the memory of the hierarchy. */
static char *copy_texts(const draft *d, const char *texts, size_t size)
{
    char *copy = arena_alloc(d->memory, size > 0 ? size : 1);
    if (copy != NULL && size > 0)
        memcpy(copy, texts, size);
    return copy;
}

#if KITH_DEBUG
void draft_check(const draft *d)
{
    ASSERT(d->n_leaves >= 1 && d->n_leaves <= HIERARCHY_MAX_LEAVES);
    ASSERT(d->n_levels >= 2 && d->n_levels <= HIERARCHY_MAX_LEVELS);
    for (uint32_t leaf = 0; leaf < d->n_leaves; leaf++)
        for (uint32_t level = 0; level < d->n_levels; level++)
            ASSERT(draft_cell(d, leaf, level) < draft_n_labels(d));
    intern_check(&d->labels);
}
#endif

kith_status draft_finish(const draft *d, kith_hierarchy **hierarchy, kith_error *error)
{
    CHECK(draft_check(d));
    kith_hierarchy *h = TRY_ZEROS(h, d->memory, 1, error);
    uint32_t *order = TRY_ARRAY(order, d->scratch, d->n_leaves, error);
    const tree_paths paths = {d->cell, d->n_leaves, d->n_levels, draft_n_labels(d), d->in_order};
    TRY(tree_numbering_make(&h->tree, order, &paths, d->memory, d->scratch, error));
    /* The labels of a draft die with it, and values with their table, so that the hierarchy gets a
     * copy of all of them at once. */
    const char **label = TRY_ARRAY(label, d->memory, h->tree.n_nodes, error);
    const size_t size = d->n_values == 0 ? 0 : d->values->offsets[d->n_values];
    const char *values = TRY_ALLOC(copy_texts(d, size == 0 ? NULL : d->values->bytes, size), error);
    const char *texts = TRY_ALLOC(copy_texts(d, d->labels.bytes, d->labels.used), error);
    h->missing_leaf = UINT32_MAX;
    for (uint32_t node = 0; node < h->tree.n_nodes; node++) {
        uint32_t row = order[h->tree.first[node]];
        uint32_t code = draft_cell(d, row, h->tree.level[node]);
        label[node] = code < d->n_values ? values + d->values->offsets[code]
                                         : texts + d->labels.offsets[code - d->n_values];
        if (node < h->tree.n_leaves && label[node][0] == '\0')
            h->missing_leaf = node;
    }
    h->label = label;
    h->n_file_rows = d->n_file_rows;
    if (d->date_format != NULL)
        h->date_format = TRY_ALLOC(arena_strdup(d->memory, d->date_format), error);
    if (d->file != NULL)
        h->file = TRY_ALLOC(arena_strdup(d->memory, d->file), error);
    *hierarchy = h;
    return KITH_OK;
}

const char *draft_quoted(char out[DRAFT_QUOTED], const draft *d, uint32_t code)
{
    text_quote(out, DRAFT_QUOTED, draft_text(d, code), draft_length(d, code));
    return out;
}
