#include "verify/matching.h"

#include <stdbool.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"

#define NONE UINT32_MAX

/* Invariants: the guests of place p are the items assigned[base[p]] … assigned[base[p] + used[p] -
 * 1], and place_of is p for each of them; used[p] <= room[p]. The levels are those of the
 * breadth-first search from the items that have no place yet; a place is only entered from items of
 * its own level. */
typedef struct solver {
    const matching_graph *g;
    uint32_t *place_of;
    uint32_t *base, *used, *assigned;
    uint32_t *item_level, *place_level;
    uint64_t *next_edge;     /* [n_items] edges not tried yet in this phase */
    uint32_t *next_assigned; /* [n_places] guests not tried yet in this phase */
    uint32_t *queue;         /* [n_items]; also the path of the depth-first search */
} solver;

/* Marks a place and queues its guests: if one of them moves on, there is room. */
static void enter_place(solver *s, uint32_t place, uint32_t level, uint32_t *tail)
{
    s->place_level[place] = level;
    for (uint32_t i = 0; i < s->used[place]; i++) {
        uint32_t item = s->assigned[s->base[place] + i];
        if (s->item_level[item] == NONE) {
            s->item_level[item] = level + 1;
            s->queue[(*tail)++] = item;
        }
    }
}

/* Gives levels; false if no place with room can be reached. */
static bool search_levels(solver *s)
{
    const matching_graph *g = s->g;
    uint32_t tail = 0, last = NONE;
    memset(s->place_level, 0xff, g->n_places * sizeof *s->place_level);
    for (uint32_t i = 0; i < g->n_items; i++) {
        s->item_level[i] = s->place_of[i] == NONE ? 0 : NONE;
        if (s->place_of[i] == NONE)
            s->queue[tail++] = i;
    }
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t item = s->queue[head], level = s->item_level[item];
        if (level > last)
            break;
        for (uint64_t e = g->start[item]; e < g->start[item + 1]; e++) {
            uint32_t place = g->edge[e];
            if (s->place_level[place] != NONE)
                continue;
            if (s->used[place] < g->room[place])
                last = level;
            enter_place(s, place, level, &tail);
        }
    }
    return last != NONE;
}

/* The items on the path each move to the place that their next edge leads to. */
static void take_path(solver *s, uint32_t depth)
{
    const matching_graph *g = s->g;
    uint32_t item = s->queue[depth];
    uint32_t place = g->edge[s->next_edge[item]];
    s->assigned[s->base[place] + s->used[place]++] = item;
    s->place_of[item] = place;
    while (depth-- > 0) {
        item = s->queue[depth];
        place = g->edge[s->next_edge[item]];
        s->assigned[s->base[place] + s->next_assigned[place]] = item;
        s->place_of[item] = place;
    }
}

/* The next guest of a full place that could move on, NONE if there is none. */
static uint32_t movable_item(solver *s, uint32_t place, uint32_t level)
{
    for (; s->next_assigned[place] < s->used[place]; s->next_assigned[place]++) {
        uint32_t item = s->assigned[s->base[place] + s->next_assigned[place]];
        if (s->item_level[item] == level + 1)
            return item;
    }
    return NONE;
}

/* Finds a place for an item, moving others on if need be. */
static bool augment(solver *s, uint32_t first)
{
    const matching_graph *g = s->g;
    uint32_t depth = 0;
    s->queue[0] = first;
    for (;;) {
        uint32_t item = s->queue[depth];
        if (s->next_edge[item] == g->start[item + 1]) {
            s->item_level[item] = NONE;
            if (depth-- == 0)
                return false;
            continue;
        }
        uint32_t place = g->edge[s->next_edge[item]];
        if (s->place_level[place] != s->item_level[item]) {
            s->next_edge[item]++;
        } else if (s->used[place] < g->room[place]) {
            take_path(s, depth);
            return true;
        } else {
            uint32_t moved = movable_item(s, place, s->item_level[item]);
            if (moved == NONE)
                s->next_edge[item]++;
            else
                s->queue[++depth] = moved;
        }
    }
}

#if KITH_DEBUG
static void check_solver(const solver *s)
{
    uint32_t n_assigned = 0, n_placed = 0;
    for (uint32_t p = 0; p < s->g->n_places; p++) {
        ASSERT(s->used[p] <= s->g->room[p]);
        for (uint32_t i = 0; i < s->used[p]; i++)
            ASSERT(s->place_of[s->assigned[s->base[p] + i]] == p);
        n_assigned += s->used[p];
    }
    for (uint32_t i = 0; i < s->g->n_items; i++)
        n_placed += s->place_of[i] != NONE;
    ASSERT(n_assigned == n_placed); /* no item is in two places */
}
#endif

/* Hopcroft and Karp: each phase finds all shortest ways to a place with room and uses as many of
 * them as do not cross. There are at most about 2 sqrt(items) phases. */
kith_status matching_solve(const matching_graph *g, uint32_t *place_of, uint32_t *left,
                           arena *memory, kith_error *error)
{
    size_t n_items = g->n_items, n_places = g->n_places;
    solver s = {.g = g, .place_of = place_of};
    s.base = TRY_ALLOC(arena_zalloc(memory, n_places, sizeof(uint32_t)), error);
    s.used = TRY_ALLOC(arena_zalloc(memory, n_places, sizeof(uint32_t)), error);
    uint32_t room = 0;
    for (uint32_t p = 0; p < g->n_places; p++) {
        s.base[p] = room;
        room += g->room[p];
    }
    s.assigned = TRY_ALLOC(arena_array(memory, room, sizeof(uint32_t)), error);
    s.item_level = TRY_ALLOC(arena_array(memory, n_items, sizeof(uint32_t)), error);
    s.place_level = TRY_ALLOC(arena_array(memory, n_places, sizeof(uint32_t)), error);
    s.next_edge = TRY_ALLOC(arena_array(memory, n_items, sizeof(uint64_t)), error);
    s.next_assigned = TRY_ALLOC(arena_array(memory, n_places, sizeof(uint32_t)), error);
    s.queue = TRY_ALLOC(arena_array(memory, n_items, sizeof(uint32_t)), error);
    memset(place_of, 0xff, g->n_items * sizeof *place_of);
    *left = g->n_items;
    while (*left > 0 && search_levels(&s)) {
        for (uint32_t i = 0; i < g->n_items; i++)
            s.next_edge[i] = g->start[i];
        memset(s.next_assigned, 0, g->n_places * sizeof *s.next_assigned);
        for (uint32_t i = 0; i < g->n_items; i++)
            if (place_of[i] == NONE && augment(&s, i))
                --*left;
        CHECK(check_solver(&s));
    }
    return KITH_OK;
}
