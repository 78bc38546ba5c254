#include "verify/classes.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"

/* Open addressing over class numbers; a slot holds a class or NONE, and never more than half of
 * them are used. */
#define NONE UINT32_MAX

typedef struct grouping {
    const kith_table *table;
    const uint32_t *columns;
    uint32_t n_columns;
    uint32_t *slots;
    uint32_t mask;
    classes *out;
} grouping;

/* Multiplication moves bits upwards only, therefore the upper bits are folded down before and after
 * it: the slot is taken from the lower bits. */
static uint64_t classes_mix(uint64_t h)
{
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return h ^ (h >> 32);
}

/* Chained, so that the order of cells counts. */
static uint64_t row_hash(const grouping *g, uint32_t row)
{
    uint64_t h = 0x243f6a8885a308d3u;
    for (uint32_t i = 0; i < g->n_columns; i++)
        h = classes_mix(h ^ g->table->columns[g->columns[i]].codes[row]);
    return h;
}

/* Equal hashes prove nothing; cells decide. */
static bool same_cells(const grouping *g, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < g->n_columns; i++) {
        const uint32_t *codes = g->table->columns[g->columns[i]].codes;
        if (codes[a] != codes[b])
            return false;
    }
    return true;
}

/* The class of a row. Its first row stands for all of its rows in comparisons. */
static uint32_t find_or_add(grouping *g, uint32_t row)
{
    classes *out = g->out;
    uint32_t slot = (uint32_t)row_hash(g, row) & g->mask;
    while (g->slots[slot] != NONE && !same_cells(g, out->first[g->slots[slot]], row))
        slot = (slot + 1) & g->mask;
    if (g->slots[slot] == NONE) {
        g->slots[slot] = out->count;
        out->first[out->count] = row;
        out->size[out->count] = 0;
        out->count++;
    }
    return g->slots[slot];
}

kith_status classes_make(classes *result, arena *memory, const kith_table *table,
                         const uint32_t *columns, uint32_t n_columns, kith_error *error)
{
    uint64_t capacity = 2;
    while (capacity < 2 * (uint64_t)table->n_rows)
        capacity *= 2;
    *result = (classes){0};
    result->class_of = TRY_ALLOC(arena_array(memory, table->n_rows, sizeof(uint32_t)), error);
    result->size = TRY_ALLOC(arena_array(memory, table->n_rows, sizeof(uint32_t)), error);
    result->first = TRY_ALLOC(arena_array(memory, table->n_rows, sizeof(uint32_t)), error);
    uint32_t *slots = TRY_ALLOC(arena_array(memory, capacity, sizeof(uint32_t)), error);
    memset(slots, 0xff, capacity * sizeof *slots);
    grouping g = {table, columns, n_columns, slots, (uint32_t)(capacity - 1), result};
    for (uint32_t row = 0; row < table->n_rows; row++) {
        uint32_t class = find_or_add(&g, row);
        result->class_of[row] = class;
        result->size[class]++;
    }
    arena_release(memory, slots, capacity * sizeof *slots);
    CHECK(classes_check(result, table->n_rows));
    return KITH_OK;
}

#if KITH_DEBUG
void classes_check(const classes *c, uint32_t n_rows)
{
    uint32_t n_seen = 0;
    uint64_t n_members = 0;
    for (uint32_t row = 0; row < n_rows; row++) {
        ASSERT(c->class_of[row] <= n_seen);
        if (c->class_of[row] == n_seen)
            ASSERT(c->first[n_seen++] == row);
    }
    ASSERT(n_seen == c->count);
    for (uint32_t i = 0; i < c->count; i++)
        n_members += c->size[i];
    ASSERT(n_members == n_rows);
}
#endif

kith_status classes_rows(const classes *c, arena *memory, uint32_t n_rows, uint32_t **start,
                         uint32_t **rows, kith_error *error)
{
    *start = TRY_ALLOC(arena_zalloc(memory, c->count + (size_t)1, sizeof(uint32_t)), error);
    *rows = TRY_ALLOC(arena_array(memory, n_rows, sizeof(uint32_t)), error);
    /* next[i] is where the next row of class i goes; afterwards it is where class i ends. */
    uint32_t *next = *start + 1;
    for (uint32_t i = 0; i + 1 < c->count; i++)
        next[i + 1] = next[i] + c->size[i];
    for (uint32_t r = 0; r < n_rows; r++) {
        ASSERT(c->class_of[r] < c->count);
        (*rows)[next[c->class_of[r]]++] = r;
    }
    return KITH_OK;
}
