#include "search/weave/weave_ranks_deal.h"

#include <stdlib.h>

typedef struct dealt {
    uint64_t size;
    uint32_t piece;
} dealt;

static int by_size(const void *a, const void *b)
{
    const dealt *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->piece > y->piece) - (x->piece < y->piece);
}

static uint32_t least_loaded(const uint64_t *load, uint32_t n_ranks)
{
    uint32_t least = 0;
    for (uint32_t r = 1; r < n_ranks; r++)
        least = load[r] < load[least] ? r : least;
    return least;
}

kith_status weave_ranks_deal_out(weave_ranks_deal *deal, const uint64_t *sizes, uint32_t n_pieces,
                                 uint32_t n_ranks, arena *memory, kith_error *error)
{
    *deal = (weave_ranks_deal){.n_pieces = n_pieces, .n_ranks = n_ranks};
    dealt *order = TRY_ALLOC(arena_array(memory, n_pieces, sizeof *order), error);
    uint64_t *load = TRY_ALLOC(arena_zalloc(memory, n_ranks, sizeof *load), error);
    uint32_t *rank_of = TRY_ALLOC(arena_array(memory, n_pieces, sizeof *rank_of), error);
    deal->pieces = TRY_ALLOC(arena_array(memory, n_pieces, sizeof *deal->pieces), error);
    deal->place_of = TRY_ALLOC(arena_array(memory, n_pieces, sizeof *deal->place_of), error);
    deal->start = TRY_ALLOC(arena_zalloc(memory, n_ranks + (size_t)1, sizeof *deal->start), error);
    for (uint32_t i = 0; i < n_pieces; i++)
        order[i] = (dealt){sizes[i], i};
    qsort(order, n_pieces, sizeof *order, by_size);
    for (uint32_t i = 0; i < n_pieces; i++) {
        const uint32_t rank = least_loaded(load, n_ranks);
        load[rank] += order[i].size;
        rank_of[order[i].piece] = rank;
    }
    uint32_t at = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        deal->start[r] = at;
        for (uint32_t i = 0; i < n_pieces; i++)
            if (rank_of[i] == r) {
                deal->place_of[i] = at;
                deal->pieces[at++] = i;
            }
    }
    deal->start[n_ranks] = at;
    return KITH_OK;
}
