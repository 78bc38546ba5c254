#include "protocol/joint_tree/joint_tree_close.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"
#include "protocol/joint_tree/joint_tree_votes.h"

enum { NONE = UINT32_MAX };

/* --- closures of loose leaves --- */

static int compare_nodes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Can a class lie below this node at all? Not below a value that too few records have, as the first
 * root said, nor below a forbidden one. */
static bool may_close(const joint_tree *f, uint32_t a, uint32_t node)
{
    const tree *t = f->problem->attributes[a].tree;
    if (f->forbidden[a] != NULL && f->forbidden[a][node])
        return false;
    if (!f->rules->grows || f->rules->slack > 0 || f->worth[a][tree_root(t)] < 0)
        return true;
    uint32_t top = tree_up(t, t->first[node], t->n_levels - 2);
    return f->n_alive[a] > 0 &&
           bsearch(&top, f->alive[a], f->n_alive[a], sizeof top, compare_nodes) != NULL;
}

/* Calls for every candidate below a bound, level by level downwards. Without `read` it says whether
 * all of my records lie there; with it, it reads the answers into *closure. */
static kith_status visit_below(const joint_tree *f, uint32_t a, uint32_t *closure, uint32_t mine,
                               joint_tree_votes *v, size_t *read, kith_error *error)
{
    const tree *t = f->problem->attributes[a].tree;
    const uint32_t bound = *closure;
    for (uint32_t level = t->level[bound]; level-- > 0;) {
        uint32_t end = tree_up(t, t->end[bound] - 1, level);
        for (uint32_t node = tree_up(t, t->first[bound], level); node <= end; node++) {
            if (!may_close(f, a, node))
                continue;
            if (read == NULL)
                TRY(joint_tree_votes_add(v, mine == NONE || tree_covers(t, node, mine), error));
            else if (smc_bit(v->bits, (*read)++))
                *closure = node;
        }
    }
    return KITH_OK;
}

/* Closures of this party's own records in the loose leaves. */
static void own_closures(const joint_tree *f, uint32_t *mine)
{
    const uint32_t n = f->problem->n_attributes, n_leaves = f->n_leaves - f->loose_from;
    memset(mine, 0xFF, (size_t)n_leaves * n * sizeof *mine);
    for (uint32_t i = 0; i < f->problem->n_records; i++) {
        if (f->class_of[i] == NONE || f->class_of[i] < f->loose_from)
            continue;
        uint32_t *closure = mine + (size_t)(f->class_of[i] - f->loose_from) * n;
        for (uint32_t a = 0; a < n; a++)
            closure[a] = closure[a] == NONE
                             ? f->cells[a][i]
                             : tree_lca(f->problem->attributes[a].tree, closure[a], f->cells[a][i]);
    }
}

static kith_status close_loose(joint_tree *f, joint_tree_votes *v, kith_error *error)
{
    const uint32_t n = f->problem->n_attributes, n_leaves = f->n_leaves - f->loose_from;
    uint32_t *mine = arena_array(v->memory, (size_t)n_leaves * n, sizeof *mine);
    uint32_t *closure = f->closure + (size_t)f->loose_from * n;
    TRY_ALLOC(mine, error);
    own_closures(f, mine);
    for (size_t i = 0; i < (size_t)n_leaves * n; i++)
        TRY(visit_below(f, (uint32_t)(i % n), &closure[i], mine[i], v, NULL, error));
    TRY(joint_tree_votes_join(v, f->party, error));
    size_t read = 0;
    for (size_t i = 0; i < (size_t)n_leaves * n; i++)
        TRY(visit_below(f, (uint32_t)(i % n), &closure[i], NONE, v, &read, error));
    party_learns(f->party, DISCLOSE_AGGREGATE, "closures", (uint64_t)n_leaves * n);
    return KITH_OK;
}

kith_status joint_tree_close_loose(joint_tree *f, kith_error *error)
{
    if (f->loose_from >= f->n_leaves)
        return KITH_OK;
    joint_tree_votes v = {.memory = arena_new()};
    TRY_ALLOC(v.memory, error);
    kith_status status = close_loose(f, &v, error);
    arena_free(v.memory);
    return status;
}

/* --- leftovers --- */

typedef struct ranked {
    double cost;
    uint32_t leaf;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

/* Leaves by closure cost per record, the highest first. */
static kith_status rank(const joint_tree *f, ranked **out, arena *memory, kith_error *error)
{
    const uint32_t n = f->problem->n_attributes;
    ranked *order = TRY_ALLOC(arena_array(memory, f->n_leaves, sizeof *order), error);
    for (uint32_t l = 0; l < f->n_leaves; l++) {
        order[l] = (ranked){0, l};
        for (uint32_t a = 0; a < n; a++)
            order[l].cost += f->problem->attributes[a].cost[f->closure[(size_t)l * n + a]];
    }
    qsort(order, f->n_leaves, sizeof *order, compare_ranked);
    *out = order;
    return KITH_OK;
}

/* Tallies of hosts with the leftovers: of single leaves, or of the first 2, 3, … together. */
typedef struct hosts {
    uint32_t *leaf; /* [n_leaves * width] tallies in order of rank */
    uint32_t *leftovers;
    bool together;
    arena *memory;
} hosts;

static kith_status tally_all(const joint_tree *f, hosts *h, const ranked *order, kith_error *error)
{
    const uint32_t width = f->rules->width;
    uint32_t *place = TRY_ALLOC(arena_array(h->memory, f->n_leaves, sizeof *place), error);
    h->leaf =
        TRY_ALLOC(arena_zalloc(h->memory, (size_t)f->n_leaves * width, sizeof *h->leaf), error);
    h->leftovers = TRY_ALLOC(arena_zalloc(h->memory, width, sizeof *h->leftovers), error);
    for (uint32_t l = 0; l < f->n_leaves; l++)
        place[order[l].leaf] = l;
    for (uint32_t i = 0; i < f->problem->n_records; i++)
        if (f->class_of[i] != NONE)
            joint_tree_count_row(f, h->leaf + (size_t)place[f->class_of[i]] * width, i);
    for (uint32_t i = 0; i < f->pooled; i++)
        joint_tree_count_row(f, h->leftovers, f->pool[i]);
    return KITH_OK;
}

/* Sets of leaves that all parties know; their tallies become sums over the first ones. */
static void add_up(const joint_tree *f, hosts *h)
{
    const size_t width = f->rules->width;
    for (size_t i = width; i < f->n_leaves * width; i++)
        h->leaf[i] += h->leaf[i - width];
    h->together = true;
}

/* Which of the hosts first … first+count-1 stay good? */
static kith_status try_hosts(joint_tree *f, const hosts *h, uint32_t first, uint32_t count,
                             uint32_t *found, kith_error *error)
{
    const size_t width = f->rules->width;
    uint32_t *tally = TRY_ALLOC(arena_array(h->memory, count * width, sizeof *tally), error);
    uint64_t *name = TRY_ALLOC(arena_zalloc(h->memory, count, sizeof *name), error);
    uint64_t *bits = TRY_ALLOC(arena_zalloc(h->memory, smc_words(count), sizeof *bits), error);
    for (size_t i = 0; i < count * width; i++)
        tally[i] = h->leaf[first * width + i] + h->leftovers[i % width];
    joint_tree_questions q = {.count = count, .tallies = tally, .names = name, .exact = true};
    TRY(joint_tree_rules_ask(f->rules, f->party, bits, &q, error));
    party_learns(f->party, DISCLOSE_AGGREGATE, "classes stay good with the leftovers", count);
    for (uint32_t i = 0; i < count; i++) {
        if (f->recorder != NULL)
            f->recorder->opened(f->recorder->user, JOINT_TREE_LEFTOVERS, first + i, h->together, 0,
                                0, f->rules->k, smc_bit(bits, i));
        if (smc_bit(bits, i) && *found == NONE)
            *found = first + i;
    }
    return KITH_OK;
}

/* 1, 2, 4, … at a time: few more answers than needed. */
static kith_status first_host(joint_tree *f, const hosts *h, uint32_t *found, kith_error *error)
{
    *found = NONE;
    for (uint32_t first = h->together, count = 1; first < f->n_leaves && *found == NONE;
         count *= 2) {
        uint32_t left = f->n_leaves - first;
        TRY(try_hosts(f, h, first, count < left ? count : left, found, error));
        first += count < left ? count : left;
    }
    return KITH_OK;
}

/* How many of the first leaves, from *host on, take the leftovers in. */
static kith_status choose_hosts(joint_tree *f, const ranked *order, uint32_t *host, uint32_t *count,
                                arena *memory, kith_error *error)
{
    hosts h = {.memory = memory};
    *host = 0;
    *count = 1;
    if (f->rules->grows)
        return KITH_OK;
    TRY(tally_all(f, &h, order, error));
    TRY(first_host(f, &h, host, error));
    if (*host != NONE)
        return KITH_OK;
    add_up(f, &h);
    TRY(first_host(f, &h, host, error));
    if (*host == NONE)
        return error_set(error, KITH_BUG, "the leftovers of the joint tree fit nowhere");
    *count = *host + 1;
    *host = 0;
    return KITH_OK;
}

static bool covers_pool(const joint_tree *f, uint32_t a, uint32_t node)
{
    for (uint32_t i = 0; i < f->pooled; i++)
        if (!tree_covers(f->problem->attributes[a].tree, node, f->cells[a][f->pool[i]]))
            return false;
    return true;
}

/* Raises closures until they cover the leftovers of all parties. */
static kith_status raise(joint_tree *f, uint32_t *closure, arena *memory, kith_error *error)
{
    const uint32_t n = f->problem->n_attributes;
    joint_tree_votes v = {.memory = memory};
    size_t read = 0;
    for (uint32_t a = 0; a < n; a++) {
        const tree *t = f->problem->attributes[a].tree;
        for (uint32_t node = closure[a]; node != tree_root(t); node = t->parent[node])
            TRY(joint_tree_votes_add(&v, covers_pool(f, a, node), error));
    }
    if (v.count == 0)
        return KITH_OK;
    TRY(joint_tree_votes_join(&v, f->party, error));
    for (uint32_t a = 0; a < n; a++) {
        const tree *t = f->problem->attributes[a].tree;
        uint32_t node = closure[a], lowest = tree_root(t);
        for (; node != tree_root(t); node = t->parent[node])
            if (smc_bit(v.bits, read++) && lowest == tree_root(t))
                lowest = node;
        closure[a] = lowest;
    }
    party_learns(f->party, DISCLOSE_AGGREGATE, "closures", n);
    return KITH_OK;
}

static kith_status place(joint_tree *f, uint8_t *gone, arena *memory, kith_error *error)
{
    const uint32_t n = f->problem->n_attributes;
    ranked *order = NULL;
    uint32_t at = 0, count = 0;
    TRY(rank(f, &order, memory, error));
    TRY(choose_hosts(f, order, &at, &count, memory, error));
    const uint32_t host = order[at].leaf;
    if (f->recorder != NULL)
        f->recorder->opened(f->recorder->user, JOINT_TREE_HOST, host, 0, 0, 0, 0, true);
    uint32_t *closure = f->closure + (size_t)host * n;
    for (uint32_t i = 1; i < count; i++) {
        gone[order[i].leaf] = 1;
        for (uint32_t a = 0; a < n; a++)
            closure[a] = tree_lca(f->problem->attributes[a].tree, closure[a],
                                  f->closure[(size_t)order[i].leaf * n + a]);
    }
    TRY(raise(f, closure, memory, error));
    for (uint32_t i = 0; i < f->problem->n_records; i++)
        if (f->class_of[i] != NONE && gone[f->class_of[i]])
            f->class_of[i] = host;
    for (uint32_t i = 0; i < f->pooled; i++)
        f->class_of[f->pool[i]] = host;
    return KITH_OK;
}

kith_status joint_tree_close_leftovers(joint_tree *f, uint8_t *gone, kith_error *error)
{
    arena *memory = TRY_ALLOC(arena_new(), error);
    kith_status status = place(f, gone, memory, error);
    arena_free(memory);
    return status;
}
