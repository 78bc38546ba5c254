#include "protocol/joint_tree/joint_tree_steps.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "protocol/joint_tree/joint_tree_votes.h"

typedef struct ranked_leaf {
    double cost;
    uint32_t leaf;
} ranked_leaf;

/* Leaves by closure cost per record, the highest first. */
static kith_status rank(const joint_tree *j, ranked_leaf **out, arena *memory, kith_error *error)
{
    const uint32_t n_leaves = j->leaves.count;
    ranked_leaf *order = TRY_ARRAY(order, memory, n_leaves, error);
    for (uint32_t l = 0; l < n_leaves; l++)
        order[l] = (ranked_leaf){joint_tree_score_cost(j->problem, joint_tree_closure(j, l)), l};
    qsort(order, n_leaves, sizeof *order, sort_double_down_uint32);
    *out = order;
    return KITH_OK;
}

/* --- with diversity by frequency: which leaves stay good? --- */

/* Hosts are single leaves, in the order of rank, or the first 1, 2, 3, … of them together. */
typedef struct host_search {
    uint32_t *place;   /* [n_leaves] in the order of rank */
    uint32_t *tallies; /* [n_leaves * width] of hosts, this party's records; not of persons */
    uint32_t *leftovers;
    bool together;
    arena *memory;
} host_search;

/* Persons of a host may be among the leftovers, too: every record is counted anew. */
static void joint_tree_leftovers_count_persons(const joint_tree *j, const host_search *h,
                                               uint32_t first, uint32_t count, uint32_t *tallies)
{
    const uint32_t width = j->rules->width, *class_of = j->leaves.class_of;
    memset(tallies, 0, (size_t)count * width * sizeof *tallies);
    for (uint32_t i = 0; i < j->problem->n_records; i++) {
        const bool left = class_of[i] == JOINT_TREE_NONE;
        uint32_t begin = first, end = first + count;
        if (!left && h->place[class_of[i]] > begin)
            begin = h->place[class_of[i]];
        if (!left && !h->together && end > h->place[class_of[i]] + 1)
            end = h->place[class_of[i]] + 1;
        for (uint32_t at = begin; at < end; at++)
            joint_tree_count_row(j, tallies + (size_t)(at - first) * width, i);
    }
}

/* Which of the hosts first … first + count - 1 stay good? *found gets the first of them. */
static kith_status try_hosts(joint_tree *j, const host_search *h, uint32_t first, uint32_t count,
                             uint32_t *found, kith_error *error)
{
    const size_t width = j->rules->width;
    uint32_t *tallies = TRY_ARRAY(tallies, h->memory, count * width, error);
    uint64_t *bits = TRY_ZEROS(bits, h->memory, smc_words(count), error);
    if (j->rules->by_persons)
        joint_tree_leftovers_count_persons(j, h, first, count, tallies);
    for (size_t i = 0; !j->rules->by_persons && i < count * width; i++)
        tallies[i] = h->tallies[first * width + i] + h->leftovers[i % width];
    joint_tree_questions q = {.count = count, .tallies = tallies, .exact = true};
    TRY(joint_tree_rules_ask(j->rules, j->party, bits, &q, error)); /* message 13 */
    party_learns(j->party, DISCLOSE_AGGREGATE, "classes stay good with the leftovers", count);
    for (uint32_t i = 0; i < count; i++) {
        joint_tree_record(j, (joint_tree_opened){.event = JOINT_TREE_LEFTOVERS,
                                                 .set = first + i,
                                                 .of = h->together,
                                                 .min_size = j->rules->k,
                                                 .bit = smc_bit(bits, i)});
        if (smc_bit(bits, i) && *found == JOINT_TREE_NONE)
            *found = first + i;
    }
    return KITH_OK;
}

/* Asks about 1, 2, 4, … hosts at a time: few answers more than needed are opened. */
static kith_status find_host(joint_tree *j, const host_search *h, uint32_t *found,
                             kith_error *error)
{
    *found = JOINT_TREE_NONE;
    for (uint32_t first = h->together, count = 1;
         first < j->leaves.count && *found == JOINT_TREE_NONE; count *= 2) {
        uint32_t left = j->leaves.count - first, asked = count < left ? count : left;
        TRY(try_hosts(j, h, first, asked, found, error));
        first += asked;
    }
    return KITH_OK;
}

/* The leftovers join the `count` leaves order[*host] …, which become one. */
static kith_status choose_hosts(joint_tree *j, const ranked_leaf *order, uint32_t *host,
                                uint32_t *count, arena *memory, kith_error *error)
{
    const size_t width = j->rules->width;
    host_search h = {.memory = memory};
    *host = 0;
    *count = 1;
    if (joint_tree_rules_stays_good(j->rules))
        return KITH_OK;
    const uint32_t n_leaves = j->leaves.count;
    h.place = TRY_ARRAY(h.place, memory, n_leaves, error);
    h.tallies = TRY_ZEROS(h.tallies, memory, n_leaves * width, error);
    h.leftovers = TRY_ZEROS(h.leftovers, memory, width, error);
    for (uint32_t l = 0; l < n_leaves; l++)
        h.place[order[l].leaf] = l;
    for (uint32_t i = 0; !j->rules->by_persons && i < j->problem->n_records; i++)
        if (j->leaves.class_of[i] != JOINT_TREE_NONE)
            joint_tree_count_row(j, h.tallies + h.place[j->leaves.class_of[i]] * width, i);
    for (uint32_t i = 0; !j->rules->by_persons && i < j->pool.count; i++)
        joint_tree_count_row(j, h.leftovers, j->pool.rows[i]);
    TRY(find_host(j, &h, host, error));
    if (*host != JOINT_TREE_NONE)
        return KITH_OK;
    h.together = true;
    for (size_t i = width; !j->rules->by_persons && i < n_leaves * width; i++)
        h.tallies[i] += h.tallies[i - width];
    TRY(find_host(j, &h, host, error));
    if (*host == JOINT_TREE_NONE) /* all records together are good: that was the first question */
        return error_set(error, KITH_PEER, "no class of the joint tree can take the leftovers");
    *count = *host + 1;
    *host = 0;
    return KITH_OK;
}

/* --- joining --- */

/* Raises a closure until it covers the leftovers of all parties. */
static kith_status raise_closure(joint_tree *j, uint32_t *closure, arena *memory, kith_error *error)
{
    const problem *p = j->problem;
    joint_tree_votes v = {.memory = memory};
    for (uint32_t a = 0; a < p->n_attributes; a++) {
        const tree *t = p->attributes[a].tree;
        uint32_t mine = closure[a];
        for (uint32_t i = 0; i < j->pool.count; i++)
            mine = tree_lca(t, mine, j->cells[a][j->pool.rows[i]]);
        TRY(joint_tree_votes_ask_raised(&v, t, closure[a], mine, error));
    }
    if (v.count == 0)
        return KITH_OK;
    TRY(joint_tree_votes_join(&v, j->party, error));
    for (uint32_t a = 0; a < p->n_attributes; a++)
        closure[a] = joint_tree_votes_raised(&v, p->attributes[a].tree, closure[a]);
    party_learns(j->party, DISCLOSE_AGGREGATE, "closures", p->n_attributes);
    return KITH_OK;
}

kith_status joint_tree_leftovers(joint_tree *j, kith_error *error)
{
    CHECK(joint_tree_check(j));
    ASSERT(!j->pool.known_empty);
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    joint_tree_leaves *l = &j->leaves;
    const uint32_t n = j->problem->n_attributes;
    ranked_leaf *order = NULL;
    uint32_t at = 0, count = 0;
    uint8_t *gone = TRY_ALLOC(arena_zalloc(memory, l->count, 1), error);
    TRY(rank(j, &order, memory, error));
    TRY(choose_hosts(j, order, &at, &count, memory, error));
    const uint32_t host = order[at].leaf;
    joint_tree_record(j, (joint_tree_opened){.event = JOINT_TREE_HOST,
                                             .set = host,
                                             .bit = true,
                                             .rows = j->pool.rows,
                                             .n_rows = j->pool.count});
    uint32_t *closure = joint_tree_closure(j, host);
    for (uint32_t i = 1; i < count; i++) {
        gone[order[i].leaf] = 1;
        for (uint32_t a = 0; a < n; a++)
            closure[a] = tree_lca(j->problem->attributes[a].tree, closure[a],
                                  joint_tree_closure(j, order[i].leaf)[a]);
    }
    TRY(raise_closure(j, closure, memory, error));
    for (uint32_t i = 0; i < j->problem->n_records; i++)
        if (l->class_of[i] != JOINT_TREE_NONE && gone[l->class_of[i]])
            l->class_of[i] = host;
    for (uint32_t i = 0; i < j->pool.count; i++)
        l->class_of[j->pool.rows[i]] = host;
    j->pool.count = 0;
    TRY(joint_tree_remove_leaves(j, gone, memory, error));
    CHECK(joint_tree_check(j));
    return KITH_OK;
}
