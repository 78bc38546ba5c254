#include "search/weave/weave_pieces.h"

#include "core/error.h"
#include "search/division.h"
#include "search/weave/weave_divide.h"

/* What the caller hears of the progress of one piece is its part of the whole. */
typedef struct piece_progress {
    context *whole;
    const weave_pieces_turn *turn;
} piece_progress;

static bool tell_whole(void *user, const char *phase, double done)
{
    const piece_progress *part = user;
    const double all = part->turn->before + done * part->turn->share;
    return context_progress(part->whole, phase, done < 0 ? -1 : all);
}

kith_status weave_pieces_search(weave_partition *w, const problem *piece,
                                const weave_pieces_turn *turn, const search_spec *spec, context *c,
                                arena *memory, kith_error *error)
{
    piece_progress part = {c, turn};
    kith_run told = *c->run;
    told.progress = c->cancelled ? NULL : tell_whole;
    told.user = &part;
    search_spec effort = *spec;
    effort.seconds *= turn->share;
    if (c->cancelled)
        effort.effort = EFFORT_QUICK;
    context own = {.memory = memory, .pool = c->pool, .seed = turn->seed, .run = &told};
    return weave_whole(w, piece, &effort, &own, error);
}

static kith_status run_piece(partition *out, const problem *p, const weave_partition *pieces,
                             uint32_t number, const search_spec *spec, context *c,
                             kith_error *error)
{
    const uint32_t first = pieces->start[number], count = pieces->start[number + 1] - first;
    const weave_pieces_turn turn = {division_seed(c->seed, number), (double)first / p->n_records,
                                    (double)count / p->n_records};
    arena *memory = TRY_ALLOC(arena_new_like(c->memory), error);
    problem piece; /* what models know of the whole table stays */
    attribute *attributes;
    weave_partition w;
    kith_status status =
        problem_take(&piece, &attributes, p, pieces->members + first, count, memory, error);
    if (status == KITH_OK)
        status = weave_pieces_search(&w, &piece, &turn, spec, c, memory, error);
    if (status == KITH_OK)
        weave_write_classes(out, &w, pieces->members + first);
    arena_free(memory);
    return status;
}

kith_status weave_pieces(partition *out, const problem *p, const search_spec *spec, uint32_t limit,
                         context *c, kith_error *error)
{
    weave_partition pieces;
    TRY(weave_divide(&pieces, p, class_rules_min_size(p), limit, c, error));
    for (uint32_t i = 0; i < pieces.count; i++)
        TRY(run_piece(out, p, &pieces, i, spec, c, error));
    return KITH_OK;
}
