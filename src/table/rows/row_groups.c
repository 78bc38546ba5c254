#include "table/rows/row_groups.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/group_by_part.h"

/* A hash table of pairs (old group, code), used where the product of both is too large for a plain
 * array. Invariant: slots is a power of two, at least twice the rows. */
struct row_groups_scratch {
    uint64_t n_slots;
    uint64_t *keys;
    uint32_t *ids; /* [n_slots] also the plain array, and the sizes of groups */
};

#define NO_KEY UINT64_MAX

kith_status row_groups_scratch_new(row_groups_scratch **scratch, arena *memory, uint32_t n_rows,
                                   kith_error *error)
{
    row_groups_scratch *s = TRY_ALLOC(*scratch = arena_zalloc(memory, 1, sizeof *s), error);
    s->n_slots = 1024;
    while (s->n_slots < 2 * (uint64_t)n_rows)
        s->n_slots *= 2;
    s->keys = TRY_ARRAY(s->keys, memory, s->n_slots, error);
    s->ids = TRY_ARRAY(s->ids, memory, s->n_slots, error);
    return KITH_OK;
}

kith_status row_groups_all(row_groups *g, arena *memory, uint32_t n_rows, kith_error *error)
{
    g->n_rows = n_rows;
    g->count = n_rows > 0;
    g->of = TRY_ZEROS(g->of, memory, n_rows, error);
    return KITH_OK;
}

#if KITH_DEBUG
void row_groups_check(const row_groups *g)
{
    uint32_t n_seen = 0;
    for (uint32_t row = 0; row < g->n_rows; row++) {
        ASSERT(g->of[row] <= n_seen); /* a group that was seen before, or the next new one */
        n_seen += g->of[row] == n_seen;
    }
    ASSERT(n_seen == g->count);
}
#endif

/* The missing value is a value of its own, behind those of the dictionary. */
static uint32_t value_of(const column *c, uint32_t row)
{
    return c->codes[row] == TABLE_MISSING ? c->values.count : c->codes[row];
}

/* One entry for each pair (old group, value): no hashing while the pairs fit into the scratch. */
static void refine_plain(row_groups *to, const row_groups *from, const column *c,
                         row_groups_scratch *s)
{
    uint64_t width = (uint64_t)c->values.count + 1;
    uint32_t next = 0;
    memset(s->ids, 0xff, from->count * width * sizeof *s->ids);
    for (uint32_t row = 0; row < from->n_rows; row++) {
        uint32_t *id = &s->ids[from->of[row] * width + value_of(c, row)];
        if (*id == UINT32_MAX)
            *id = next++;
        to->of[row] = *id;
    }
    to->count = next;
}

static uint64_t row_groups_mix(uint64_t key)
{
    key = (key ^ (key >> 31)) * 0x9e3779b97f4a7c15U;
    return key ^ (key >> 29);
}

static void refine_hashed(row_groups *to, const row_groups *from, const column *c,
                          row_groups_scratch *s)
{
    uint32_t next = 0;
    memset(s->keys, 0xff, s->n_slots * sizeof *s->keys);
    for (uint32_t row = 0; row < from->n_rows; row++) {
        uint64_t key = (uint64_t)from->of[row] << 32 | value_of(c, row);
        uint64_t slot = row_groups_mix(key) & (s->n_slots - 1);
        while (s->keys[slot] != NO_KEY && s->keys[slot] != key)
            slot = (slot + 1) & (s->n_slots - 1);
        if (s->keys[slot] == NO_KEY) {
            s->keys[slot] = key;
            s->ids[slot] = next++;
        }
        to->of[row] = s->ids[slot];
    }
    to->count = next;
}

void row_groups_refine(row_groups *to, const row_groups *from, const column *c,
                       row_groups_scratch *scratch)
{
    CHECK(row_groups_check(from));
    ASSERT(2 * (uint64_t)from->n_rows <= scratch->n_slots);
    to->n_rows = from->n_rows;
    if (from->count * ((uint64_t)c->values.count + 1) <= scratch->n_slots)
        refine_plain(to, from, c, scratch);
    else
        refine_hashed(to, from, c, scratch);
    CHECK(row_groups_check(to));
}

kith_status row_groups_by(row_groups *g, arena *memory, const kith_table *table,
                          const uint32_t *columns, uint32_t n_columns, kith_error *error)
{
    arena *own ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    row_groups_scratch *scratch;
    TRY(row_groups_scratch_new(&scratch, own, table->n_rows, error));
    TRY(row_groups_all(g, memory, table->n_rows, error));
    for (uint32_t i = 0; i < n_columns; i++)
        row_groups_refine(g, g, &table->columns[columns[i]], scratch);
    return KITH_OK;
}

kith_status row_groups_list(row_groups_lists *lists, const row_groups *g, arena *memory,
                            kith_error *error)
{
    CHECK(row_groups_check(g));
    uint32_t *starts = TRY_ARRAY(starts, memory, g->count + (size_t)2, error);
    uint32_t *rows = TRY_ARRAY(rows, memory, g->n_rows, error);
    group_by_part(rows, starts, g->of, g->count, NULL, g->n_rows);
    *lists = (row_groups_lists){starts, rows};
    return KITH_OK;
}

static const uint32_t *sizes(const row_groups *g, row_groups_scratch *s)
{
    ASSERT(g->count <= s->n_slots);
    memset(s->ids, 0, g->count * sizeof *s->ids);
    for (uint32_t row = 0; row < g->n_rows; row++)
        s->ids[g->of[row]]++;
    return s->ids;
}

uint32_t row_groups_count_singles(const row_groups *g, row_groups_scratch *scratch)
{
    const uint32_t *size = sizes(g, scratch);
    uint32_t n_singles = 0;
    for (uint32_t i = 0; i < g->count; i++)
        n_singles += size[i] == 1;
    return n_singles;
}

uint32_t row_groups_min_size(const row_groups *g, row_groups_scratch *scratch)
{
    const uint32_t *size = sizes(g, scratch);
    uint32_t min_size = g->count > 0 ? size[0] : 0;
    for (uint32_t i = 1; i < g->count; i++)
        min_size = size[i] < min_size ? size[i] : min_size;
    return min_size;
}
