#include "protocol/joint_tree/joint_tree_reweave.h"

#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_steps.h"
#include "protocol/joint_tree/joint_tree_votes.h"

/* One round. Areas are numbered along the order of leaves; flags of areas are packed bits. */
typedef struct reweave_state {
    /* Fixed before areas grow. */
    joint_tree *old;
    arena *memory;
    uint32_t round, n_areas;
    uint32_t *order;        /* [n_leaves of old] */
    uint32_t *area_of;      /* [n_leaves of old] */
    const uint32_t **shown; /* [n_areas * n_attributes] values that leaves show, ascending */
    uint32_t *n_shown;      /* [n_areas * n_attributes] */
    /* The result so far. */
    joint_tree grown;    /* the trees of the areas */
    uint64_t *pool_good; /* the pool of the area may be a class: it grows a second tree */
    uint32_t *host; /* [n_areas] new leaf that takes leftovers in; JOINT_TREE_NONE: no leftovers */
    uint64_t *good; /* the host stays good with the leftovers */
    uint64_t *better; /* the new form costs less */
} reweave_state;

static uint32_t area_of_row(const reweave_state *w, uint32_t row)
{
    return w->area_of[w->old->leaves.class_of[row]];
}

/* Cuts the order of leaves into areas. Old leaves keep their numbers: rows find their area by them
 * until the round ends. */
static kith_status lay_out_areas(reweave_state *w, kith_error *error)
{
    joint_tree *old = w->old;
    w->order = TRY_ARRAY(w->order, w->memory, old->leaves.count, error);
    w->area_of = TRY_ARRAY(w->area_of, w->memory, old->leaves.count, error);
    TRY(joint_tree_score_leaf_order(w->order, old->problem, old->leaves.closures, old->leaves.count,
                                    w->round, w->memory, error));
    for (uint32_t i = 0; i < old->leaves.count; w->n_areas++)
        for (uint32_t end = joint_tree_score_area_end(w->n_areas, old->leaves.count, w->round);
             i < end; i++)
            w->area_of[w->order[i]] = w->n_areas;
    w->host = TRY_ARRAY(w->host, w->memory, w->n_areas, error);
    w->pool_good = TRY_ZEROS(w->pool_good, w->memory, smc_words(w->n_areas), error);
    w->good = TRY_ZEROS(w->good, w->memory, smc_words(w->n_areas), error);
    w->better = TRY_ZEROS(w->better, w->memory, smc_words(w->n_areas), error);
    memset(w->host, 0xFF, w->n_areas * sizeof *w->host);
    return KITH_OK;
}

/* Values of a wide attribute that the leaves order[first] … order[end - 1] of an area show. */
static kith_status list_shown(reweave_state *w, uint32_t first, uint32_t end, uint32_t a,
                              kith_error *error)
{
    const joint_tree *old = w->old;
    const tree *t = old->problem->attributes[a].tree;
    const size_t n = old->problem->n_attributes, at = w->area_of[w->order[first]] * n + a;
    uint32_t *values = TRY_ARRAY(values, w->memory, end - first, error);
    uint32_t count = 0;
    for (uint32_t i = first; i < end; i++) {
        const uint32_t node = old->leaves.closures[w->order[i] * n + a];
        if (node == tree_root(t))
            continue;
        const uint32_t top = tree_up(t, t->first[node], t->n_levels - 2u);
        uint32_t place = count;
        while (place > 0 && values[place - 1] >= top)
            place--;
        if (place < count && values[place] == top)
            continue;
        memmove(values + place + 1, values + place, (count - place) * sizeof *values);
        values[place] = top;
        count++;
    }
    w->shown[at] = values;
    w->n_shown[at] = count;
    return KITH_OK;
}

/* In attributes with many live values the roots of areas ask only about values that their leaves
 * show: all others would be questions whose answer is nearly always no. */
static kith_status list_all_shown(reweave_state *w, kith_error *error)
{
    const joint_tree *old = w->old;
    const size_t n_cells = (size_t)w->n_areas * old->problem->n_attributes;
    w->shown = TRY_ZEROS(w->shown, w->memory, n_cells, error);
    w->n_shown = TRY_ZEROS(w->n_shown, w->memory, n_cells, error);
    for (uint32_t area = 0, first = 0; area < w->n_areas; area++) {
        const uint32_t end = joint_tree_score_area_end(area, old->leaves.count, w->round);
        for (uint32_t a = 0; a < old->problem->n_attributes; a++)
            if (old->n_live_values[a] > JOINT_TREE_WIDE_VALUES)
                TRY(list_shown(w, first, end, a, error));
        first = end;
    }
    return KITH_OK;
}

/* Grows a tree in every area, or with `second` in those whose pools may be a class, on the rows
 * `from` of this area. */
static kith_status grow_areas(reweave_state *w, const uint32_t *from, uint32_t count, bool second,
                              kith_error *error)
{
    joint_tree_root *roots = TRY_ZEROS(roots, w->memory, w->n_areas, error);
    uint32_t *place = TRY_ARRAY(place, w->memory, w->n_areas, error);
    uint32_t n_roots = 0, used = 0;
    uint32_t *rows = TRY_ARRAY(rows, w->memory, count, error);
    for (uint32_t area = 0; area < w->n_areas; area++) {
        place[area] = JOINT_TREE_NONE;
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
        if (place[area_of_row(w, from[i])] != JOINT_TREE_NONE)
            roots[place[area_of_row(w, from[i])]].size++;
    for (uint32_t r = 0; r < n_roots; r++) {
        roots[r].first = used;
        used += roots[r].size;
        roots[r].size = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t r = place[area_of_row(w, from[i])];
        if (r != JOINT_TREE_NONE)
            rows[roots[r].first + roots[r].size++] = from[i];
    }
    const joint_tree_roots all = {.rows = rows,
                                  .n_rows = used,
                                  .count = n_roots,
                                  .roots = roots,
                                  .last = second && w->grown.rules->monotone};
    return joint_tree_grow(&w->grown, all, error);
}

/* One question per area: may its rows of the pool be a class, with `hosts` together with those of
 * the leaf that takes them in? */
static kith_status ask_areas(reweave_state *w, uint64_t *bits, bool hosts, const char *what,
                             kith_error *error)
{
    joint_tree *grown = &w->grown;
    const size_t width = grown->rules->width;
    uint32_t *tallies = TRY_ZEROS(tallies, w->memory, w->n_areas * width, error);
    uint64_t *names = TRY_ARRAY(names, w->memory, w->n_areas, error);
    for (uint32_t area = 0; area < w->n_areas; area++)
        names[area] = joint_tree_score_area_name(w->round, area, true);
    for (uint32_t i = 0; i < grown->problem->n_records; i++) {
        const uint32_t leaf = grown->leaves.class_of[i];
        const bool is_hosts =
            leaf != JOINT_TREE_NONE && hosts && w->host[grown->leaves.areas[leaf]] == leaf;
        if (leaf == JOINT_TREE_NONE || is_hosts)
            joint_tree_count_row(grown, tallies + area_of_row(w, i) * width, i);
    }
    const joint_tree_questions q = {
        .count = w->n_areas, .tallies = tallies, .names = names, .exact = hosts};
    uint64_t *spared = TRY_ZEROS(spared, w->memory, smc_words(w->n_areas), error);
    if (grown->rules->n_frequencies > 0 && !hosts)
        /* message 14 */
        TRY(joint_tree_possible_ask(grown->rules, grown->party, bits, spared, &q, NULL, error));
    else
        TRY(joint_tree_rules_ask(grown->rules, grown->party, bits, &q, error)); /* message 14 */
    party_learns(grown->party, DISCLOSE_AGGREGATE, what, w->n_areas);
    return KITH_OK;
}

static double cost_of(const joint_tree *j, uint32_t leaf)
{
    return joint_tree_score_cost(j->problem, joint_tree_closure(j, leaf));
}

/* Leftovers join the host of their area, whose closure rises as far as they need. */
static kith_status join_hosts(reweave_state *w, kith_error *error)
{
    joint_tree *grown = &w->grown;
    const size_t n = grown->problem->n_attributes;
    joint_tree_votes v = {.memory = w->memory};
    size_t n_hosts = 0;
    uint32_t left = 0; /* of areas without a leaf, whose new form is refused */
    uint32_t *mine = TRY_ARRAY(mine, w->memory, grown->leaves.count * n, error);
    memcpy(mine, grown->leaves.closures, grown->leaves.count * n * sizeof *mine);
    for (uint32_t i = 0; i < grown->pool.count; i++) {
        const uint32_t row = grown->pool.rows[i], host = w->host[area_of_row(w, row)];
        if (host == JOINT_TREE_NONE) {
            grown->pool.rows[left++] = row;
            continue;
        }
        for (size_t a = 0; a < n; a++)
            mine[host * n + a] = tree_lca(grown->problem->attributes[a].tree, mine[host * n + a],
                                          grown->cells[a][row]);
        grown->leaves.class_of[row] = host;
    }
    grown->pool.count = left;
    for (uint32_t area = 0; area < w->n_areas; area++) {
        const uint32_t host = w->host[area];
        n_hosts += host != JOINT_TREE_NONE;
        for (size_t a = 0; host != JOINT_TREE_NONE && a < n; a++)
            TRY(joint_tree_votes_ask_raised(&v, grown->problem->attributes[a].tree,
                                            joint_tree_closure(grown, host)[a], mine[host * n + a],
                                            error));
    }
    TRY(joint_tree_votes_join(&v, grown->party, error));
    for (uint32_t area = 0; area < w->n_areas; area++) {
        const uint32_t host = w->host[area];
        if (host == JOINT_TREE_NONE)
            continue;
        uint32_t *closure = joint_tree_closure(grown, host);
        for (size_t a = 0; a < n; a++)
            closure[a] =
                joint_tree_votes_raised(&v, grown->problem->attributes[a].tree, closure[a]);
    }
    if (n_hosts > 0)
        party_learns(grown->party, DISCLOSE_AGGREGATE, "closures", n_hosts * n);
    CHECK(joint_tree_check(grown));
    return KITH_OK;
}

/* Does the new form of each area cost less, summed over the records of all parties? Only this bit
 * is opened, not the costs. A form that is not good is never better. */
static kith_status compare_forms(reweave_state *w, kith_error *error)
{
    const joint_tree *old = w->old, *grown = &w->grown;
    int64_t *values = TRY_ZEROS(values, w->memory, w->n_areas, error);
    int64_t *thresholds = TRY_ARRAY(thresholds, w->memory, w->n_areas, error);
    /* A bound for sums of prices: public, so that it tells nothing about records. */
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
    /* Prices are costs in units of 2^-16 (joint_tree_score_price); a difference of two of them. */
    max_price = max_price * 2 * (1 << 17) * (double)w->old->rules->max_size;
    if (!(max_price < (double)COMPARE_MAX_BOUND))
        return error_set(error, KITH_INVALID, "weights are too large for joint reweaving");
    const int64_t bound = (int64_t)max_price;
    for (uint32_t i = 0; i < old->problem->n_records; i++)
        if (grown->leaves.class_of[i] != JOINT_TREE_NONE)
            values[area_of_row(w, i)] +=
                joint_tree_score_price(old->problem,
                                       joint_tree_closure(old, old->leaves.class_of[i])) -
                joint_tree_score_price(old->problem,
                                       joint_tree_closure(grown, grown->leaves.class_of[i]));
    for (uint32_t area = 0; area < w->n_areas; area++)
        thresholds[area] = 1;
    const compare_sums sums = {
        .values = values, .thresholds = thresholds, .n_groups = w->n_areas, .bound = bound};
    const smc_output output = {SMC_ALL, "new forms cost less"};
    TRY(compare_thresholds(old->party, w->better, &sums, output, error)); /* message 15 */
    for (uint32_t area = 0; area < w->n_areas; area++)
        if (!smc_bit(w->good, area))
            smc_set_bit(w->better, area, 0);
    return KITH_OK;
}

/* The leaves of the next round: of each area the grown ones if these are better, otherwise the old
 * ones. */
static kith_status replace_leaves(reweave_state *w, kith_error *error)
{
    joint_tree *old = w->old;
    const joint_tree *grown = &w->grown;
    const size_t n = old->problem->n_attributes;
    uint32_t *from_old = TRY_ARRAY(from_old, w->memory, old->leaves.count, error);
    uint32_t *from_new = TRY_ARRAY(from_new, w->memory, grown->leaves.count, error);
    uint32_t *closure = TRY_ARRAY(closure, old->memory,
                                  ((size_t)old->leaves.count + grown->leaves.count) * n, error);
    uint32_t *start = TRY_ZEROS(start, w->memory, w->n_areas + 1, error);
    for (uint32_t i = 0; i < old->leaves.count; i++)
        start[w->area_of[i] + 1] += !smc_bit(w->better, w->area_of[i]);
    for (uint32_t l = 0; l < grown->leaves.count; l++)
        start[grown->leaves.areas[l] + 1] += smc_bit(w->better, grown->leaves.areas[l]);
    for (uint32_t area = 0; area < w->n_areas; area++)
        start[area + 1] += start[area];
    const uint32_t total = start[w->n_areas];
    for (uint32_t i = 0; i < old->leaves.count; i++) {
        const uint32_t l = w->order[i], area = w->area_of[l];
        if (smc_bit(w->better, area))
            continue;
        from_old[l] = start[area]++;
        memcpy(closure + from_old[l] * n, old->leaves.closures + l * n, n * sizeof *closure);
    }
    for (uint32_t l = 0; l < grown->leaves.count; l++) {
        if (!smc_bit(w->better, grown->leaves.areas[l]))
            continue;
        from_new[l] = start[grown->leaves.areas[l]]++;
        memcpy(closure + from_new[l] * n, grown->leaves.closures + l * n, n * sizeof *closure);
    }
    for (uint32_t i = 0; i < old->problem->n_records; i++)
        old->leaves.class_of[i] = smc_bit(w->better, area_of_row(w, i))
                                      ? from_new[grown->leaves.class_of[i]]
                                      : from_old[old->leaves.class_of[i]];
    old->leaves.closures = closure;
    old->leaves.count = total;
    old->n_questions = grown->n_questions;
    old->n_batches = grown->n_batches;
    return KITH_OK;
}

kith_status joint_tree_reweave(joint_tree *j, uint32_t round, kith_error *error)
{
    CHECK(joint_tree_check(j));
    ASSERT(j->pool.count == 0);
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    reweave_state w = {.old = j, .round = round, .memory = memory};
    const uint32_t n_records = w.old->problem->n_records;
    joint_tree *grown = &w.grown;
    uint32_t *rows = TRY_ARRAY(rows, w.memory, n_records, error);
    for (uint32_t i = 0; i < n_records; i++)
        rows[i] = i;
    TRY(lay_out_areas(&w, error));
    TRY(list_all_shown(&w, error));
    *grown = *w.old;
    grown->recorder = NULL; /* audits do not look at reweaving */
    TRY(joint_tree_grow_restart(grown, w.memory, error));
    TRY(grow_areas(&w, rows, n_records, false, error));
    TRY(ask_areas(&w, w.pool_good, false, "the pool is enough", error));
    /* Second trees, of the areas whose pools may be a class. Rows of other areas stay there. */
    uint32_t *pooled = TRY_ARRAY(pooled, w.memory, grown->pool.count, error);
    uint32_t count = 0, kept = 0;
    joint_tree_sort_pool(grown);
    for (uint32_t i = 0; i < grown->pool.count; i++) {
        if (smc_bit(w.pool_good, area_of_row(&w, grown->pool.rows[i])))
            pooled[count++] = grown->pool.rows[i];
        else
            grown->pool.rows[kept++] = grown->pool.rows[i];
    }
    grown->pool.count = kept;
    TRY(grow_areas(&w, pooled, count, true, error));
    TRY(joint_tree_close_loose(grown, error));
    /* Hosts: the costliest leaf of every area that may have leftovers. */
    for (uint32_t l = 0; l < grown->leaves.count; l++) {
        const uint32_t area = grown->leaves.areas[l];
        if (joint_tree_rules_stays_good(grown->rules) && smc_bit(w.pool_good, area))
            continue; /* its second tree was a last one, which ejects nothing */
        if (w.host[area] == JOINT_TREE_NONE || cost_of(grown, l) > cost_of(grown, w.host[area]))
            w.host[area] = l;
    }
    memset(w.good, 0xFF, smc_words(w.n_areas) * sizeof *w.good);
    if (!joint_tree_rules_stays_good(grown->rules))
        TRY(ask_areas(&w, w.good, true, "classes stay good with the leftovers", error));
    /* Trimming, or asking again, may leave an area without a leaf. */
    for (uint32_t area = 0; !joint_tree_rules_stays_good(grown->rules) && area < w.n_areas; area++)
        if (w.host[area] == JOINT_TREE_NONE)
            smc_set_bit(w.good, area, 0);
    TRY(join_hosts(&w, error));
    TRY(compare_forms(&w, error));
    return replace_leaves(&w, error);
}
