#include "search/weave/weave_divide.h"

#include "core/error.h"
#include "search/group_by_part.h"

/* All records in one block. */
static kith_status show_block(void *user, record_visit visit, void *to, kith_error *error)
{
    return visit(to, user, error);
}

static kith_status open_block(record_block *b, const problem *p, arena *memory, kith_error *error)
{
    const uint32_t **cells = TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *cells), error);
    const uint32_t **values = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *values), error);
    for (uint32_t a = 0; a < p->n_attributes; a++)
        cells[a] = p->attributes[a].cells;
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        values[s] = p->sensitive[s].values;
    *b = (record_block){.n = p->n_records, .cells = cells, .sensitive = values};
    b->reached = TRY_ALLOC(arena_zalloc(memory, b->n, sizeof *b->reached), error);
    return KITH_OK;
}

kith_status weave_divide_plan(division **d, uint32_t **piece_of, const problem *p,
                              uint64_t whole_records, uint32_t min_class, uint32_t limit,
                              context *c, kith_error *error)
{
    record_block own;
    TRY(open_block(&own, p, c->memory, error));
    const record_scan scan = {show_block, &own};
    TRY(division_make(d, p, whole_records, min_class, limit, &scan, c, error));
    division_pieces(*d, &own, own.reached);
    *piece_of = own.reached;
    return KITH_OK;
}

kith_status weave_divide(weave_partition *pieces, const problem *p, uint32_t min_class,
                         uint32_t limit, context *c, kith_error *error)
{
    division *d;
    uint32_t *piece_of;
    const uint32_t n = p->n_records;
    TRY(weave_divide_plan(&d, &piece_of, p, n, min_class, limit, c, error));
    pieces->count = division_count(d);
    pieces->members = TRY_ALLOC(arena_array(c->memory, n, sizeof(uint32_t)), error);
    pieces->start =
        TRY_ALLOC(arena_array(c->memory, pieces->count + (size_t)2, sizeof(uint32_t)), error);
    group_by_part(pieces->members, pieces->start, piece_of, pieces->count, NULL, n);
    arena_release(c->memory, piece_of, n * sizeof *piece_of);
    return KITH_OK;
}
