#include "search/weave/weave.h"

#include <stdlib.h>

#include "core/error.h"
#include "search/division.h"
#include "search/weave/weave_chunk.h"
#include "search/weave/weave_pieces.h"
#include "search/weave/weave_ranks.h"
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
    w->members = TRY_ALLOC(arena_array(memory, n_records, sizeof *w->members), error);
    w->start =
        TRY_ALLOC(arena_array(memory, (size_t)n_records / min_class + 1, sizeof *w->start), error);
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
    shared->workers =
        TRY_ALLOC(arena_zalloc(c->memory, shared->n_workers, sizeof *shared->workers), error);
    /* Several tasks for each worker, so that no worker waits long for the others. */
    uint32_t share = p->n_records / (shared->n_workers * 8);
    shared->task_records = share > MIN_TASK_RECORDS ? share : MIN_TASK_RECORDS;
    for (unsigned i = 0; i < shared->n_workers; i++) {
        arena *own = TRY_ALLOC(arena_new_like(c->memory), error);
        if (!arena_defer(c->memory, free_arena, own))
            return error_nomem(error);
        uint32_t max_records = i == 0 ? p->n_records : shared->task_records;
        TRY(weave_chunk_init(&shared->workers[i], &shared->slots, p, shared->min_class,
                             WEAVE_ROUNDS_MAX_CHUNK, max_records, own, error));
        shared->workers[i].tree.stop = &shared->stop;
    }
    return KITH_OK;
}

kith_status weave_whole(weave_partition *w, const problem *p, const search_spec *spec, context *c,
                        kith_error *error)
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

void weave_write_classes(partition *out, const weave_partition *w, const uint32_t *members)
{
    for (uint32_t c = 0; c < w->count; c++)
        for (uint32_t i = w->start[c]; i < w->start[c + 1]; i++)
            out->class_of[members == NULL ? w->members[i] : members[w->members[i]]] =
                out->n_classes + c;
    out->n_classes += w->count;
}

static void end_run(search_result *result, const context *c)
{
    result->interrupted = c->cancelled;
    result->stopped = c->cancelled ? "interrupted" : "done";
}

kith_status weave_run(search_result *result, const problem *p, const search_spec *spec, context *c,
                      kith_error *error)
{
    partition *out = &result->partition;
    if (crew_size(c->crew) > 1) {
        TRY(weave_ranks(out, p, spec, c, error));
        end_run(result, c);
        return KITH_OK;
    }
    const uint32_t limit = division_limit(p, class_rules_min_size(p), spec->piece);
    out->class_of = TRY_ALLOC(arena_array(c->memory, p->n_records, sizeof *out->class_of), error);
    if (p->n_records > limit) {
        TRY(weave_pieces(out, p, spec, limit, c, error));
    } else {
        weave_partition w;
        TRY(weave_whole(&w, p, spec, c, error));
        weave_write_classes(out, &w, NULL);
    }
    end_run(result, c);
    return partition_close(out, p, c->memory, error);
}

kith_status weave_piece(search_result *result, const problem *p, const search_place *place,
                        const search_spec *spec, context *c, kith_error *error)
{
    partition *out = &result->partition;
    weave_partition w;
    const weave_pieces_turn turn = {division_seed(c->seed, place->piece), place->before,
                                    place->share};
    out->class_of = TRY_ALLOC(arena_array(c->memory, p->n_records, sizeof *out->class_of), error);
    TRY(weave_pieces_search(&w, p, &turn, spec, c, c->memory, error));
    weave_write_classes(out, &w, NULL);
    end_run(result, c);
    return partition_close(out, p, c->memory, error);
}
