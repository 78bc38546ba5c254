/* One tuple of tuples that agree. */
#include "core/error.h"
#include "core/group_by_part.h"
#include "search/lattice/tuples_internal.h"

/* Which tuples become the same one: those of u are member[start[u] … start[u + 1] - 1]. */
typedef struct same_tuples {
    uint32_t *start, *member;
} same_tuples;

/* Adds up one list. */
static kith_status combine_lists(tuples *t, uint32_t s, const tuples *all, const same_tuples *same,
                                 uint32_t n_values, arena *scratch, arena *memory,
                                 kith_error *error)
{
    uint32_t *count = TRY_ALLOC(arena_zalloc(scratch, n_values, sizeof *count), error);
    const uint32_t *first = all->first[s], n_entries = first[all->count];
    TRY(tuples_make_list(t, s, t->count, n_entries, memory, error));
    uint32_t used = 0;
    for (uint32_t u = 0; u < t->count; u++) {
        for (uint32_t i = same->start[u]; i < same->start[u + 1]; i++)
            for (uint32_t e = first[same->member[i]]; e < first[same->member[i] + 1]; e++) {
                const uint32_t value = all->value[s][e];
                if (count[value] == 0)
                    t->value[s][used++] = value;
                count[value] += all->times[s][e];
            }
        for (uint32_t e = t->first[s][u]; e < used; e++) {
            t->times[s][e] = count[t->value[s][e]];
            count[t->value[s][e]] = 0;
        }
        t->first[s][u + 1] = used;
    }
    uint32_t *value = arena_resize_array(memory, t->value[s], n_entries, used, sizeof *value);
    t->value[s] = value == NULL ? t->value[s] : value;
    uint32_t *times = arena_resize_array(memory, t->times[s], n_entries, used, sizeof *times);
    t->times[s] = times == NULL ? t->times[s] : times;
    return KITH_OK;
}

kith_status tuples_combine(tuples *t, const uint32_t **of, const tuples *all, const problem *p,
                           arena *scratch, arena *memory, kith_error *error)
{
    uint32_t *tuple_of = TRY_ALLOC(arena_array(scratch, all->count, sizeof *tuple_of), error);
    *t = (tuples){.n_attributes = all->n_attributes,
                  .attributes = all->attributes,
                  .n_records = all->n_records,
                  .n_sensitive = all->n_sensitive,
                  .n_lists = all->n_lists};
    TRY(tuples_take_rows(t, tuple_of, all->leaf, all->count, memory, error));
    for (uint32_t u = 0; u < all->count; u++) {
        t->weight[tuple_of[u]] += all->weight[u];
        t->n_own += all->weight[u];
    }
    *of = tuple_of;
    same_tuples same;
    same.start = TRY_ALLOC(arena_array(scratch, (size_t)t->count + 2, sizeof *same.start), error);
    same.member = TRY_ALLOC(arena_array(scratch, all->count, sizeof *same.member), error);
    group_by_part(same.member, same.start, tuple_of, t->count, NULL, all->count);
    TRY(tuples_make_lists(t, memory, error));
    for (uint32_t s = 0; s < t->n_lists; s++)
        if (all->first[s] != NULL)
            TRY(combine_lists(t, s, all, &same, tuples_list_bound(p, s), scratch, memory, error));
    return KITH_OK;
}
