/* The rules that all forms of sequential clustering share: the sizes aimed at, and when to stop.
 * Centralized (SEQ Algorithms 1 and 2), over rows (SDC Algorithm 3), over columns (Algorithm 4). */
#ifndef SEARCH_SEQUENTIAL_RULES_H
#define SEARCH_SEQUENTIAL_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limit on passes if the study sets none; and the number of passes before a small gain may end
 * the run, because removing singletons can raise the cost in the first passes. */
enum { SEQUENTIAL_MAX_PASSES = 200, SEQUENTIAL_SURE_PASSES = 5 };

/* How many clusters to begin with: about k/2 records in each. */
static inline uint32_t sequential_parts(uint32_t n_records, uint32_t k)
{
    return n_records / (k / 2 > 0 ? k / 2 : 1);
}

/* Is a cluster to be split? (The omega of SEQ is 1.5.) */
static inline bool sequential_too_large(uint32_t size, uint32_t k)
{
    return (double)size > 1.5 * k;
}

/* A pass that lowers the cost by less than this share of it is the last one. */
#define SEQUENTIAL_SMALL_GAIN 1e-5

/* Why clustering ends after this pass, or NULL if it goes on. `before` is the cost before the pass,
 * `gain` what the pass has saved of it. */
static inline const char *sequential_stop(uint32_t n_passes, uint32_t max_passes, uint64_t n_moves,
                                          double before, double gain)
{
    if (n_moves == 0)
        return "no move";
    if (n_passes >= max_passes)
        return "max_passes";
    if (n_passes >= SEQUENTIAL_SURE_PASSES && gain < SEQUENTIAL_SMALL_GAIN * before)
        return "small gain";
    return NULL;
}

/* The course of a run whose passes may visit only some of the records, or some twice (SDC 8.2.3).
 * The stop rule is applied whenever as many records as there are have been visited. */
typedef struct sequential_course {
    uint32_t n_passes, max_passes;
    int64_t before;   /* cost when the rule was last applied */
    uint64_t visited; /* records since then */
    bool moved;       /* has one of them moved? */
} sequential_course;

/* Records a pass; returns the reason to stop, or NULL. */
static inline const char *sequential_end_pass(sequential_course *c, uint64_t n_records,
                                              uint64_t visited, bool moved, int64_t now)
{
    c->n_passes++;
    c->visited += visited;
    c->moved = c->moved || moved;
    if (c->visited < n_records)
        return c->n_passes >= c->max_passes ? "max_passes" : NULL;
    const char *stop = sequential_stop(c->n_passes, c->max_passes, c->moved, (double)c->before,
                                       (double)(c->before - now));
    c->before = now;
    c->visited = 0;
    c->moved = false;
    return stop;
}

#endif
