#include "search/weave/weave_ranks.h"

#include "core/error.h"
#include "search/weave/weave_divide.h"
#include "search/weave/weave_pieces.h"
#include "search/weave/weave_ranks_move.h"

/* One call. */
typedef struct ranks_run {
    const problem *p;
    const search_spec *spec;
    context *context;
    uint64_t whole_records;
    bool divided;    /* otherwise the whole table is one piece */
    uint64_t *sizes; /* [pieces] */
    uint32_t n_pieces;
    uint32_t *piece_of; /* [n_records] */
    weave_ranks_deal deal;
    weave_ranks_move move;
} ranks_run;

/* The number of records, and the seed: that of the first rank. */
static kith_status learn_whole(ranks_run *run, kith_error *error)
{
    context *c = run->context;
    uint64_t sums[] = {run->p->n_records, crew_rank(c->crew) == 0 ? c->seed : 0};
    TRY(crew_sum(c->crew, sums, 2, error));
    run->whole_records = sums[0];
    c->seed = sums[1];
    return KITH_OK;
}

static kith_status divide(ranks_run *run, arena *memory, kith_error *error)
{
    const problem *p = run->p;
    const uint32_t min_class = class_rules_min_size_of(p, run->whole_records);
    const uint32_t limit = division_limit(p, min_class, run->spec->piece);
    run->divided = run->whole_records > limit;
    run->n_pieces = 1;
    if (!run->divided) {
        run->piece_of = TRY_ALLOC(arena_zalloc(memory, p->n_records, sizeof *run->piece_of), error);
        run->sizes = TRY_ALLOC(arena_array(memory, 1, sizeof *run->sizes), error);
        run->sizes[0] = run->whole_records;
        return KITH_OK;
    }
    division *d;
    context own = *run->context;
    own.memory = memory;
    const kith_status status =
        weave_divide_plan(&d, &run->piece_of, p, run->whole_records, min_class, limit, &own, error);
    run->context->cancelled = own.cancelled;
    TRY(status);
    run->n_pieces = division_count(d);
    run->sizes = TRY_ALLOC(arena_array(memory, run->n_pieces, sizeof *run->sizes), error);
    for (uint32_t i = 0; i < run->n_pieces; i++)
        run->sizes[i] = division_size(d, i);
    return KITH_OK;
}

/* Searches the piece that is number `index` of this rank, in memory of its own. */
static kith_status search_piece(ranks_run *run, uint32_t index, weave_pieces_turn *turn,
                                arena *memory, kith_error *error)
{
    problem piece;
    weave_partition w;
    partition classes = {0};
    weave_ranks_move *m = &run->move;
    const uint32_t number = run->deal.pieces[run->deal.start[m->self] + index];
    turn->seed = run->divided ? division_seed(run->context->seed, number) : run->context->seed;
    TRY(weave_ranks_move_take(m, index, &piece, memory, error));
    TRY(weave_pieces_search(&w, &piece, turn, run->spec, run->context, memory, error));
    classes.class_of =
        TRY_ALLOC(arena_array(memory, piece.n_records, sizeof *classes.class_of), error);
    weave_write_classes(&classes, &w, NULL);
    TRY(partition_close(&classes, &piece, memory, error));
    return weave_ranks_move_answer(m, index, &classes, memory, error);
}

static kith_status search_pieces(ranks_run *run, kith_error *error)
{
    const uint32_t *start = run->deal.start + run->move.self;
    uint64_t own = 0;
    weave_pieces_turn turn = {0};
    for (uint32_t place = start[0]; place < start[1]; place++)
        own += run->sizes[run->deal.pieces[place]];
    for (uint32_t place = start[0]; place < start[1]; place++) {
        arena *memory = TRY_ALLOC(arena_new_like(run->move.memory), error);
        turn.share = (double)run->sizes[run->deal.pieces[place]] / (double)own;
        const kith_status status = search_piece(run, place - start[0], &turn, memory, error);
        turn.before += turn.share;
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

static kith_status run_ranks(partition *out, ranks_run *run, kith_error *error)
{
    context *c = run->context;
    weave_ranks_move *m = &run->move;
    TRY(learn_whole(run, error));
    TRY(divide(run, m->memory, error));
    TRY(weave_ranks_deal_out(&run->deal, run->sizes, run->n_pieces, m->n_ranks, m->memory, error));
    TRY(weave_ranks_move_records(m, run->piece_of, error));
    arena_release(m->memory, run->piece_of, run->p->n_records * sizeof *run->piece_of);
    TRY(search_pieces(run, error));
    arena_free(m->records);
    m->records = NULL;
    TRY(share_interrupt(c, error));
    return weave_ranks_move_classes(m, out, c->memory, error);
}

kith_status weave_ranks(partition *out, const problem *p, const search_spec *spec, context *c,
                        kith_error *error)
{
    ranks_run run = {.p = p, .spec = spec, .context = c};
    run.move = (weave_ranks_move){.p = p,
                                  .ranks = c->crew,
                                  .n_ranks = crew_size(c->crew),
                                  .self = crew_rank(c->crew),
                                  .deal = &run.deal};
    run.move.memory = TRY_ALLOC(arena_new_like(c->memory), error);
    run.move.records = arena_new_like(c->memory);
    const kith_status status =
        run.move.records == NULL ? error_nomem(error) : run_ranks(out, &run, error);
    arena_free(run.move.records);
    arena_free(run.move.memory);
    return status;
}
