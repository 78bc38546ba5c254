#include "protocol/joint_rules/united_classes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

typedef struct uniting {
    rows_result *result;
    const problem *mine;
    const joint_tree_rules *rules;
    uint32_t
        *into; /* [n_classes] the class that each becomes a part of: itself, or another such one */
    bool *of_several; /* [n_classes] united in this round */
} uniting;

static const uint32_t *closure_of(const uniting *u, uint32_t class)
{
    return u->result->closure + (size_t) class * u->mine->n_attributes;
}

static int compare_numbers(uint32_t x, uint32_t y)
{
    return (x > y) - (x < y);
}

/* By ranges, or by the leaves below nodes: two nodes with the same leaves may have the same label. */
static int compare_shown(const void *x, const void *y, void *user)
{
    const uniting *u = user;
    const rows_result *r = u->result;
    const size_t n = u->mine->n_attributes, i = *(const uint32_t *)x * n,
                 j = *(const uint32_t *)y * n;
    for (size_t a = 0; a < n; a++) {
        const tree *t = u->mine->attributes[a].tree;
        const uint32_t v = r->closure[i + a], w = r->closure[j + a];
        const int first = r->low == NULL ? compare_numbers(t->first[v], t->first[w])
                                         : compare_numbers(r->low[i + a], r->low[j + a]);
        const int last = r->low == NULL ? compare_numbers(t->end[v], t->end[w])
                                        : compare_numbers(r->high[i + a], r->high[j + a]);
        if (first != 0 || last != 0)
            return first != 0 ? first : last;
    }
    return 0;
}

static int compare_shown_then_number(const void *x, const void *y, void *user)
{
    const uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    const int shown = compare_shown(x, y, user);
    return shown != 0 ? shown : (i > j) - (i < j);
}

/* The place of a leaf in the order of values. */
static uint32_t united_classes_place_of(const attribute *a, uint32_t leaf)
{
    return a->rank == NULL ? leaf : a->rank[leaf];
}

/* What a class shows, together with another one. Ranges are of leaves, or one node is both ends. */
static void widen(const uniting *u, size_t to, size_t from)
{
    const size_t n = u->mine->n_attributes;
    rows_result *r = u->result;
    for (size_t i = 0; i < n; i++) {
        const attribute *a = &u->mine->attributes[i];
        uint32_t *closure = &r->closure[to * n + i];
        *closure = tree_lca(a->tree, *closure, r->closure[from * n + i]);
        if (r->low == NULL)
            continue;
        uint32_t *low = &r->low[to * n + i], *high = &r->high[to * n + i];
        const uint32_t other_low = r->low[from * n + i], other_high = r->high[from * n + i];
        const uint32_t n_leaves = a->tree->n_leaves;
        const bool leaves =
            *low < n_leaves && *high < n_leaves && other_low < n_leaves && other_high < n_leaves;
        if (*low == other_low && *high == other_high)
            continue;
        if (leaves && united_classes_place_of(a, other_low) < united_classes_place_of(a, *low))
            *low = other_low;
        if (leaves && united_classes_place_of(a, other_high) > united_classes_place_of(a, *high))
            *high = other_high;
        if (!leaves || !a->ordered ||
            (a->missing_last && united_classes_place_of(a, *high) == n_leaves - 1 && *low != *high))
            *low = *high = a->ordered ? tree_root(a->tree) : *closure;
    }
}

/* Puts the parts of classes together, which keep the order of their first ones. */
static void put_together(uniting *u)
{
    rows_result *r = u->result;
    const size_t n = u->mine->n_attributes;
    uint32_t kept = 0;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        uint32_t to = u->into[c];
        while (u->into[to] != to)
            to = u->into[to];
        if (to == c)
            continue;
        u->of_several[to] = true;
        r->size[to] += r->size[c];
        widen(u, to, c);
    }
    for (uint32_t c = 0; c < r->n_classes; c++)
        while (u->into[u->into[c]] != u->into[c])
            u->into[c] = u->into[u->into[c]];
    for (uint32_t i = 0; i < u->mine->n_records; i++)
        r->class_of[i] = u->into[r->class_of[i]];
    for (uint32_t c = 0; c < r->n_classes; c++) {
        if (u->into[c] != c)
            continue;
        memmove(r->closure + kept * n, r->closure + c * n, n * sizeof *r->closure);
        for (size_t a = 0; r->low != NULL && a < n; a++) {
            r->low[kept * n + a] = r->low[c * n + a];
            r->high[kept * n + a] = r->high[c * n + a];
        }
        r->size[kept] = r->size[c];
        u->of_several[kept] = u->of_several[c];
        u->into[c] = kept++; /* records know no others any more */
    }
    for (uint32_t i = 0; i < u->mine->n_records; i++)
        r->class_of[i] = u->into[r->class_of[i]];
    r->n_classes = kept;
}

static void stay_alone(uniting *u)
{
    for (uint32_t c = 0; c < u->result->n_classes; c++)
        u->into[c] = c;
}

/* The other class with which a union costs least per record. */
static uint32_t nearest(const uniting *u, uint32_t class)
{
    const problem *p = u->mine;
    uint32_t best = UINT32_MAX;
    double least = INFINITY;
    for (uint32_t c = 0; c < u->result->n_classes; c++) {
        double cost = 0;
        for (uint32_t a = 0; a < p->n_attributes; a++)
            cost += p->attributes[a].cost[tree_lca(p->attributes[a].tree, closure_of(u, class)[a],
                                                   closure_of(u, c)[a])];
        if (c != class && cost < least) {
            least = cost;
            best = c;
        }
    }
    return best;
}

/* Asks about the unions of this round; those that are not good become parts of the nearest class. */
static kith_status ask(uniting *u, party *p, const char *what, bool *good, arena *memory,
                       kith_error *error)
{
    const rows_result *r = u->result;
    const uint32_t width = u->rules->width;
    uint32_t *place = TRY_ARRAY(place, memory, r->n_classes, error), count = 0;
    for (uint32_t c = 0; c < r->n_classes; c++)
        place[c] = u->of_several[c] ? count++ : UINT32_MAX;
    *good = true;
    if (count == 0)
        return KITH_OK;
    uint32_t *tallies = TRY_ZEROS(tallies, memory, (size_t)count * width, error);
    uint64_t *bits = TRY_ZEROS(bits, memory, smc_words(count), error);
    for (uint32_t i = 0; i < u->mine->n_records; i++)
        if (place[r->class_of[i]] != UINT32_MAX)
            joint_tree_rules_count_row(u->rules, u->mine,
                                       tallies + (size_t)place[r->class_of[i]] * width, i);
    const joint_tree_questions q = {.count = count, .tallies = tallies, .exact = true};
    TRY(joint_tree_rules_ask(u->rules, p, bits, &q, error));
    party_learns(p, DISCLOSE_AGGREGATE, what, count);
    stay_alone(u);
    memset(u->of_several, 0, r->n_classes * sizeof *u->of_several);
    for (uint32_t c = 0; c < r->n_classes; c++) {
        if (place[c] == UINT32_MAX || smc_bit(bits, place[c]))
            continue;
        uint32_t other = nearest(u, c);
        if (other == UINT32_MAX) /* all records together: that was the first question */
            return error_set(error, KITH_PEER, "no union of classes keeps the models");
        *good = false;
        while (u->into[other] != other)
            other = u->into[other];
        u->into[c] = other; /* itself, if the other one has become a part of it */
    }
    put_together(u);
    return KITH_OK;
}

kith_status united_classes_make(rows_result *result, party *p, const problem *mine,
                                const joint_tree_rules *rules, const char *what, arena *memory,
                                kith_error *error)
{
    const bool may_break = rules->n_counts > 1 || (rules->matched && rules->min_others > 0);
    if (!rules->by_persons || !may_break)
        return KITH_OK;
    uniting u = {.result = result, .mine = mine, .rules = rules};
    u.into = TRY_ARRAY(u.into, memory, result->n_classes, error);
    u.of_several = TRY_ZEROS(u.of_several, memory, result->n_classes, error);
    for (bool good = false; !good;) {
        /* Unites what is shown alike. */
        const uint32_t n = u.result->n_classes;
        uint32_t *order = TRY_ARRAY(order, memory, n, error);
        for (uint32_t c = 0; c < n; c++)
            order[c] = c;
        stay_alone(&u);
        qsort_r(order, n, sizeof *order, compare_shown_then_number, &u);
        for (uint32_t i = 1; i < n; i++)
            if (compare_shown(&order[i - 1], &order[i], &u) == 0)
                u.into[order[i]] = u.into[order[i - 1]];
        put_together(&u);
        TRY(ask(&u, p, what, &good, memory, error));
    }
    return KITH_OK;
}
