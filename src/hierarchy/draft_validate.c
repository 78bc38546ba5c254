/* Is a draft a tree, and does each of its labels stand for one set of leaves?
 *
 * The levels are checked from the leaves upwards. For every label the check knows the last level at
 * which it stood and for how many leaves; two sets are equal if they have the same size and share
 * as many leaves. */
#include <stdio.h>

#include "core/error.h"
#include "core/findings.h"
#include "hierarchy/draft.h"
#include "hierarchy/repeated_findings.h"

/* What is known of one label. */
typedef struct known {
    uint32_t row;       /* first row at the current level */
    uint32_t count;     /* leaves at the current level; 0: not seen there */
    uint32_t shared;    /* those that also have it at old_level */
    uint32_t old_row;   /* first row at old_level */
    uint32_t old_count; /* leaves at old_level; 0: stood at no lower level */
    uint8_t old_level;
    bool told; /* a second parent has been reported at this level */
} known;

typedef struct check {
    const draft *d;
    known *labels;
    uint32_t *seen; /* ids at the current level, in order of first row */
    uint32_t n_seen;
    repeated_findings parents, sets;
} check;

/* The leaves that have a label: first to end - 1. */
typedef struct run {
    uint32_t first, end; /* end 0: not met yet */
} run;

/* Where a label changes, those of all levels below must change as well. */
static bool go_through(const draft *d, run *runs)
{
    const uint32_t n_levels = d->n_levels;
    uint32_t first[HIERARCHY_MAX_LEVELS] = {0};
    for (uint32_t leaf = 1; leaf <= d->n_leaves; leaf++) {
        const uint32_t *before = d->cell + (uint64_t)(leaf - 1) * n_levels;
        bool changed = leaf == d->n_leaves;
        for (uint32_t level = n_levels; level-- > 0;) {
            const bool changes = leaf == d->n_leaves || before[level] != before[n_levels + level];
            if (changed && !changes)
                return false;
            if (!changes)
                continue;
            changed = true;
            run *r = &runs[before[level]]; /* which ends before this leaf */
            if (r->end == 0)
                *r = (run){first[level], leaf};
            if (r->first != first[level] || r->end != leaf)
                return false; /* it had another run before */
            first[level] = leaf;
        }
    }
    return true;
}

kith_status draft_in_order(bool *in_order, const draft *d, kith_error *error)
{
    run *runs = TRY_ZEROS(runs, d->scratch, draft_n_labels(d), error);
    *in_order = go_through(d, runs);
    const uint32_t root = draft_cell(d, 0, d->n_levels - 1);
    *in_order = *in_order && runs[root].first == 0 && runs[root].end == d->n_leaves;
    arena_release(d->scratch, runs, draft_n_labels(d) * sizeof *runs);
    return KITH_OK;
}

/* 0 for leaves that were built or added. */
static size_t line_of(const draft *d, uint32_t row)
{
    return d->line == NULL ? 0 : d->line[row];
}

/* "column 3 (line 7)" of a file, "level 2" of what was built. */
static const char *draft_validate_place(char out[DRAFT_QUOTED], const draft *d, uint32_t row,
                                        uint32_t level)
{
    if (d->file == NULL)
        snprintf(out, DRAFT_QUOTED, "level %u", level);
    else if (line_of(d, row) == 0)
        snprintf(out, DRAFT_QUOTED, "column %u (the missing value)", level + 1);
    else
        snprintf(out, DRAFT_QUOTED, "column %u (line %zu)", level + 1, line_of(d, row));
    return out;
}

/* Which leaves have which label at this level, and what is above them. */
static void scan_level(check *c, uint32_t level)
{
    const draft *d = c->d;
    char node[DRAFT_QUOTED], here[DRAFT_QUOTED], there[DRAFT_QUOTED];
    c->n_seen = 0;
    for (uint32_t row = 0; row < d->n_leaves; row++) {
        uint32_t id = draft_cell(d, row, level);
        known *k = &c->labels[id];
        if (k->count++ == 0) {
            k->row = row;
            k->shared = 0;
            k->told = false;
            c->seen[c->n_seen++] = id;
        } else if (level + 2 < d->n_levels && !k->told &&
                   draft_cell(d, row, level + 1) != draft_cell(d, k->row, level + 1)) {
            k->told = true;
            repeated_findings_add(
                &c->parents, line_of(d, row), "'%s' is below '%s' in line %zu, but below '%s' here",
                draft_quoted(node, d, id), draft_quoted(there, d, draft_cell(d, k->row, level + 1)),
                line_of(d, k->row), draft_quoted(here, d, draft_cell(d, row, level + 1)));
        }
        k->shared += k->old_count > 0 && draft_cell(d, row, k->old_level) == id;
    }
}

/* The same label for different sets at two levels. */
static void report_sets(check *c, uint32_t id, uint32_t level, const known *k)
{
    const draft *d = c->d;
    char label[DRAFT_QUOTED], old[DRAFT_QUOTED], other[DRAFT_QUOTED];
    if (k->count == k->old_count)
        snprintf(other, sizeof other, "other values");
    else
        snprintf(other, sizeof other, "%u", k->count);
    repeated_findings_add(
        &c->sets, line_of(d, k->row),
        "'%s' stands for %u value%s at %s and for %s at %s %u: a release shows only labels, "
        "so each must stand for one set of values",
        draft_quoted(label, d, id), k->old_count, k->old_count == 1 ? "" : "s",
        draft_validate_place(old, d, k->old_row, k->old_level), other,
        d->file == NULL ? "level" : "column", d->file == NULL ? level : level + 1);
}

/* Called after the scan of the last level: its labels are in seen[]. */
static void check_root(const check *c, kith_findings *findings)
{
    const draft *d = c->d;
    if (c->n_seen > 1) {
        char first[DRAFT_QUOTED], second[DRAFT_QUOTED];
        const known *other = &c->labels[c->seen[1]];
        findings_add(findings, KITH_SEVERITY_PROBLEM, d->file, line_of(d, other->row), 0,
                     "no root: the last column must have the same label (such as *) in every row, "
                     "but has %u, of them '%s' in line %zu and '%s' here",
                     c->n_seen, draft_quoted(first, d, c->seen[0]),
                     line_of(d, c->labels[c->seen[0]].row), draft_quoted(second, d, c->seen[1]));
    } else if (draft_length(d, c->seen[0]) == 0) {
        findings_add(findings, KITH_SEVERITY_PROBLEM, d->file, line_of(d, 0), 0,
                     "the last column is empty: it must hold the root's label, such as * (is there "
                     "a separator at the end of the line?)");
    }
}

/* Says what is wrong with a draft that is not in order. */
static kith_status check_levels(const draft *d, kith_findings *findings, kith_error *error)
{
    check c = {.d = d};
    c.parents = c.sets = (repeated_findings){
        .findings = findings, .file = d->file, .severity = KITH_SEVERITY_PROBLEM};
    c.labels = TRY_ZEROS(c.labels, d->scratch, draft_n_labels(d), error);
    c.seen = TRY_ARRAY(c.seen, d->scratch, draft_n_labels(d), error);
    for (uint32_t level = 0; level < d->n_levels; level++) {
        scan_level(&c, level);
        if (level + 1 == d->n_levels)
            check_root(&c, findings);
        /* Compares with the sets of lower levels, and makes this level the last one known. */
        for (uint32_t i = 0; i < c.n_seen; i++) {
            known *k = &c.labels[c.seen[i]];
            if (k->old_count > 0 && (k->count != k->old_count || k->shared != k->count))
                report_sets(&c, c.seen[i], level, k);
            k->old_row = k->row;
            k->old_count = k->count;
            k->old_level = (uint8_t)level;
            k->count = 0;
        }
    }
    repeated_findings_end(&c.parents, "nodes with two parents");
    repeated_findings_end(&c.sets, "labels that stand for several sets");
    arena_release(d->scratch, c.seen, draft_n_labels(d) * sizeof *c.seen);
    arena_release(d->scratch, c.labels, draft_n_labels(d) * sizeof *c.labels);
    return KITH_OK;
}

kith_status draft_validate(draft *d, kith_findings *findings, kith_error *error)
{
    CHECK(draft_check(d));
    /* An empty cell of a release means missing, so only the missing value may have empty labels. */
    uint32_t empty = draft_find(d, "", 0);
    repeated_findings t = {
        .findings = findings, .file = d->file, .severity = KITH_SEVERITY_PROBLEM};
    for (uint32_t row = 0; row < d->n_leaves && empty != INTERN_NONE; row++)
        for (uint32_t level = 1; level + 1 < d->n_levels && draft_cell(d, row, 0) != empty; level++)
            if (draft_cell(d, row, level) == empty) {
                char leaf[DRAFT_QUOTED];
                repeated_findings_add(
                    &t, line_of(d, row),
                    "the label above '%s' is empty, which in a release means a missing value",
                    draft_quoted(leaf, d, draft_cell(d, row, 0)));
                break;
            }
    repeated_findings_end(&t, "rows with empty labels");
    TRY(draft_in_order(&d->in_order, d, error));
    if (d->in_order && draft_length(d, draft_cell(d, 0, d->n_levels - 1)) > 0)
        return KITH_OK;
    return check_levels(d, findings, error);
}
