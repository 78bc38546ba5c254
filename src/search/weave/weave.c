#include "search/weave/weave.h"

#include <stdlib.h>

#include "core/error.h"
#include "search/weave/weave_chunk.h"
#include "search/weave/weave_rounds.h"
#include "search/weave/weave_start.h"

enum { MIN_TASK_RECORDS = 4096 };

/* More rounds need a higher temperature at the start: they have the time to cool down. */
static weave_schedule plan_effort(const search_spec *spec)
{
    switch (spec->effort) {
    case EFFORT_QUICK: return (weave_schedule){.n_rounds = 0};
    case EFFORT_BEST: return (weave_schedule){.n_rounds = 100, .tries = 1, .heat = 1};
    case EFFORT_SECONDS: return (weave_schedule){UINT32_MAX, 1, 1, spec->seconds};
    default: return (weave_schedule){.n_rounds = 16, .tries = 1, .heat = 0.3};
    }
}

kith_status weave_partition_init(weave_partition *w, uint32_t n_records, uint32_t min_class,
                                 arena *memory, kith_error *error)
{
    *w = (weave_partition){0};
    w->members = TRY_ARRAY(w->members, memory, n_records, error);
    w->start = TRY_ARRAY(w->start, memory, (size_t)n_records / min_class + 1, error);
    return KITH_OK;
}

#if KITH_DEBUG
void weave_partition_check(const weave_partition *w, const weave_shared *shared)
{
    const uint32_t n_records = shared->problem->n_records;
    bool *placed = calloc(n_records, sizeof *placed);
    if (placed == NULL) /* a check must not make a run fail that could go on */
        return;
    ASSERT(w->start[0] == 0 && w->start[w->count] == n_records);
    for (uint32_t c = 0; c < w->count; c++) {
        const uint32_t *members = w->members + w->start[c], size = w->start[c + 1] - w->start[c];
        ASSERT(w->start[c] < w->start[c + 1] && size >= shared->min_class);
        ASSERT(class_rules_allow(&shared->workers[0].rules, members, size));
        for (uint32_t i = 0; i < size; i++) {
            ASSERT(members[i] < n_records && !placed[members[i]]);
            placed[members[i]] = true;
        }
    }
    free(placed);
}
#endif

static void free_arena(void *memory)
{
    arena_free(memory);
}

/* Every worker has an arena of its own, since arenas belong to one thread. */
static kith_status open_shared(weave_shared *shared, const problem *p, context *c,
                               kith_error *error)
{
    *shared = (weave_shared){.problem = p, .context = c, .min_class = class_rules_min_size(p)};
    shared->min_class = shared->min_class > 0 ? shared->min_class : 1;
    TRY(slots_build(&shared->slots, p, shared->min_class, c->memory, error));
    shared->n_workers = threads_count(c->pool);
    shared->workers = TRY_ZEROS(shared->workers, c->memory, shared->n_workers, error);
    /* Several tasks for each worker, so that no worker waits long for the others. */
    uint32_t share = p->n_records / (shared->n_workers * 8);
    shared->task_records = share > MIN_TASK_RECORDS ? share : MIN_TASK_RECORDS;
    for (unsigned i = 0; i < shared->n_workers; i++) {
        arena *own = TRY_ALLOC(arena_new_like(c->memory), error);
        TRY_ALLOC(arena_defer(c->memory, free_arena, own), error);
        uint32_t max_records = i == 0 ? p->n_records : shared->task_records;
        TRY(weave_chunk_init(&shared->workers[i], &shared->slots, p, shared->min_class,
                             WEAVE_ROUNDS_MAX_CHUNK, max_records, own, error));
        shared->workers[i].tree.stop = &shared->stop;
    }
    return KITH_OK;
}

/* Grows and improves the classes of one piece. */
static kith_status search_piece(weave_partition *w, const problem *p, const search_spec *spec,
                                context *c, kith_error *error)
{
    const double begun = context_seconds();
    const weave_schedule s = plan_effort(spec);
    weave_shared *shared = TRY_ALLOC(arena_alloc(c->memory, sizeof *shared), error);
    TRY(open_shared(shared, p, c, error));
    TRY(weave_partition_init(w, p->n_records, shared->min_class, c->memory, error));
    TRY(weave_start(w, shared, error));
    if (s.n_rounds > 0 && shared->slots.count > 0)
        TRY(weave_rounds(w, shared, &s, begun, error));
    return KITH_OK;
}

/* One call. The shares of the present piece, and of those before it, of what is searched here. */
typedef struct weave_pieces {
    const record_source *records;
    const search_spec *spec;
    context *context;
    const division *division;
    double before, share;
} weave_pieces;

/* What the caller hears of the progress of a piece is its part of the whole. */
static bool tell_whole(void *user, const char *phase, double done)
{
    const weave_pieces *t = user;
    return context_progress(t->context, phase, done < 0 ? -1 : t->before + done * t->share);
}

/* After an interrupt a piece is grown, but not improved: its records have no class yet. */
static kith_status run_piece(weave_pieces *t, uint32_t number, arena *memory, kith_error *error)
{
    const record_source *r = t->records;
    context *c = t->context, own = *c;
    problem p;
    weave_partition w;
    own.memory = memory;
    TRY(r->fetch(r->self, number, &p, &own, error));
    c->cancelled = own.cancelled;
    kith_run told = *c->run;
    told.progress = c->cancelled ? NULL : tell_whole;
    told.user = t;
    search_spec spec = *t->spec;
    spec.seconds *= t->share;
    if (c->cancelled)
        spec.effort = EFFORT_QUICK;
    context alone = {.memory = memory,
                     .pool = c->pool,
                     .seed = division_seed(t->division, c->seed, number),
                     .run = &told};
    TRY(search_piece(&w, &p, &spec, &alone, error));
    partition classes = {.n_classes = w.count};
    classes.class_of = TRY_ARRAY(classes.class_of, memory, p.n_records, error);
    for (uint32_t class = 0; class < w.count; class ++)
        for (uint32_t i = w.start[class]; i < w.start[class + 1]; i++)
            classes.class_of[w.members[i]] = class;
    TRY(partition_close(&classes, &p, memory, error));
    own.cancelled = c->cancelled;
    const kith_status status = r->put(r->self, number, &classes, &own, error);
    c->cancelled = own.cancelled;
    return status;
}

static kith_status run_pieces(weave_pieces *t, const bool *here, kith_error *error)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < division_count(t->division); i++)
        all += here[i] ? division_size(t->division, i) : 0;
    for (uint32_t i = 0; i < division_count(t->division); i++) {
        if (!here[i])
            continue;
        arena *memory = TRY_ALLOC(arena_new_like(t->context->memory), error);
        t->share = (double)division_size(t->division, i) / (double)all;
        const kith_status status = run_piece(t, i, memory, error);
        t->before += t->share;
        arena_free(memory);
        TRY(status);
    }
    return KITH_OK;
}

/* An interrupt on one rank is one on all. */
static kith_status share_interrupt(context *c, kith_error *error)
{
    uint64_t n_cancelled = c->cancelled;
    TRY(crew_sum(c->crew, &n_cancelled, 1, error));
    c->cancelled = n_cancelled > 0;
    return KITH_OK;
}

kith_status weave_run(search_result *result, const problem *p, const record_source *r,
                      const search_spec *spec, context *c, kith_error *error)
{
    division *d;
    const uint32_t min_class = class_rules_min_size_of(p, r->count);
    const uint32_t limit = division_limit(p, min_class, spec->piece);
    TRY(division_make(&d, p, r->count, min_class, limit, &r->scan, c, error));
    bool *here = TRY_ARRAY(here, c->memory, division_count(d), error);
    for (uint32_t i = 0; i < division_count(d); i++)
        here[i] = true;
    TRY(r->divide(r->self, d, here, error));
    weave_pieces t = {.records = r, .spec = spec, .context = c, .division = d};
    TRY(run_pieces(&t, here, error));
    TRY(share_interrupt(c, error));
    if (r->finish != NULL)
        TRY(r->finish(r->self, error));
    result->interrupted = c->cancelled;
    result->stopped = c->cancelled ? "interrupted" : "done";
    return KITH_OK;
}
