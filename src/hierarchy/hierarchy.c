/* Making hierarchies, and what users see of them. */
#include "hierarchy/hierarchy.h"

#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/options.h"
#include "hierarchy/arx_read.h"
#include "hierarchy/builders.h"
#include "hierarchy/locate.h"

static kith_status build_draft(draft *d, const hierarchy_spec *spec, const leaf_source *leaves,
                               kith_findings *findings, kith_error *error)
{
    switch (spec->kind) {
    case HIERARCHY_SUPPRESS: return build_leaves_begin(leaves, d, 2, findings, error);
    case HIERARCHY_FILE:
        return spec->made != NULL
                   ? draft_copy(d, spec->made, error)
                   : arx_read(d, spec->path, spec->separator, spec->encoding, findings, error);
    case HIERARCHY_INTERVALS: return build_intervals(d, spec, leaves, findings, error);
    case HIERARCHY_MASK: return build_mask(d, spec, leaves, findings, error);
    case HIERARCHY_DATES: return build_dates(d, spec, leaves, findings, error);
    case HIERARCHY_ORDER: return build_groups(d, spec, leaves, findings, error);
    }
    return error_set(error, KITH_BUG, "unknown kind of hierarchy");
}

/* Keeps the leaves that occur in the data, in the order that the whole tree has them: two files of
 * the same tree must give the same one. */
static kith_status restrict_to_data(draft *d, const dictionary *values, kith_error *error)
{
    kith_hierarchy *whole;
    TRY(draft_finish(d, &whole, error));
    const tree *t = &whole->tree;
    uint32_t *leaf_of = TRY_ARRAY(leaf_of, d->scratch, values->count, error);
    bool *used = TRY_ZEROS(used, d->scratch, t->n_leaves, error);
    uint32_t n_unknown, kept = 0;
    TRY(locate(whole, values, leaf_of, &n_unknown, d->scratch, error));
    for (uint32_t code = 0; code < values->count; code++)
        if (leaf_of[code] != UINT32_MAX)
            used[leaf_of[code]] = true;
    if (whole->missing_leaf != UINT32_MAX) /* the missing value has its place anyway */
        used[whole->missing_leaf] = true;
    for (uint32_t leaf = 0; leaf < t->n_leaves; leaf++) {
        if (!used[leaf])
            continue;
        for (uint32_t level = 0; level < t->n_levels; level++) {
            const char *label = whole->label[tree_up(t, leaf, level)];
            d->cell[(uint64_t)kept * t->n_levels + level] =
                intern_find(&d->labels, label, strlen(label));
        }
        kept++;
    }
    d->line = NULL;                    /* its rows are no longer those of the file */
    d->n_leaves = kept > 0 ? kept : 1; /* a tree needs a leaf */
    d->in_order = false;
    return KITH_OK;
}

/* Leaves of a file that get the texts which the data has of their values. */
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
    w->row_of = TRY_ARRAY(w->row_of, d->scratch, d->labels.count, error);
    w->taken = TRY_ZEROS(w->taken, d->scratch, d->n_leaves, error);
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

/* Lists the values that are found by their value only, row by row. */
static kith_status find_more(work *w, kith_error *error)
{
    draft *d = w->d;
    const uint32_t n = w->values->count;
    kith_hierarchy *whole;
    uint32_t n_unknown;
    uint32_t *leaf_of = TRY_ARRAY(leaf_of, d->scratch, n, error);
    uint32_t *start = TRY_ZEROS(start, d->scratch, d->n_leaves + (size_t)1, error);
    w->more = TRY_ARRAY(w->more, d->scratch, n, error);
    w->n_at = TRY_ZEROS(w->n_at, d->scratch, d->n_leaves, error);
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
        /* A label that stands above its leaf, too, must stand for the leaf alone. */
        const bool several = w->n_at[row] + w->taken[row] > 1;
        for (uint32_t level = 1; level < d->n_levels && several; level++)
            if (draft_cell(d, row, level) == draft_cell(d, row, 0))
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
        d->line = TRY_ARRAY(d->line, d->scratch, n_leaves, error);
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

/* Releases are written in the form of their input. A number or date that the data writes in another
 * way than the file takes the place of the label of its leaf; if the leaf has a text of the data
 * already, it gets a leaf of its own beside it. The file's label stays where that would make one
 * label stand for two sets: the text is a label of the file already, or the leaf's label is
 * repeated above it. The draft has been validated. */
static kith_status take_own_texts(draft *d, const dictionary *values, kith_error *error)
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

/* Checks and builds in this order: the spec alone, the draft, and what the data and missing values
 * make of it. Each step needs the former to be free of problems. */
static kith_status make_from_leaves(kith_hierarchy **hierarchy, draft *d,
                                    const hierarchy_spec *spec, const leaf_source *leaves,
                                    bool with_missing, kith_findings *findings, kith_error *error)
{
    size_t before = kith_findings_n_problems(findings);
    hierarchy_spec_check(spec, leaves->type, leaves->domain, NULL, findings, NULL, 0);
    TRY(findings_status(findings, before, KITH_INVALID, error));
    TRY(build_draft(d, spec, leaves, findings, error));
    TRY(findings_status(findings, before, KITH_DATA, error));
    if (spec->kind == HIERARCHY_FILE && leaves->domain->kind == DOMAIN_DATA &&
        leaves->values != NULL)
        TRY(restrict_to_data(d, leaves->values, error));
    if (spec->kind == HIERARCHY_FILE && leaves->values != NULL && !leaves->domain->fixed)
        TRY(take_own_texts(d, leaves->values, error));
    if (with_missing)
        TRY(draft_add_missing(d, error));
    /* Files have been validated when they were read. */
    if (with_missing || spec->kind != HIERARCHY_FILE)
        TRY(draft_validate(d, findings, error));
    TRY(findings_status(findings, before, KITH_DATA, error));
    return draft_finish(d, hierarchy, error);
}

/* Hands findings on; those about no file are told where they belong. */
static void relay(const kith_findings *from, kith_findings *to, const char *where)
{
    for (size_t i = 0; i < kith_findings_n_listed(from); i++) {
        const kith_finding *f = findings_item(from, i);
        bool prefix = f->file == NULL && where != NULL;
        findings_add(to, f->severity, f->file, f->line, f->column, "%s%s%s", prefix ? where : "",
                     prefix ? ": " : "", f->text);
    }
}

kith_status hierarchy_make(kith_hierarchy **hierarchy, arena *memory, const hierarchy_spec *spec,
                           const domain_spec *domain, const dictionary *values, bool with_missing,
                           kith_findings *findings, kith_error *error)
{
    static const domain_spec standard = {.kind = DOMAIN_HIERARCHY};
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    draft d;
    leaf_source leaves;
    TRY(draft_init(&d, memory, scratch, error));
    d.date_format = spec->date_format;
    TRY(build_leaves_init(&leaves, spec, domain == NULL ? &standard : domain, values, scratch,
                          error));
    /* The findings of this hierarchy alone become the error. */
    kith_findings *own FINDINGS_SCOPED = TRY_ALLOC(kith_findings_new(), error);
    kith_findings *told FINDINGS_SCOPED = TRY_ALLOC(kith_findings_new(), error);
    const kith_status status =
        make_from_leaves(hierarchy, &d, spec, &leaves, with_missing, own, error);
    relay(own, told, spec->where);
    relay(told, findings, NULL);
    const bool explained = status == KITH_INVALID || status == KITH_DATA;
    return explained && kith_findings_n_problems(own) > 0 ? findings_status(told, 0, status, error)
                                                          : status;
}

kith_status kith_hierarchy_read(kith_hierarchy **hierarchy, const char *path,
                                const kith_hierarchy_options *options, kith_findings *findings,
                                kith_error *error)
{
    kith_hierarchy_options own;
    TRY(OPTIONS_TAKE(kith_hierarchy_options, separator, &own, options, error));
    arena *memory = TRY_ALLOC(arena_new(), error);
    hierarchy_spec spec = {
        .kind = HIERARCHY_FILE, .path = path, .separator = own.separator, .encoding = own.encoding};
    kith_status status =
        hierarchy_make(hierarchy, memory, &spec, NULL, NULL, false, findings, error);
    if (status == KITH_OK)
        (*hierarchy)->memory = memory;
    else
        arena_free(memory);
    return status;
}

void kith_hierarchy_free(kith_hierarchy *hierarchy)
{
    if (hierarchy != NULL)
        arena_free(hierarchy->memory);
}

size_t kith_hierarchy_n_nodes(const kith_hierarchy *hierarchy)
{
    return hierarchy->tree.n_nodes;
}

size_t kith_hierarchy_n_leaves(const kith_hierarchy *hierarchy)
{
    return hierarchy->tree.n_leaves;
}

size_t kith_hierarchy_n_levels(const kith_hierarchy *hierarchy)
{
    return hierarchy->tree.n_levels;
}

size_t kith_hierarchy_node_parent(const kith_hierarchy *hierarchy, size_t node)
{
    return hierarchy->tree.parent[node];
}

size_t kith_hierarchy_node_level(const kith_hierarchy *hierarchy, size_t node)
{
    return hierarchy->tree.level[node];
}

const char *kith_hierarchy_node_label(const kith_hierarchy *hierarchy, size_t node)
{
    return hierarchy->label[node];
}

size_t kith_hierarchy_n_nodes_at(const kith_hierarchy *hierarchy, size_t level)
{
    return hierarchy->tree.level_start[level + 1] - hierarchy->tree.level_start[level];
}

void kith_hierarchy_node_leaves(size_t *first, size_t *n_leaves, const kith_hierarchy *hierarchy,
                                size_t node)
{
    *first = hierarchy->tree.first[node];
    *n_leaves = tree_size(&hierarchy->tree, (uint32_t)node);
}
