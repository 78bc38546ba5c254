/* A hierarchy in the making: the label of every leaf at every level, as codes of one string table.
 * Files and builders make drafts; a draft is checked, then becomes a hierarchy. */
#ifndef HIERARCHY_DRAFT_H
#define HIERARCHY_DRAFT_H

#include "hierarchy/hierarchy.h"
#include "table/intern.h"

enum {
    HIERARCHY_MAX_LEAVES = 10 * 1000 * 1000,
    HIERARCHY_MAX_RANGE = 1000 * 1000, /* leaves that `domain: {range: …}` may make */
};

/* A node is (level, label). Row i is leaf i until the leaves are numbered depth-first.
 *
 * Labels have codes. Those of a column's own values come first and stay in its dictionary, since
 * there may be millions and all are known to be distinct; `labels` has the others, from n_values
 * on. A text has one code wherever it stands.
 *
 * Invariants, once the cells are filled in: there are a leaf and two levels at least, and every
 * cell is the code of a label. Whether the cells make a tree is for draft_validate to say: a file
 * may be wrong. */
typedef struct draft {
    arena *memory;  /* of the finished hierarchy */
    arena *scratch; /* of the draft */
    const dictionary *values;
    uint32_t n_values; /* 0: all labels are in `labels` */
    intern labels;
    uint32_t n_leaves;
    uint32_t n_levels;
    uint32_t *cell; /* [n_leaves * n_levels] row by row, leaf first, root last */
    uint32_t last[HIERARCHY_MAX_LEVELS]; /* code + 1 of the last label set at a level; 0: none */
    size_t *line;                        /* [n_leaves] line in the file, 0: added; NULL if built */
    const char *file;
    uint64_t n_file_rows;
    const char *date_format; /* of labels that are dates; NULL: YYYY-MM-DD */
    bool placeholder;        /* the only leaf stands for no value */
    bool in_order;           /* draft_in_order held, and no cell has been set since */
} draft;

kith_status draft_init(draft *d, arena *memory, arena *scratch, kith_error *error);

/* Makes room for the cells of all leaves. Fails with a message if there are more leaves than a
 * hierarchy may have. */
kith_status draft_reserve(draft *d, uint64_t n_leaves, uint32_t n_levels, kith_error *error);
kith_status draft_set(draft *d, uint32_t leaf, uint32_t level, const char *text, size_t length,
                      kith_error *error);

/* The same label as that of the leaf before. */
void draft_repeat(draft *d, uint32_t leaf, uint32_t level);

/* Leaf i becomes value i, at the lowest level; there are as many leaves as values. Before any other
 * label is set. */
kith_status draft_take_values(draft *d, const dictionary *values, kith_error *error) KITH_MUST_USE;

/* Can draft_values_find look into this dictionary? Dates are left out: a date may be written in
 * more ways than the dictionary tells. */
bool draft_values_sorted(const dictionary *values);

/* The code of a text, which need not end with a NUL, or UINT32_MAX. The search goes from the value
 * with the code `near` in both directions, in steps that double. */
uint32_t draft_values_find(const dictionary *values, const char *text, size_t length,
                           uint32_t near);

/* The code of a label, or INTERN_NONE. */
uint32_t draft_find(const draft *d, const char *text, size_t length);

/* Fills the draft with a hierarchy that is finished, and has therefore been checked. */
kith_status draft_copy(draft *d, const kith_hierarchy *from, kith_error *error) KITH_MUST_USE;

/* Adds a leaf with the empty label at all levels below the root, unless there is one already. */
kith_status draft_add_missing(draft *d, kith_error *error);

/* Adds to `findings` whatever keeps the draft from being a tree whose labels each stand for one set
 * of leaves. Leaves must be distinct already. */
kith_status draft_validate(draft *d, kith_findings *findings, kith_error *error);

/* Is every label one run of neighbouring leaves, the same at all levels where it stands, inside one
 * run of the level above, and the highest level a single one? Then the draft is a tree whose leaves
 * are in depth-first order. Most drafts are, and this takes one pass. */
kith_status draft_in_order(bool *in_order, const draft *d, kith_error *error) KITH_MUST_USE;

#if KITH_DEBUG
void draft_check(const draft *d);
#endif

/* Makes the hierarchy of a draft that passed draft_validate. */
kith_status draft_finish(const draft *d, kith_hierarchy **hierarchy, kith_error *error);

static inline uint32_t draft_n_labels(const draft *d)
{
    return d->n_values + d->labels.count;
}

/* Valid until the next label is set. */
static inline const char *draft_text(const draft *d, uint32_t code)
{
    return code < d->n_values ? dictionary_text(d->values, code)
                              : intern_text(&d->labels, code - d->n_values);
}

static inline size_t draft_length(const draft *d, uint32_t code)
{
    return code < d->n_values ? dictionary_length(d->values, code)
                              : intern_length(&d->labels, code - d->n_values);
}

/* A label as it appears in messages. */
enum { DRAFT_QUOTED = 80 };
const char *draft_quoted(char out[DRAFT_QUOTED], const draft *d, uint32_t code);

static inline uint32_t draft_cell(const draft *d, uint32_t leaf, uint32_t level)
{
    ASSERT(leaf < d->n_leaves && level < d->n_levels);
    return d->cell[(uint64_t)leaf * d->n_levels + level];
}

#endif
