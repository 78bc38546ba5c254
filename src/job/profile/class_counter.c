#include "job/profile/class_counter.h"

#include <string.h>

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
static kith_status count_distributed(class_counts *found, const distinct_rows *distributed,
                                     arena *memory, kith_error *error)
{
    const kith_table *table = &distributed->table;
    row_groups g;
    uint32_t *all = TRY_ARRAY(all, memory, table->n_columns, error);
    for (uint32_t i = 0; i < table->n_columns; i++)
        all[i] = i;
    TRY(row_groups_by(&g, memory, table, all, table->n_columns, error));
    uint32_t *sizes = TRY_ZEROS(sizes, memory, g.count, error);
    for (uint32_t row = 0; row < g.n_rows; row++)
        sizes[g.of[row]] += distributed->weights[row];
    *found = (class_counts){.classes = g.count};
    for (uint32_t i = 0; i < g.count; i++) {
        found->unique += sizes[i] == 1;
        if (found->smallest == 0 || sizes[i] < found->smallest)
            found->smallest = sizes[i];
    }
    return KITH_OK;
}

kith_status class_counter_count(class_counter *k, const uint32_t *which, uint32_t n,
                                class_counts *found, kith_error *error)
{
    const row_groups *own = group_own(k, which, n);
    if (ranks_count(k->context->ranks) == 1) {
        *found = (class_counts){.classes = own->count,
                                .unique = row_groups_count_singles(own, k->scratch),
                                .smallest = row_groups_min_size(own, k->scratch)};
        return KITH_OK;
    }
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(k->context->memory), error);
    /* Classes of which several ranks have rows are counted by one of them. */
    context *c = k->context;
    const uint32_t n_ranks = ranks_count(c->ranks);
    ranks_bytes *all = TRY_ARRAY(all, memory, n_ranks, error);
    const column **columns = TRY_ARRAY(columns, memory, n, error);
    class_counts here;
    distinct_rows distributed;
    for (uint32_t i = 0; i < n; i++)
        columns[i] = k->columns[which[i]];
    TRY(distinct_rows_distribute(&distributed, own, columns, n, n, k->n_rows, c, memory, error));
    TRY(count_distributed(&here, &distributed, memory, error));
    TRY(ranks_gather(c->ranks, &here, sizeof here, all, memory, error));
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

enum { MAX_COMBINATION = COUNTER_KEEPS, TOLD = 5 };

/* Rows looked at, over all combinations: about a second. */
#define BUDGET 40e6

typedef struct combination {
    uint32_t members[MAX_COMBINATION];
    uint32_t size;
    uint32_t unique; /* records */
} combination;

typedef struct finder {
    class_counter *counter;
    uint32_t size;          /* of the largest combinations */
    combination best[TOLD]; /* most unique records first; smaller combinations win ties */
    uint32_t kept;
} finder;

/* Few columns that single out many records are worse for privacy, and come first. */
static bool better(const combination *a, const combination *b)
{
    return a->unique != b->unique ? a->unique > b->unique : a->size < b->size;
}

/* All combinations that begin with `made` and go on with columns from `next`. */
static kith_status extend(finder *f, const combination *made, uint32_t next, kith_error *error)
{
    for (uint32_t i = next; i < f->counter->n_columns; i++) {
        combination longer = *made;
        longer.members[longer.size++] = i;
        class_counts found;
        TRY(class_counter_count(f->counter, longer.members, longer.size, &found, error));
        longer.unique = found.unique;
        /* Inserts into the short list, which stays sorted. */
        uint32_t place = f->kept;
        while (place > 0 && better(&longer, &f->best[place - 1]))
            place--;
        if (longer.unique != 0 && place < TOLD) {
            f->kept += f->kept < TOLD;
            memmove(&f->best[place + 1], &f->best[place], (f->kept - place - 1) * sizeof *f->best);
            f->best[place] = longer;
        }
        if (!context_progress(f->counter->context, "combinations", -1))
            return error_set(error, KITH_CANCELLED, "interrupted");
        if (longer.size < f->size)
            TRY(extend(f, &longer, i + 1, error));
    }
    return KITH_OK;
}

kith_status class_counter_put_unique(kith_document *d, document_node *parent,
                                     class_counter *counter, kith_error *error)
{
    finder f = {.counter = counter};
    /* How large combinations may be within the budget: their number grows with the size. */
    double n = counter->n_columns,
           combinations[] = {n, n + n * (n - 1) / 2,
                             n + n * (n - 1) / 2 + n * (n - 1) * (n - 2) / 6};
    uint32_t size = MAX_COMBINATION;
    while (size > 1 && combinations[size - 1] * counter->n_rows > BUDGET)
        size--;
    f.size = size < counter->n_columns ? size : counter->n_columns;
    TRY(extend(&f, &(combination){.size = 0}, 0, error));
    document_put_count(d, parent, "combination_size", f.size);
    document_node *list = document_array(d, parent, "combinations");
    for (uint32_t i = 0; i < f.kept; i++) {
        document_node *node = document_object(d, list, NULL);
        document_node *names = document_array(d, node, "columns");
        for (uint32_t m = 0; m < f.best[i].size; m++)
            document_put_text(d, names, NULL, counter->columns[f.best[i].members[m]]->name);
        document_put_count(d, node, "unique_records", f.best[i].unique);
        document_put_number(d, node, "unique_share", (double)f.best[i].unique / counter->n_rows);
    }
    return KITH_OK;
}
