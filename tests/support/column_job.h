/* A problem whose columns are distributed to several sites, and joint trees of columns on it. */
#ifndef SUPPORT_COLUMN_JOB_H
#define SUPPORT_COLUMN_JOB_H

#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "protocol/column_tree/column_tree.h"
#include "support/problems.h"
#include "support/session.h"

enum { COLUMN_JOB_SITES = 8, COLUMN_JOB_COLUMNS = 16 };

typedef struct column_job {
    arena *memory; /* what is kept */
    const problem *whole;
    uint32_t m;
    uint32_t holder[COLUMN_JOB_COLUMNS]; /* of each attribute */
    uint32_t pivot;                      /* has the sensitive column */
    protocol_options options;
    uint64_t seed;
    bool unseeded;              /* private coins */
    uint32_t change;            /* this party leaves one record out; UINT32_MAX: none does */
    uint32_t leaver, leaves_at; /* this party stops when it reports progress so many times */
    uint32_t n_reports;
    bool left;
    void *more; /* for tests */
    /* results */
    columns_result result[COLUMN_JOB_SITES]; /* class_of and size: in `memory` */
    uint32_t *closure[COLUMN_JOB_SITES];     /* [n_classes * n_attributes] own ones filled in */
} column_job;

/* Columns at random sites. */
static inline void column_job_distribute(column_job *j, uint32_t m, uint64_t seed)
{
    rng r;
    rng_init(&r, seed, 9);
    j->m = m;
    for (uint32_t a = 0; a < j->whole->n_attributes; a++)
        j->holder[a] = rng_below(&r, m);
    j->pivot = j->whole->n_sensitive > 0 ? rng_below(&r, m) : 0;
}

static inline void column_job_open(column_job *j, const problem_shape *shape, uint32_t m,
                                   uint64_t seed)
{
    *j = (column_job){.memory = arena_new(),
                      .seed = seed,
                      .change = UINT32_MAX,
                      .options = {.partition = PARTITION_VERTICAL}};
    j->whole = problems_random(j->memory, shape, seed);
    column_job_distribute(j, m, seed);
    for (uint32_t i = 0; i < m; i++) {
        j->result[i].class_of = arena_zalloc(j->memory, shape->n_records + 1, sizeof(uint32_t));
        j->closure[i] = arena_zalloc(
            j->memory, (size_t)(shape->n_records + 1) * shape->n_attributes, sizeof(uint32_t));
    }
}

/* What one party knows: its columns, and the sensitive one only if it is the pivot. */
static inline void column_job_part(const column_job *j, problem *mine, attribute *own,
                                   uint32_t *numbers, uint32_t self)
{
    *mine = *j->whole;
    mine->attributes = own;
    mine->n_attributes = 0;
    for (uint32_t a = 0; a < j->whole->n_attributes; a++)
        if (j->holder[a] == self) {
            numbers[mine->n_attributes] = a;
            own[mine->n_attributes++] = j->whole->attributes[a];
        }
    if (self != j->pivot) {
        mine->n_sensitive = 0;
        mine->sensitive = NULL;
    }
    mine->n_records -= self == j->change;
}

static inline bool column_job_listen(void *user, const char *phase, double done)
{
    column_job *j = user;
    (void)phase;
    (void)done;
    if (++j->n_reports < j->leaves_at)
        return true;
    j->left = true;
    return false;
}

/* Keeps a party's result; false if a closure does not cover its class. */
static inline bool column_job_keep(column_job *j, const problem *mine, const uint32_t *numbers,
                                   const columns_result *r, uint32_t self)
{
    columns_result *to = &j->result[self];
    bool sound = true;
    memcpy(to->class_of, r->class_of, mine->n_records * sizeof *to->class_of);
    to->n_classes = r->n_classes;
    to->report = r->report;
    for (uint32_t c = 0; c < r->n_classes; c++)
        for (uint32_t a = 0; a < mine->n_attributes; a++)
            j->closure[self][(size_t)c * j->whole->n_attributes + numbers[a]] =
                r->closure[(size_t)c * mine->n_attributes + a];
    for (uint32_t i = 0; i < mine->n_records; i++)
        for (uint32_t a = 0; a < mine->n_attributes; a++)
            sound &= tree_covers(mine->attributes[a].tree,
                                 r->closure[r->class_of[i] * mine->n_attributes + a],
                                 mine->attributes[a].cells[i]);
    return sound;
}

static inline kith_status column_job_sit_recorded(party *p, void *user,
                                                  const column_tree_recorder *recorder,
                                                  kith_error *error)
{
    column_job *j = user;
    const uint32_t self = party_self(p);
    problem mine;
    attribute own[COLUMN_JOB_COLUMNS];
    uint32_t numbers[COLUMN_JOB_COLUMNS];
    context c;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    column_job_part(j, &mine, own, numbers, self);
    if (self == j->leaver && j->leaves_at > 0) {
        run.progress = column_job_listen;
        run.user = j;
    }
    TRY(context_init(&c, &run, error));
    columns_task task = {.mine = &mine,
                         .options = &j->options,
                         .context = &c,
                         .numbers = numbers,
                         .n_all = j->whole->n_attributes,
                         .unit = 1,
                         .pivot = j->pivot,
                         .seeded = !j->unseeded,
                         .seed = j->seed};
    columns_result r;
    kith_status status = column_tree_run_recorded(&r, p, &task, recorder, error);
    if (status == KITH_OK && !column_job_keep(j, &mine, numbers, &r, self))
        status = error_set(error, KITH_BUG, "not covered");
    context_wipe(&c);
    return status;
}

static inline kith_status column_job_sit(party *p, void *user, kith_error *error)
{
    return column_job_sit_recorded(p, user, NULL, error);
}

/* The classes with the closures of all parties; all parties have the same classes. */
static inline partition column_job_join(const column_job *j)
{
    const uint32_t d = j->whole->n_attributes;
    partition all = {.n_classes = j->result[0].n_classes, .class_of = j->result[0].class_of};
    all.closure = arena_zalloc(j->memory, (size_t)all.n_classes * d + 1, sizeof *all.closure);
    for (uint32_t i = 1; i < j->m; i++) {
        assert_int_equal(j->result[i].n_classes, all.n_classes);
        assert_memory_equal(j->result[i].class_of, all.class_of,
                            j->whole->n_records * sizeof *all.class_of);
    }
    for (size_t c = 0; c < all.n_classes; c++)
        for (uint32_t a = 0; a < d; a++)
            all.closure[c * d + a] = j->closure[j->holder[a]][c * d + a];
    return all;
}

#endif
