/* A problem distributed to several sites, and joint runs on it: for tests of horizontal protocols.
 */
#ifndef SUPPORT_JOINT_H
#define SUPPORT_JOINT_H

#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "protocol/rows.h"
#include "support/session.h"

/* Which site holds each record: by a hash, all at one site, … */
typedef enum joint_split {
    SPLIT_RANDOM,
    SPLIT_ONE,    /* all at the last site */
    SPLIT_SKEWED, /* half at the first, a quarter at the second, …; the last has none */
    SPLIT_ROUND,  /* in turn */
    JOINT_SPLITS
} joint_split;

static inline uint32_t *joint_sites(arena *memory, uint32_t n_records, uint32_t m,
                                    joint_split split, uint64_t seed)
{
    rng r;
    rng_init(&r, seed, 5);
    uint32_t *site = arena_zalloc(memory, n_records + 1, sizeof *site);
    for (uint32_t i = 0; i < n_records; i++) {
        if (split == SPLIT_RANDOM)
            site[i] = rng_below(&r, m);
        else if (split == SPLIT_ONE)
            site[i] = m - 1;
        else if (split == SPLIT_ROUND)
            site[i] = i % m;
        else
            while (site[i] + 2 < m && rng_below(&r, 2) == 0)
                site[i]++;
    }
    return site;
}

/* The part of a problem that one site holds; `from` gets the records that it has. Persons keep
 * their numbers; home_site [n_units]: where each counts, NULL: everywhere. */
static inline problem *joint_part(arena *memory, const problem *p, const uint32_t *site,
                                  const uint32_t *home_site, uint32_t self, uint32_t **from)
{
    problem *mine = arena_zalloc(memory, 1, sizeof *mine);
    attribute *attributes = arena_array(memory, p->n_attributes + 1, sizeof *attributes);
    sensitive_attribute *sensitive = arena_array(memory, p->n_sensitive + 1, sizeof *sensitive);
    uint32_t *row = arena_array(memory, p->n_records + 1, sizeof *row);
    *mine = *p;
    mine->n_records = 0;
    mine->attributes = attributes;
    mine->sensitive = sensitive;
    for (uint32_t i = 0; i < p->n_records; i++)
        if (site[i] == self)
            row[mine->n_records++] = i;
    for (uint32_t a = 0; a < p->n_attributes; a++) {
        uint32_t *cells = arena_array(memory, mine->n_records + 1, sizeof *cells);
        for (uint32_t i = 0; i < mine->n_records; i++)
            cells[i] = p->attributes[a].cells[row[i]];
        attributes[a] = p->attributes[a];
        attributes[a].cells = cells;
    }
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        uint32_t *values = arena_array(memory, mine->n_records + 1, sizeof *values);
        for (uint32_t i = 0; i < mine->n_records; i++)
            values[i] = p->sensitive[s].values[row[i]];
        sensitive[s] = (sensitive_attribute){.values = values, .count = p->sensitive[s].count};
    }
    if (p->unit != NULL) {
        uint32_t *unit = arena_array(memory, mine->n_records + 1, sizeof *unit);
        for (uint32_t i = 0; i < mine->n_records; i++)
            unit[i] = p->unit[row[i]];
        mine->unit = unit;
    }
    if (home_site != NULL) {
        bool *home = arena_array(memory, p->n_units + 1, sizeof *home);
        for (uint32_t u = 0; u < p->n_units; u++)
            home[u] = home_site[u] == self;
        mine->home = home;
    }
    *from = row;
    return mine;
}

/* A run of a protocol; the first party writes the classes, every party those of its records. */
typedef struct joint_job {
    const problem *problem;
    const uint32_t *site;
    const uint32_t *home_site; /* of persons: joint_part */
    const protocol_options *options;
    rows_protocol *protocol;
    uint64_t seed;
    bool seeded;
    arena *memory;
    /* results */
    partition result[PARTY_MAX]; /* class_of: [n_records of the union], own records filled in */
    uint64_t *size[PARTY_MAX];
    protocol_report report[PARTY_MAX];
    partition joined; /* all records, closures of the first party */
} joint_job;

static inline kith_status joint_party(joint_job *j, party *p, context *c, kith_error *error)
{
    const uint32_t self = party_self(p);
    uint32_t *row;
    rows_result result = {0};
    search_spec spec = {0};
    problem *mine = joint_part(c->memory, j->problem, j->site, j->home_site, self, &row);
    rows_task task = {.mine = mine,
                      .spec = &spec,
                      .options = j->options,
                      .context = c,
                      .seeded = j->seeded,
                      .seed = j->seed};
    kith_status status = j->protocol(&result, p, &task, error);
    if (status != KITH_OK)
        return status;
    const size_t n_cells = (size_t)result.n_classes * mine->n_attributes;
    partition *to = &j->result[self];
    to->n_classes = result.n_classes;
    to->closure = malloc(n_cells * sizeof *to->closure + 1);
    to->class_of = malloc(j->problem->n_records * sizeof *to->class_of + 1);
    j->size[self] = malloc(result.n_classes * sizeof *j->size[self] + 1);
    memcpy(to->closure, result.closure, n_cells * sizeof *to->closure);
    memcpy(j->size[self], result.size, result.n_classes * sizeof *j->size[self]);
    for (uint32_t i = 0; i < mine->n_records; i++)
        to->class_of[row[i]] = result.class_of[i];
    j->report[self] = result.report;
    return KITH_OK;
}

static inline kith_status joint_fn(party *p, void *user, kith_error *error)
{
    context c;
    kith_status status = context_init(&c, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1), error);
    if (status != KITH_OK)
        return status;
    status = joint_party(user, p, &c, error);
    context_wipe(&c);
    return status;
}

/* Puts the parties' own classes together. */
static inline void joint_join(joint_job *j)
{
    j->joined = j->result[0];
    for (uint32_t i = 0; i < j->problem->n_records; i++)
        j->joined.class_of[i] = j->result[j->site[i]].class_of[i];
}

static inline void joint_free(joint_job *j)
{
    for (uint32_t i = 0; i < PARTY_MAX; i++) {
        free(j->result[i].closure);
        free(j->result[i].class_of);
        free(j->size[i]);
        j->result[i] = (partition){0};
        j->size[i] = NULL;
    }
}

#endif
