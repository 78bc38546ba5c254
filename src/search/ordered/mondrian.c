/* Mondrian: LeFevre, DeWitt and Ramakrishnan, "Mondrian multidimensional k-anonymity" (SEQ 6.2.2).
 *
 * Starts with one class of all records and cuts classes in two at the median of one attribute, as
 * long as both halves satisfy all models. The attribute is the one whose values in the class spread
 * widest relative to their spread in the table; if no cut is allowed there, it tries the next.
 * Strict: records with equal values stay together; relaxed: those at the median may go either way,
 * so that the halves are even.
 *
 * A cell above the leaves (wildcard) has a place of its own behind all values of its attribute: a
 * cut can separate wildcards from values, but cannot split a class of wildcards.
 *
 * Invariant: the records of a class are order[start … end-1]; classes on the stack do not overlap
 * and satisfy the models. */
#include "search/algorithms.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/sort.h"
#include "search/class_rules.h"

typedef struct span {
    uint32_t start, end;
} span;

/* Where a class would be cut: the left half takes the places below `place` and `quota` records at
 * it. */
typedef struct cut {
    uint32_t place, quota;
} cut;

typedef struct dimension {
    uint32_t *place; /* [n_records] position of the cell in the order of values */
    double spread;   /* of the whole table, at least 1 */
} dimension;

typedef struct mondrian {
    const problem *p;
    class_rules rules;
    dimension *dimension; /* [n_attributes] */
    bool relaxed;
    uint32_t *order;     /* [n_records] */
    uint32_t *scratch;   /* [n_records] */
    uint32_t *count;     /* [max places] zero between calls */
    double *width;       /* [n_attributes] of the present class, -1: tried */
    span *stack;         /* [n_records] */
    uint32_t stack_size; /* never above n_records: spans are disjoint and not empty */
} mondrian;

/* Position of a cell in the order of values. */
static uint32_t mondrian_place_of(const attribute *a, uint32_t cell, bool by_hierarchy)
{
    if (cell >= a->tree->n_leaves)
        return a->tree->n_leaves;
    return by_hierarchy || a->rank == NULL ? cell : a->rank[cell];
}

/* Lowest and highest place of a class in an attribute. */
static void extent(const mondrian *m, uint32_t j, span s, uint32_t *low, uint32_t *high)
{
    ASSERT(s.start < s.end);
    const uint32_t *place = m->dimension[j].place;
    *low = *high = place[m->order[s.start]];
    for (uint32_t i = s.start + 1; i < s.end; i++) {
        uint32_t at = place[m->order[i]];
        *low = at < *low ? at : *low;
        *high = at > *high ? at : *high;
    }
}

static kith_status mondrian_prepare(mondrian *m, bool by_hierarchy, arena *memory,
                                    kith_error *error)
{
    uint32_t n = m->p->n_records, n_places = 1;
    for (uint32_t j = 0; j < m->p->n_attributes; j++)
        n_places = m->p->attributes[j].tree->n_leaves + 1 > n_places
                       ? m->p->attributes[j].tree->n_leaves + 1
                       : n_places;
    m->dimension = TRY_ALLOC(arena_zalloc(memory, m->p->n_attributes, sizeof *m->dimension), error);
    m->order = TRY_ALLOC(arena_array(memory, n, sizeof *m->order), error);
    m->scratch = TRY_ALLOC(arena_array(memory, n, sizeof *m->scratch), error);
    m->count = TRY_ALLOC(arena_zalloc(memory, n_places, sizeof *m->count), error);
    m->width = TRY_ALLOC(arena_array(memory, m->p->n_attributes, sizeof *m->width), error);
    m->stack = TRY_ALLOC(arena_array(memory, n, sizeof *m->stack), error);
    for (uint32_t i = 0; i < n; i++)
        m->order[i] = i;
    for (uint32_t j = 0; j < m->p->n_attributes; j++) {
        const attribute *a = &m->p->attributes[j];
        dimension *d = &m->dimension[j];
        uint32_t low, high;
        d->place = TRY_ALLOC(arena_array(memory, m->p->n_records, sizeof *d->place), error);
        for (uint32_t i = 0; i < m->p->n_records; i++)
            d->place[i] = mondrian_place_of(a, a->cells[i], by_hierarchy);
        extent(m, j, (span){0, m->p->n_records}, &low, &high);
        d->spread = high > low ? (double)(high - low) : 1;
    }
    TRY(class_rules_init(&m->rules, m->p, memory, error));
    return class_rules_expect_large(&m->rules, memory, error);
}

/* Place of the median record, how many stand below it and how many at it. */
static uint32_t median(mondrian *m, uint32_t j, span s, uint32_t *below, uint32_t *at)
{
    const uint32_t *place = m->dimension[j].place;
    uint32_t size = s.end - s.start, low, high, middle;
    extent(m, j, s, &low, &high);
    *below = 0;
    if ((high - low) / 4 > size) { /* sorting few records beats counting through many places */
        for (uint32_t i = 0; i < size; i++)
            m->scratch[i] = place[m->order[s.start + i]];
        qsort(m->scratch, size, sizeof *m->scratch, sort_uint32);
        middle = m->scratch[(size - 1) / 2];
        while (m->scratch[*below] < middle)
            ++*below;
        for (*at = 0; *below + *at < size && m->scratch[*below + *at] == middle;)
            ++*at;
        return middle;
    }
    for (uint32_t i = low; i <= high; i++)
        ASSERT(m->count[i] == 0);
    for (uint32_t i = s.start; i < s.end; i++)
        m->count[place[m->order[i]]]++;
    for (middle = low; *below + m->count[middle] <= (size - 1) / 2; middle++)
        *below += m->count[middle];
    *at = m->count[middle];
    memset(m->count + low, 0, (high - low + 1) * sizeof *m->count);
    return middle;
}

/* Puts the left half in front, both halves in their old order; returns where the right begins. */
static uint32_t mondrian_divide(mondrian *m, uint32_t j, span s, cut c)
{
    const uint32_t *place = m->dimension[j].place;
    uint32_t left = s.start, right = 0;
    for (uint32_t i = s.start; i < s.end; i++) {
        uint32_t record = m->order[i], at = place[record];
        bool goes_left = at < c.place || (at == c.place && c.quota > 0);
        c.quota -= at == c.place && goes_left;
        if (goes_left)
            m->order[left++] = record;
        else
            m->scratch[right++] = record;
    }
    memcpy(m->order + left, m->scratch, right * sizeof *m->order);
    return left;
}

static bool holds(const mondrian *m, uint32_t start, uint32_t end)
{
    return end - start >= m->p->k && end > start &&
           class_rules_allow(&m->rules, m->order + start, end - start);
}

/* Cuts the class in this attribute if the models allow it. */
static bool try_cut(mondrian *m, uint32_t j, span s, cut c, uint32_t left)
{
    uint32_t size = s.end - s.start;
    if (left < m->p->k || size - left < m->p->k || left == 0 || left == size)
        return false;
    uint32_t middle = mondrian_divide(m, j, s, c);
    if (!holds(m, s.start, middle) || !holds(m, middle, s.end))
        return false;
    ASSERT(s.start < middle && middle < s.end && m->stack_size + 2 <= m->p->n_records);
    m->stack[m->stack_size++] = (span){middle, s.end};
    m->stack[m->stack_size++] = (span){s.start, middle};
    return true;
}

/* Cuts the class at the median of an attribute, as evenly as the models and equal values allow. */
static bool cut_in(mondrian *m, uint32_t j, span s)
{
    uint32_t below, at, size = s.end - s.start, place = median(m, j, s, &below, &at);
    uint32_t half = size / 2 < below + at ? size / 2 : below + at;
    if (m->relaxed && half >= below && try_cut(m, j, s, (cut){place, half - below}, half))
        return true;
    bool lower_is_closer = size - below < below + at; /* more even with the median on the right */
    cut first = {place, lower_is_closer ? 0 : at}, second = {place, lower_is_closer ? at : 0};
    return try_cut(m, j, s, first, below + first.quota) ||
           try_cut(m, j, s, second, below + second.quota);
}

/* Tries the attributes from the widest to the narrowest. */
static bool cut_somewhere(mondrian *m, span s)
{
    for (uint32_t j = 0; j < m->p->n_attributes; j++) {
        uint32_t low, high;
        extent(m, j, s, &low, &high);
        m->width[j] = high > low ? (double)(high - low) / m->dimension[j].spread : -1;
    }
    for (;;) {
        uint32_t widest = 0;
        for (uint32_t j = 1; j < m->p->n_attributes; j++)
            widest = m->width[j] > m->width[widest] ? j : widest;
        if (m->p->n_attributes == 0 || m->width[widest] < 0)
            return false;
        if (cut_in(m, widest, s))
            return true;
        m->width[widest] = -1;
    }
}

static kith_status cut_all(mondrian *m, partition *result, context *c, kith_error *error)
{
    uint32_t n = m->p->n_records, done = 0;
    m->stack[m->stack_size++] = (span){0, n};
    while (m->stack_size > 0) {
        span s = m->stack[--m->stack_size];
        if (!context_progress(c, "cutting", (double)done / (double)n))
            return error_set(error, KITH_CANCELLED, "stopped while cutting");
        if (s.end - s.start >= 2 * (uint64_t)m->p->k && cut_somewhere(m, s))
            continue;
        for (uint32_t i = s.start; i < s.end; i++)
            result->class_of[m->order[i]] = result->n_classes;
        result->n_classes++;
        done += s.end - s.start;
    }
    return KITH_OK;
}

/* Smallest and largest value of every class; a class with a wildcard shows the root for both. */
static kith_status fill_ranges(search_result *result, const problem *p, arena *memory,
                               kith_error *error)
{
    size_t n_cells = (size_t)result->partition.n_classes * p->n_attributes;
    result->low = TRY_ALLOC(arena_array(memory, n_cells, sizeof *result->low), error);
    result->high = TRY_ALLOC(arena_array(memory, n_cells, sizeof *result->high), error);
    memset(result->low, 0xFF, n_cells * sizeof *result->low);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *a = &p->attributes[j];
        for (uint32_t i = 0; i < p->n_records; i++) {
            size_t at = (size_t)result->partition.class_of[i] * p->n_attributes + j;
            uint32_t cell = a->cells[i], *low = &result->low[at], *high = &result->high[at];
            if (cell >= a->tree->n_leaves)
                *low = *high = tree_root(a->tree);
            else if (*low == UINT32_MAX)
                *low = *high = cell;
            else if (*low < a->tree->n_leaves) {
                *low = mondrian_place_of(a, cell, false) < mondrian_place_of(a, *low, false) ? cell
                                                                                             : *low;
                *high = mondrian_place_of(a, cell, false) > mondrian_place_of(a, *high, false)
                            ? cell
                            : *high;
            }
        }
    }
    return KITH_OK;
}

kith_status mondrian_run(search_result *result, const problem *p, const search_spec *spec,
                         context *c, kith_error *error)
{
    if (spec->regions)
        return mondrian_regions_run(result, p, spec, c, error);
    mondrian m = {.p = p, .relaxed = spec->relaxed};
    result->partition.class_of =
        TRY_ALLOC(arena_array(c->memory, p->n_records, sizeof(uint32_t)), error);
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    TRY(mondrian_prepare(&m, spec->by_hierarchy, memory, error));
    TRY(cut_all(&m, &result->partition, c, error));
    result->stopped = "no cut";
    TRY(partition_close(&result->partition, p, c->memory, error));
    return spec->ranges ? fill_ranges(result, p, c->memory, error) : KITH_OK;
}
