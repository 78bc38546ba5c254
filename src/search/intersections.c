#include "search/intersections.h"

#include <math.h>

#include "core/error.h"
#include "core/group_by_part.h"
#include "search/class_rules.h"
#include "search/local_run.h"
#include "search/suppress.h"

/* Classes of a partition that are being united: each is part of the class root_of() it. */
typedef struct unions {
    const problem *problem;
    const partition *classes;
    uint32_t n_united;
    uint32_t *part_of; /* [n_classes] itself: it is a root */
    uint32_t *size;    /* [n_classes] records of a root */
    uint32_t *closure; /* [n_classes * n_attributes] of a root */
    uint64_t *shown;   /* [n_classes * n_words] values that a root shows, as bits */
    uint32_t n_words;  /* for the values of all attributes of which some are asked for, */
    uint32_t *first;   /* [n_sensitive] of which each attribute has these words, */
    uint32_t *words;   /* [n_sensitive] so many; 0: nothing is asked of it */
    uint32_t *own;     /* [n_records] scratch: classes of a unit */
    class_rules rules;
} unions;

static uint32_t root_of(const unions *u, uint32_t class)
{
    while (u->part_of[class] != class) {
        u->part_of[class] = u->part_of[u->part_of[class]];
        class = u->part_of[class];
    }
    return class;
}

static kith_status unions_open(unions *u, const problem *p, const partition *classes, arena *memory,
                               kith_error *error)
{
    const uint32_t n = classes->n_classes;
    *u = (unions){.problem = p, .classes = classes};
    u->first = TRY_ARRAY(u->first, memory, p->n_sensitive, error);
    u->words = TRY_ARRAY(u->words, memory, p->n_sensitive, error);
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        u->first[s] = u->n_words;
        u->words[s] = p->common[s] == 0 ? 0 : (p->sensitive[s].count + 63) / 64;
        u->n_words += u->words[s];
    }
    u->part_of = TRY_ARRAY(u->part_of, memory, n, error);
    u->size = TRY_ZEROS(u->size, memory, n, error);
    u->closure = TRY_ARRAY(u->closure, memory, (size_t)n * p->n_attributes, error);
    u->shown = TRY_ZEROS(u->shown, memory, (size_t)n * u->n_words, error);
    u->own = TRY_ARRAY(u->own, memory, p->n_records, error);
    TRY(class_rules_init(&u->rules, p, memory, error));
    for (uint32_t c = 0; c < n; c++)
        u->part_of[c] = c;
    for (size_t i = 0; i < (size_t)n * p->n_attributes; i++)
        u->closure[i] = classes->closure[i];
    for (uint32_t i = 0; i < p->n_records; i++) {
        const uint32_t class = classes->class_of[i];
        if (class == PARTITION_SUPPRESSED)
            continue;
        u->size[class]++;
        for (uint32_t s = 0; s < p->n_sensitive; s++) {
            const uint32_t v = p->sensitive[s].values[i];
            if (u->words[s] > 0)
                u->shown[(size_t) class * u->n_words + u->first[s] + v / 64] |= UINT64_C(1)
                                                                                << v % 64;
        }
    }
    return KITH_OK;
}

/* Is every unit that is in these classes, two at least, left with enough values? */
static bool enough_in_common(const unions *u, const uint32_t *class, uint32_t n_classes)
{
    for (uint32_t s = 0; s < u->problem->n_sensitive; s++) {
        uint32_t n_common = 0;
        for (uint32_t w = 0; w < u->words[s]; w++) {
            uint64_t all = UINT64_MAX;
            for (uint32_t i = 0; i < n_classes; i++)
                all &= u->shown[(size_t) class[i] * u -> n_words + u -> first[s] + w];
            n_common += (uint32_t)__builtin_popcountll(all);
        }
        if (n_common < u->problem->common[s])
            return false;
    }
    return true;
}

static double class_cost(const unions *u, const uint32_t *closure)
{
    double cost = 0;
    for (uint32_t j = 0; j < u->problem->n_attributes; j++)
        cost += u->problem->attributes[j].cost[closure[j]];
    return cost;
}

/* How much two classes cost more as one; HUGE_VAL if that would show a forbidden level. */
static double union_price(const unions *u, uint32_t a, uint32_t b)
{
    const problem *p = u->problem;
    const uint32_t *x = u->closure + (size_t)a * p->n_attributes;
    const uint32_t *y = u->closure + (size_t)b * p->n_attributes;
    double cost = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *at = &p->attributes[j];
        const uint32_t node = tree_lca(at->tree, x[j], y[j]);
        if (at->tree->level[node] + at->n_forbidden >= at->tree->n_levels)
            return HUGE_VAL;
        cost += at->cost[node];
    }
    return cost * ((double)u->size[a] + u->size[b]) - class_cost(u, x) * u->size[a] -
           class_cost(u, y) * u->size[b];
}

static void intersections_unite(unions *u, uint32_t into, uint32_t from)
{
    const problem *p = u->problem;
    uint32_t *x = u->closure + (size_t)into * p->n_attributes;
    const uint32_t *y = u->closure + (size_t)from * p->n_attributes;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        x[j] = tree_lca(p->attributes[j].tree, x[j], y[j]);
    for (uint32_t w = 0; w < u->n_words; w++)
        u->shown[(size_t)into * u->n_words + w] |= u->shown[(size_t)from * u->n_words + w];
    u->size[into] += u->size[from];
    u->part_of[from] = into;
    u->n_united++;
}

static kith_status stuck(const problem *p, const char *what, kith_error *error)
{
    bool bounded = false;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        bounded = bounded || p->attributes[j].n_forbidden > 0;
    error_set(error, KITH_INFEASIBLE, "intersections: %s", what);
    return error_hint(error, KITH_INFEASIBLE,
                      bounded ? "max_level keeps classes apart: raise it"
                              : "allow less suppression: the whole table as one class would do");
}

/* Unites classes of one unit, of those that are cheapest together first, until enough values are
 * left. */
static kith_status unite_classes_of(unions *u, const uint32_t *record, uint32_t n_records,
                                    kith_error *error)
{
    for (;;) {
        uint32_t n = 0, into = UINT32_MAX, from = UINT32_MAX;
        double least = HUGE_VAL;
        for (uint32_t i = 0; i < n_records; i++) {
            const uint32_t class = u->classes->class_of[record[i]];
            uint32_t known = 0;
            if (class == PARTITION_SUPPRESSED)
                continue;
            u->own[n] = root_of(u, class);
            while (u->own[known] != u->own[n])
                known++;
            n += known == n;
        }
        if (n < 2 || enough_in_common(u, u->own, n))
            return KITH_OK;
        for (uint32_t i = 1; i < n; i++)
            for (uint32_t j = 0; j < i; j++) {
                const double price = union_price(u, u->own[i], u->own[j]);
                if (price < least) {
                    least = price;
                    into = u->own[i] < u->own[j] ? u->own[i] : u->own[j];
                    from = u->own[i] < u->own[j] ? u->own[j] : u->own[i];
                }
            }
        if (into == UINT32_MAX)
            return stuck(u->problem,
                         "the classes of a person have too few values in common, and no two of "
                         "them can be one",
                         error);
        intersections_unite(u, into, from);
    }
}

static kith_status unite_crossing(unions *u, arena *memory, kith_error *error)
{
    const problem *p = u->problem;
    uint32_t *start = TRY_ARRAY(start, memory, p->n_units + (size_t)2, error);
    uint32_t *record = TRY_ARRAY(record, memory, p->n_records, error);
    group_by_part(record, start, p->unit, p->n_units, NULL, p->n_records);
    for (uint32_t unit = 0; unit < p->n_units; unit++)
        TRY(unite_classes_of(u, record + start[unit], start[unit + 1] - start[unit], error));
    return KITH_OK;
}

/* Unites each class that breaks a model with the one with which that costs least. Unions of others
 * stay as they are until they have been looked at again. */
static kith_status unite_bad(unions *u, arena *memory, kith_error *error)
{
    const problem *p = u->problem;
    uint32_t *start, *record, n_shown = 0;
    uint32_t *shown = TRY_ARRAY(shown, memory, p->n_records, error);
    uint32_t *part = TRY_ARRAY(part, memory, p->n_records, error);
    start = TRY_ARRAY(start, memory, u->classes->n_classes + (size_t)2, error);
    record = TRY_ARRAY(record, memory, p->n_records, error);
    for (uint32_t i = 0; i < p->n_records; i++)
        if (u->classes->class_of[i] != PARTITION_SUPPRESSED) {
            part[n_shown] = u->classes->class_of[i];
            shown[n_shown++] = i;
        }
    group_by_part(record, start, part, u->classes->n_classes, shown, n_shown);
    for (uint32_t c = 0; c < u->classes->n_classes; c++) {
        uint32_t best = UINT32_MAX;
        double least = HUGE_VAL;
        if (u->part_of[c] != c || u->size[c] != start[c + 1] - start[c] ||
            class_rules_allow(&u->rules, record + start[c], u->size[c]))
            continue;
        for (uint32_t other = 0; other < u->classes->n_classes; other++) {
            const double price =
                u->part_of[other] != other || other == c ? HUGE_VAL : union_price(u, c, other);
            if (price < least) {
                least = price;
                best = other;
            }
        }
        if (best == UINT32_MAX)
            return stuck(p, "a class that was made of those of a person breaks a model", error);
        intersections_unite(u, best, c);
    }
    return KITH_OK;
}

/* One kind of union; the classes are closed afterwards. */
static kith_status unite_all(partition *classes, uint32_t *n_united, const problem *p,
                             kith_status (*step)(unions *u, arena *memory, kith_error *error),
                             context *c, kith_error *error)
{
    unions u;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    TRY(unions_open(&u, p, classes, memory, error));
    TRY(step(&u, memory, error));
    *n_united += u.n_united;
    for (uint32_t i = 0; i < p->n_records && u.n_united > 0; i++)
        if (classes->class_of[i] != PARTITION_SUPPRESSED)
            classes->class_of[i] = root_of(&u, classes->class_of[i]);
    return u.n_united > 0 ? partition_close(classes, p, c->memory, error) : KITH_OK;
}

kith_status intersections_close(partition *classes, const problem *p, context *c, kith_error *error)
{
    for (bool changed = true; changed;) {
        uint32_t n_united = 0;
        bool united = false, good;
        if (!context_progress(c, "uniting classes of one person", -1))
            return error_set(error, KITH_CANCELLED, "stopped");
        TRY(unite_all(classes, &n_united, p, unite_crossing, c, error));
        TRY(unite_all(classes, &n_united, p, unite_bad, c, error));
        TRY(partition_unite_equal(classes, p, c->memory, &united, error));
        const uint32_t n_suppressed = suppress_count(classes, p->n_records);
        TRY(local_run_unite_roots(classes, p, c->memory, &good, error));
        changed = n_united > 0 || united || suppress_count(classes, p->n_records) != n_suppressed;
    }
    return KITH_OK;
}
