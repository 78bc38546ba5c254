#include "job/exposure/exposure.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/sort.h"

/* True if the difference of two counts may be chance: their variances are about the counts. */
static bool alike(uint64_t a, uint64_t b)
{
    double difference = fabs((double)a - (double)b);
    return difference <= 3 * sqrt((double)a + (double)b);
}

/* A single value cannot be confused with others, but its count, the number of rows, is public. */
exposure exposure_of(uint64_t *count, size_t n)
{
    exposure e = {0, 0, 0};
    qsort(count, n, sizeof *count, sort_uint64);
    for (; n > 0 && *count == 0; n--)
        count++;
    e.n_values = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        /* Counts are sorted, so the nearest ones are the neighbours. */
        bool hidden = (i > 0 && alike(count[i - 1], count[i])) ||
                      (i + 1 < n && alike(count[i], count[i + 1]));
        if (hidden || n == 1)
            continue;
        e.exposed++;
        e.n_records += count[i];
    }
    return e;
}

/* Counts the values of one column as the view would show them. */
static kith_status expose_column(exposure *e, uint32_t *level, const prepared *p,
                                 const prepared_column *c, arena *memory, kith_error *error)
{
    const uint32_t *levels = p->study->joint.pregeneralize;
    const column *source = &p->table->columns[c->source];
    bool quasi = c->attribute != PREPARE_NONE;
    /* Missing cells count as one more value. */
    size_t room = quasi ? c->hierarchy->tree.n_nodes : source->values.count + (size_t)1;
    uint64_t *count = TRY_ZEROS(count, memory, room, error);
    *level = quasi && levels != NULL ? levels[c->study - p->study->columns] : 0;
    if (quasi && *level >= c->hierarchy->tree.n_levels)
        *level = c->hierarchy->tree.n_levels - 1;
    if (quasi) {
        const attribute *a = &p->problem.attributes[c->attribute];
        const tree *t = a->tree;
        for (uint32_t i = 0; i < p->n_rows; i++) {
            uint32_t node = a->cells[i];
            bool below = t->level[node] < *level;
            count[below ? tree_up(t, t->first[node], *level) : node]++;
        }
    }
    for (uint32_t i = 0; !quasi && i < p->n_rows; i++) {
        uint32_t code = source->codes[p->rows[i]];
        count[code == TABLE_MISSING ? source->values.count : code]++;
    }
    *e = exposure_of(count, room);
    return KITH_OK;
}

kith_status exposure_put(kith_document *d, document_node *root, const prepared *p, context *c,
                         kith_error *error)
{
    document_node *list = document_array(d, root, "exposed");
    for (uint32_t i = 0; i < p->n_columns; i++) {
        exposure e;
        uint32_t level = 0;
        TRY(expose_column(&e, &level, p, &p->columns[i], c->memory, error));
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "column", p->columns[i].study->name);
        document_put_count(d, one, "level", level);
        document_put_count(d, one, "values", e.n_values);
        document_put_count(d, one, "exposed", e.exposed);
        document_put_number(d, one, "share", p->n_rows == 0 ? 0 : (double)e.n_records / p->n_rows);
    }
    return KITH_OK;
}
