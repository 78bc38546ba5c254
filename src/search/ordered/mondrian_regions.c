/* Mondrian with regions: DMV's rule on one table (see mondrian_rule.h and the protocol's header,
 * protocol/mondrian/mondrian_protocol.h).
 *
 * Invariant: the records of a part are order[start … end - 1]; parts do not overlap and satisfy the
 * models. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "search/algorithms.h"
#include "search/class_rules.h"
#include "search/ordered/mondrian_rule.h"

typedef struct part {
    uint32_t start, end;
    uint64_t number;
    region *regions; /* [n_attributes] */
} part;

typedef struct mondrian {
    const problem *p;
    const search_spec *spec;
    regions space;
    class_rules rules;
    mondrian_choices choices;
    uint32_t *order;   /* [n_records] */
    uint32_t *scratch; /* [n_records] */
    uint32_t *below;   /* [most cells + 1] records in the cells of the region before each */
    uint32_t *tried;   /* [n_attributes] */
    double *widths;    /* [n_attributes] */
    part *parts;       /* all that were ever made; those from `next` on are open */
    size_t n_parts, capacity, next;
    arena *memory;
} mondrian;

/* --- parts --- */

/* Adds a part that differs from its parent in one region. */
static kith_status mondrian_regions_add_part(mondrian *m, const part *parent, uint32_t child,
                                             uint32_t j, region r, uint32_t start, uint32_t end,
                                             kith_error *error)
{
    const uint32_t n = m->p->n_attributes;
    region *all = TRY_ALLOC(arena_array(m->memory, n, sizeof *all), error);
    memcpy(all, parent->regions, n * sizeof *all);
    all[j] = r;
    TRY_GROW(m->parts, m->capacity, m->n_parts + 1, m->memory, error);
    m->parts[m->n_parts++] = (part){start, end, mondrian_rule_child(parent->number, child), all};
    return KITH_OK;
}

static bool holds(const mondrian *m, uint32_t start, uint32_t end)
{
    return end - start >= m->p->k && end > start &&
           class_rules_allow(&m->rules, m->order + start, end - start);
}

/* --- along the tree --- */

/* Sorts the records of a part by child; ends[i] is where child i ends. Each child must be empty or
 * satisfy the models. */
static bool sort_children(mondrian *m, const part *from, uint32_t j, uint32_t *ends, uint32_t n)
{
    const region_axis *a = &m->space.axes[j];
    const uint32_t *cells = m->p->attributes[j].cells;
    uint32_t start = from->start;
    memset(ends, 0, n * sizeof *ends);
    for (uint32_t i = from->start; i < from->end; i++)
        ends[regions_child_of(a, from->regions[j], cells[m->order[i]])]++;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t size = ends[i];
        ends[i] = start;
        start += size;
    }
    memcpy(m->scratch, m->order + from->start, (from->end - from->start) * sizeof *m->scratch);
    for (uint32_t i = 0; i < from->end - from->start; i++)
        m->order[ends[regions_child_of(a, from->regions[j], cells[m->scratch[i]])]++] =
            m->scratch[i];
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t begin = i == 0 ? from->start : ends[i - 1];
        if (ends[i] > begin && !holds(m, begin, ends[i]))
            return false;
    }
    return true;
}

static kith_status cut_tree(mondrian *m, part from, uint32_t j, bool *done, kith_error *error)
{
    const region_axis *a = &m->space.axes[j];
    const uint32_t n = regions_n_children(a, from.regions[j]);
    uint32_t *ends = TRY_ALLOC(arena_array(m->memory, n, sizeof *ends), error);
    *done = sort_children(m, &from, j, ends, n);
    for (uint32_t i = 0; *done && i < n; i++) {
        const uint32_t begin = i == 0 ? from.start : ends[i - 1];
        if (ends[i] > begin)
            TRY(mondrian_regions_add_part(m, &from, i, j, regions_child(a, from.regions[j], i),
                                          begin, ends[i], error));
    }
    return KITH_OK;
}

/* --- in order --- */

/* Puts the records up to cell `cut` in front, and of those in that cell only `quota`, chosen by
 * `distribution` (NULL: all of them); returns where the right half begins. */
static uint32_t mondrian_regions_divide(mondrian *m, const part *from, uint32_t j, uint32_t cut,
                                        uint32_t quota, mondrian_distribution *distribution)
{
    const region_axis *a = &m->space.axes[j];
    const uint32_t *cells = m->p->attributes[j].cells;
    uint32_t left = from->start, n_right = 0, n_equal = 0, n = from->end - from->start;
    uint32_t *equal = m->scratch + n; /* filled from its end */
    for (uint32_t i = from->start; i < from->end; i++) {
        const uint32_t record = m->order[i], cell = regions_cell(a, cells[record]);
        if (cell == cut && distribution != NULL)
            *(equal - ++n_equal) = record;
        else if (cell <= cut)
            m->order[left++] = record;
        else
            m->scratch[n_right++] = record;
    }
    equal -= n_equal;
    if (n_equal > 0) { /* in an order that does not depend on earlier cuts */
        qsort(equal, n_equal, sizeof *equal, sort_uint32);
        rng_shuffle(&distribution->choices, equal, n_equal);
        for (uint32_t i = 0; i < n_equal; i++)
            if (i < quota)
                m->order[left++] = equal[i];
    }
    uint32_t right = left;
    for (uint32_t i = quota; i < n_equal; i++)
        m->order[right++] = equal[i];
    memcpy(m->order + right, m->scratch, n_right * sizeof *m->order);
    return left;
}

static kith_status try_halves(mondrian *m, part from, uint32_t j, uint32_t cut, uint32_t middle,
                              bool shared, bool *done, kith_error *error)
{
    region halves[2];
    *done = holds(m, from.start, middle) && holds(m, middle, from.end);
    if (!*done)
        return KITH_OK;
    mondrian_rule_halves(halves, from.regions[j], cut, shared);
    TRY(mondrian_regions_add_part(m, &from, 0, j, halves[0], from.start, middle, error));
    return mondrian_regions_add_part(m, &from, 1, j, halves[1], middle, from.end, error);
}

/* Records of the median cell go either way: the smallest share of them that gives the left half at
 * least half of the records. */
static kith_status cut_relaxed(mondrian *m, part from, uint32_t j, uint32_t median, bool *done,
                               kith_error *error)
{
    const uint32_t low = from.regions[j].low, size = from.end - from.start;
    const uint32_t below = m->below[median - low], equal = m->below[median - low + 1] - below;
    mondrian_distribution distribution;
    uint32_t share = 1;
    mondrian_rule_distribution(&distribution, &m->choices, from.number);
    while (2 * (uint64_t)(below + mondrian_rule_quota(&distribution, equal, share)) < size)
        share++;
    const uint32_t quota = mondrian_rule_quota(&distribution, equal, share);
    *done = false;
    if (share == MONDRIAN_SHARES && median == from.regions[j].high)
        return KITH_OK;
    const uint32_t middle = mondrian_regions_divide(m, &from, j, median, quota, &distribution);
    return try_halves(m, from, j, median, middle, share < MONDRIAN_SHARES, done, error);
}

static kith_status cut_ordered(mondrian *m, part from, uint32_t j, bool *done, kith_error *error)
{
    const region r = from.regions[j];
    const uint32_t size = from.end - from.start;
    uint32_t cut = r.low;
    /* Counts records by cell: below[c - low] are those in cells low … c - 1 of the region. */
    const region_axis *a = &m->space.axes[j];
    memset(m->below, 0, (r.high - r.low + (size_t)2) * sizeof *m->below);
    for (uint32_t i = from.start; i < from.end; i++)
        m->below[regions_cell(a, m->p->attributes[j].cells[m->order[i]]) - r.low + 1]++;
    for (uint32_t c = 1; c <= r.high - r.low + 1; c++)
        m->below[c] += m->below[c - 1];
    while (2 * (uint64_t)m->below[cut - r.low + 1] < size)
        cut++;
    if (m->spec->relaxed)
        return cut_relaxed(m, from, j, cut, done, error);
    /* Behind the median cell, or before it: the more even one first. */
    const uint64_t with = m->below[cut - r.low + 1], without = m->below[cut - r.low];
    const bool both = cut > r.low && cut < r.high;
    const bool behind = both ? 2 * (uint64_t)size >= 2 * with + 2 * without : cut < r.high;
    for (int i = 0; i < (both ? 2 : 1); i++) {
        const uint32_t here = behind == (i == 0) ? cut : cut - 1;
        const uint32_t middle = mondrian_regions_divide(m, &from, j, here, 0, NULL);
        TRY(try_halves(m, from, j, here, middle, false, done, error));
        if (*done)
            break;
    }
    return KITH_OK;
}

/* --- all of it --- */

/* Splits parts, each in the first attribute that allows it, until none can be split; those that
 * remain are moved to the front. */
static kith_status split_all(mondrian *m, size_t *n_classes, context *c, kith_error *error)
{
    uint32_t done = 0;
    *n_classes = 0;
    region *all = TRY_ALLOC(arena_array(m->memory, m->p->n_attributes, sizeof *all), error);
    for (uint32_t j = 0; j < m->p->n_attributes; j++)
        all[j] = regions_whole(&m->space.axes[j]);
    TRY_GROW(m->parts, m->capacity, 1, m->memory, error);
    m->parts[m->n_parts++] = (part){0, m->p->n_records, MONDRIAN_ROOT, all};
    for (; m->next < m->n_parts; m->next++) {
        const part from = m->parts[m->next];
        const uint32_t size = from.end - from.start;
        bool was_split = false;
        if (!context_progress(c, "cutting", (double)done / m->p->n_records))
            return error_set(error, KITH_CANCELLED, "stopped while cutting");
        if (size >= 2 * (uint64_t)m->p->k) {
            const uint32_t n = mondrian_rule_order(m->tried, m->widths, &m->space, from.regions);
            for (uint32_t i = 0; i < n && !was_split; i++)
                TRY(m->space.axes[m->tried[i]].ordered
                        ? cut_ordered(m, from, m->tried[i], &was_split, error)
                        : cut_tree(m, from, m->tried[i], &was_split, error));
        }
        if (was_split)
            continue;
        m->parts[(*n_classes)++] = from;
        done += size;
    }
    return KITH_OK;
}

/* Classes are numbered in the order of their first records. */
static kith_status mondrian_regions_number_classes(search_result *result, const mondrian *m,
                                                   size_t n_classes, arena *memory,
                                                   kith_error *error)
{
    const uint32_t n_records = m->p->n_records, n_attributes = m->p->n_attributes;
    partition *to = &result->partition;
    uint32_t *number = TRY_ALLOC(arena_array(m->memory, n_classes, sizeof *number), error);
    uint32_t *part_of = m->scratch;
    const size_t n_cells = n_classes * n_attributes;
    to->closure = TRY_ALLOC(arena_array(memory, n_cells, sizeof *to->closure), error);
    if (m->spec->ranges) {
        result->low = TRY_ALLOC(arena_array(memory, n_cells, sizeof *result->low), error);
        result->high = TRY_ALLOC(arena_array(memory, n_cells, sizeof *result->high), error);
    }
    memset(number, 0xff, n_classes * sizeof *number);
    for (uint32_t c = 0; c < n_classes; c++)
        for (uint32_t i = m->parts[c].start; i < m->parts[c].end; i++)
            part_of[m->order[i]] = c;
    for (uint32_t i = 0; i < n_records; i++) {
        if (number[part_of[i]] == UINT32_MAX)
            number[part_of[i]] = to->n_classes++;
        to->class_of[i] = number[part_of[i]];
    }
    for (uint32_t c = 0; c < n_classes; c++)
        for (uint32_t j = 0; j < n_attributes; j++) {
            const size_t at = (size_t)number[c] * n_attributes + j;
            const region r = m->parts[c].regions[j];
            to->closure[at] = regions_closure(&m->space.axes[j], r);
            if (m->spec->ranges)
                regions_range(&m->space.axes[j], r, &result->low[at], &result->high[at]);
        }
    return KITH_OK;
}

kith_status mondrian_regions_run(search_result *result, const problem *p, const search_spec *spec,
                                 context *c, kith_error *error)
{
    size_t n_classes;
    uint32_t max_cells = 0;
    result->partition = (partition){.class_of = NULL};
    result->partition.class_of =
        TRY_ALLOC(arena_array(c->memory, p->n_records, sizeof(uint32_t)), error);
    result->stopped = "no cut";
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    mondrian m = {
        .p = p, .spec = spec, .choices = mondrian_rule_seeded(c->seed, 0), .memory = memory};
    TRY(regions_init(&m.space, p, m.memory, error));
    TRY(class_rules_init(&m.rules, p, m.memory, error));
    TRY(class_rules_expect_large(&m.rules, m.memory, error));
    for (uint32_t j = 0; j < p->n_attributes; j++)
        max_cells = m.space.axes[j].n_cells > max_cells ? m.space.axes[j].n_cells : max_cells;
    m.order = TRY_ALLOC(arena_array(m.memory, p->n_records, sizeof *m.order), error);
    m.scratch = TRY_ALLOC(arena_array(m.memory, p->n_records, sizeof *m.scratch), error);
    m.below = TRY_ALLOC(arena_array(m.memory, (size_t)max_cells + 1, sizeof *m.below), error);
    m.tried = TRY_ALLOC(arena_array(m.memory, p->n_attributes, sizeof *m.tried), error);
    m.widths = TRY_ALLOC(arena_array(m.memory, p->n_attributes, sizeof *m.widths), error);
    for (uint32_t i = 0; i < p->n_records; i++)
        m.order[i] = i;
    TRY(split_all(&m, &n_classes, c, error));
    return mondrian_regions_number_classes(result, &m, n_classes, c->memory, error);
}
