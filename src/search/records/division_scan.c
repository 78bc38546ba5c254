/* Counting for a division: one scan for many sets, or for all groups that are under trial. */
#include <string.h>

#include "core/error.h"
#include "core/group_by_part.h"
#include "search/records/division_internal.h"
#include "search/unit_homes.h"
#include "search/whole_closure.h"

/* Records of a block are looked at in batches, so that what is known of them stays in the cache. */
enum { SLICE = 2048 };

/* Some records that belong to sets of the scan. */
typedef struct batch {
    uint32_t n;
    uint32_t record[SLICE]; /* ascending */
    uint32_t slot[SLICE];   /* set, or group */
} batch;

/* What is counted of a set in an attribute. */
typedef struct target {
    division_split offer;
    uint64_t *counts; /* NULL: nothing */
    uint32_t known;   /* the node whose children are counted */
} target;

typedef struct set_counts {
    const division_work *work;
    uint32_t n_sets;
    uint64_t *sizes;  /* [n_sets], and then the counts of all targets */
    size_t n_counts;  /* the sizes included */
    target *targets;  /* [n_attributes][n_sets] */
    uint32_t *common; /* [n_sets][n_attributes] of the records seen so far */
    batch now;
} set_counts;

/* Collects those of the next records that belong to sets which are being counted; returns where to
 * go on. */
static uint32_t collect(batch *s, const division *d, const record_block *b, uint32_t first)
{
    const uint32_t end = b->n - first < SLICE ? b->n : first + SLICE;
    s->n = 0;
    for (uint32_t i = first; i < end; i++) {
        s->record[s->n] = i;
        s->slot[s->n] = d->nodes[division_reach(d, b, i)].slot;
        s->n += s->slot[s->n] != DIVISION_NONE;
    }
    return end;
}

static void count_attribute(set_counts *c, const record_block *b, uint32_t a)
{
    const batch *s = &c->now;
    const tree *t = c->work->plan->trees[a];
    const uint32_t n_attributes = c->work->p->n_attributes;
    const target *targets = c->targets + (size_t)a * c->n_sets;
    for (uint32_t m = 0; m < s->n; m++) {
        const target *to = &targets[s->slot[m]];
        if (to->counts == NULL)
            continue;
        const uint32_t cell = b->cells[a][s->record[m]];
        to->counts[division_child(&to->offer, t, cell)]++;
        uint32_t *common = &c->common[(size_t)s->slot[m] * n_attributes + a];
        if (*common == WHOLE_CLOSURE_EMPTY)
            *common = cell;
        else if (*common != to->known) /* else it cannot rise any more */
            *common = tree_lca(t, *common, cell);
    }
}

static kith_status count_sets(void *user, const record_block *b, kith_error *error)
{
    (void)error;
    set_counts *c = user;
    const division_work *w = c->work;
    batch *s = &c->now;
    for (uint32_t first = 0; first < b->n;) {
        first = collect(s, w->plan, b, first);
        for (uint32_t m = 0; m < s->n; m++)
            c->sizes[s->slot[m]]++;
        for (uint32_t a = 0; a < w->p->n_attributes; a++)
            count_attribute(c, b, a);
    }
    return KITH_OK;
}

static bool wanted(const division_set *set, uint32_t a)
{
    return set->counts[a] == NULL && set->offers[a].n_children > 0;
}

uint64_t division_counts_wanted(const division_work *w, const division_set *set)
{
    uint64_t n = 0;
    for (uint32_t a = 0; a < w->p->n_attributes; a++)
        n += wanted(set, a) ? set->offers[a].n_children + 1 : 0;
    return n;
}

static kith_status open_counts(set_counts *c, division_set *sets, arena *memory, kith_error *error)
{
    const uint32_t n_attributes = c->work->p->n_attributes, n_sets = c->n_sets;
    c->n_counts = n_sets;
    for (uint32_t s = 0; s < n_sets; s++)
        c->n_counts += division_counts_wanted(c->work, &sets[s]);
    c->sizes = TRY_ZEROS(c->sizes, memory, c->n_counts, error);
    const size_t n = (size_t)n_sets * n_attributes;
    c->targets = TRY_ZEROS(c->targets, memory, n, error);
    c->common = TRY_ARRAY(c->common, memory, n, error);
    memset(c->common, 0xff, n * sizeof *c->common);
    uint64_t *counts = c->sizes + n_sets;
    for (uint32_t s = 0; s < n_sets; s++)
        for (uint32_t a = 0; a < n_attributes; a++) {
            if (!wanted(&sets[s], a))
                continue;
            sets[s].counts[a] = counts;
            c->targets[(size_t)a * n_sets + s] =
                (target){sets[s].offers[a], counts, sets[s].common[a]};
            counts += sets[s].offers[a].n_children + 1;
        }
    return KITH_OK;
}

/* A file or a database may have changed since the records were counted. */
static kith_status changed(uint64_t found, uint64_t expected, kith_error *error)
{
    return error_set(error, KITH_DATA,
                     "the data changed while they were divided: %llu records where there were %llu "
                     "before",
                     (unsigned long long)found, (unsigned long long)expected);
}

/* Takes what was counted. Where the records turn out to have a lower node in common, those below
 * it are to be counted yet. */
static kith_status take_counts(const set_counts *c, division_set *set, uint32_t slot,
                               kith_error *error)
{
    const division_work *w = c->work;
    const uint32_t n_attributes = w->p->n_attributes;
    const uint64_t expected = w->plan->nodes[set->node].size;
    if (c->sizes[slot] != expected)
        return changed(c->sizes[slot], expected, error);
    for (uint32_t a = 0; a < n_attributes; a++) {
        const uint32_t common = c->common[(size_t)slot * n_attributes + a];
        if (c->targets[(size_t)a * c->n_sets + slot].counts == NULL || common == set->common[a])
            continue;
        if (!tree_covers(w->plan->trees[a], set->common[a], common))
            return changed(0, expected, error);
        division_set_common(w, set, a, common);
    }
    return KITH_OK;
}

kith_status division_scan_sets(const division_work *w, division_set *sets, uint32_t n_sets,
                               arena *memory, kith_error *error)
{
    set_counts *c = TRY_ZEROS(c, memory, 1, error);
    c->work = w;
    c->n_sets = n_sets;
    TRY(open_counts(c, sets, memory, error));
    for (uint32_t s = 0; s < n_sets; s++)
        w->plan->nodes[sets[s].node].slot = s;
    kith_status status = w->scan->run(w->scan->user, count_sets, c, error);
    for (uint32_t s = 0; s < n_sets; s++)
        w->plan->nodes[sets[s].node].slot = DIVISION_NONE;
    TRY(status);
    TRY(ranks_sum(w->context->ranks, c->sizes, c->n_counts, error));
    TRY(whole_closure(c->common, n_sets, w->p, w->context->ranks, memory, error));
    for (uint32_t s = 0; s < n_sets; s++)
        TRY(take_counts(c, &sets[s], s, error));
    return KITH_OK;
}

typedef struct group_counts {
    const division_work *work;
    const division_set *sets;
    uint64_t *counts;   /* [groups][n_values] */
    uint32_t *closures; /* [groups][n_attributes]; NULL: not needed */
    /* [n_members] records and their groups; NULL: not needed */
    uint32_t *record, *group;
    uint32_t n_members;
    batch now;
} group_counts;

static kith_status count_groups(void *user, const record_block *b, kith_error *error)
{
    (void)error;
    group_counts *g = user;
    const division_work *w = g->work;
    batch *s = &g->now;
    for (uint32_t first = 0; first < b->n;) {
        first = collect(s, w->plan, b, first);
        for (uint32_t m = 0; m < s->n; m++) { /* from sets to their groups */
            const division_set *set = &g->sets[s->slot[m]];
            const uint32_t a = set->split.attribute;
            s->slot[m] = set->first_group +
                         division_follow(&set->split, w->plan->trees[a], b->cells[a][s->record[m]]);
        }
        for (uint32_t m = 0; m < s->n && g->record != NULL; m++) {
            g->record[g->n_members] = b->first + s->record[m];
            g->group[g->n_members++] = s->slot[m];
        }
        uint64_t *counts = g->counts;
        for (uint32_t v = 0; v < w->p->n_sensitive; v++) {
            if (!w->rules.uses_sensitive[v] || g->record != NULL)
                continue;
            for (uint32_t m = 0; m < s->n; m++)
                counts[(size_t)s->slot[m] * w->n_values + b->sensitive[v][s->record[m]]]++;
            counts += w->p->sensitive[v].count;
        }
        if (g->closures != NULL) {
            const problem *p = g->work->p;
            for (uint32_t a = 0; a < p->n_attributes; a++)
                for (uint32_t m = 0; m < g->now.n; m++) {
                    const uint32_t cell = b->cells[a][g->now.record[m]];
                    uint32_t *node = &g->closures[(size_t)g->now.slot[m] * p->n_attributes + a];
                    *node = *node == WHOLE_CLOSURE_EMPTY
                                ? cell
                                : tree_lca(p->attributes[a].tree, *node, cell);
                }
        }
    }
    return KITH_OK;
}

/* Brings the members of each group together. */
static kith_status list_members(group_counts *g, division_set *sets, uint32_t n_sets,
                                uint32_t n_groups, arena *memory, kith_error *error)
{
    const division_work *w = g->work;
    kith_ranks *ranks = w->context->ranks;
    if (ranks_count(ranks) > 1) {
        unit_homes home;
        TRY(unit_homes_bring(&home, w->p, g->record, g->group, g->n_members, n_groups, ranks,
                             memory, error));
        *w->counted = home.records;
        g->group = home.group;
        g->n_members = home.records.n_records;
        g->record = NULL; /* one after the other */
    }
    uint32_t *member = TRY_ARRAY(member, memory, g->n_members, error);
    uint32_t *start = TRY_ARRAY(start, memory, n_groups + (size_t)2, error);
    group_by_part(member, start, g->group, n_groups, g->record, g->n_members);
    for (uint32_t s = 0; s < n_sets; s++)
        for (uint32_t i = 0; i < sets[s].n_groups; i++) {
            const uint32_t at = sets[s].first_group + i;
            sets[s].groups[i].members = member + start[at];
            sets[s].groups[i].n_members = start[at + 1] - start[at];
        }
    return KITH_OK;
}

kith_status division_scan_groups(const division_work *w, division_set *sets, uint32_t n_sets,
                                 arena *memory, kith_error *error)
{
    size_t n_groups = 0;
    group_counts *g = TRY_ZEROS(g, memory, 1, error);
    g->work = w;
    g->sets = sets;
    for (uint32_t s = 0; s < n_sets; s++) {
        w->plan->nodes[sets[s].node].slot = s;
        sets[s].first_group = (uint32_t)n_groups;
        n_groups += sets[s].n_groups;
    }
    g->counts = TRY_ZEROS(g->counts, memory, n_groups * w->n_values, error);
    const size_t n_nodes = n_groups * w->p->n_attributes;
    if (w->rules.closures) {
        g->closures = TRY_ARRAY(g->closures, memory, n_nodes, error);
        memset(g->closures, 0xff, n_nodes * sizeof *g->closures);
    }
    if (w->rules.by_units) {
        g->record = TRY_ARRAY(g->record, memory, w->p->n_records, error);
        g->group = TRY_ARRAY(g->group, memory, w->p->n_records, error);
    }
    kith_status status = w->scan->run(w->scan->user, count_groups, g, error);
    for (uint32_t s = 0; s < n_sets; s++)
        w->plan->nodes[sets[s].node].slot = DIVISION_NONE;
    TRY(status);
    TRY(ranks_sum(w->context->ranks, g->counts, n_groups * w->n_values, error));
    if (g->closures != NULL)
        TRY(whole_closure(g->closures, (uint32_t)n_groups, w->p, w->context->ranks, memory, error));
    if (w->rules.by_units)
        TRY(list_members(g, sets, n_sets, (uint32_t)n_groups, memory, error));
    for (uint32_t s = 0; s < n_sets; s++)
        for (uint32_t i = 0; i < sets[s].n_groups; i++) {
            const size_t at = sets[s].first_group + (size_t)i;
            sets[s].groups[i].counts = g->counts + at * w->n_values;
            if (g->closures != NULL)
                sets[s].groups[i].closure = g->closures + at * w->p->n_attributes;
        }
    return KITH_OK;
}
