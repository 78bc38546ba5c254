#include "hierarchy/own_texts.h"

#include <string.h>

#include "core/error.h"
#include "hierarchy/locate.h"

typedef struct work {
    draft *d;
    const dictionary *values;
    uint32_t *row_of; /* [labels] row of the leaf with this label, or UINT32_MAX */
    bool *taken;      /* [rows] the leaf's label is a text of the data */
    uint32_t *more;   /* [values] codes of texts that are no labels, in the order of rows */
    uint32_t n_more;
    uint32_t *n_at; /* [rows] how many of them belong to a row */
} work;

static uint32_t label_of(const work *w, uint32_t code)
{
    return intern_find(&w->d->labels, dictionary_text(w->values, code),
                       dictionary_length(w->values, code));
}

/* Marks the leaves whose label occurs in the data; true if all values are such labels. */
static kith_status find_labels(work *w, bool *all, kith_error *error)
{
    const draft *d = w->d;
    w->row_of = TRY_ALLOC(arena_array(d->scratch, d->labels.count, sizeof *w->row_of), error);
    w->taken = TRY_ALLOC(arena_zalloc(d->scratch, d->n_leaves, sizeof *w->taken), error);
    memset(w->row_of, 0xff, d->labels.count * sizeof *w->row_of);
    for (uint32_t row = 0; row < d->n_leaves; row++)
        w->row_of[draft_cell(d, row, 0)] = row;
    *all = true;
    for (uint32_t code = 0; code < w->values->count; code++) {
        uint32_t id = label_of(w, code), row = id == INTERN_NONE ? UINT32_MAX : w->row_of[id];
        *all = *all && row != UINT32_MAX;
        if (row != UINT32_MAX)
            w->taken[row] = true;
    }
    return KITH_OK;
}

/* Does the label of a leaf stand above it, too? Then it must stand for the leaf alone. */
static bool is_repeated(const draft *d, uint32_t row)
{
    for (uint32_t level = 1; level < d->n_levels; level++)
        if (draft_cell(d, row, level) == draft_cell(d, row, 0))
            return true;
    return false;
}

/* Lists the values that are found by their value only, row by row. */
static kith_status find_more(work *w, kith_error *error)
{
    draft *d = w->d;
    const uint32_t n = w->values->count;
    kith_hierarchy *whole;
    uint32_t n_unknown;
    uint32_t *leaf_of = TRY_ALLOC(arena_array(d->scratch, n, sizeof *leaf_of), error);
    uint32_t *start =
        TRY_ALLOC(arena_zalloc(d->scratch, d->n_leaves + (size_t)1, sizeof *start), error);
    w->more = TRY_ALLOC(arena_array(d->scratch, n, sizeof *w->more), error);
    w->n_at = TRY_ALLOC(arena_zalloc(d->scratch, d->n_leaves, sizeof *w->n_at), error);
    TRY(draft_finish(d, &whole, error));
    TRY(locate(whole, w->values, leaf_of, &n_unknown, d->scratch, error));
    for (uint32_t code = 0; code < n; code++) {
        if (leaf_of[code] == UINT32_MAX || label_of(w, code) != INTERN_NONE)
            leaf_of[code] = UINT32_MAX;
        else
            leaf_of[code] = w->row_of[intern_find(&d->labels, whole->label[leaf_of[code]],
                                                  strlen(whole->label[leaf_of[code]]))];
        if (leaf_of[code] != UINT32_MAX)
            w->n_at[leaf_of[code]]++;
    }
    for (uint32_t row = 0; row < d->n_leaves; row++) {
        if (w->n_at[row] + w->taken[row] > 1 && is_repeated(d, row))
            w->n_at[row] = 0;
        start[row + 1] = start[row] + w->n_at[row];
    }
    w->n_more = start[d->n_leaves];
    for (uint32_t code = 0; code < n; code++)
        if (leaf_of[code] != UINT32_MAX && w->n_at[leaf_of[code]] > 0)
            w->more[start[leaf_of[code]]++] = code;
    return KITH_OK;
}

/* Copies the rows, with the texts in their places. */
static kith_status insert(work *w, kith_error *error)
{
    draft *d = w->d;
    const size_t levels = d->n_levels, old_leaves = d->n_leaves;
    uint32_t *old = d->cell, more = 0, leaf = 0;
    size_t *old_line = d->line, n_leaves = old_leaves + w->n_more;
    for (uint32_t row = 0; row < old_leaves; row++)
        n_leaves -= w->n_at[row] > 0 && !w->taken[row];
    TRY(draft_reserve(d, n_leaves, d->n_levels, error));
    if (old_line != NULL)
        d->line = TRY_ALLOC(arena_array(d->scratch, n_leaves, sizeof *d->line), error);
    for (uint32_t row = 0; row < old_leaves; row++) {
        const uint32_t n_rows = w->n_at[row] + (w->n_at[row] == 0 || w->taken[row]);
        for (uint32_t i = 0; i < n_rows; i++, leaf++) {
            memcpy(d->cell + leaf * levels, old + row * levels, levels * sizeof *old);
            if (old_line != NULL)
                d->line[leaf] = old_line[row];
            if (i + w->n_at[row] < n_rows)
                continue; /* the file's own label */
            const uint32_t code = w->more[more++];
            TRY(draft_set(d, leaf, 0, dictionary_text(w->values, code),
                          dictionary_length(w->values, code), error));
        }
    }
    return KITH_OK;
}

kith_status own_texts_take(draft *d, const dictionary *values, kith_error *error)
{
    work w = {.d = d, .values = values};
    bool all = false;
    if (values->type == KITH_TYPE_STRING)
        return KITH_OK;
    TRY(find_labels(&w, &all, error));
    if (all)
        return KITH_OK;
    TRY(find_more(&w, error));
    return w.n_more == 0 ? KITH_OK : insert(&w, error);
}
