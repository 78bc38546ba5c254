/* In a class, the records outside the largest child of its closure in one attribute are what keeps
 * that attribute from being finer. For every attribute the gain of giving them up is computed; the
 * set with the highest gain per record goes, and the rest of the class is looked at again. */
#include "search/suppress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/group_by_part.h"
#include "search/class_rules.h"

/* Readmission compares every suppressed record with every class. */
static const uint64_t max_comparisons = (uint64_t)1 << 28;

static double root_cost(const problem *q)
{
    double sum = 0;
    for (uint32_t j = 0; j < q->n_attributes; j++)
        sum += q->attributes[j].cost[tree_root(q->attributes[j].tree)];
    return sum;
}

static double nodes_cost(const problem *q, const uint32_t *nodes)
{
    double sum = 0;
    for (uint32_t j = 0; j < q->n_attributes; j++)
        sum += q->attributes[j].cost[nodes[j]];
    return sum;
}

double suppress_cost(const partition *p, const problem *q)
{
    double sum = 0, root = root_cost(q);
    for (uint32_t i = 0; i < q->n_records; i++)
        sum += p->class_of[i] == PARTITION_SUPPRESSED
                   ? root
                   : nodes_cost(q, p->closure + (size_t)p->class_of[i] * q->n_attributes);
    return sum;
}

uint32_t suppress_count(const partition *p, uint32_t n_records)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n_records; i++)
        count += p->class_of[i] == PARTITION_SUPPRESSED;
    return count;
}

/* Members of all classes; the last part are the suppressed records. */
typedef struct listing {
    uint32_t *order, *start;
} listing;

/* Work on one class: members[0 … size-1] are in it. */
typedef struct class_work {
    const problem *problem;
    const class_rules *rules; /* NULL: any rest will do */
    uint32_t *members;        /* [n_records] */
    uint32_t size;
    uint32_t *closure, *rest; /* [n_attributes] */
    uint32_t *count;          /* [widest tree] zero between calls */
    uint32_t *trial, *best;   /* [n_records] members, the kept ones first */
    double root;
} class_work;

static kith_status open_work(class_work *w, const problem *q, arena *memory, kith_error *error)
{
    uint32_t widest = 0;
    for (uint32_t j = 0; j < q->n_attributes; j++)
        if (q->attributes[j].tree->n_nodes > widest)
            widest = q->attributes[j].tree->n_nodes;
    *w = (class_work){.problem = q, .root = root_cost(q)};
    w->members = TRY_ARRAY(w->members, memory, q->n_records, error);
    w->trial = TRY_ARRAY(w->trial, memory, q->n_records, error);
    w->best = TRY_ARRAY(w->best, memory, q->n_records, error);
    w->closure = TRY_ARRAY(w->closure, memory, q->n_attributes, error);
    w->rest = TRY_ARRAY(w->rest, memory, q->n_attributes, error);
    w->count = TRY_ZEROS(w->count, memory, widest, error);
    return KITH_OK;
}

static void close_members(uint32_t *closure, const problem *q, const uint32_t *members,
                          uint32_t size)
{
    for (uint32_t j = 0; j < q->n_attributes; j++) {
        const attribute *a = &q->attributes[j];
        closure[j] = a->cells[members[0]];
        for (uint32_t i = 1; i < size; i++)
            closure[j] = tree_lca(a->tree, closure[j], a->cells[members[i]]);
    }
}

/* The child of `node` above a cell; the node itself if the cell is not below a child. */
static uint32_t child_above(const tree *t, uint32_t node, uint32_t cell)
{
    return cell == node ? node : tree_up(t, t->first[cell], t->level[node] - 1U);
}

/* Divides the members into those below the largest child in attribute j, which come first in
 * trial[], and the others; returns how many are kept, or all if there is nothing to divide. */
static uint32_t suppress_divide(class_work *w, uint32_t j)
{
    const attribute *a = &w->problem->attributes[j];
    uint32_t node = w->closure[j], largest = node, kept = 0, others = w->size;
    if (a->tree->level[node] == 0)
        return w->size;
    for (uint32_t i = 0; i < w->size; i++)
        w->count[child_above(a->tree, node, a->cells[w->members[i]])]++;
    for (uint32_t i = 0; i < w->size; i++) {
        uint32_t child = child_above(a->tree, node, a->cells[w->members[i]]);
        if (child != node && (largest == node || w->count[child] > w->count[largest] ||
                              (child < largest && w->count[child] == w->count[largest])))
            largest = child;
    }
    for (uint32_t i = 0; i < w->size; i++) {
        uint32_t child = child_above(a->tree, node, a->cells[w->members[i]]);
        if (child == largest && child != node)
            w->trial[kept++] = w->members[i];
        else
            w->trial[--others] = w->members[i];
    }
    for (uint32_t i = 0; i < w->size; i++)
        w->count[child_above(a->tree, node, a->cells[w->members[i]])] = 0;
    return kept;
}

/* May these records be a class? */
static bool is_good(const class_work *w, const uint32_t *members, uint32_t size)
{
    return w->rules == NULL ||
           (size >= class_rules_min_size(w->problem) && class_rules_allow(w->rules, members, size));
}

/* Finds the best set of records to give up: afterwards members[] has the kept ones first, and the
 * return value is how many these are; the size of the class if no set gains anything. *gain is per
 * record given up. */
static uint32_t best_rest(class_work *w, uint32_t room, double *gain)
{
    const problem *q = w->problem;
    double cost = nodes_cost(q, w->closure);
    uint32_t best = w->size;
    *gain = 0;
    for (uint32_t j = 0; j < q->n_attributes; j++) {
        uint32_t kept = suppress_divide(w, j), gone = w->size - kept;
        if (kept == 0 || gone == 0 || gone > room || !is_good(w, w->trial, kept))
            continue;
        close_members(w->rest, q, w->trial, kept);
        double saved = kept * (cost - nodes_cost(q, w->rest)) - gone * (w->root - cost);
        if (saved / gone <= *gain * (1 + 1e-12) + 1e-12)
            continue;
        *gain = saved / gone;
        best = kept;
        memcpy(w->best, w->trial, w->size * sizeof *w->best);
    }
    if (best < w->size)
        memcpy(w->members, w->best, w->size * sizeof *w->members);
    return best;
}

/* A record that could go, and what that gains. Records of one set share `set`. */
typedef struct candidate {
    double gain;
    uint32_t set, record;
} candidate;

static int by_gain(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->gain != y->gain)
        return x->gain > y->gain ? -1 : 1;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

/* Lists the sets of one class. A set counts for no more than those before it, because it can only
 * go after them. */
static void list_class(class_work *w, const listing *l, uint32_t class, uint32_t room,
                       candidate *all, uint32_t *count, uint32_t *n_sets)
{
    double gain, limit = 1e300;
    w->size = l->start[class + 1] - l->start[class];
    memcpy(w->members, l->order + l->start[class], w->size * sizeof *w->members);
    while (w->size > 1) {
        close_members(w->closure, w->problem, w->members, w->size);
        uint32_t kept = best_rest(w, room, &gain);
        if (kept == w->size)
            return;
        limit = gain < limit ? gain : limit;
        for (uint32_t i = kept; i < w->size; i++)
            all[(*count)++] = (candidate){limit, *n_sets, w->members[i]};
        ++*n_sets;
        w->size = kept;
    }
}

/* All sets that gain something, best first, as many whole ones as there is room for. */
static kith_status list_sets(candidate **list, uint32_t *count, uint32_t room, class_work *w,
                             const partition *p, arena *memory, kith_error *error)
{
    listing l = {NULL, NULL};
    uint32_t n_sets = 0, taken = 0;
    *count = 0;
    uint32_t *part = TRY_ARRAY(part, memory, w->problem->n_records, error);
    l.order = TRY_ARRAY(l.order, memory, w->problem->n_records, error);
    l.start = TRY_ARRAY(l.start, memory, p->n_classes + (size_t)3, error);
    for (uint32_t i = 0; i < w->problem->n_records; i++)
        part[i] = p->class_of[i] == PARTITION_SUPPRESSED ? p->n_classes : p->class_of[i];
    group_by_part(l.order, l.start, part, p->n_classes + 1, NULL, w->problem->n_records);
    *list = TRY_ARRAY(*list, memory, w->problem->n_records, error);
    for (uint32_t class = 0; class < p->n_classes; class ++)
        list_class(w, &l, class, room, *list, count, &n_sets);
    qsort(*list, *count, sizeof **list, by_gain);
    while (taken < *count) {
        uint32_t end = taken;
        while (end < *count && (*list)[end].set == (*list)[taken].set)
            end++;
        if (end > room)
            break;
        taken = end;
    }
    *count = taken;
    return KITH_OK;
}

kith_status suppress_candidates(uint32_t *list, uint32_t *count, uint32_t room, const partition *p,
                                const problem *q, arena *memory, kith_error *error)
{
    class_work w;
    candidate *all;
    TRY(open_work(&w, q, memory, error));
    TRY(list_sets(&all, count, room, &w, p, memory, error));
    for (uint32_t i = 0; i < *count; i++)
        list[i] = all[i].record;
    return KITH_OK;
}

kith_status suppress_peel(partition *p, uint32_t room, const problem *q, arena *memory,
                          kith_error *error)
{
    class_work w;
    class_rules rules;
    candidate *all;
    uint32_t count;
    TRY(open_work(&w, q, memory, error));
    TRY(class_rules_init(&rules, q, memory, error));
    w.rules = &rules;
    TRY(list_sets(&all, &count, room, &w, p, memory, error));
    for (uint32_t i = 0; i < count; i++)
        p->class_of[all[i].record] = PARTITION_SUPPRESSED;
    return count == 0 ? KITH_OK : partition_close(p, q, memory, error);
}

/* What it costs if a record joins a class, beyond what the class costs now; infinite if the class
 * would show a level that is forbidden. */
static double joining_cost(const problem *q, const uint32_t *closure, double cost, uint32_t size,
                           uint32_t record)
{
    double joint = 0;
    for (uint32_t j = 0; j < q->n_attributes; j++) {
        const attribute *a = &q->attributes[j];
        uint32_t node = tree_lca(a->tree, closure[j], a->cells[record]);
        if (a->tree->level[node] + a->n_forbidden >= a->tree->n_levels)
            return INFINITY;
        joint += a->cost[node];
    }
    return joint + size * (joint - cost);
}

/* Of all classes the one where a record costs least, UINT32_MAX if that is not less than its
 * suppression. */
static uint32_t best_class(const class_work *w, const partition *p, const uint32_t *size,
                           const double *cost, uint32_t record)
{
    uint32_t best = UINT32_MAX;
    double least = w->root * (1 - 1e-9);
    for (uint32_t class = 0; class < p->n_classes; class ++) {
        const uint32_t *closure = p->closure + (size_t) class * w->problem->n_attributes;
        double joining = joining_cost(w->problem, closure, cost[class], size[class], record);
        if (joining < least) {
            least = joining;
            best = class;
        }
    }
    return best;
}

/* Only models that no further record can break let a record join without a look at the class. */
static bool any_may_join(const problem *q)
{
    for (uint32_t m = 0; m < q->n_models; m++)
        if (q->models[m].id != MODEL_K_ANONYMITY)
            return false;
    return true;
}

kith_status suppress_readmit(partition *p, const problem *q, arena *memory, kith_error *error)
{
    class_work w;
    uint32_t n_suppressed = suppress_count(p, q->n_records);
    bool joined = false;
    if (n_suppressed == 0 || (uint64_t)n_suppressed * p->n_classes > max_comparisons ||
        !any_may_join(q))
        return KITH_OK;
    TRY(open_work(&w, q, memory, error));
    uint32_t *size = TRY_ZEROS(size, memory, p->n_classes, error);
    double *cost = TRY_ARRAY(cost, memory, p->n_classes, error);
    for (uint32_t i = 0; i < q->n_records; i++)
        if (p->class_of[i] != PARTITION_SUPPRESSED)
            size[p->class_of[i]]++;
    for (uint32_t class = 0; class < p->n_classes; class ++)
        cost[class] = nodes_cost(q, p->closure + (size_t) class * q->n_attributes);
    for (uint32_t i = 0; i < q->n_records; i++) {
        if (p->class_of[i] != PARTITION_SUPPRESSED)
            continue;
        uint32_t class = best_class(&w, p, size, cost, i);
        if (class == UINT32_MAX)
            continue;
        uint32_t *closure = p->closure + (size_t) class * q->n_attributes;
        for (uint32_t j = 0; j < q->n_attributes; j++)
            closure[j] = tree_lca(q->attributes[j].tree, closure[j], q->attributes[j].cells[i]);
        cost[class] = nodes_cost(q, closure);
        size[class]++;
        p->class_of[i] = class;
        joined = true;
    }
    return joined ? partition_close(p, q, memory, error) : KITH_OK;
}
