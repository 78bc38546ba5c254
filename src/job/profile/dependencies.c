#include "job/profile/dependencies.h"

#include <math.h>

#include "core/error.h"
#include "job/profile/distinct_rows.h"

/* Cells that one process looks at, over all pairs: about a second. */
static const double BUDGET = 300e6;

/* Invariant: value[a] is the code of the other column that was seen with code a of this one, if
 * seen[a] is the number of the present pair. So nothing need be cleared between pairs. */
typedef struct pairs {
    const kith_table *table; /* the rows of this rank */
    const column_profile *profiles;
    context *context;
    uint32_t *seen, *value;
    uint32_t pair;
    double n_cells, budget;
    uint64_t *against; /* [n_columns] 0: the column is determined by the present one */
} pairs;

/* Is there a value of a with several values of b? Stops at the first row that shows it, which is an
 * early one for most pairs. */
static bool contradicts(pairs *p, const column *a, const column *b, uint32_t n_rows)
{
    uint32_t row = 0;
    p->pair++;
    for (; row < n_rows; row++) {
        const uint32_t from = a->codes[row] == TABLE_MISSING ? a->values.count : a->codes[row];
        if (p->seen[from] != p->pair) {
            p->seen[from] = p->pair;
            p->value[from] = b->codes[row];
        } else if (p->value[from] != b->codes[row]) {
            break;
        }
    }
    p->n_cells += row;
    return row < n_rows;
}

/* More than one value, missing cells included. */
static bool varies(const column_profile *p)
{
    return p->distinct + (p->missing > 0) > 1;
}

/* What column `a` determines on every rank by itself may be contradicted by rows of several. */
static kith_status compare_ranks(pairs *p, uint32_t a, arena *memory, kith_error *error)
{
    const kith_table *table = p->table;
    const uint32_t n = table->n_columns;
    const column **columns = TRY_ARRAY(columns, memory, n, error);
    uint32_t *which = TRY_ARRAY(which, memory, n, error), n_left = 1;
    row_groups own;
    distinct_rows distributed;
    which[0] = a;
    for (uint32_t b = 0; b < n; b++)
        if (p->against[b] == 0)
            which[n_left++] = b;
    if (n_left == 1)
        return KITH_OK;
    for (uint32_t k = 0; k < n_left; k++)
        columns[k] = &table->columns[which[k]];
    TRY(row_groups_by(&own, memory, table, which, n_left, error));
    TRY(distinct_rows_distribute(&distributed, &own, columns, n_left, 1, p->profiles[a].n_rows,
                                 p->context, memory, error));
    for (uint32_t k = 1; k < n_left; k++)
        p->against[which[k]] = contradicts(p, &distributed.table.columns[0],
                                           &distributed.table.columns[k], distributed.table.n_rows);
    for (uint32_t b = 0; b < n; b++)
        p->against[b] = p->against[b] > 0;
    return ranks_sum(p->context->ranks, p->against, n, error);
}

static kith_status find_determined(pairs *p, uint32_t a, kith_error *error)
{
    const kith_table *table = p->table;
    for (uint32_t b = 0; b < table->n_columns; b++)
        p->against[b] = b == a || !varies(&p->profiles[b]) || p->n_cells >= p->budget ||
                        contradicts(p, &table->columns[a], &table->columns[b], table->n_rows);
    if (ranks_count(p->context->ranks) == 1)
        return KITH_OK;
    TRY(ranks_sum(p->context->ranks, p->against, table->n_columns, error));
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(p->context->memory), error);
    return compare_ranks(p, a, memory, error);
}

/* Adds what one column determines; the object is made with the first of them. */
static kith_status dependencies_put_column(kith_document *d, document_node *list, pairs *p,
                                           uint32_t index, kith_error *error)
{
    const column_profile *own = &p->profiles[index];
    document_node *others = NULL;
    if (!varies(own) || own->distinct > own->n_rows / 2)
        return KITH_OK;
    TRY(find_determined(p, index, error));
    for (uint32_t i = 0; i < p->table->n_columns; i++) {
        if (p->against[i] > 0)
            continue;
        if (others == NULL) {
            document_node *node = document_object(d, list, NULL);
            document_put_text(d, node, "column", own->column->name);
            others = document_array(d, node, "determines");
        }
        document_put_text(d, others, NULL, p->profiles[i].column->name);
    }
    return KITH_OK;
}

kith_status dependencies_put(kith_document *d, const kith_table *table,
                             const column_profile *profiles, context *c, kith_error *error)
{
    const uint32_t n = table->n_columns;
    size_t most = 1;
    for (uint32_t i = 0; i < n; i++)
        most = table->columns[i].values.count > most ? table->columns[i].values.count : most;
    pairs p = {.table = table, .profiles = profiles, .context = c};
    p.budget = ranks_count(c->ranks) == 1 ? BUDGET : INFINITY;
    p.seen = TRY_ZEROS(p.seen, c->memory, most + 1, error);
    p.value = TRY_ARRAY(p.value, c->memory, most + 1, error);
    p.against = TRY_ARRAY(p.against, c->memory, n, error);
    document_node *list = document_array(d, document_root(d), "dependencies");
    for (uint32_t i = 0; i < n && p.n_cells < p.budget; i++) {
        TRY(dependencies_put_column(d, list, &p, i, error));
        if (!context_progress(c, "dependencies", (i + 1.0) / n))
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    document_put_flag(d, document_root(d), "dependencies_complete", p.n_cells < p.budget);
    return KITH_OK;
}
