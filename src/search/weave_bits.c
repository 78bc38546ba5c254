#include "search/weave_bits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* A list of records, in an array of its own. */
typedef struct list {
    uint32_t *record;
    uint32_t count;
} list;

/* A class so far: its records, and per attribute a node that covers them. */
typedef struct leaf {
    list rows;
    uint32_t *closure;
    bool last; /* of the last tree: the closure is only an upper bound */
} leaf;

typedef struct grower {
    const problem *problem;
    const weave_bits_sites *sites; /* or NULL */
    const uint32_t **cells; /* [attributes] of the records, raised where models forbid more */
    uint8_t **forbidden;    /* [attributes][nodes] or NULL: too few sites have it */
    uint64_t coins;
    arena *memory;
    uint32_t *count;      /* scratch: [most values of a secret], zero between calls */
    uint32_t *at_site;    /* scratch: [sites] */
    histogram *histogram; /* [secrets] */
    leaf *leaf;
    uint32_t leaves, leaf_room;
    list pool;
    uint8_t **alive; /* [attributes][nodes] live at the first root */
    bool first_root; /* the next node is the first root */
} grower;

/* What is known of a set: where its records agree, and which values are worth a question. */
typedef struct place {
    uint64_t name;
    uint32_t *node;  /* [attributes] */
    uint32_t *bound; /* [attributes] covers the records that joined, too */
    bool *dead;      /* [attributes] */
    list *asked;     /* [attributes] nodes; record NULL: all children */
    bool last;
} place;

/* --- may a set of records be a class? --- */

static bool enough_sites(grower *g, list rows, const model_spec *model)
{
    uint32_t present = 0;
    memset(g->at_site, 0, g->sites->count * sizeof *g->at_site);
    for (uint32_t i = 0; i < rows.count; i++)
        g->at_site[g->sites->site[rows.record[i]]]++;
    for (uint32_t s = 0; s < g->sites->count; s++) {
        present += g->at_site[s] > 0;
        if (model->id == MODEL_M_PRIVACY && rows.count - g->at_site[s] < model->k)
            return false;
    }
    return model->id == MODEL_M_PRIVACY || (double)present >= model->l;
}

static bool holds(grower *g, list rows, const model_spec *model)
{
    const secret *s = &g->problem->secret[model->sensitive];
    for (uint32_t i = 0; i < rows.count; i++)
        g->count[s->values[rows.record[i]]]++;
    g->histogram[model->sensitive] = (histogram){g->count, s->count};
    class_view view = {.size = rows.count, .sensitive = g->histogram};
    bool good = model_holds(model, &view);
    for (uint32_t i = 0; i < rows.count; i++)
        g->count[s->values[rows.record[i]]] = 0;
    return good;
}

static bool fit(grower *g, list rows, uint64_t least)
{
    const problem *p = g->problem;
    if (rows.count < least)
        return false;
    for (uint32_t m = 0; m < p->models; m++)
        if (p->model[m].id != MODEL_K_ANONYMITY && !holds(g, rows, &p->model[m]))
            return false;
    for (uint32_t m = 0; g->sites != NULL && m < g->sites->models; m++)
        if (g->sites->model[m].variant != VARIANT_ATTRIBUTES &&
            !enough_sites(g, rows, &g->sites->model[m]))
            return false;
    return true;
}

/* --- splitting --- */

/* Records of the set below a node; `others` gets the rest, if not NULL. */
static list below(grower *g, list rows, uint32_t axis, uint32_t node, list *others)
{
    const tree *t = g->problem->attribute[axis].tree;
    list in = {arena_array(g->memory, rows.count + 1, sizeof *in.record), 0};
    for (uint32_t i = 0; in.record != NULL && i < rows.count; i++) {
        uint32_t record = rows.record[i];
        if (tree_covers(t, node, g->cells[axis][record]))
            in.record[in.count++] = record;
        else if (others != NULL)
            others->record[others->count++] = record;
    }
    return in;
}

/* One slot of a set: live values with their records, and all other records. */
typedef struct offer {
    list live;   /* nodes */
    list *part;  /* [live.count] */
    list others; /* records */
    bool big;
    double score;
} offer;

/* The child of a node that covers a cell; `none` if the cell lies at the node, above or beside it.
 */
static uint32_t child_of(const tree *t, uint32_t node, uint32_t cell, uint32_t none)
{
    if (cell == node || !tree_covers(t, node, cell))
        return none;
    return tree_up(t, t->first[cell], t->level[node] - 1u);
}

static kith_status sort_rows(grower *g, list rows, uint32_t axis, uint32_t node, uint32_t first,
                             uint32_t end, list *part, kith_error *error)
{
    const tree *t = g->problem->attribute[axis].tree;
    const uint32_t *cells = g->cells[axis];
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < rows.count; i++) {
            list *to = &part[child_of(t, node, cells[rows.record[i]], end) - first];
            if (pass == 1)
                to->record[to->count] = rows.record[i];
            to->count++;
        }
        for (uint32_t c = 0; pass == 0 && c <= end - first; c++) {
            part[c].record = arena_array(g->memory, part[c].count + 1, sizeof *part[c].record);
            TRY_ALLOC(part[c].record, error);
            part[c].count = 0;
        }
    }
    return KITH_OK;
}

static bool is_asked(grower *g, const place *at, uint32_t axis, uint32_t child)
{
    const list *asked = &at->asked[axis];
    if (g->forbidden[axis] != NULL && g->forbidden[axis][child])
        return false;
    for (uint32_t i = 0; i < asked->count; i++)
        if (asked->record[i] == child)
            return true;
    return asked->record == NULL;
}

static kith_status look(grower *g, offer *o, list rows, const place *at, uint32_t axis,
                        kith_error *error)
{
    const tree *t = g->problem->attribute[axis].tree;
    uint32_t end, first = weave_bits_children(t, at->node[axis], &end);
    list *part = arena_zalloc(g->memory, end - first + 1, sizeof *part);
    *o = (offer){.live.record = arena_array(g->memory, end - first, sizeof *o->live.record),
                 .part = arena_array(g->memory, end - first, sizeof *o->part),
                 .others.record = arena_array(g->memory, rows.count + 1, sizeof *part->record)};
    TRY_ALLOC(part, error);
    TRY_ALLOC(o->live.record, error);
    TRY_ALLOC(o->part, error);
    TRY_ALLOC(o->others.record, error);
    TRY(sort_rows(g, rows, axis, at->node[axis], first, end, part, error));
    for (uint32_t child = first; child <= end; child++) {
        list *in = &part[child - first];
        if (child < end && is_asked(g, at, axis, child) && fit(g, *in, g->problem->k)) {
            o->part[o->live.count] = *in;
            o->live.record[o->live.count++] = child;
        } else {
            memcpy(o->others.record + o->others.count, in->record, in->count * sizeof *in->record);
            o->others.count += in->count;
        }
    }
    o->big = fit(g, o->others, g->problem->k);
    o->score = weave_bits_score(weave_bits_worth(&g->problem->attribute[axis], at->node[axis]),
                                o->live.count, o->big, at->last);
    return KITH_OK;
}

static kith_status eject(grower *g, list rows, kith_error *error)
{
    uint32_t total = g->pool.count + rows.count;
    g->pool.record = arena_resize(g->memory, g->pool.record, g->pool.count * sizeof *rows.record,
                                  total * sizeof *rows.record + 1);
    TRY_ALLOC(g->pool.record, error);
    memcpy(g->pool.record + g->pool.count, rows.record, rows.count * sizeof *rows.record);
    g->pool.count = total;
    return KITH_OK;
}

static kith_status add_leaf(grower *g, list rows, const place *at, kith_error *error)
{
    if (g->leaves == g->leaf_room) {
        uint32_t room = 2 * g->leaf_room + 16;
        g->leaf = arena_resize(g->memory, g->leaf, g->leaf_room * sizeof *g->leaf,
                               room * sizeof *g->leaf);
        TRY_ALLOC(g->leaf, error);
        g->leaf_room = room;
    }
    g->leaf[g->leaves++] = (leaf){rows, at->bound, at->last};
    return KITH_OK;
}

/* A copy that may change; `open`: with the live values of this set as what is asked below it. */
static kith_status copy_place(grower *g, place *to, const place *from, const offer *offers,
                              kith_error *error)
{
    const uint32_t n = g->problem->attributes;
    *to = *from;
    to->node = arena_array(g->memory, n, sizeof *to->node);
    to->bound = arena_array(g->memory, n, sizeof *to->bound);
    to->dead = arena_array(g->memory, n, sizeof *to->dead);
    to->asked = arena_array(g->memory, n, sizeof *to->asked);
    TRY_ALLOC(to->node, error);
    TRY_ALLOC(to->bound, error);
    TRY_ALLOC(to->dead, error);
    TRY_ALLOC(to->asked, error);
    memcpy(to->node, from->node, n * sizeof *to->node);
    memcpy(to->bound, from->bound, n * sizeof *to->bound);
    for (uint32_t a = 0; a < n; a++) {
        to->asked[a] = offers[a].live;
        to->dead[a] = from->dead[a] || offers[a].live.count == 0;
    }
    return KITH_OK;
}

/* The set agrees on a child now: all of its children are worth a question. */
static void descend(place *at, uint32_t axis, uint32_t child)
{
    if (at->bound[axis] == at->node[axis])
        at->bound[axis] = child;
    at->node[axis] = child;
    at->asked[axis] = (list){0};
    at->name = weave_bits_part_name(at->name, axis, child);
}

static kith_status grow(grower *g, list rows, const place *at, kith_error *error);

static bool single(const offer *o)
{
    return o->live.count == 1 && !o->big;
}

/* All slots with one live value and a small rest at once, if enough records have them all. */
static kith_status fix_singles(grower *g, bool *fixed, list rows, const place *at,
                               const offer *offers, kith_error *error)
{
    const uint32_t n = g->problem->attributes;
    list others = {arena_array(g->memory, rows.count + 1, sizeof *others.record), 0};
    TRY_ALLOC(others.record, error);
    for (uint32_t a = 0; a < n; a++)
        if (single(&offers[a])) {
            rows = below(g, rows, a, offers[a].live.record[0], &others);
            TRY_ALLOC(rows.record, error);
        }
    *fixed = fit(g, rows, g->problem->k);
    if (!*fixed)
        return KITH_OK;
    place under;
    TRY(copy_place(g, &under, at, offers, error));
    for (uint32_t a = 0; a < n; a++)
        if (single(&offers[a]))
            descend(&under, a, offers[a].live.record[0]);
    TRY(eject(g, others, error));
    return grow(g, rows, &under, error);
}

static kith_status split(grower *g, const place *at, const offer *offers, uint32_t best,
                         kith_error *error)
{
    const offer *o = &offers[best];
    const bool joins = at->last && !o->big && o->others.count > 0;
    uint32_t host = weave_bits_coin(g->coins, at->name, o->live.count);
    for (uint32_t v = 0; v < o->live.count; v++) {
        place under;
        list part = o->part[v];
        TRY(copy_place(g, &under, at, offers, error));
        descend(&under, best, o->live.record[v]);
        if (at->last && !o->big && v == host) {
            under.bound[best] = at->bound[best];
            under.name = weave_bits_part_name(under.name, best, WEAVE_BITS_JOINED);
        }
        if (joins && v == host) {
            uint32_t *both = arena_array(g->memory, part.count + o->others.count, sizeof *both);
            TRY_ALLOC(both, error);
            memcpy(both, part.record, part.count * sizeof *both);
            memcpy(both + part.count, o->others.record, o->others.count * sizeof *both);
            part = (list){both, part.count + o->others.count};
        }
        TRY(grow(g, part, &under, error));
    }
    if (!o->big)
        return at->last ? KITH_OK : eject(g, o->others, error);
    place rest;
    TRY(copy_place(g, &rest, at, offers, error));
    rest.dead[best] = true;
    rest.name = weave_bits_part_name(at->name, best, WEAVE_BITS_REST);
    return grow(g, o->others, &rest, error);
}

static kith_status grow(grower *g, list rows, const place *at, kith_error *error)
{
    const uint32_t n = g->problem->attributes;
    offer *offers = arena_zalloc(g->memory, n, sizeof *offers);
    uint32_t best = n;
    TRY_ALLOC(offers, error);
    for (uint32_t a = 0; a < n; a++) {
        if (at->dead[a] || !weave_bits_offers(&g->problem->attribute[a], at->node[a]))
            continue;
        TRY(look(g, &offers[a], rows, at, a, error));
        if (offers[a].score >= 0 && (best == n || offers[a].score > offers[best].score))
            best = a;
    }
    for (uint32_t a = 0; g->first_root && a < n; a++)
        for (uint32_t v = 0; v < offers[a].live.count; v++)
            g->alive[a][offers[a].live.record[v]] = 1;
    g->first_root = false;
    if (best == n)
        return add_leaf(g, rows, at, error);
    if (single(&offers[best])) {
        bool fixed = false;
        TRY(fix_singles(g, &fixed, rows, at, offers, error));
        if (fixed)
            return KITH_OK;
    }
    return split(g, at, offers, best, error);
}

/* --- trees, leftovers, closures --- */

static kith_status grow_tree(grower *g, list rows, uint32_t number, bool last, kith_error *error)
{
    const uint32_t n = g->problem->attributes;
    place root = {.name = weave_bits_tree_name(number), .last = last};
    root.node = arena_array(g->memory, n, sizeof *root.node);
    root.dead = arena_zalloc(g->memory, n, sizeof *root.dead);
    root.asked = arena_zalloc(g->memory, n, sizeof *root.asked);
    TRY_ALLOC(root.node, error);
    TRY_ALLOC(root.dead, error);
    TRY_ALLOC(root.asked, error);
    root.bound = root.node;
    g->first_root = number == 0;
    g->pool.count = 0;
    for (uint32_t a = 0; a < n; a++) {
        const struct tree *t = g->problem->attribute[a].tree;
        root.node[a] = tree_root(t);
        if (number == 0)
            continue;
        root.asked[a].record = arena_array(g->memory, t->nodes, sizeof *root.asked[a].record);
        TRY_ALLOC(root.asked[a].record, error);
        for (uint32_t node = 0; node < t->nodes; node++)
            if (g->alive[a][node])
                root.asked[a].record[root.asked[a].count++] = node;
        root.dead[a] = root.asked[a].count == 0;
    }
    return grow(g, rows, &root, error);
}

static double leaf_cost(const grower *g, const leaf *l)
{
    double cost = 0;
    for (uint32_t a = 0; a < g->problem->attributes; a++)
        cost += g->problem->attribute[a].cost[l->closure[a]];
    return cost;
}

static kith_status close_leaf(grower *g, leaf *l, kith_error *error)
{
    const uint32_t n = g->problem->attributes;
    uint32_t *closure = arena_array(g->memory, n, sizeof *closure);
    TRY_ALLOC(closure, error);
    for (uint32_t a = 0; a < n; a++) {
        closure[a] = l->last ? g->cells[a][l->rows.record[0]] : l->closure[a];
        for (uint32_t i = 0; i < l->rows.count; i++)
            closure[a] =
                tree_lca(g->problem->attribute[a].tree, closure[a], g->cells[a][l->rows.record[i]]);
    }
    l->closure = closure;
    l->last = false;
    return KITH_OK;
}

static kith_status unite(grower *g, leaf *host, list rows, kith_error *error)
{
    uint32_t *both =
        arena_array(g->memory, (size_t)host->rows.count + rows.count + 1, sizeof *both);
    TRY_ALLOC(both, error);
    memcpy(both, host->rows.record, host->rows.count * sizeof *both);
    memcpy(both + host->rows.count, rows.record, rows.count * sizeof *both);
    host->rows = (list){both, host->rows.count + rows.count};
    return close_leaf(g, host, error);
}

/* Leaves by closure cost per record, the highest first; equal ones as they stand. */
static kith_status rank_leaves(grower *g, uint32_t *order, kith_error *error)
{
    double *cost = arena_array(g->memory, g->leaves, sizeof *cost);
    TRY_ALLOC(cost, error);
    for (uint32_t i = 0; i < g->leaves; i++) {
        uint32_t at = i;
        cost[i] = leaf_cost(g, &g->leaf[i]);
        for (; at > 0 && cost[order[at - 1]] < cost[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return KITH_OK;
}

/* The first leaf that may take the leftovers in; if none may, the fewest of the first ones that may
 * do so together become one. */
static kith_status place_leftovers(grower *g, kith_error *error)
{
    uint32_t *order = arena_array(g->memory, g->leaves, sizeof *order);
    TRY_ALLOC(order, error);
    TRY(rank_leaves(g, order, error));
    for (uint32_t i = 0; i < g->leaves; i++) {
        leaf joined = g->leaf[order[i]];
        TRY(unite(g, &joined, g->pool, error));
        if (fit(g, joined.rows, g->problem->k)) {
            g->leaf[order[i]] = joined;
            return KITH_OK;
        }
    }
    leaf *host = &g->leaf[order[0]];
    TRY(unite(g, host, g->pool, error));
    for (uint32_t i = 1; i < g->leaves && !fit(g, host->rows, g->problem->k); i++) {
        leaf *gone = &g->leaf[order[i]];
        for (uint32_t a = 0; a < g->problem->attributes; a++)
            host->closure[a] =
                tree_lca(g->problem->attribute[a].tree, host->closure[a], gone->closure[a]);
        TRY(unite(g, host, gone->rows, error));
        gone->rows.count = 0;
    }
    return KITH_OK;
}

static kith_status grow_all(grower *g, list all, kith_error *error)
{
    const uint64_t k = g->problem->k;
    TRY(grow_tree(g, all, 0, false, error));
    for (uint32_t t = 1; t <= WEAVE_BITS_TREES && fit(g, g->pool, k); t++) {
        list rows = g->pool;
        bool last = t == WEAVE_BITS_TREES || !fit(g, rows, 4 * k);
        g->pool.record = NULL;
        g->pool.count = 0;
        TRY(grow_tree(g, rows, t, last, error));
    }
    for (uint32_t i = 0; i < g->leaves; i++)
        if (g->leaf[i].last)
            TRY(close_leaf(g, &g->leaf[i], error));
    return g->pool.count > 0 ? place_leftovers(g, error) : KITH_OK;
}

static kith_status write_result(grower *g, partition *result, arena *memory, kith_error *error)
{
    const uint32_t n = g->problem->attributes;
    result->classes = 0;
    result->class_of = arena_array(memory, g->problem->records + 1, sizeof *result->class_of);
    result->closure = arena_array(memory, (size_t)g->leaves * n + 1, sizeof *result->closure);
    TRY_ALLOC(result->class_of, error);
    TRY_ALLOC(result->closure, error);
    for (uint32_t i = 0; i < g->leaves; i++) {
        const leaf *l = &g->leaf[i];
        if (l->rows.count == 0)
            continue;
        memcpy(result->closure + (size_t)result->classes * n, l->closure, n * sizeof *l->closure);
        for (uint32_t r = 0; r < l->rows.count; r++)
            result->class_of[l->rows.record[r]] = result->classes;
        result->classes++;
    }
    return KITH_OK;
}

/* --- models about sites that only some attributes tell --- */

/* Nodes that fewer than l sites have a record below are forbidden; cells move up to the lowest
 * node that is not. */
static kith_status forbid(grower *g, const model_spec *model, uint32_t a, kith_error *error)
{
    const struct tree *t = g->problem->attribute[a].tree;
    const uint32_t records = g->problem->records;
    uint8_t *forbidden = arena_zalloc(g->memory, t->nodes, 1);
    uint32_t *raised = arena_array(g->memory, records + 1, sizeof *raised);
    TRY_ALLOC(forbidden, error);
    TRY_ALLOC(raised, error);
    for (uint32_t node = 0; node < tree_root(t); node++) {
        uint32_t present = 0;
        memset(g->at_site, 0, g->sites->count * sizeof *g->at_site);
        for (uint32_t i = 0; i < records; i++)
            if (tree_covers(t, node, g->cells[a][i]))
                g->at_site[g->sites->site[i]] = 1;
        for (uint32_t s = 0; s < g->sites->count; s++)
            present += g->at_site[s];
        forbidden[node] = present < model->l;
    }
    for (uint32_t i = 0; i < records; i++)
        for (raised[i] = g->cells[a][i]; forbidden[raised[i]];)
            raised[i] = t->parent[raised[i]];
    g->cells[a] = raised;
    g->forbidden[a] = forbidden;
    return KITH_OK;
}

static kith_status forbid_all(grower *g, kith_error *error)
{
    for (uint32_t m = 0; g->sites != NULL && m < g->sites->models; m++) {
        const model_spec *model = &g->sites->model[m];
        if (model->variant == VARIANT_ATTRIBUTES)
            for (uint32_t i = 0; i < model->values; i++)
                TRY(forbid(g, model, model->among[i], error));
    }
    return KITH_OK;
}

static kith_status grower_init(grower *g, kith_error *error)
{
    const problem *p = g->problem;
    uint32_t most = 1;
    for (uint32_t s = 0; s < p->secrets; s++)
        most = p->secret[s].count > most ? p->secret[s].count : most;
    g->cells = arena_zalloc(g->memory, p->attributes, sizeof *g->cells);
    g->forbidden = arena_zalloc(g->memory, p->attributes, sizeof *g->forbidden);
    g->alive = arena_zalloc(g->memory, p->attributes, sizeof *g->alive);
    g->count = arena_zalloc(g->memory, most, sizeof *g->count);
    g->histogram = arena_zalloc(g->memory, p->secrets + 1, sizeof *g->histogram);
    g->at_site =
        arena_zalloc(g->memory, g->sites == NULL ? 1 : g->sites->count, sizeof *g->at_site);
    TRY_ALLOC(g->cells, error);
    TRY_ALLOC(g->forbidden, error);
    TRY_ALLOC(g->alive, error);
    TRY_ALLOC(g->count, error);
    TRY_ALLOC(g->histogram, error);
    TRY_ALLOC(g->at_site, error);
    for (uint32_t a = 0; a < p->attributes; a++) {
        g->cells[a] = p->attribute[a].cells;
        g->alive[a] = arena_zalloc(g->memory, p->attribute[a].tree->nodes, 1);
        TRY_ALLOC(g->alive[a], error);
    }
    return forbid_all(g, error);
}

static kith_status run(grower *g, partition *result, arena *memory, kith_error *error)
{
    const uint32_t records = g->problem->records;
    list all = {arena_array(g->memory, records + 1, sizeof *all.record), records};
    TRY_ALLOC(all.record, error);
    TRY(grower_init(g, error));
    for (uint32_t i = 0; i < records; i++)
        all.record[i] = i;
    if (!fit(g, all, g->problem->k))
        return error_set(error, KITH_INFEASIBLE,
                         "all records together do not satisfy the models (k = %u)", g->problem->k);
    TRY(grow_all(g, all, error));
    return write_result(g, result, memory, error);
}

kith_status weave_bits(partition *result, const problem *p, const weave_bits_sites *sites,
                       uint64_t coins, arena *memory, kith_error *error)
{
    grower g = {.problem = p, .sites = sites, .coins = coins, .memory = arena_new()};
    TRY_ALLOC(g.memory, error);
    kith_status status = run(&g, result, memory, error);
    arena_free(g.memory);
    return status;
}
