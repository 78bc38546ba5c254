#include "job/profile/unique_columns.h"

#include <string.h>

#include "core/error.h"

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

/* Inserts into the short list, which stays sorted. */
static void keep(finder *f, const combination *made)
{
    uint32_t place = f->kept;
    while (place > 0 && better(made, &f->best[place - 1]))
        place--;
    if (made->unique == 0 || place >= TOLD)
        return;
    f->kept += f->kept < TOLD;
    memmove(&f->best[place + 1], &f->best[place], (f->kept - place - 1) * sizeof *f->best);
    f->best[place] = *made;
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
        keep(f, &longer);
        if (!context_progress(f->counter->context, "combinations", -1))
            return error_set(error, KITH_CANCELLED, "interrupted");
        if (longer.size < f->size)
            TRY(extend(f, &longer, i + 1, error));
    }
    return KITH_OK;
}

/* How large combinations may be within the budget: their number grows with the size. */
static uint32_t affordable(uint32_t count, uint32_t n_rows)
{
    double n = count, combinations[] = {n, n + n * (n - 1) / 2,
                                        n + n * (n - 1) / 2 + n * (n - 1) * (n - 2) / 6};
    uint32_t size = MAX_COMBINATION;
    while (size > 1 && combinations[size - 1] * n_rows > BUDGET)
        size--;
    return size < count ? size : count;
}

kith_status unique_columns_put(kith_document *d, document_node *parent, class_counter *counter,
                               kith_error *error)
{
    finder f = {.counter = counter};
    f.size = affordable(counter->n_columns, counter->n_rows);
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
