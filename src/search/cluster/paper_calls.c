#include "search/cluster/paper_calls.h"

#include "core/check.h"
#include "core/error.h"

kith_status paper_calls_init(paper_calls *c, const problem *p, const slots *s, arena *memory,
                             kith_error *error)
{
    *c = (paper_calls){.p = p, .slots = s};
    c->changed = TRY_ARRAY(c->changed, memory, p->n_attributes, error);
    c->above = TRY_ARRAY(c->above, memory, p->n_attributes, error);
    c->below = TRY_ARRAY(c->below, memory, p->n_attributes, error);
    c->local = TRY_ARRAY(c->local, memory, s->stride, error);
    return KITH_OK;
}

/* The first child of an inner node; the others follow it. */
static uint32_t first_child(const tree *t, uint32_t node)
{
    return tree_up(t, t->first[node], t->level[node] - 1U);
}

/* The search from a node down to `to`, below it: returns how many inner nodes have their children
 * examined; *steps is the number of children examined until the right one is found at each. At
 * `to` all children are examined, and none is right. */
static uint32_t descend(const tree *t, uint32_t from, uint32_t to, uint32_t *steps)
{
    ASSERT(tree_covers(t, from, to));
    uint32_t inner = 0;
    *steps = 0;
    while (from != to) {
        uint32_t next = tree_up(t, t->first[to], t->level[from] - 1U);
        *steps += next - first_child(t, from) + 1;
        inner++;
        from = next;
    }
    if (t->level[to] == 0)
        return inner;
    *steps += tree_up(t, t->end[to] - 1, t->level[to] - 1U) - first_child(t, to) + 1;
    return inner + 1;
}

/* Adds the search from c->above to c->below in the attributes that have changed. */
static void paper_calls_add_search(paper_calls *c)
{
    uint32_t max_inner = 0, max_steps = 0;
    for (uint32_t j = 0; j < c->p->n_attributes; j++) {
        uint32_t steps;
        if (!c->changed[j])
            continue;
        uint32_t inner = descend(c->p->attributes[j].tree, c->above[j], c->below[j], &steps);
        max_inner = inner > max_inner ? inner : max_inner;
        max_steps = steps > max_steps ? steps : max_steps;
    }
    c->n_ands += max_inner;
    c->strict += max_steps;
}

void paper_calls_close(paper_calls *c, const uint16_t *above, const uint16_t *closure)
{
    for (uint32_t j = 0; j < c->p->n_attributes; j++) {
        c->changed[j] = true;
        c->above[j] = tree_root(c->p->attributes[j].tree);
    }
    if (above != NULL)
        slots_to_nodes(c->slots, c->p, above, c->above);
    slots_to_nodes(c->slots, c->p, closure, c->below);
    paper_calls_add_search(c);
}

/* Writes the closure of the members other than the record to c->local; false if there are none. */
static bool close_mates(paper_calls *c, uint32_t record, const uint32_t *members, uint32_t count)
{
    bool any = false;
    for (uint32_t m = 0; m < count; m++) {
        if (members[m] == record)
            continue;
        if (any)
            slots_join(c->slots, c->local, members[m]);
        else
            slots_start(c->slots, c->local, members[m]);
        any = true;
    }
    return any;
}

void paper_calls_visit(paper_calls *c, uint32_t record, const uint32_t *members, uint32_t count,
                       const uint16_t *joint, const uint16_t *without)
{
    const uint16_t *row = slots_row(c->slots, record);
    bool mates = close_mates(c, record, members, count), any = false;
    for (uint32_t j = 0; j < c->p->n_attributes; j++)
        c->changed[j] = !mates;
    for (uint32_t i = 0; i < c->slots->count && mates; i++)
        if (c->local[i] != SLOT_NONE && c->local[i] != row[i])
            any = c->changed[c->slots->slots[i].attribute] = true;
    if (mates && !any)
        return;
    slots_to_nodes(c->slots, c->p, joint, c->above);
    slots_to_nodes(c->slots, c->p, without, c->below);
    paper_calls_add_search(c);
}
