#include "job/share/share_tuples.h"

#include <string.h>

#include "core/crew.h"
#include "core/error.h"
#include "table/row_groups.h"

/* The distinct tuples of the own rows. */
typedef struct own_tuples {
    const kith_table *from;
    const uint32_t *columns;
    uint32_t n_columns, n_keys;
    uint32_t count;
    uint32_t *rows;    /* [count] the first row of each */
    uint32_t *weights; /* [count] */
} own_tuples;

static kith_status find_own(own_tuples *o, arena *memory, kith_error *error)
{
    row_groups g;
    TRY(row_groups_by(&g, memory, o->from, o->columns, o->n_columns, error));
    o->count = 0;
    o->rows = TRY_ALLOC(arena_array(memory, g.count, sizeof *o->rows), error);
    o->weights = TRY_ALLOC(arena_zalloc(memory, g.count, sizeof *o->weights), error);
    for (uint32_t row = 0; row < g.n_rows; row++) {
        if (g.of[row] == o->count) /* groups are numbered by their first rows */
            o->rows[o->count++] = row;
        o->weights[g.of[row]]++;
    }
    return KITH_OK;
}

/* The same on all ranks, since codes mean the same everywhere. */
static uint32_t rank_of(const own_tuples *o, uint32_t tuple, uint32_t n_ranks)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < o->n_keys; i++) {
        hash = (hash ^ o->from->columns[o->columns[i]].codes[o->rows[tuple]]) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash % n_ranks);
}

/* What goes to each rank: for every tuple its codes and its weight. */
static kith_status pack(crew_bytes *out, const own_tuples *o, uint32_t n_ranks, arena *memory,
                        kith_error *error)
{
    const size_t n_bytes = (o->n_columns + (size_t)1) * sizeof(uint32_t);
    memset(out, 0, n_ranks * sizeof *out);
    for (uint32_t i = 0; i < o->count; i++)
        out[rank_of(o, i, n_ranks)].n_bytes += n_bytes;
    for (uint32_t r = 0; r < n_ranks; r++) {
        out[r].bytes = TRY_ALLOC(arena_alloc(memory, out[r].n_bytes), error);
        out[r].n_bytes = 0;
    }
    for (uint32_t i = 0; i < o->count; i++) {
        crew_bytes *to = &out[rank_of(o, i, n_ranks)];
        uint32_t *words = (uint32_t *)(void *)((char *)to->bytes + to->n_bytes);
        for (uint32_t k = 0; k < o->n_columns; k++)
            words[k] = o->from->columns[o->columns[k]].codes[o->rows[i]];
        words[o->n_columns] = o->weights[i];
        to->n_bytes += n_bytes;
    }
    return KITH_OK;
}

static kith_status unpack(share_tuples *t, const crew_bytes *in, const own_tuples *o,
                          uint32_t n_ranks, arena *memory, kith_error *error)
{
    const size_t n_words = o->n_columns + (size_t)1;
    uint64_t n_tuples = 0;
    for (uint32_t r = 0; r < n_ranks; r++)
        n_tuples += in[r].n_bytes / (n_words * sizeof(uint32_t));
    if (n_tuples >= UINT32_MAX)
        return error_set(error, KITH_DATA, "one rank would get more than 4 billion classes");
    t->table = (kith_table){.n_rows = (uint32_t)n_tuples, .n_columns = o->n_columns};
    t->table.columns =
        TRY_ALLOC(arena_array(memory, o->n_columns, sizeof *t->table.columns), error);
    t->weights = TRY_ALLOC(arena_array(memory, n_tuples, sizeof *t->weights), error);
    for (uint32_t k = 0; k < o->n_columns; k++) {
        column *to = &t->table.columns[k];
        *to = o->from->columns[o->columns[k]];
        to->codes = TRY_ALLOC(arena_array(memory, n_tuples, sizeof *to->codes), error);
    }
    uint32_t row = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        const uint32_t *words = in[r].bytes;
        for (size_t left = in[r].n_bytes / sizeof *words; left > 0; left -= n_words, row++) {
            for (uint32_t k = 0; k < o->n_columns; k++)
                t->table.columns[k].codes[row] = *words++;
            t->weights[row] = *words++;
        }
    }
    return KITH_OK;
}

kith_status share_tuples_deal(share_tuples *t, const kith_table *united, const uint32_t *columns,
                              uint32_t n_columns, uint32_t n_keys, context *c, arena *memory,
                              kith_error *error)
{
    const uint32_t n_ranks = crew_size(c->crew);
    own_tuples own = {.from = united, .columns = columns, .n_columns = n_columns, .n_keys = n_keys};
    crew_bytes *out = TRY_ALLOC(arena_array(memory, n_ranks, sizeof *out), error);
    crew_bytes *in = TRY_ALLOC(arena_array(memory, n_ranks, sizeof *in), error);
    TRY(find_own(&own, memory, error));
    TRY(pack(out, &own, n_ranks, memory, error));
    TRY(crew_exchange(c->crew, out, in, memory, error));
    return unpack(t, in, &own, n_ranks, memory, error);
}
