#include "query/query_plan.h"

#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/text.h"

enum { SUM_BITS = 61, MAX_SCALE_BITS = 40 };

/* --- names --- */

static kith_status find_domain(uint32_t *found, const query_plan *p, const char *name,
                               query_place place, kith_error *error)
{
    const char *nearest = NULL;
    size_t best = 3; /* further away than a typing error */
    for (uint32_t i = 0; i < p->n_domains; i++) {
        if (strcmp(p->domains[i].name, name) == 0) {
            *found = i;
            return KITH_OK;
        }
        const size_t distance = text_distance(p->domains[i].name, name);
        if (distance < best) {
            best = distance;
            nearest = p->domains[i].name;
        }
    }
    char quoted[80];
    text_quote(quoted, sizeof quoted, name, strlen(name));
    if (nearest != NULL)
        return query_refuse(error, place, "no released column '%s'; did you mean %s?", quoted,
                            nearest);
    return query_refuse(error, place, "no released column '%s'", quoted);
}

/* --- layout --- */

/* The largest power of two, at most 2^40, with which sums of numbers up to `largest` stay below
 * 2^61. Exact, so that all sites have the same. */
static double scale_of(double largest, uint64_t max_rows)
{
    int bits;
    frexp(largest * ((double)max_rows + 1), &bits);
    return ldexp(1, SUM_BITS - bits < MAX_SCALE_BITS ? SUM_BITS - bits : MAX_SCALE_BITS);
}

/* Finds the column of an item and gives it its numbers in a block. */
static kith_status place_measure(query_plan *p, uint32_t i, kith_error *error)
{
    const query_item *item = &p->q->items[i];
    query_measure *m = &p->measures[i];
    *m = (query_measure){.function = item->function, .domain = UINT32_MAX};
    if (item->column != NULL)
        TRY(find_domain(&m->domain, p, item->column, item->place, error));
    if (item->function == QUERY_COLUMN || item->function == QUERY_COUNT)
        return KITH_OK;
    const query_domain *d = &p->domains[m->domain];
    const bool sums = item->function == QUERY_SUM || item->function == QUERY_AVG;
    if (d->numbers == NULL || (sums && d->type == KITH_TYPE_DATE))
        return query_refuse(error, item->place, "%s needs a column of numbers%s; %s has %s",
                            query_function_name(item->function), sums ? "" : " or dates", d->name,
                            d->numbers == NULL ? "texts" : "dates");
    m->offset = p->block;
    p->block += sums ? 2 * QUERY_ANSWERS : (size_t)QUERY_ANSWERS * d->n_values;
    if (sums) {
        double largest = 1;
        for (uint32_t v = 0; v < d->n_values; v++)
            largest =
                fmax(largest, fmax(fabs(query_domain_low(d, v)), fabs(query_domain_high(d, v))));
        m->scale = scale_of(largest, p->max_rows);
    }
    if (m->scale > 0 && m->scale < 1)
        return query_refuse(error, item->place, "the values of column %s are too large to be added",
                            d->name);
    return KITH_OK;
}

kith_status query_plan_make(query_plan *p, const query *q, const query_domain *domains,
                            uint32_t n_domains, uint64_t max_rows, arena *memory, kith_error *error)
{
    *p = (query_plan){.q = q,
                      .domains = domains,
                      .n_domains = n_domains,
                      .max_rows = max_rows,
                      .scale = scale_of(1, max_rows),
                      .block = QUERY_ANSWERS};
    uint32_t *atom_domains = TRY_ARRAY(atom_domains, memory, q->n_atoms, error);
    p->measures = TRY_ARRAY(p->measures, memory, q->n_items, error);
    for (uint32_t i = 0; i < q->n_items; i++)
        TRY(place_measure(p, i, error));
    for (uint32_t i = 0; i < q->n_atoms; i++)
        TRY(find_domain(&atom_domains[i], p, q->atoms[i].column, q->atoms[i].place, error));
    uint64_t n = 1;
    p->groups = TRY_ARRAY(p->groups, memory, p->q->n_groups, error);
    p->group_strides = TRY_ARRAY(p->group_strides, memory, p->q->n_groups, error);
    for (uint32_t i = 0; i < p->q->n_groups; i++) {
        const query_name *name = &p->q->groups[i];
        TRY(find_domain(&p->groups[i], p, name->text, name->place, error));
        p->group_strides[i] = (uint32_t)n;
        n *= (uint64_t)p->domains[p->groups[i]].n_values + 1;
        if (n > QUERY_MAX_GROUPS)
            return query_refuse(error, name->place, "GROUP BY makes more than %d groups",
                                QUERY_MAX_GROUPS);
    }
    p->n_blocks = (uint32_t)n;
    if (p->n_blocks > QUERY_MAX_VECTOR / p->block)
        return error_set(error, KITH_INVALID,
                         "the answer would have more than %d numbers: group by fewer values",
                         QUERY_MAX_VECTOR);
    return query_where_compile(&p->where, q, domains, atom_domains, memory, error);
}

/* --- units --- */

/* Units in 1 of the numbers of a block. */
static double units_of(const query_plan *p, size_t at)
{
    if (at < QUERY_ANSWERS)
        return at == QUERY_EXPECTED ? p->scale : 1;
    for (uint32_t i = 0; i < p->q->n_items; i++) {
        const query_measure *m = &p->measures[i];
        if (m->function < QUERY_SUM || at < m->offset)
            continue;
        if (m->scale > 0 && at < m->offset + 2 * QUERY_ANSWERS)
            return at < m->offset + QUERY_ANSWERS                     ? m->scale
                   : at == m->offset + QUERY_ANSWERS + QUERY_EXPECTED ? p->scale
                                                                      : 1;
        const size_t n_values = p->domains[m->domain].n_values;
        if (m->scale == 0 && at < m->offset + QUERY_ANSWERS * n_values)
            return at < m->offset + 2 * n_values ? 1 : p->scale;
    }
    ASSERT(false);
    return 1;
}

void query_plan_decode(const query_plan *p, double *numbers, const uint64_t *vector)
{
    for (size_t at = 0; at < p->block; at++) {
        const double units = units_of(p, at);
        for (uint32_t b = 0; b < p->n_blocks; b++)
            numbers[b * p->block + at] = (double)(int64_t)vector[b * p->block + at] / units;
    }
}
