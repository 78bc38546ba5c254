#include "protocol/joint_tree/joint_tree_reweave.h"

#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_close.h"
#include "protocol/joint_tree/joint_tree_internal.h"
#include "protocol/joint_tree/joint_tree_votes.h"

enum { NONE = UINT32_MAX };

/* A round. Areas are numbered along the order of leaves. */
typedef struct reweave_state {
    joint_tree *old;
    joint_tree new; /* the same but for its leaves, which remember their areas */
    arena *memory;
    uint32_t round, n_areas;
    uint32_t *order;        /* [old n_leaves] */
    uint32_t *area_of;      /* [old n_leaves] */
    const uint32_t **shown; /* [n_areas * n_attributes] values that leaves show, ascending */
    uint32_t *n_shown;      /* [n_areas * n_attributes] */
    uint32_t *host;      /* [n_areas] new leaf that takes leftovers in, or NONE: there are none */
    uint64_t *pool_good; /* bits by area: its pool may be a class, */
    uint64_t *good;      /* its new form is good, */
    uint64_t *better;    /* and costs less */
} reweave_state;

static uint32_t area_of_row(const reweave_state *w, uint32_t row)
{
    return w->area_of[w->old->class_of[row]];
}

static kith_status lay_out_areas(reweave_state *w, kith_error *error)
{
    joint_tree *f = w->old;
    w->order = TRY_ALLOC(arena_array(w->memory, f->n_leaves, sizeof *w->order), error);
    w->area_of = TRY_ALLOC(arena_array(w->memory, f->n_leaves, sizeof *w->area_of), error);
    TRY(joint_tree_score_leaf_order(w->order, f->problem, f->closure, f->n_leaves, w->round,
                                    w->memory, error));
    for (uint32_t i = 0; i < f->n_leaves; w->n_areas++)
        for (uint32_t end = joint_tree_score_area_end(w->n_areas, f->n_leaves, w->round); i < end;
             i++)
            w->area_of[w->order[i]] = w->n_areas;
    w->host = TRY_ALLOC(arena_array(w->memory, w->n_areas, sizeof *w->host), error);
    w->pool_good =
        TRY_ALLOC(arena_zalloc(w->memory, smc_words(w->n_areas), sizeof *w->pool_good), error);
    w->good = TRY_ALLOC(arena_zalloc(w->memory, smc_words(w->n_areas), sizeof *w->good), error);
    w->better = TRY_ALLOC(arena_zalloc(w->memory, smc_words(w->n_areas), sizeof *w->better), error);
    memset(w->host, 0xFF, w->n_areas * sizeof *w->host);
    return KITH_OK;
}

/* Where many values live: those that the leaves of an area show. */
static kith_status list_shown(reweave_state *w, uint32_t first, uint32_t end, uint32_t a,
                              kith_error *error)
{
    const joint_tree *f = w->old;
    const tree *t = f->problem->attributes[a].tree;
    const size_t n = f->problem->n_attributes, at = w->area_of[w->order[first]] * n + a;
    uint32_t *value = TRY_ALLOC(arena_array(w->memory, end - first, sizeof *value), error);
    uint32_t count = 0;
    for (uint32_t i = first; i < end; i++) {
        const uint32_t node = f->closure[w->order[i] * n + a];
        if (node == tree_root(t))
            continue;
        const uint32_t top = tree_up(t, t->first[node], t->n_levels - 2u);
        uint32_t place = count;
        while (place > 0 && value[place - 1] >= top)
            place--;
        if (place < count && value[place] == top)
            continue;
        memmove(value + place + 1, value + place, (count - place) * sizeof *value);
        value[place] = top;
        count++;
    }
    w->shown[at] = value;
    w->n_shown[at] = count;
    return KITH_OK;
}

static kith_status list_all_shown(reweave_state *w, kith_error *error)
{
    const joint_tree *f = w->old;
    const size_t n_cells = (size_t)w->n_areas * f->problem->n_attributes;
    w->shown = TRY_ALLOC(arena_zalloc(w->memory, n_cells, sizeof *w->shown), error);
    w->n_shown = TRY_ALLOC(arena_zalloc(w->memory, n_cells, sizeof *w->n_shown), error);
    for (uint32_t area = 0, first = 0; area < w->n_areas; area++) {
        const uint32_t end = joint_tree_score_area_end(area, f->n_leaves, w->round);
        for (uint32_t a = 0; a < f->problem->n_attributes; a++)
            if (f->n_alive[a] > JOINT_TREE_WIDE_VALUES)
                TRY(list_shown(w, first, end, a, error));
        first = end;
    }
    return KITH_OK;
}

static kith_status open_tree(reweave_state *w, kith_error *error)
{
    const uint32_t n_records = w->old->problem->n_records;
    joint_tree *s = &w->new;
    *s = *w->old;
    s->memory = w->memory;
    s->n_leaves = s->leaf_room = s->pooled = 0;
    s->closure = s->area = NULL;
    s->recorder = NULL;
    s->loose_from = s->rules->grows ? UINT32_MAX : 0;
    s->class_of = TRY_ALLOC(arena_array(w->memory, n_records, sizeof *s->class_of), error);
    s->pool = TRY_ALLOC(arena_array(w->memory, n_records, sizeof *s->pool), error);
    memset(s->class_of, 0xFF, n_records * sizeof *s->class_of);
    return KITH_OK;
}

/* Trees of the areas that take part, on those of the rows that lie there. */
static kith_status grow_areas(reweave_state *w, const uint32_t *from, uint32_t count, bool second,
                              kith_error *error)
{
    joint_tree_root *roots = TRY_ALLOC(arena_zalloc(w->memory, w->n_areas, sizeof *roots), error);
    uint32_t *place = TRY_ALLOC(arena_array(w->memory, w->n_areas, sizeof *place), error);
    uint32_t n_roots = 0, used = 0;
    uint32_t *rows = TRY_ALLOC(arena_array(w->memory, count, sizeof *rows), error);
    for (uint32_t area = 0; area < w->n_areas; area++) {
        place[area] = NONE;
        if (second && !smc_bit(w->pool_good, area))
            continue;
        place[area] = n_roots;
        const size_t at = (size_t)area * w->old->problem->n_attributes;
        roots[n_roots++] =
            (joint_tree_root){.name = joint_tree_score_area_name(w->round, area, second),
                              .area = area,
                              .shown = w->shown + at,
                              .n_shown = w->n_shown + at};
    }
    for (uint32_t i = 0; i < count; i++)
        if (place[area_of_row(w, from[i])] != NONE)
            roots[place[area_of_row(w, from[i])]].size++;
    for (uint32_t r = 0; r < n_roots; r++) {
        roots[r].first = used;
        used += roots[r].size;
        roots[r].size = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t r = place[area_of_row(w, from[i])];
        if (r != NONE)
            rows[roots[r].first + roots[r].size++] = from[i];
    }
    return joint_tree_grow(
        &w->new,
        (joint_tree_root_set){rows, used, n_roots, roots, false, second && w->new.rules->grows},
        error);
}

/* One question per area, about rows of the pool and, with `hosts`, of the leaf that takes them. */
static kith_status ask_areas(reweave_state *w, uint64_t *bits, bool hosts, const char *what,
                             kith_error *error)
{
    joint_tree *s = &w->new;
    const size_t width = s->rules->width;
    uint32_t *tally = TRY_ALLOC(arena_zalloc(w->memory, w->n_areas * width, sizeof *tally), error);
    uint64_t *name = TRY_ALLOC(arena_array(w->memory, w->n_areas, sizeof *name), error);
    for (uint32_t area = 0; area < w->n_areas; area++)
        name[area] = joint_tree_score_area_name(w->round, area, true);
    for (uint32_t i = 0; i < s->pooled; i++)
        joint_tree_count_row(s, tally + area_of_row(w, s->pool[i]) * width, s->pool[i]);
    for (uint32_t i = 0; hosts && i < s->problem->n_records; i++)
        if (s->class_of[i] != NONE && w->host[s->area[s->class_of[i]]] == s->class_of[i])
            joint_tree_count_row(s, tally + area_of_row(w, i) * width, i);
    joint_tree_questions q = {w->n_areas, tally, name, NULL, hosts};
    TRY(joint_tree_rules_ask(s->rules, s->party, bits, &q, error));
    party_learns(s->party, DISCLOSE_AGGREGATE, what, w->n_areas);
    return KITH_OK;
}

/* Second trees grow on their areas' rows of the pool; the others' stay there. */
static kith_status grow_again(reweave_state *w, kith_error *error)
{
    joint_tree *s = &w->new;
    uint32_t *rows = TRY_ALLOC(arena_array(w->memory, s->pooled, sizeof *rows), error);
    uint32_t count = 0, kept = 0;
    for (uint32_t i = 0; i < s->pooled; i++) {
        if (smc_bit(w->pool_good, area_of_row(w, s->pool[i])))
            rows[count++] = s->pool[i];
        else
            s->pool[kept++] = s->pool[i];
    }
    s->pooled = kept;
    return grow_areas(w, rows, count, true, error);
}

static double cost_of(const joint_tree *f, uint32_t leaf)
{
    double cost = 0;
    for (uint32_t a = 0; a < f->problem->n_attributes; a++)
        cost +=
            f->problem->attributes[a].cost[f->closure[(size_t)leaf * f->problem->n_attributes + a]];
    return cost;
}

/* The costliest leaf of every area that may have leftovers. */
static void choose_hosts(reweave_state *w)
{
    const joint_tree *s = &w->new;
    for (uint32_t l = 0; l < s->n_leaves; l++) {
        const uint32_t area = s->area[l];
        if (s->rules->grows && smc_bit(w->pool_good, area))
            continue; /* its last tree left nothing */
        if (w->host[area] == NONE || cost_of(s, l) > cost_of(s, w->host[area]))
            w->host[area] = l;
    }
}

static kith_status raise_hosts(reweave_state *w, kith_error *error)
{
    joint_tree *s = &w->new;
    const size_t n = s->problem->n_attributes;
    joint_tree_votes v = {.memory = w->memory};
    size_t read = 0;
    uint32_t *mine = TRY_ALLOC(arena_array(w->memory, s->n_leaves * n, sizeof *mine), error);
    uint32_t hosts = 0;
    memcpy(mine, s->closure, s->n_leaves * n * sizeof *mine);
    for (uint32_t i = 0; i < s->pooled; i++) {
        uint32_t *closure = mine + w->host[area_of_row(w, s->pool[i])] * n;
        for (size_t a = 0; a < n; a++)
            closure[a] =
                tree_lca(s->problem->attributes[a].tree, closure[a], s->cells[a][s->pool[i]]);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < w->n_areas * n; i++) {
            if (w->host[i / n] == NONE)
                continue;
            const size_t at = w->host[i / n] * n + i % n;
            TRY(joint_tree_votes_raise(&v, pass == 0 ? NULL : &read,
                                       s->problem->attributes[i % n].tree, &s->closure[at],
                                       mine[at], error));
            hosts += pass == 0 && i % n == 0;
        }
        if (pass == 0)
            TRY(joint_tree_votes_join(&v, s->party, error));
    }
    if (hosts > 0)
        party_learns(s->party, DISCLOSE_AGGREGATE, "closures", hosts * n);
    return KITH_OK;
}

static void join_hosts(reweave_state *w)
{
    joint_tree *s = &w->new;
    for (uint32_t i = 0; i < s->pooled; i++)
        s->class_of[s->pool[i]] = w->host[area_of_row(w, s->pool[i])];
}

/* A bound for sums of prices that all parties know. */
static kith_status bound_prices(const reweave_state *w, int64_t *bound, kith_error *error)
{
    const problem *p = w->old->problem;
    double max_price = 1;
    for (uint32_t a = 0; a < p->n_attributes; a++) {
        double highest = 0;
        for (uint32_t node = 0; node < p->attributes[a].tree->n_nodes; node++) {
            double cost = p->attributes[a].cost[node];
            highest = highest > cost ? highest : cost;
            highest = highest > -cost ? highest : -cost;
        }
        max_price += highest;
    }
    max_price = max_price * 2 * (1 << 17) * (double)w->old->rules->max_size;
    if (!(max_price < (double)COMPARE_MAX_BOUND))
        return error_set(error, KITH_INVALID, "weights are too large for joint reweaving");
    *bound = (int64_t)max_price;
    return KITH_OK;
}

/* Do the new forms cost less, over all parties' records? */
static kith_status compare_forms(reweave_state *w, kith_error *error)
{
    const joint_tree *f = w->old, *s = &w->new;
    const size_t n = f->problem->n_attributes;
    int64_t *value = TRY_ALLOC(arena_zalloc(w->memory, w->n_areas, sizeof *value), error);
    int64_t bound = 0;
    int64_t *min_values = TRY_ALLOC(arena_array(w->memory, w->n_areas, sizeof *min_values), error);
    TRY(bound_prices(w, &bound, error));
    for (uint32_t i = 0; i < f->problem->n_records; i++)
        value[area_of_row(w, i)] +=
            joint_tree_score_price(f->problem, f->closure + f->class_of[i] * n) -
            joint_tree_score_price(f->problem, s->closure + s->class_of[i] * n);
    for (uint32_t area = 0; area < w->n_areas; area++)
        min_values[area] = 1;
    const compare_sums sums = {
        .values = value, .thresholds = min_values, .n_groups = w->n_areas, .bound = bound};
    const smc_output output = {SMC_ALL, "new forms cost less"};
    TRY(compare_thresholds(f->party, w->better, &sums, output, error));
    for (uint32_t area = 0; area < w->n_areas; area++)
        if (!smc_bit(w->good, area))
            smc_set_bit(w->better, area, 0);
    return KITH_OK;
}

/* Leaves of the next round: by area, the new ones or the old ones. */
static kith_status replace_leaves(reweave_state *w, kith_error *error)
{
    joint_tree *f = w->old;
    const joint_tree *s = &w->new;
    const size_t n = f->problem->n_attributes;
    uint32_t *from_old = TRY_ALLOC(arena_array(w->memory, f->n_leaves, sizeof *from_old), error);
    uint32_t *from_new = TRY_ALLOC(arena_array(w->memory, s->n_leaves, sizeof *from_new), error);
    uint32_t *closure = TRY_ALLOC(
        arena_array(f->memory, ((size_t)f->n_leaves + s->n_leaves) * n, sizeof *closure), error);
    uint32_t *start = TRY_ALLOC(arena_zalloc(w->memory, w->n_areas + 1, sizeof *start), error);
    for (uint32_t i = 0; i < f->n_leaves; i++)
        start[w->area_of[i] + 1] += !smc_bit(w->better, w->area_of[i]);
    for (uint32_t l = 0; l < s->n_leaves; l++)
        start[s->area[l] + 1] += smc_bit(w->better, s->area[l]);
    for (uint32_t area = 0; area < w->n_areas; area++)
        start[area + 1] += start[area];
    const uint32_t total = start[w->n_areas];
    for (uint32_t i = 0; i < f->n_leaves; i++) {
        const uint32_t l = w->order[i], area = w->area_of[l];
        if (smc_bit(w->better, area))
            continue;
        from_old[l] = start[area]++;
        memcpy(closure + from_old[l] * n, f->closure + l * n, n * sizeof *closure);
    }
    for (uint32_t l = 0; l < s->n_leaves; l++) {
        if (!smc_bit(w->better, s->area[l]))
            continue;
        from_new[l] = start[s->area[l]]++;
        memcpy(closure + from_new[l] * n, s->closure + l * n, n * sizeof *closure);
    }
    for (uint32_t i = 0; i < f->problem->n_records; i++)
        f->class_of[i] = smc_bit(w->better, area_of_row(w, i)) ? from_new[s->class_of[i]]
                                                               : from_old[f->class_of[i]];
    f->closure = closure;
    f->n_leaves = total;
    f->n_questions = s->n_questions;
    f->n_batches = s->n_batches;
    return KITH_OK;
}

static kith_status reweave_round(reweave_state *w, kith_error *error)
{
    const uint32_t n_records = w->old->problem->n_records;
    uint32_t *rows = TRY_ALLOC(arena_array(w->memory, n_records, sizeof *rows), error);
    for (uint32_t i = 0; i < n_records; i++)
        rows[i] = i;
    TRY(lay_out_areas(w, error));
    TRY(list_all_shown(w, error));
    TRY(open_tree(w, error));
    TRY(grow_areas(w, rows, n_records, false, error));
    TRY(ask_areas(w, w->pool_good, false, "the pool is enough", error));
    TRY(grow_again(w, error));
    TRY(joint_tree_close_loose(&w->new, error));
    choose_hosts(w);
    memset(w->good, 0xFF, smc_words(w->n_areas) * sizeof *w->good);
    if (!w->new.rules->grows)
        TRY(ask_areas(w, w->good, true, "classes stay good with the leftovers", error));
    TRY(raise_hosts(w, error));
    join_hosts(w);
    TRY(compare_forms(w, error));
    return replace_leaves(w, error);
}

kith_status joint_tree_reweave(joint_tree *f, uint32_t round, kith_error *error)
{
    reweave_state w = {.old = f, .round = round, .memory = arena_new()};
    TRY_ALLOC(w.memory, error);
    kith_status status = reweave_round(&w, error);
    arena_free(w.memory);
    return status;
}
