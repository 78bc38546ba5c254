#include "search/lattice/tuples_internal.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/group_by_part.h"
#include "core/sort.h"
#include "search/records/tuple_index.h"

static kith_status build_codes(tuple_attribute *a, arena *memory, kith_error *error)
{
    const tree *t = a->tree;
    const uint32_t **code = TRY_ALLOC(arena_array(memory, t->n_levels, sizeof *code), error);
    uint8_t *bits = TRY_ALLOC(arena_array(memory, t->n_levels, sizeof *bits), error);
    for (uint32_t level = 0; level < t->n_levels; level++) {
        /* [n_leaves]: wildcards */
        uint32_t *row = TRY_ALLOC(arena_array(memory, (size_t)t->n_leaves + 1, sizeof *row), error);
        uint32_t start = t->level_start[level];
        for (uint32_t leaf = 0; leaf < t->n_leaves; leaf++)
            row[leaf] = tree_up(t, leaf, level) - start;
        uint32_t beyond = t->level_start[level + 1] - start;
        /* At the root everything agrees, a wildcard too. */
        row[t->n_leaves] = level + 1 == t->n_levels ? 0 : beyond;
        code[level] = row;
        uint32_t max_code = level + 1 == t->n_levels ? 0 : beyond;
        bits[level] = (uint8_t)(max_code == 0 ? 0 : 32 - __builtin_clz(max_code));
    }
    a->code = code;
    a->bits = bits;
    return KITH_OK;
}

uint32_t *tuples_gather_rows(const problem *p, arena *memory)
{
    uint32_t r = p->n_attributes;
    uint32_t *rows = arena_array(memory, (size_t)p->n_records * r, sizeof *rows);
    if (rows == NULL)
        return NULL;
    for (uint32_t j = 0; j < r; j++) {
        const tree *t = p->attributes[j].tree;
        for (uint32_t i = 0; i < p->n_records; i++) {
            uint32_t cell = p->attributes[j].cells[i];
            rows[(size_t)i * r + j] = cell < t->n_leaves ? cell : t->n_leaves;
        }
    }
    return rows;
}

kith_status tuples_take_rows(tuples *t, uint32_t *of, const uint32_t *rows, uint32_t n_rows,
                             arena *memory, kith_error *error)
{
    tuple_index distinct;
    tuple_index_init(&distinct, t->n_attributes, memory);
    TRY(tuple_index_add_all(&distinct, rows, n_rows, of, error));
    tuple_index_close(&distinct);
    t->count = distinct.count;
    t->leaf = distinct.rows;
    t->weight = TRY_ALLOC(arena_zalloc(memory, t->count, sizeof *t->weight), error);
    return KITH_OK;
}

kith_status tuples_attributes(const tuple_attribute **attributes, const problem *p, arena *memory,
                              kith_error *error)
{
    tuple_attribute *list = TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *list), error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        list[j] = (tuple_attribute){.tree = p->attributes[j].tree};
        TRY(build_codes(&list[j], memory, error));
    }
    *attributes = list;
    return KITH_OK;
}

uint32_t tuples_list_bound(const problem *p, uint32_t list)
{
    /* One more than the leaves: wildcards. */
    return list < p->n_sensitive ? p->sensitive[list].count
                                 : p->attributes[list - p->n_sensitive].tree->n_leaves + 1;
}

kith_status tuples_make_lists(tuples *t, arena *memory, kith_error *error)
{
    t->first = TRY_ALLOC(arena_zalloc(memory, t->n_lists, sizeof *t->first), error);
    t->value = TRY_ALLOC(arena_zalloc(memory, t->n_lists, sizeof *t->value), error);
    t->times = TRY_ALLOC(arena_zalloc(memory, t->n_lists, sizeof *t->times), error);
    return KITH_OK;
}

kith_status tuples_make_list(tuples *t, uint32_t s, size_t n_tuples, size_t n_entries,
                             arena *memory, kith_error *error)
{
    t->first[s] = TRY_ALLOC(arena_array(memory, n_tuples + 1, sizeof **t->first), error);
    t->value[s] = TRY_ALLOC(arena_array(memory, n_entries, sizeof **t->value), error);
    t->times[s] = TRY_ALLOC(arena_array(memory, n_entries, sizeof **t->times), error);
    t->first[s][0] = 0;
    return KITH_OK;
}

/* A value and how many records have it. */
typedef struct value_times {
    uint32_t value, times;
} value_times;

/* Lists (value, times) per tuple for one sensitive attribute. `found` has room for the members of a
 * tuple. */
static kith_status list_sensitive_values(tuples *t, uint32_t s, const problem *p,
                                         const uint32_t *start, const uint32_t *member,
                                         value_times *found, arena *memory, kith_error *error)
{
    TRY(tuples_make_list(t, s, t->count, p->n_records, memory, error));
    uint32_t used = 0;
    for (uint32_t u = 0; u < t->count; u++) {
        const uint32_t *records = member + start[u], n = start[u + 1] - start[u];
        t->first[s][u] = used;
        for (uint32_t i = 0; i < n; i++)
            found[i] = (value_times){p->sensitive[s].values[records[i]],
                                     p->weight == NULL ? 1 : p->weight[records[i]]};
        qsort(found, n, sizeof *found, sort_uint32);
        for (uint32_t i = 0; i < n; used++) {
            const uint32_t value = found[i].value;
            uint32_t times = 0;
            for (; i < n && found[i].value == value; i++)
                times += found[i].times;
            t->value[s][used] = value;
            t->times[s][used] = times;
        }
    }
    t->first[s][t->count] = used;
    return KITH_OK;
}

kith_status tuples_build(tuples *t, const problem *p, bool values, arena *memory, kith_error *error)
{
    *t = (tuples){.n_attributes = p->n_attributes,
                  .n_sensitive = p->n_sensitive,
                  .n_lists = p->n_sensitive + p->n_attributes};
    uint32_t *rows = TRY_ALLOC(tuples_gather_rows(p, memory), error);
    t->of = TRY_ALLOC(arena_array(memory, p->n_records, sizeof *t->of), error);
    TRY(tuples_take_rows(t, t->of, rows, p->n_records, memory, error));
    for (uint32_t i = 0; i < p->n_records; i++) {
        const uint32_t n = p->weight == NULL ? 1 : p->weight[i];
        t->weight[t->of[i]] += n;
        t->n_own += n;
    }
    t->n_records = t->n_own;
    arena_release(memory, rows, (size_t)p->n_records * p->n_attributes * sizeof *rows);
    TRY(tuples_attributes(&t->attributes, p, memory, error));
    TRY(tuples_make_lists(t, memory, error));
    if (values) {
        uint32_t *start =
            TRY_ALLOC(arena_array(memory, (size_t)t->count + 2, sizeof *start), error);
        uint32_t *member = TRY_ALLOC(arena_array(memory, p->n_records, sizeof *member), error);
        group_by_part(member, start, t->of, t->count, NULL, p->n_records);
        uint32_t most = 0;
        for (uint32_t u = 0; u < t->count; u++)
            most = start[u + 1] - start[u] > most ? start[u + 1] - start[u] : most;
        value_times *found = TRY_ALLOC(arena_array(memory, most, sizeof *found), error);
        for (uint32_t s = 0; s < p->n_sensitive; s++)
            TRY(list_sensitive_values(t, s, p, start, member, found, memory, error));
        arena_release(memory, found, most * sizeof *found);
    }
    CHECK(tuples_check(t, p));
    return KITH_OK;
}

kith_status tuples_build_apart(tuples *t, const problem *p, const uint32_t *record, arena *memory,
                               kith_error *error)
{
    const uint32_t n = p->n_records;
    const size_t width = p->n_attributes;
    *t = (tuples){.count = n,
                  .n_attributes = p->n_attributes,
                  .n_sensitive = p->n_sensitive,
                  .n_lists = p->n_sensitive + p->n_attributes};
    uint32_t *rows = TRY_ALLOC(tuples_gather_rows(p, memory), error);
    t->leaf = TRY_ARRAY(t->leaf, memory, n * width, error);
    t->weight = TRY_ARRAY(t->weight, memory, n, error);
    t->of = TRY_ARRAY(t->of, memory, n, error);
    for (uint32_t i = 0; i < n; i++) {
        memcpy(t->leaf + i * width, rows + record[i] * width, width * sizeof *rows);
        t->weight[i] = p->weight == NULL ? 1 : p->weight[record[i]];
        t->of[record[i]] = i;
        t->n_own += t->weight[i];
    }
    t->n_records = t->n_own;
    arena_release(memory, rows, n * width * sizeof *rows);
    TRY(tuples_attributes(&t->attributes, p, memory, error));
    TRY(tuples_make_lists(t, memory, error));
    CHECK(tuples_check(t, p));
    return KITH_OK;
}

bool tuples_have_wildcards(const tuples *t)
{
    for (uint32_t u = 0; u < t->count; u++)
        for (uint32_t j = 0; j < t->n_attributes; j++)
            if (tuples_leaf(t, u, j) == t->attributes[j].tree->n_leaves)
                return true;
    return false;
}

#if KITH_DEBUG
void tuples_check(const tuples *t, const problem *p)
{
    uint64_t n_records = 0;
    for (uint32_t u = 0; u < t->count; u++) {
        ASSERT(t->weight[u] > 0);
        n_records += t->weight[u];
        for (uint32_t s = 0; s < t->n_lists; s++)
            if (t->first[s] != NULL) {
                const uint32_t n_values = tuples_list_bound(p, s);
                uint32_t times = 0;
                for (uint32_t e = t->first[s][u]; e < t->first[s][u + 1]; e++) {
                    ASSERT(t->value[s][e] < n_values && t->times[s][e] > 0);
                    times += t->times[s][e];
                }
                ASSERT(times == t->weight[u]);
            }
    }
    ASSERT(n_records == t->n_own && n_records <= t->n_records);
    for (uint32_t i = 0; t->of != NULL && i < p->n_records; i++) {
        ASSERT(t->of[i] < t->count);
        for (uint32_t j = 0; j < t->n_attributes; j++) {
            uint32_t cell = p->attributes[j].cells[i], n_leaves = p->attributes[j].tree->n_leaves;
            ASSERT(tuples_leaf(t, t->of[i], j) == (cell < n_leaves ? cell : n_leaves));
        }
    }
}
#endif
