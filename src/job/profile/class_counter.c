#include "job/profile/class_counter.h"

#include "core/error.h"
#include "job/profile/unique_columns.h"
#include "table/row_groups.h"

/* Invariant: groups[i] are those of the columns which[0] … which[i - 1], for i <= known. Groups of
 * longer lists are in the last place. */
typedef struct columns_counter {
    const column *const *columns;
    row_groups_scratch *scratch;
    row_groups groups[UNIQUE_COLUMNS + 2];
    uint32_t which[UNIQUE_COLUMNS];
    uint32_t known;
} columns_counter;

static kith_status count_groups(void *self, const uint32_t *which, uint32_t n, class_counts *found,
                                kith_error *error)
{
    columns_counter *k = self;
    uint32_t done = 0;
    (void)error;
    while (done < k->known && done < n && k->which[done] == which[done])
        done++;
    for (; done < n && done < UNIQUE_COLUMNS; done++) {
        row_groups_refine(&k->groups[done + 1], &k->groups[done], k->columns[which[done]],
                          k->scratch);
        k->which[done] = which[done];
    }
    k->known = done;
    const row_groups *classes = &k->groups[done];
    for (; done < n; done++) {
        row_groups *longer = &k->groups[UNIQUE_COLUMNS + 1];
        row_groups_refine(longer, classes, k->columns[which[done]], k->scratch);
        classes = longer;
    }
    *found = (class_counts){.classes = classes->count,
                            .unique = row_groups_count_singles(classes, k->scratch),
                            .smallest = row_groups_min_size(classes, k->scratch)};
    return KITH_OK;
}

kith_status class_counter_of_columns(class_counter *counter, const column *const *columns,
                                     uint32_t n_columns, uint32_t n_rows, context *c,
                                     kith_error *error)
{
    columns_counter *k = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *k), error);
    const char **names = TRY_ALLOC(arena_array(c->memory, n_columns, sizeof *names), error);
    k->columns = columns;
    for (uint32_t i = 0; i < n_columns; i++)
        names[i] = columns[i]->name;
    TRY(row_groups_scratch_new(&k->scratch, c->memory, n_rows, error));
    for (uint32_t i = 0; i < UNIQUE_COLUMNS + 2 && i <= n_columns; i++)
        TRY(row_groups_all(&k->groups[i], c->memory, n_rows, error));
    *counter = (class_counter){.names = names, .count = count_groups, .self = k};
    return KITH_OK;
}
