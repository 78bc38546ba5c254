#include "job/assess/intersections.h"

#include <stdio.h>
#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "core/group_by_part.h"
#include "table/rows/code_numbers.h"

/* The rows of units, the values of classes, and what is common to the classes of one unit at a
 * time.
 */
typedef struct crossing {
    const sensitive_attribute *values;
    const classes *grouping;
    const uint32_t *start, *row; /* of units */
    const uint32_t *class_of;    /* of these rows */
    uint32_t *value_start;       /* [classes + 1] the values that each class shows, once each */
    uint32_t *value;             /* [rows] */
    uint32_t *last;              /* [classes] the last unit that was seen there */
    uint32_t *times;             /* [values] in how many classes of the unit; zero between units */
} crossing;

/* Lists the values of all classes. */
static kith_status intersections_list_values(crossing *x, uint32_t n_records, arena *memory,
                                             kith_error *error)
{
    uint32_t *start, *row, used = 0;
    const uint32_t n_classes = x->grouping->count;
    TRY(classes_rows(x->grouping, memory, n_records, &start, &row, error));
    uint32_t *shown = TRY_ARRAY(shown, memory, x->values->count, error);
    memset(shown, 0xff, x->values->count * sizeof *shown);
    x->value = TRY_ARRAY(x->value, memory, n_records, error);
    x->value_start = TRY_ZEROS(x->value_start, memory, n_classes + (size_t)1, error);
    for (uint32_t c = 0; c < n_classes; c++) {
        for (uint32_t i = start[c]; i < start[c + 1]; i++) {
            const uint32_t v = x->values->values[row[i]];
            if (shown[v] != c)
                x->value[used++] = v;
            shown[v] = c;
        }
        x->value_start[c + 1] = used;
    }
    return KITH_OK;
}

/* The same for the classes of all ranks, on each of them. */
static kith_status list_all_values(crossing *x, uint32_t n_records, context *c, kith_error *error)
{
    arena *memory = c->memory;
    const uint32_t n_codes[] = {x->grouping->count, x->values->count};
    uint32_t *codes[] = {x->grouping->class_of, (uint32_t *)x->values->values};
    const code_rows rows = {
        .n_rows = n_records, .n_columns = 2, .n_codes = n_codes, .codes = codes};
    code_numbers shown;
    uint32_t *class, *value;
    TRY(code_numbers_make(&shown, &rows, c, memory, error));
    TRY(code_numbers_column(&class, &shown, 0, c, memory, error));
    TRY(code_numbers_column(&value, &shown, 1, c, memory, error));
    x->value = TRY_ARRAY(x->value, memory, shown.count, error);
    x->value_start = TRY_ARRAY(x->value_start, memory, x->grouping->count + (size_t)2, error);
    group_by_part(x->value, x->value_start, class, x->grouping->count, NULL, shown.count);
    for (uint32_t i = 0; i < shown.count; i++)
        x->value[i] = value[x->value[i]];
    return KITH_OK;
}

/* Counts the values that a class shows, or takes them back. */
static void add_class(crossing *x, uint32_t class, bool back)
{
    for (uint32_t i = x->value_start[class]; i < x->value_start[class + 1]; i++)
        x->times[x->value[i]] = back ? 0 : x->times[x->value[i]] + 1;
}

/* How many values all classes of a unit show; UINT32_MAX: it is in one class only. */
static uint32_t common_values(crossing *x, uint32_t unit, uint32_t suppressed)
{
    uint32_t n_classes = 0, first = UINT32_MAX, common = 0;
    for (uint32_t i = x->start[unit]; i < x->start[unit + 1]; i++) {
        const uint32_t class = x->class_of[x->row[i]];
        if (class == suppressed || x->last[class] == unit)
            continue;
        x->last[class] = unit;
        first = n_classes++ == 0 ? class : first;
        add_class(x, class, false);
    }
    for (uint32_t i = 0; n_classes > 0 && i < x->value_start[first + 1] - x->value_start[first];
         i++)
        common += x->times[x->value[x->value_start[first] + i]] == n_classes;
    for (uint32_t i = x->start[unit]; i < x->start[unit + 1]; i++)
        add_class(x, x->class_of[x->row[i]], true);
    return n_classes < 2 ? UINT32_MAX : common;
}

kith_status intersections_count(intersections *found, const prepared *p, const classes *grouping,
                                uint32_t suppressed, context *c, kith_error *error)
{
    const problem *q = &p->problem;
    arena *memory = c->memory;
    /* All rows of a unit come to one rank, with their classes. */
    const uint32_t n_codes[] = {q->n_units, grouping->count};
    uint32_t *codes[] = {(uint32_t *)q->unit, grouping->class_of};
    const code_rows rows = {
        .n_rows = q->n_records, .n_columns = 2, .n_keys = 1, .n_codes = n_codes, .codes = codes};
    code_rows own;
    TRY(code_rows_exchange(&own, &rows, c, memory, error));
    uint32_t *start = TRY_ARRAY(start, memory, q->n_units + (size_t)2, error);
    uint32_t *row = TRY_ARRAY(row, memory, own.n_rows, error);
    *found = (intersections){.count = 0};
    found->columns = TRY_ARRAY(found->columns, memory, q->n_sensitive, error);
    group_by_part(row, start, own.codes[0], q->n_units, NULL, own.n_rows);
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const uint32_t s = p->columns[i].sensitive;
        const uint32_t needed =
            s == PREPARE_NONE ? 0 : models_values_needed(q->models, q->n_models, s);
        if (needed == 0 || q->sensitive[s].n_pairs != q->n_units)
            continue;
        intersection *one = &found->columns[found->count++];
        *one = (intersection){.column = p->columns[i].study->name, .needed = needed};
        crossing x = {.values = &q->sensitive[s],
                      .grouping = grouping,
                      .start = start,
                      .row = row,
                      .class_of = own.codes[1]};
        uint64_t n_persons = 0;
        TRY(ranks_count(c->ranks) > 1 ? list_all_values(&x, q->n_records, c, error)
                                      : intersections_list_values(&x, q->n_records, memory, error));
        x.last = TRY_ARRAY(x.last, memory, x.grouping->count, error);
        x.times = TRY_ZEROS(x.times, memory, x.values->count, error);
        memset(x.last, 0xff, x.grouping->count * sizeof *x.last);
        for (uint32_t unit = 0; unit < q->n_units; unit++)
            n_persons += common_values(&x, unit, suppressed) < needed;
        TRY(ranks_sum(c->ranks, &n_persons, 1, error));
        one->n_persons = (uint32_t)n_persons;
    }
    return KITH_OK;
}

void intersections_put(kith_document *d, document_node *root, document_node *warnings,
                       const intersections *found, uint32_t n_persons)
{
    if (found->count == 0)
        return;
    document_node *list = document_array(d, root, "intersections");
    for (uint32_t i = 0; i < found->count; i++) {
        const intersection *own = &found->columns[i];
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "column", own->column);
        document_put_count(d, one, "values", own->needed);
        document_put_count(d, one, "persons", own->n_persons);
        if (own->n_persons == 0)
            continue;
        char text[512];
        snprintf(
            text, sizeof text,
            "%u of %u persons have rows in several classes with fewer than %u values of %.100s "
            "in common: whoever knows that it is the same in all rows of a person finds it "
            "among these, although each class has more",
            own->n_persons, n_persons, own->needed, own->column);
        document_put_text(d, warnings, NULL, text);
    }
}
