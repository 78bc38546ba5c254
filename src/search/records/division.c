/* A complete plan: the pieces of records. */
#include "search/records/division_internal.h"

#include "core/rng.h"

/* Enough clusters for a few chunks: with fewer, records have too few neighbours. And every piece
 * looks at all nodes of all trees, which should not take longer than looking at its records. */
enum { PIECE = 100000, PIECE_CLASSES = 1000, NODES_PER_RECORD = 16 };

#define PIECE_STREAM (UINT64_C(1) << 63) /* streams of rounds are below */

uint32_t division_limit(const problem *p, uint32_t min_class, uint32_t asked)
{
    uint64_t limit = (uint64_t)PIECE_CLASSES * min_class;
    if (asked > 0)
        return asked;
    limit = limit > PIECE ? limit : PIECE;
    for (uint32_t a = 0; a < p->n_attributes; a++) {
        const uint64_t least = p->attributes[a].tree->n_nodes / NODES_PER_RECORD;
        limit = limit > least ? limit : least;
    }
    return limit > UINT32_MAX ? UINT32_MAX : (uint32_t)limit;
}

uint64_t division_seed(const division *d, uint64_t seed, uint32_t piece)
{
    rng r;
    if (d->fits)
        return seed;
    rng_init(&r, seed, PIECE_STREAM | piece);
    return rng_next(&r);
}

uint32_t division_count(const division *d)
{
    return d->n_pieces;
}

uint64_t division_size(const division *d, uint32_t piece)
{
    ASSERT(piece < d->n_pieces);
    return d->nodes[d->node_of_piece[piece]].size;
}

uint32_t division_reach(const division *d, const record_block *block, uint32_t i)
{
    uint32_t at = block->reached == NULL ? 0 : block->reached[i];
    while (d->nodes[at].split.to != NULL) {
        const division_split *s = &d->nodes[at].split;
        at = division_follow(s, d->trees[s->attribute], block->cells[s->attribute][i]);
    }
    if (block->reached != NULL)
        block->reached[i] = at;
    return at;
}

void division_pieces(const division *d, const record_block *block, uint32_t *pieces)
{
    for (uint32_t i = 0; i < block->n; i++)
        pieces[i] = d->nodes[division_reach(d, block, i)].piece;
}
