/* Records as slots: the representation on which the clustering algorithms are fast.
 *
 * For every attribute and every level of its hierarchy below the root there is one slot. A record
 * is a row of 16-bit ids, the node it has in each slot. A closure is a row too: the id in the slots
 * on which all members agree, SLOT_NONE in those given up. Giving up a slot costs a fixed weight
 * that depends on the node only, so that
 *     cost of a closure = base of any member + its weights in the slots given up,
 * which is exact for every measure that is a sum of node costs.
 *
 * Invariants:
 * - Id 0 (SLOT_DEAD) means: this record agrees with no other in this slot. Records have it below a
 *   wildcard and for values that fewer than `live_from` records share; closures never hold it.
 *   Comparisons are always between a closure and a record, and no record has the id SLOT_NONE.
 * - Agreement in a slot implies agreement in every slot of the same attribute above it.
 * - Costs are in units such that every closure costs 0 … 65535; sums of weights are taken modulo
 *   2^16, so that measures that fall along a path (em may) need no special case.
 * - Slots that no closure could keep, or whose weights are all 0, are left out.
 * - Rows have `stride` lanes, a multiple of 16; those beyond `count` are dead.
 * - A level with more than 65,534 live nodes keeps the most frequent of them; the cost
 *   of a record in another node is then overestimated. Ids are exact otherwise.
 *
 * *Whole* slots depend on the trees and costs alone, never on the records, so that sites with
 * different records agree on them: all levels are there and all nodes are alive, the node v of
 * level L having the id v - level_start[L] + 1; only levels of more than SLOTS_WIDE nodes are left
 * out, because sites would have to ask about every node there. */
#ifndef SEARCH_SLOTS_SLOTS_H
#define SEARCH_SLOTS_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/check.h"
#include "search/problem.h"

enum { SLOT_DEAD = 0, SLOT_NONE = 0xFFFF, SLOTS_WIDE = 1024 };
#define SLOT_TOP UINT32_MAX /* slot.above of the highest slot of an attribute */

typedef struct slot {
    uint32_t attribute;
    uint32_t level;
    uint32_t above;         /* slot of the next level up that has one, or SLOT_TOP */
    uint32_t n_ids;         /* ids are below this */
    const uint16_t *weight; /* [ids] cost of giving this slot up, modulo 2^16 */
    const int32_t *worth;   /* [ids] the same as a signed number; 0 for the dead */
} slot;

typedef struct slots {
    uint32_t n_records;
    uint32_t count;
    uint32_t stride;
    const slot *slots;    /* [count] attribute by attribute, highest level first */
    const uint16_t *ids;  /* [n_records * stride] */
    const uint16_t *base; /* [n_records] cost of the record with all its dead slots given up */
    uint16_t top;         /* cost of the closure that has given up everything */
    bool monotone;        /* no weight is negative: bounds may be used */
    bool whole;           /* depends on the trees and costs alone, see above */
    double unit;          /* cost of the measure = sum of unit costs / unit + offset * records */
    double offset;
} slots;

/* Reads a problem. Values shared by fewer than `live_from` records are dead: pass k if classes
 * never have fewer records (costs of smaller sets are then too high), 1 to keep all. */
kith_status slots_build(slots *s, const problem *p, uint32_t live_from, arena *memory,
                        kith_error *error);
kith_status slots_build_whole(slots *s, const problem *p, arena *memory, kith_error *error);

/* Converts a closure to nodes, one per attribute, and back; whole slots only. A node in a level
 * that is left out becomes its lowest ancestor in a level that is not. */
void slots_to_nodes(const slots *s, const problem *p, const uint16_t *closure, uint32_t *node);
void slots_from_nodes(const slots *s, const problem *p, uint16_t *closure, const uint32_t *node);

static inline const uint16_t *slots_row(const slots *s, uint32_t record)
{
    ASSERT(record < s->n_records);
    return s->ids + (uint64_t)record * s->stride;
}

/* Asks for what is known of a record before it is needed: records that are worked on together lie
 * far apart in a large table. */
static inline void slots_fetch(const slots *s, uint32_t record)
{
    __builtin_prefetch(slots_row(s, record));
    __builtin_prefetch(&s->base[record]);
}

/* Weights of a record, lane by lane; weight[] has stride entries. */
static inline void slots_weights(const slots *s, uint32_t record, uint16_t *weight)
{
    const uint16_t *row = slots_row(s, record);
    for (uint32_t i = 0; i < s->count; i++)
        weight[i] = s->slots[i].weight[row[i]];
    for (uint32_t i = s->count; i < s->stride; i++)
        weight[i] = 0;
}

/* The closure of one record alone. */
static inline void slots_start(const slots *s, uint16_t *closure, uint32_t record)
{
    const uint16_t *row = slots_row(s, record);
    for (uint32_t i = 0; i < s->stride; i++)
        closure[i] = row[i] == SLOT_DEAD ? SLOT_NONE : row[i];
}

/* Widens a closure so that it covers the record too. */
static inline void slots_join(const slots *s, uint16_t *closure, uint32_t record)
{
    const uint16_t *row = slots_row(s, record);
    for (uint32_t i = 0; i < s->stride; i++)
        closure[i] = closure[i] == row[i] ? row[i] : SLOT_NONE;
}

/* The closure of several records, count > 0. */
static inline void slots_close(const slots *s, uint16_t *closure, const uint32_t *members,
                               uint32_t count)
{
    ASSERT(count > 0);
    slots_start(s, closure, members[0]);
    for (uint32_t i = 1; i < count; i++)
        slots_join(s, closure, members[i]);
}

/* Cost per record of a closure that covers `member`. */
static inline int32_t slots_cost(const slots *s, const uint16_t *closure, uint32_t member)
{
    const uint16_t *row = slots_row(s, member);
    uint16_t cost = s->base[member];
    for (uint32_t i = 0; i < s->count; i++)
        cost = (uint16_t)(cost + (closure[i] == SLOT_NONE ? s->slots[i].weight[row[i]] : 0));
    return cost;
}

/* The same without a member: the cost of keeping nothing less the weights of what is kept. */
static inline int32_t slots_closure_cost(const slots *s, const uint16_t *closure)
{
    uint16_t cost = s->top;
    for (uint32_t i = 0; i < s->count; i++)
        cost = (uint16_t)(cost - (closure[i] == SLOT_NONE ? 0 : s->slots[i].weight[closure[i]]));
    return cost;
}

/* Cost per record of a closure widened by `record`. */
static inline int32_t slots_joint_cost(const slots *s, const uint16_t *closure, uint32_t record)
{
    const uint16_t *row = slots_row(s, record);
    uint16_t cost = s->base[record];
    for (uint32_t i = 0; i < s->count; i++)
        cost = (uint16_t)(cost + (closure[i] == row[i] ? 0 : s->slots[i].weight[row[i]]));
    return cost;
}

#if KITH_DEBUG
/* Aborts unless the invariants of the rows and weights hold. Cost: records x slots. */
void slots_check(const slots *s);
#endif

#endif
