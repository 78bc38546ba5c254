#include "query/query_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"

static const query_value nothing = {.kind = QUERY_VALUE_NULL};

static query_value number_value(double x)
{
    return (query_value){.kind = QUERY_VALUE_NUMBER, .number = x};
}

/* A value of a domain: a number where it is one, else its text; the missing value is null. */
static query_value domain_value(const query_domain *d, uint32_t position)
{
    if (position >= d->n_values)
        return nothing;
    /* one value, and not a label that stands for several */
    const query_label *l = d->labels == NULL ? NULL : &d->labels[position];
    if (d->numbers != NULL && d->type != KITH_TYPE_DATE &&
        (l == NULL || (l->kind == QUERY_LABEL_RANGE && l->low == l->high && !l->missing)))
        return number_value(d->numbers[position]);
    return (query_value){QUERY_VALUE_TEXT, d->numbers == NULL ? 0 : d->numbers[position],
                         d->texts[position]};
}

/* --- aggregates of a block --- */

/* A sum of no values is null. */
static void put_sum(query_value out[QUERY_ANSWERS], const double *numbers)
{
    for (int i = 0; i < QUERY_ANSWERS; i++)
        out[i] = numbers[QUERY_ANSWERS + QUERY_POSSIBLE] > 0 ? number_value(numbers[i]) : nothing;
}

/* The mean of uncertain values: its bounds follow from those of the sum and of the number, and from
 * the domain. */
static void put_average(query_value out[QUERY_ANSWERS], const query_domain *d,
                        const double *numbers)
{
    const double *count = numbers + QUERY_ANSWERS;
    const double fewest = count[QUERY_CERTAIN] > 1 ? count[QUERY_CERTAIN] : 1;
    const double most = count[QUERY_POSSIBLE];
    for (int i = 0; i < QUERY_ANSWERS; i++)
        out[i] = nothing;
    if (most == 0)
        return;
    double lowest = HUGE_VAL, highest = -HUGE_VAL;
    for (uint32_t v = 0; v < d->n_values; v++) {
        lowest = fmin(lowest, query_domain_low(d, v));
        highest = fmax(highest, query_domain_high(d, v));
    }
    out[0] = number_value(fmax(lowest, numbers[0] / (numbers[0] < 0 ? fewest : most)));
    if (count[QUERY_EXPECTED] > 0)
        out[1] = number_value(numbers[1] / count[QUERY_EXPECTED]);
    out[2] = number_value(fmin(highest, numbers[2] / (numbers[2] < 0 ? most : fewest)));
}

/* The end of a value on one side; nothing is known of the ends of a label that can be any value. */
static double end_of(const query_domain *d, uint32_t position, bool low)
{
    if (d->labels != NULL && d->labels[position].kind == QUERY_LABEL_ANY)
        return low ? -HUGE_VAL : HUGE_VAL;
    return low ? query_domain_low(d, position) : query_domain_high(d, position);
}

/* The position whose lower (or higher) end is lowest, or highest, of those at which `counts` is
 * above 0, or UINT32_MAX. */
static uint32_t extreme_position(const query_domain *d, const double *counts, bool is_min, bool low)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t v = 0; v < d->n_values; v++)
        if (counts[v] > 0 &&
            (best == UINT32_MAX || (is_min ? end_of(d, v, low) < end_of(d, best, low)
                                           : end_of(d, v, low) > end_of(d, best, low))))
            best = v;
    return best;
}

/* The first value, from the extreme end on, up to which half a record is expected. */
static uint32_t expected_extreme(const query_domain *d, const uint32_t *by_number,
                                 const double *expected, bool is_min)
{
    double sum = 0;
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < d->n_values; i++) {
        const uint32_t v = by_number[is_min ? i : d->n_values - 1 - i];
        if (expected[v] <= 0)
            continue;
        sum += expected[v];
        last = v;
        if (sum >= 0.5)
            break;
    }
    return last;
}

static query_value position_value(const query_domain *d, uint32_t position)
{
    return position == UINT32_MAX ? nothing : domain_value(d, position);
}

static void put_extreme(query_value out[QUERY_ANSWERS], const query_domain *d,
                        const uint32_t *by_number, const double *numbers, bool is_min)
{
    const query_value reached = position_value(d, extreme_position(d, numbers, is_min, is_min));
    const query_value sure =
        position_value(d, extreme_position(d, numbers + d->n_values, is_min, !is_min));
    out[0] = is_min ? reached : sure;
    out[1] = position_value(
        d, expected_extreme(d, by_number, numbers + 2 * (size_t)d->n_values, is_min));
    out[2] = is_min ? sure : reached;
}

/* --- rows --- */

static int by_number_then_position(const void *a, const void *b, void *user)
{
    const double *numbers = user;
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    if (numbers[left] != numbers[right])
        return numbers[left] < numbers[right] ? -1 : 1;
    return left < right ? -1 : left > right;
}

/* Positions in the order of numbers. */
static kith_status sort_positions(uint32_t **by_number, const query_domain *d, arena *memory,
                                  kith_error *error)
{
    *by_number = TRY_ARRAY(*by_number, memory, d->n_values, error);
    for (uint32_t v = 0; v < d->n_values; v++)
        (*by_number)[v] = v;
    qsort_r(*by_number, d->n_values, sizeof **by_number, by_number_then_position,
            (void *)d->numbers);
    return KITH_OK;
}

static uint32_t columns_of(const query_item *item)
{
    return item->function == QUERY_COLUMN ? 1 : QUERY_ANSWERS;
}

/* The value of a group column in a block. */
static query_value group_value(const query_plan *p, uint32_t domain, uint32_t block)
{
    for (uint32_t g = 0; g < p->q->n_groups; g++)
        if (p->groups[g] == domain) {
            const query_domain *d = &p->domains[domain];
            return domain_value(d, block / p->group_strides[g] % (d->n_values + 1));
        }
    ASSERT(false);
    return nothing;
}

static void fill_row(query_value *to, const query_plan *p, uint32_t *const *by_number,
                     const double *numbers, uint32_t block)
{
    for (uint32_t i = 0; i < p->q->n_items; i++) {
        const query_measure *m = &p->measures[i];
        switch (m->function) {
        case QUERY_COLUMN: *to = group_value(p, m->domain, block); break;
        case QUERY_COUNT:
            for (int k = 0; k < QUERY_ANSWERS; k++)
                to[k] = number_value(numbers[k]);
            break;
        case QUERY_SUM: put_sum(to, numbers + m->offset); break;
        case QUERY_AVG: put_average(to, &p->domains[m->domain], numbers + m->offset); break;
        default:
            put_extreme(to, &p->domains[m->domain], by_number[i], numbers + m->offset,
                        m->function == QUERY_MIN);
        }
        to += columns_of(&p->q->items[i]);
    }
}

/* --- order --- */

/* Nulls come last; numbers and dates by number, texts by bytes. */
static int compare_values(const query_value *a, const query_value *b)
{
    if (a->kind == QUERY_VALUE_NULL || b->kind == QUERY_VALUE_NULL)
        return (a->kind == QUERY_VALUE_NULL) - (b->kind == QUERY_VALUE_NULL);
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->kind == QUERY_VALUE_TEXT && b->kind == QUERY_VALUE_TEXT ? strcmp(a->text, b->text)
                                                                      : 0;
}

/* What compare_rows needs. */
typedef struct row_order {
    const query_answer *answer;
    const query_plan *plan;
} row_order;

static int compare_rows(const void *left, const void *right, void *user)
{
    const row_order *by = user;
    const query_plan *p = by->plan;
    const uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
    for (uint32_t o = 0; o < p->q->n_orders; o++) {
        uint32_t column = 0;
        for (uint32_t i = 0; i < p->q->orders[o].item; i++)
            column += columns_of(&p->q->items[i]);
        column += p->q->items[p->q->orders[o].item].function == QUERY_COLUMN ? 0 : QUERY_EXPECTED;
        const size_t width = by->answer->n_columns;
        const int order = compare_values(&by->answer->values[l * width + column],
                                         &by->answer->values[r * width + column]);
        if (order != 0)
            return p->q->orders[o].descending ? -order : order;
    }
    return l < r ? -1 : l > r;
}

static kith_status order_rows(query_answer *a, const query_plan *p, arena *memory,
                              kith_error *error)
{
    uint32_t *rows = TRY_ARRAY(rows, memory, a->n_rows, error);
    query_value *ordered = TRY_ARRAY(ordered, memory, (size_t)a->n_rows * a->n_columns, error);
    for (uint32_t i = 0; i < a->n_rows; i++)
        rows[i] = i;
    qsort_r(rows, a->n_rows, sizeof *rows, compare_rows, &(row_order){a, p});
    for (uint32_t i = 0; i < a->n_rows; i++)
        memcpy(ordered + (size_t)i * a->n_columns, a->values + (size_t)rows[i] * a->n_columns,
               a->n_columns * sizeof *ordered);
    a->values = ordered;
    if (p->q->limit >= 0 && p->q->limit < a->n_rows)
        a->n_rows = (uint32_t)p->q->limit;
    return KITH_OK;
}

kith_status query_answer_make(query_answer *a, const query_plan *p, const double *numbers,
                              arena *memory, kith_error *error)
{
    *a = (query_answer){0};
    static const char *const counts[] = {"certain", "expected", "possible"};
    static const char *const bounds[] = {"lowest", "expected", "highest"};
    for (uint32_t i = 0; i < p->q->n_items; i++)
        a->n_columns += columns_of(&p->q->items[i]);
    a->titles = TRY_ARRAY(a->titles, memory, a->n_columns, error);
    const char **to = a->titles;
    for (uint32_t i = 0; i < p->q->n_items; i++) {
        const query_item *item = &p->q->items[i];
        if (item->function == QUERY_COLUMN) {
            *to++ = item->title;
            continue;
        }
        for (int k = 0; k < QUERY_ANSWERS; k++)
            *to++ = TRY_ALLOC(arena_printf(memory, "%s %s", item->title,
                                           item->function == QUERY_COUNT ? counts[k] : bounds[k]),
                              error);
    }
    uint32_t **by_number = TRY_ZEROS(by_number, memory, p->q->n_items, error);
    for (uint32_t i = 0; i < p->q->n_items; i++)
        if (p->measures[i].function >= QUERY_MIN)
            TRY(sort_positions(&by_number[i], &p->domains[p->measures[i].domain], memory, error));
    a->values = TRY_ARRAY(a->values, memory, (size_t)p->n_blocks * a->n_columns, error);
    for (uint32_t b = 0; b < p->n_blocks; b++) {
        const double *block = numbers + b * p->block;
        if (p->q->n_groups > 0 && block[QUERY_POSSIBLE] <= 0)
            continue;
        fill_row(a->values + (size_t)a->n_rows++ * a->n_columns, p, by_number, block, b);
    }
    return order_rows(a, p, memory, error);
}

/* A cell that stands for one value is that value, others are their texts. */
static query_value cell_value(const query_domain *d, query_interval at, const char *text)
{
    if (at.first == at.last)
        return domain_value(d, at.first);
    return text == NULL ? nothing : (query_value){QUERY_VALUE_TEXT, 0, text};
}

kith_status query_answer_rows(query_answer *a, const query_plan *p, const query_found_row *found,
                              uint32_t n_found, const char *const *const *texts,
                              const query_interval *const *intervals, arena *memory,
                              kith_error *error)
{
    const uint32_t n_items = p->q->n_items;
    ASSERT(!p->q->aggregate);
    *a = (query_answer){.n_columns = n_items + 2, .n_rows = n_found};
    a->titles = TRY_ARRAY(a->titles, memory, a->n_columns, error);
    a->values = TRY_ARRAY(a->values, memory, (size_t)n_found * a->n_columns, error);
    for (uint32_t i = 0; i < n_items; i++)
        a->titles[i] = p->q->items[i].title;
    a->titles[n_items] = "expected";
    a->titles[n_items + 1] = "certain";
    for (uint32_t row = 0; row < n_found; row++) {
        query_value *to = a->values + (size_t)row * a->n_columns;
        for (uint32_t i = 0; i < n_items; i++) {
            const uint32_t d = p->measures[i].domain, code = found[row].codes[i];
            to[i] = cell_value(&p->domains[d], intervals[d][code], texts[d][code]);
        }
        to[n_items] = number_value(found[row].expected);
        to[n_items + 1] = number_value(found[row].certain);
    }
    return order_rows(a, p, memory, error);
}
