/* Top-down specialization (Fung, Wang and Yu 2005; EGV 2.1), a heuristic: subtree recoding, that is
 * a cut through each hierarchy.
 *
 * Starts with all attributes at their roots and replaces a node of a cut by its children, again and
 * again, while few enough records end up in violating classes. It always takes the specialization
 * that gains most per bit of fragmentation. The effect of a specialization is a sum over classes;
 * only the terms of classes that were split are computed anew.
 *
 * Invariants: classes are stretches of `order`; node[class * n_attributes + j] is what a class
 * shows; offer[j][v] is the sum of what the classes that show v in attribute j would do if v were
 * specialized; `suppressed` records are in classes that do not hold. A wildcard stays at the root.
 * The tuples of a class ascend, which serves to count units: where models look at more than their
 * number every record is a tuple, in the order of units.
 */
#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/group_by_part.h"
#include "search/algorithms.h"
#include "search/lattice/monotone_models.h"
#include "search/lattice/tuples.h"
#include "search/lattice/unit_lists.h"
#include "search/unit_tallies.h"

/* What a specialization changes: the loss, the number of suppressed records, and the fragmentation
 * in bits. */
typedef struct effect {
    double gain, bits;
    int64_t suppressed;
    uint32_t n_classes;
} effect;

typedef struct top_down {
    const problem *problem; /* as in a checker (checker_internal.h), like the next */
    const problem *by_units;
    context *context;
    tuples tuples;
    monotone_models models;
    uint32_t *order;         /* [tuples] */
    uint32_t n_classes;      /* at most as many as tuples */
    uint32_t *start, *count; /* [tuples] of each class in `order` */
    uint32_t *size;          /* [tuples] in records */
    uint8_t *holds;          /* [tuples] */
    uint32_t *node;          /* [tuples * n_attributes] */
    effect *effect;          /* [tuples * n_attributes] of each class */
    effect **offer;          /* [n_attributes][n_nodes] */
    uint8_t **closed;        /* [n_attributes][n_nodes] was specialized, or never can be */
    uint64_t suppressed;
    uint32_t *part, *other; /* [tuples] scratch: part of a tuple, another order */
    uint32_t **value_count; /* [n_sensitive][values] */
    histogram *histogram;   /* [n_sensitive] */
    unit_marks marks;       /* of the class being judged, where nothing but units is counted */
    unit_order ordered;     /* otherwise every record is a tuple, in this order */
    unit_tallies tallies;
    uint32_t *closure;    /* [n_attributes] of the class being judged */
    uint32_t *part_start; /* [widest node + 3] */
    bool blanks;          /* classes that look like suppressed records violate (checker.h) */
} top_down;

static kith_status top_down_allocate(top_down *t, arena *memory, kith_error *error)
{
    const problem *p = t->problem;
    size_t n = t->tuples.count, n_cells = n * p->n_attributes;
    uint32_t widest = 0;
    t->order = TRY_ARRAY(t->order, memory, n, error);
    t->start = TRY_ARRAY(t->start, memory, n, error);
    t->count = TRY_ARRAY(t->count, memory, n, error);
    t->size = TRY_ARRAY(t->size, memory, n, error);
    t->holds = TRY_ARRAY(t->holds, memory, n, error);
    t->node = TRY_ARRAY(t->node, memory, n_cells, error);
    t->effect = TRY_ARRAY(t->effect, memory, n_cells, error);
    t->offer = TRY_ARRAY(t->offer, memory, p->n_attributes, error);
    t->closed = TRY_ARRAY(t->closed, memory, p->n_attributes, error);
    t->part = TRY_ARRAY(t->part, memory, n, error);
    t->other = TRY_ARRAY(t->other, memory, n, error);
    t->closure = TRY_ARRAY(t->closure, memory, p->n_attributes, error);
    t->value_count = TRY_ARRAY(t->value_count, memory, p->n_sensitive, error);
    t->histogram = TRY_ARRAY(t->histogram, memory, p->n_sensitive, error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const tree *h = p->attributes[j].tree;
        t->offer[j] = TRY_ALLOC(arena_zalloc(memory, h->n_nodes, sizeof **t->offer), error);
        t->closed[j] = TRY_ALLOC(arena_zalloc(memory, h->n_nodes, sizeof **t->closed), error);
        widest = h->n_leaves > widest ? h->n_leaves : widest;
    }
    for (uint32_t q = 0; q < p->n_sensitive; q++) {
        t->value_count[q] =
            TRY_ALLOC(arena_zalloc(memory, p->sensitive[q].count, sizeof **t->value_count), error);
        t->histogram[q] = (histogram){t->value_count[q], p->sensitive[q].count};
    }
    if (t->models.only_units)
        TRY(unit_marks_init(&t->marks, t->by_units, memory, error));
    else if (t->by_units != NULL)
        TRY(unit_tallies_init(&t->tallies, &t->ordered, t->by_units, memory, error));
    t->part_start = TRY_ARRAY(t->part_start, memory, (size_t)widest + 3, error);
    return KITH_OK;
}

/* First child of an inner node: the node of the level below with its first leaf. */
static uint32_t first_child(const tree *h, uint32_t node)
{
    return tree_up(h, h->first[node], h->level[node] - 1U);
}

/* Parts of a node: its children, and one for wildcards at the root. */
static uint32_t parts_of(const tree *h, uint32_t node)
{
    uint32_t last = tree_up(h, h->end[node] - 1, h->level[node] - 1U);
    return last - first_child(h, node) + 2;
}

/* Writes the tuples of a class to t->other, by the part of `node` they belong to; part i begins at
 * part_start[i]. */
static void sort_parts(top_down *t, uint32_t class, uint32_t j, uint32_t node)
{
    const tree *h = t->problem->attributes[j].tree;
    uint32_t n_parts = parts_of(h, node), first = first_child(h, node);
    const uint32_t *member = t->order + t->start[class], count = t->count[class];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t leaf = tuples_leaf(&t->tuples, member[i], j);
        t->part[i] =
            leaf == h->n_leaves ? n_parts - 1 : tree_up(h, leaf, h->level[node] - 1U) - first;
    }
    group_by_part(t->other, t->part_start, t->part, n_parts, member, count);
}

/* Counts the sensitive values of the tuples, or sets the counts back to zero. */
static void count_values(top_down *t, const uint32_t *member, uint32_t count, bool clear)
{
    const tuples *u = &t->tuples;
    for (uint32_t q = 0; t->models.values && q < t->problem->n_sensitive; q++)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t e = u->first[q][member[i]]; e < u->first[q][member[i] + 1]; e++) {
                uint32_t *n = &t->value_count[q][u->value[q][e]];
                *n = clear ? 0 : *n + u->times[q][e];
            }
}

/* Would these tuples be a good class with t->closure? A class that looks like suppressed records
 * may not be (checker.h). */
static bool top_down_judge(top_down *t, const uint32_t *member, uint32_t count, uint32_t size)
{
    const problem *p = t->problem;
    uint32_t n_roots = 0;
    for (uint32_t j = 0; t->blanks && j < p->n_attributes; j++)
        n_roots += t->closure[j] == tree_root(p->attributes[j].tree);
    if (size < p->k || (t->blanks && n_roots == p->n_attributes && size < p->n_records))
        return false;
    if (t->models.only_units) {
        unit_marks_begin(&t->marks);
        return unit_lists_count(&t->marks, &t->tuples, member, count, p->k) >= p->k;
    }
    if (t->by_units != NULL) {
        unit_tallies_count_one(&t->tallies, member, count);
        const class_view by_units = unit_tallies_view(&t->tallies, 0, t->closure);
        return monotone_models_judge(&t->models, &by_units).holds;
    }
    class_view view = {.size = size, .sensitive = t->histogram, .closure = t->closure};
    count_values(t, member, count, false);
    bool holds = monotone_models_judge(&t->models, &view).holds;
    count_values(t, member, count, true);
    return holds;
}

static uint32_t records_of(const top_down *t, const uint32_t *member, uint32_t count)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < count; i++)
        size += t->tuples.weight[member[i]];
    return size;
}

static double bits_of(uint32_t size)
{
    return size > 1 ? size * log2(size) : 0;
}

static double cost_of(const problem *p, const uint32_t *node)
{
    double cost = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        cost += p->attributes[j].cost[node[j]];
    return cost;
}

/* What specializing attribute j does to one class. */
static effect effect_on(top_down *t, uint32_t class, uint32_t j)
{
    const problem *p = t->problem;
    uint32_t *node = t->node + (size_t) class * p->n_attributes, from = node[j];
    const tree *h = p->attributes[j].tree;
    effect e = {.n_classes = 1};
    if (h->level[from] == 0)
        return e;
    sort_parts(t, class, j, from);
    double root = 0; /* what a record costs at the roots */
    for (uint32_t a = 0; a < p->n_attributes; a++)
        root += p->attributes[a].cost[tree_root(p->attributes[a].tree)];
    e.gain = t->size[class] * (t->holds[class] ? cost_of(p, node) : root);
    e.bits = bits_of(t->size[class]);
    e.suppressed = t->holds[class] ? 0 : -(int64_t)t->size[class];
    uint32_t n_parts = parts_of(h, from);
    memcpy(t->closure, node, p->n_attributes * sizeof *node);
    for (uint32_t i = 0; i < n_parts; i++) {
        const uint32_t *member = t->other + t->part_start[i];
        uint32_t count = t->part_start[i + 1] - t->part_start[i];
        if (count == 0)
            continue;
        uint32_t size = records_of(t, member, count);
        t->closure[j] = i + 1 == n_parts ? from : first_child(h, from) + i;
        bool holds = top_down_judge(t, member, count, size);
        e.gain -= size * (holds ? cost_of(p, t->closure) : root);
        e.bits -= bits_of(size);
        e.suppressed += holds ? 0 : size;
    }
    return e;
}

/* Computes the effects of a class and adds them to the offers. */
static void add_offers(top_down *t, uint32_t class)
{
    uint32_t n_attributes = t->problem->n_attributes;
    for (uint32_t j = 0; j < n_attributes; j++) {
        effect *own = &t->effect[(size_t) class * n_attributes + j];
        effect *offer = &t->offer[j][t->node[(size_t) class * n_attributes + j]];
        *own = effect_on(t, class, j);
        offer->gain += own->gain;
        offer->bits += own->bits;
        offer->suppressed += own->suppressed;
        offer->n_classes += own->n_classes;
    }
}

/* Splits a class by the parts of what it shows in attribute j; the first part keeps its number. */
static void top_down_split(top_down *t, uint32_t class, uint32_t j)
{
    uint32_t n_attributes = t->problem->n_attributes;
    uint32_t *node = t->node + (size_t) class * n_attributes, from = node[j];
    const tree *h = t->problem->attributes[j].tree;
    /* Subtracts the effects of a class that is about to be split. */
    for (uint32_t k = 0; k < n_attributes; k++) {
        const effect *own = &t->effect[(size_t) class * n_attributes + k];
        effect *offer = &t->offer[k][t->node[(size_t) class * n_attributes + k]];
        offer->gain -= own->gain;
        offer->bits -= own->bits;
        offer->suppressed -= own->suppressed;
        offer->n_classes -= own->n_classes;
    }
    sort_parts(t, class, j, from);
    memcpy(t->order + t->start[class], t->other, t->count[class] * sizeof *t->order);
    uint32_t n_parts = parts_of(h, from), begin = t->start[class], first_new = t->n_classes;
    bool reused = false;
    for (uint32_t i = 0; i < n_parts; i++) {
        uint32_t count = t->part_start[i + 1] - t->part_start[i];
        if (count == 0)
            continue;
        uint32_t to = reused ? t->n_classes++ : class;
        reused = true;
        uint32_t *shown = t->node + (size_t)to * n_attributes;
        memmove(shown, node, n_attributes * sizeof *node);
        shown[j] = i + 1 == n_parts ? from : first_child(h, from) + i;
        t->start[to] = begin + t->part_start[i];
        t->count[to] = count;
        t->size[to] = records_of(t, t->order + t->start[to], count);
        memcpy(t->closure, shown, n_attributes * sizeof *shown);
        t->holds[to] = top_down_judge(t, t->order + t->start[to], count, t->size[to]);
    }
    add_offers(t, class);
    for (uint32_t c = first_new; c < t->n_classes; c++)
        add_offers(t, c);
}

typedef struct choice {
    uint32_t axis, node; /* UINT32_MAX: none */
} choice;

/* An only child covers the same leaves as its parent; the release shows the lower node. */
static bool worthwhile(const tree *h, uint32_t node, const effect *e)
{
    return e->gain > 1e-9 || (parts_of(h, node) == 2 && e->gain > -1e-9);
}

/* The possible specialization with the most gain per bit. With monotone models one that is not
 * possible now never will be, because classes only get smaller; it is closed. */
static choice top_down_choose(top_down *t)
{
    const problem *p = t->problem;
    choice best = {UINT32_MAX, UINT32_MAX};
    double score = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        for (uint32_t v = p->attributes[j].tree->n_leaves; v < p->attributes[j].tree->n_nodes;
             v++) {
            const effect *e = &t->offer[j][v];
            if (t->closed[j][v] || e->n_classes == 0 || !worthwhile(p->attributes[j].tree, v, e))
                continue;
            if ((int64_t)t->suppressed + e->suppressed > (int64_t)p->may_suppress) {
                t->closed[j][v] = t->models.monotone;
                continue;
            }
            double now = e->gain / (e->bits + 1e-3);
            if (best.node == UINT32_MAX || now > score) {
                best = (choice){j, v};
                score = now;
            }
        }
    return best;
}

static void specialize(top_down *t, choice c)
{
    uint32_t before = t->n_classes;
    t->closed[c.axis][c.node] = 1;
    t->suppressed = (uint64_t)((int64_t)t->suppressed + t->offer[c.axis][c.node].suppressed);
    for (uint32_t class = 0; class < before; class ++)
        if (t->node[(size_t) class * t->problem->n_attributes + c.axis] == c.node)
            top_down_split(t, class, c.axis);
}

/* Makes one class of all records at the roots. */
static kith_status top_down_begin(top_down *t, kith_error *error)
{
    const problem *p = t->problem;
    for (uint32_t u = 0; u < t->tuples.count; u++)
        t->order[u] = u;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        t->node[j] = tree_root(p->attributes[j].tree);
    t->n_classes = 1;
    t->start[0] = 0;
    t->count[0] = t->tuples.count;
    t->size[0] = p->n_records;
    memcpy(t->closure, t->node, p->n_attributes * sizeof *t->node);
    t->holds[0] = top_down_judge(t, t->order, t->count[0], p->n_records);
    t->suppressed = t->holds[0] ? 0 : p->n_records;
    add_offers(t, 0);
    /* The cuts begin at the highest level that is allowed, whatever that costs. */
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const tree *h = p->attributes[j].tree;
        uint32_t end = h->level_start[h->n_levels - p->attributes[j].n_forbidden];
        for (uint32_t v = h->n_nodes; v-- > end;)
            specialize(t, (choice){j, v});
    }
    if (t->suppressed > p->may_suppress) {
        error_set(error, KITH_INFEASIBLE,
                  "the whole table %s does not meet the privacy models, and top-down "
                  "specialization begins there",
                  t->n_classes == 1 ? "as one class" : "at the highest levels allowed");
        return error_hint(error, KITH_INFEASIBLE, "flash finds what suppression can reach");
    }
    return KITH_OK;
}

/* Fills in what every record would show if it were not suppressed. */
static kith_status recode(top_down *t, search_result *result, const uint32_t *class_of_tuple,
                          kith_error *error)
{
    const problem *p = t->problem;
    if (t->suppressed == 0)
        return KITH_OK;
    result->recoded = TRY_ARRAY(result->recoded, t->context->memory,
                                (size_t)p->n_records * p->n_attributes, error);
    for (uint32_t i = 0; i < p->n_records; i++)
        memcpy(result->recoded + (size_t)i * p->n_attributes,
               t->node + (size_t)class_of_tuple[t->tuples.of[i]] * p->n_attributes,
               p->n_attributes * sizeof *result->recoded);
    return KITH_OK;
}

#if KITH_DEBUG
static void check_classes(const top_down *t)
{
    const problem *p = t->problem;
    uint64_t n_tuples = 0, suppressed = 0;
    for (uint32_t c = 0; c < t->n_classes; c++) {
        uint32_t size = 0;
        for (uint32_t i = 0; i < t->count[c]; i++) {
            uint32_t tuple = t->order[t->start[c] + i];
            size += t->tuples.weight[tuple];
            for (uint32_t j = 0; j < p->n_attributes; j++) {
                const tree *h = p->attributes[j].tree;
                uint32_t leaf = tuples_leaf(&t->tuples, tuple, j);
                ASSERT(tree_covers(h, t->node[(size_t)c * p->n_attributes + j],
                                   leaf == h->n_leaves ? tree_root(h) : leaf));
            }
        }
        ASSERT(size == t->size[c]);
        n_tuples += t->count[c];
        suppressed += t->holds[c] ? 0 : size;
    }
    ASSERT(n_tuples == t->tuples.count && suppressed == t->suppressed);
}
#endif

/* Turns the classes into a partition, numbered as their records appear. */
static kith_status top_down_finish(top_down *t, search_result *result, kith_error *error)
{
    const problem *p = t->problem;
    arena *memory = t->context->memory;
    CHECK(check_classes(t));
    uint32_t *class_of_tuple = t->other;
    partition *out = &result->partition;
    *out = (partition){.n_classes = t->n_classes, .closure = t->node};
    out->class_of = TRY_ARRAY(out->class_of, memory, p->n_records, error);
    for (uint32_t c = 0; c < t->n_classes; c++)
        for (uint32_t i = 0; i < t->count[c]; i++)
            class_of_tuple[t->order[t->start[c] + i]] = c;
    for (uint32_t i = 0; i < p->n_records; i++) {
        const uint32_t c = class_of_tuple[t->tuples.of[i]];
        out->class_of[i] = t->holds[c] ? c : PARTITION_SUPPRESSED;
    }
    TRY(partition_number(out, p, memory, error));
    return recode(t, result, class_of_tuple, error);
}

kith_status top_down_run(search_result *result, const problem *p, const search_spec *spec,
                         context *c, kith_error *error)
{
    (void)spec;
    top_down t = {.by_units = p->unit == NULL ? NULL : p, .context = c};
    TRY(monotone_models_init(&t.models, p, c->memory, error));
    TRY(unit_lists_problem(&t.problem, p, c->memory, error));
    if (p->unit != NULL && !t.models.only_units) {
        TRY(unit_order_make(&t.ordered, p, NULL, c->memory, error));
        TRY(tuples_build_apart(&t.tuples, t.problem, t.ordered.record, c->memory, error));
    } else
        TRY(tuples_build(&t.tuples, t.problem, t.models.values || p->unit != NULL, c->memory,
                         error));
    TRY(top_down_allocate(&t, c->memory, error));
    t.blanks = t.models.values && p->may_suppress > 0 && tuples_have_wildcards(&t.tuples);
    TRY(top_down_begin(&t, error));
    result->stopped = "no specialization";
    for (choice next; (next = top_down_choose(&t)).node != UINT32_MAX; specialize(&t, next))
        if (!context_progress(c, "search", -1)) {
            result->interrupted = true;
            result->stopped = "interrupted";
            break;
        }
    return top_down_finish(&t, result, error);
}
