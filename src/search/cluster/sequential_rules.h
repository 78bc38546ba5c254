/* What all forms of sequential clustering have in common: sizes aimed at, and when to stop. */
#ifndef SEARCH_CLUSTER_SEQUENTIAL_RULES_H
#define SEARCH_CLUSTER_SEQUENTIAL_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEQUENTIAL_MAX_PASSES = 200, SEQUENTIAL_SURE_PASSES = 5 };

/* How many clusters to begin with: about k/2 records in each. */
static inline uint32_t sequential_parts(uint32_t n_records, uint32_t k)
{
    return n_records / (k / 2 > 0 ? k / 2 : 1);
}

/* Is a cluster to be split? */
static inline bool sequential_too_large(uint32_t size, uint32_t k)
{
    return (double)size > 1.5 * k;
}

/* Why clustering ends after this pass, or NULL: nothing moved, or the passes are used up, or after
 * five passes (removing singletons can raise the cost early) one gains less than a relative 1e-5.
 */
static inline const char *sequential_stop(uint32_t n_passes, uint32_t max_passes, uint64_t n_moves,
                                          int64_t before, int64_t now)
{
    if (n_moves == 0)
        return "no move";
    if (n_passes >= max_passes)
        return "max_passes";
    if (n_passes >= SEQUENTIAL_SURE_PASSES && (double)(before - now) < 1e-5 * (double)before)
        return "small gain";
    return NULL;
}

/* The course of a run, judged whenever as many records as there are have been visited: after every
 * pass, unless passes visit only some of them or some twice (SDC 8.2.3). */
typedef struct sequential_course {
    uint32_t n_passes, max_passes;
    int64_t before;   /* cost when last judged */
    uint64_t visited; /* records since then */
    bool moved;       /* any of them? */
} sequential_course;

/* Takes a pass down; why clustering ends now, or NULL. */
static inline const char *sequential_end_pass(sequential_course *c, uint64_t n_records,
                                              uint64_t visited, bool moved, int64_t now)
{
    c->n_passes++;
    c->visited += visited;
    c->moved = c->moved || moved;
    if (c->visited < n_records)
        return c->n_passes >= c->max_passes ? "max_passes" : NULL;
    const char *stop = sequential_stop(c->n_passes, c->max_passes, c->moved, c->before, now);
    c->before = now;
    c->visited = 0;
    c->moved = false;
    return stop;
}

#endif
