#include "job/profile/unique_columns.h"

#include <string.h>

#include "core/error.h"

enum { MAX_COMBINATION = 3, TOLD = 5 };

/* Rows looked at, over all combinations: about a second. */
#define BUDGET 40e6

typedef struct combination {
    uint32_t members[MAX_COMBINATION];
    uint32_t size;
    uint32_t unique; /* records */
} combination;

typedef struct finder {
    const column *const *quasi;
    uint32_t count, n_rows, size; /* size: of the largest combinations */
    row_groups_scratch *scratch;
    row_groups groups[MAX_COMBINATION + 1];
    combination best[TOLD]; /* most unique records first; smaller combinations win ties */
    uint32_t kept;
    context *c;
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
static bool extend(finder *f, const combination *made, uint32_t next)
{
    for (uint32_t i = next; i < f->count; i++) {
        combination longer = *made;
        longer.members[longer.size++] = i;
        row_groups *groups = &f->groups[longer.size];
        row_groups_refine(groups, &f->groups[made->size], f->quasi[i], f->scratch);
        longer.unique = row_groups_count_singles(groups, f->scratch);
        keep(f, &longer);
        if (!context_progress(f->c, "combinations", -1))
            return false;
        if (longer.size < f->size && !extend(f, &longer, i + 1))
            return false;
    }
    return true;
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

kith_status unique_columns_put(kith_document *d, document_node *parent, const column *const *quasi,
                               uint32_t count, uint32_t n_rows, row_groups_scratch *scratch,
                               context *c, kith_error *error)
{
    finder f = {.quasi = quasi, .count = count, .n_rows = n_rows, .scratch = scratch, .c = c};
    f.size = affordable(count, n_rows);
    for (uint32_t i = 0; i <= f.size; i++)
        TRY(row_groups_all(&f.groups[i], c->memory, n_rows, error));
    if (!extend(&f, &(combination){.size = 0}, 0))
        return error_set(error, KITH_CANCELLED, "interrupted");
    document_put_count(d, parent, "combination_size", f.size);
    document_node *list = document_array(d, parent, "combinations");
    for (uint32_t i = 0; i < f.kept; i++) {
        document_node *node = document_object(d, list, NULL);
        document_node *names = document_array(d, node, "columns");
        for (uint32_t m = 0; m < f.best[i].size; m++)
            document_put_text(d, names, NULL, quasi[f.best[i].members[m]]->name);
        document_put_count(d, node, "unique_records", f.best[i].unique);
        document_put_number(d, node, "unique_share", (double)f.best[i].unique / n_rows);
    }
    return KITH_OK;
}
