#include "job/profile/dependencies.h"

#include "core/error.h"

/* Cells looked at, over all pairs: about a second. */
static const double BUDGET = 300e6;

/* Invariant: value[a] is the code of the other column that was seen with code a of this one, if
 * seen[a] is the number of the present pair. So nothing need be cleared between pairs. */
typedef struct pairs {
    const kith_table *table;
    uint32_t *seen, *value;
    uint32_t pair;
    double n_cells;
} pairs;

/* Stops at the first row that contradicts, which is an early one for most pairs. */
static bool determines(pairs *p, const column *a, const column *b)
{
    uint32_t row = 0;
    p->pair++;
    for (; row < p->table->n_rows; row++) {
        uint32_t from = a->codes[row] == TABLE_MISSING ? a->values.count : a->codes[row];
        if (p->seen[from] != p->pair) {
            p->seen[from] = p->pair;
            p->value[from] = b->codes[row];
        } else if (p->value[from] != b->codes[row]) {
            break;
        }
    }
    p->n_cells += row;
    return row == p->table->n_rows;
}

/* More than one value, missing cells included. */
static bool varies(const column_profile *p)
{
    return p->distinct + (p->missing > 0) > 1;
}

/* Adds what one column determines; the object is made with the first of them. */
static void put_column(pairs *p, kith_document *d, document_node *list,
                       const column_profile *profiles, uint32_t index)
{
    const column *a = &p->table->columns[index];
    document_node *others = NULL;
    if (!varies(&profiles[index]) || profiles[index].distinct > p->table->n_rows / 2)
        return;
    for (uint32_t i = 0; i < p->table->n_columns && p->n_cells < BUDGET; i++) {
        if (i == index || !varies(&profiles[i]) || !determines(p, a, &p->table->columns[i]))
            continue;
        if (others == NULL) {
            document_node *node = document_object(d, list, NULL);
            document_put_text(d, node, "column", a->name);
            others = document_array(d, node, "determines");
        }
        document_put_text(d, others, NULL, p->table->columns[i].name);
    }
}

kith_status dependencies_put(kith_document *d, const kith_table *table,
                             const column_profile *profiles, context *c, kith_error *error)
{
    size_t most = 1;
    for (uint32_t i = 0; i < table->n_columns; i++)
        most = table->columns[i].values.count > most ? table->columns[i].values.count : most;
    pairs p = {.table = table};
    p.seen = TRY_ALLOC(arena_zalloc(c->memory, most + 1, sizeof *p.seen), error);
    p.value = TRY_ALLOC(arena_array(c->memory, most + 1, sizeof *p.value), error);
    document_node *list = document_array(d, document_root(d), "dependencies");
    for (uint32_t i = 0; i < table->n_columns && p.n_cells < BUDGET; i++) {
        put_column(&p, d, list, profiles, i);
        if (!context_progress(c, "dependencies", (i + 1.0) / table->n_columns))
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    document_put_flag(d, document_root(d), "dependencies_complete", p.n_cells < BUDGET);
    return KITH_OK;
}
