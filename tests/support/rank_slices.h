/* Problems whose records are shared out to ranks, and what each rank's search finds. Header only.
 */
#ifndef SUPPORT_RANK_SLICES_H
#define SUPPORT_RANK_SLICES_H

#include <string.h>

#include "core/run/context.h"
#include "search/search.h"
#include "support/problems.h"
#include "support/thread_ranks.h"

enum { RANK_SHARES_MAX = 8, RANK_SHARES_LEVELS = 8 };

typedef struct rank_slices {
    const problem *whole;
    const search_spec *spec;
    const char *algorithm; /* NULL: weave */
    uint64_t seed;
    uint32_t n_threads;
    kith_progress_fn progress[RANK_SHARES_MAX]; /* NULL: nobody stops the rank */
    uint32_t first[RANK_SHARES_MAX + 1]; /* records of rank r: first[r] … first[r + 1] - 1 */
    /* [records of the whole][n_attributes] found; those of suppressed records are left alone */
    uint32_t *closure;
    search_result found[RANK_SHARES_MAX]; /* without what it points to, which is gone, */
    uint32_t levels[RANK_SHARES_MAX][RANK_SHARES_LEVELS]; /* but for the levels, and if somebody */
    searched_lattice *lattice[RANK_SHARES_MAX];           /* wants it, a copy of the lattice */
    arena *lattice_memory[RANK_SHARES_MAX];               /* in this memory; NULL: none is made */
    kith_status status[RANK_SHARES_MAX];
    kith_error error[RANK_SHARES_MAX];
    bool spoke[RANK_SHARES_MAX]; /* the rank that has to say what went wrong */
    uint64_t n_sent_bytes[RANK_SHARES_MAX];
} rank_slices;

/* The records from `first` to `end` of a problem. */
static inline problem *rank_slices_problem(const problem *p, uint32_t first, uint32_t end,
                                           arena *memory)
{
    problem *own = arena_alloc(memory, sizeof *own);
    attribute *attributes = arena_array(memory, p->n_attributes, sizeof *attributes);
    sensitive_attribute *sensitive = arena_array(memory, p->n_sensitive, sizeof *sensitive);
    *own = *p;
    own->n_records = end - first;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        attributes[j] = p->attributes[j];
        attributes[j].cells += first;
    }
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        sensitive[s] = p->sensitive[s];
        sensitive[s].values += first;
    }
    own->attributes = attributes;
    own->sensitive = sensitive;
    return own;
}

/* Cuts the records anywhere: slices may be empty. */
static inline void rank_slices_cut(rank_slices *s, uint32_t n_ranks, rng *r)
{
    s->first[0] = 0;
    for (uint32_t i = 1; i < n_ranks; i++)
        s->first[i] = rng_below(r, s->whole->n_records + 1);
    for (uint32_t i = 1; i < n_ranks; i++)
        for (uint32_t j = i; j > 1 && s->first[j] < s->first[j - 1]; j--) {
            const uint32_t swap = s->first[j];
            s->first[j] = s->first[j - 1];
            s->first[j - 1] = swap;
        }
    s->first[n_ranks] = s->whole->n_records;
}

static inline const void *rank_slices_copy(arena *memory, const void *from, size_t n_bytes)
{
    return memcpy(arena_alloc(memory, n_bytes), from, n_bytes);
}

/* What the search says of all nodes. */
static inline void rank_slices_note_lattice(rank_slices *s, uint32_t rank,
                                            const searched_lattice *found)
{
    arena *memory = s->lattice_memory[rank];
    if (found == NULL || memory == NULL)
        return;
    searched_lattice *l = arena_zalloc(memory, 1, sizeof *l);
    l->n_nodes = found->n_nodes;
    l->answer = rank_slices_copy(memory, found->answer, found->n_nodes);
    l->loss = rank_slices_copy(memory, found->loss, found->n_nodes * sizeof *l->loss);
    l->smallest = rank_slices_copy(memory, found->smallest, found->n_nodes * sizeof *l->smallest);
    s->lattice[rank] = l;
}

static inline void rank_slices_note(rank_slices *s, uint32_t rank, const search_result *found)
{
    const uint32_t row = s->whole->n_attributes, *class_of = found->partition.class_of;
    for (uint32_t i = 0; i < s->first[rank + 1] - s->first[rank]; i++)
        if (class_of[i] != PARTITION_SUPPRESSED)
            memcpy(s->closure + (size_t)(s->first[rank] + i) * row,
                   found->partition.closure + (size_t)class_of[i] * row, row * sizeof *s->closure);
    for (uint32_t j = 0; found->levels != NULL && j < row && j < RANK_SHARES_LEVELS; j++)
        s->levels[rank][j] = found->levels[j];
    s->found[rank] = *found;
    rank_slices_note_lattice(s, rank, found->lattice);
}

/* One rank, with its slice; the first one's seed counts. `ranks` is NULL for a search alone. */
static inline void rank_slices_search(kith_ranks *ranks, void *user)
{
    rank_slices *s = user;
    const uint32_t rank = ranks_self(ranks);
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = s->n_threads, .seeded = true,
                                      .seed = s->seed + 1000 * rank, .progress = s->progress[rank]);
    context own;
    search_result found;
    kith_error *error = &s->error[rank];
    kith_status status = context_init(&own, &run, error);
    if (status == KITH_OK) {
        own.ranks = ranks;
        const problem *p =
            rank_slices_problem(s->whole, s->first[rank], s->first[rank + 1], own.memory);
        status = search_run(&found, search_find(s->algorithm == NULL ? "weave" : s->algorithm), p,
                            s->spec, &own, error);
        if (status == KITH_OK)
            rank_slices_note(s, rank, &found);
    }
    s->status[rank] = ranks_leave(ranks, status, error);
    s->spoke[rank] = s->status[rank] != KITH_OK && ranks_reports(ranks);
    s->n_sent_bytes[rank] = ranks_n_sent_bytes(ranks);
    context_wipe(&own);
}

#endif
