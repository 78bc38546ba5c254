#include "job/profile/class_counter.h"

#include "core/error.h"
#include "job/profile/distinct_rows.h"

kith_status class_counter_init(class_counter *k, const column *const *columns, uint32_t n_columns,
                               uint32_t n_own, uint32_t n_rows, context *c, kith_error *error)
{
    *k =
        (class_counter){.columns = columns, .n_columns = n_columns, .n_rows = n_rows, .context = c};
    TRY(row_groups_scratch_new(&k->scratch, c->memory, n_own, error));
    for (uint32_t i = 0; i < COUNTER_KEEPS + 2 && i <= n_columns; i++)
        TRY(row_groups_all(&k->groups[i], c->memory, n_own, error));
    return KITH_OK;
}

/* The rows of this rank, grouped. */
static const row_groups *group_own(class_counter *k, const uint32_t *which, uint32_t n)
{
    uint32_t done = 0;
    while (done < k->known && done < n && k->which[done] == which[done])
        done++;
    for (; done < n && done < COUNTER_KEEPS; done++) {
        row_groups_refine(&k->groups[done + 1], &k->groups[done], k->columns[which[done]],
                          k->scratch);
        k->which[done] = which[done];
    }
    k->known = done;
    const row_groups *classes = &k->groups[done];
    for (; done < n; done++) {
        row_groups *longer = &k->groups[COUNTER_KEEPS + 1];
        row_groups_refine(longer, classes, k->columns[which[done]], k->scratch);
        classes = longer;
    }
    return classes;
}

/* The classes that come to this rank. */
static kith_status count_dealt(class_counts *found, const distinct_rows *dealt, arena *memory,
                               kith_error *error)
{
    const kith_table *table = &dealt->table;
    row_groups g;
    uint32_t *all = TRY_ALLOC(arena_array(memory, table->n_columns, sizeof *all), error);
    for (uint32_t i = 0; i < table->n_columns; i++)
        all[i] = i;
    TRY(row_groups_by(&g, memory, table, all, table->n_columns, error));
    uint32_t *sizes = TRY_ALLOC(arena_zalloc(memory, g.count, sizeof *sizes), error);
    for (uint32_t row = 0; row < g.n_rows; row++)
        sizes[g.of[row]] += dealt->weights[row];
    *found = (class_counts){.classes = g.count};
    for (uint32_t i = 0; i < g.count; i++) {
        found->unique += sizes[i] == 1;
        if (found->smallest == 0 || sizes[i] < found->smallest)
            found->smallest = sizes[i];
    }
    return KITH_OK;
}

/* Classes of which several ranks have rows are counted by one of them. */
static kith_status count_together(class_counts *found, const class_counter *k,
                                  const row_groups *own, const uint32_t *which, uint32_t n,
                                  arena *memory, kith_error *error)
{
    context *c = k->context;
    const uint32_t n_ranks = crew_size(c->crew);
    crew_bytes *all = TRY_ALLOC(arena_array(memory, n_ranks, sizeof *all), error);
    const column **columns = TRY_ALLOC(arena_array(memory, n, sizeof *columns), error);
    class_counts here;
    distinct_rows dealt;
    for (uint32_t i = 0; i < n; i++)
        columns[i] = k->columns[which[i]];
    TRY(distinct_rows_deal(&dealt, own, columns, n, n, k->n_rows, c, memory, error));
    TRY(count_dealt(&here, &dealt, memory, error));
    TRY(crew_gather(c->crew, &here, sizeof here, all, memory, error));
    *found = (class_counts){0};
    for (uint32_t r = 0; r < n_ranks; r++) {
        const class_counts *part = all[r].bytes;
        found->classes += part->classes;
        found->unique += part->unique;
        if (part->classes > 0 && (found->smallest == 0 || part->smallest < found->smallest))
            found->smallest = part->smallest;
    }
    return KITH_OK;
}

kith_status class_counter_count(class_counter *k, const uint32_t *which, uint32_t n,
                                class_counts *found, kith_error *error)
{
    const row_groups *own = group_own(k, which, n);
    if (crew_size(k->context->crew) == 1) {
        *found = (class_counts){.classes = own->count,
                                .unique = row_groups_count_singles(own, k->scratch),
                                .smallest = row_groups_min_size(own, k->scratch)};
        return KITH_OK;
    }
    arena *memory = TRY_ALLOC(arena_new_like(k->context->memory), error);
    const kith_status status = count_together(found, k, own, which, n, memory, error);
    arena_free(memory);
    return status;
}
