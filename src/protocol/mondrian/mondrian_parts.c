/* Parts at one party: counting and dividing its own records. */
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/sort.h"
#include "protocol/mondrian/mondrian_internal.h"

/* --- making parts --- */

static kith_status mondrian_parts_add_part(mondrian_run *r, uint64_t number, const region *at,
                                           uint32_t start, uint32_t end, kith_error *error)
{
    const uint32_t n = r->problem->n_attributes;
    region *own = TRY_ALLOC(arena_array(r->memory, n, sizeof *own), error);
    memcpy(own, at, n * sizeof *own);
    TRY_GROW(r->parts, r->capacity, r->n_parts + 1, r->memory, error);
    r->parts[r->n_parts++] =
        (mondrian_part){.start = start, .end = end, .number = number, .regions = own};
    return KITH_OK;
}

kith_status mondrian_parts_root(mondrian_run *r, kith_error *error)
{
    const uint32_t n = r->problem->n_attributes;
    region *all = TRY_ALLOC(arena_array(r->memory, n, sizeof *all), error);
    for (uint32_t j = 0; j < n; j++)
        all[j] = regions_whole(&r->space.axes[j]);
    return mondrian_parts_add_part(r, MONDRIAN_ROOT, all, 0, r->problem->n_records, error);
}

kith_status mondrian_parts_open(mondrian_run *r, mondrian_part *part, kith_error *error)
{
    const uint32_t n = r->problem->n_attributes;
    uint32_t *order = TRY_ALLOC(arena_array(r->memory, n, sizeof *order), error);
    double *widths = TRY_ALLOC(arena_array(r->memory, n, sizeof *widths), error);
    part->n_candidates = mondrian_rule_order(order, widths, &r->space, part->regions);
    part->candidates = TRY_ZEROS(part->candidates, r->memory, part->n_candidates, error);
    for (uint32_t i = 0; i < part->n_candidates; i++) {
        const region at = part->regions[order[i]];
        mondrian_candidate *c = &part->candidates[i];
        *c = (mondrian_candidate){
            .attribute = order[i], .width = widths[order[i]], .second = UINT32_MAX};
        if (!mondrian_is_ordered(r, c))
            c->phase = CANDIDATE_READY;
        c->low = at.low;
        c->high = at.high;
    }
    return KITH_OK;
}

uint32_t mondrian_parts_n_children(const mondrian_run *r, const mondrian_part *part,
                                   const mondrian_candidate *c)
{
    const region_axis *a = &r->space.axes[c->attribute];
    return a->ordered ? 2 : regions_n_children(a, part->regions[c->attribute]);
}

/* --- counting --- */

uint32_t mondrian_parts_left(const mondrian_run *r, const mondrian_part *part, uint32_t j,
                             uint32_t cut)
{
    const region_axis *a = &r->space.axes[j];
    const uint32_t *cells = r->problem->attributes[j].cells;
    uint32_t n = 0;
    for (uint32_t i = part->start; i < part->end; i++)
        n += regions_cell(a, cells[r->order[i]]) <= cut;
    return n;
}

/* Relaxed: picks the records of the median cell that go left. They are written to scratch, those
 * that go left first; returns how many do. */
static uint32_t distribute_equal(mondrian_run *r, const mondrian_part *part,
                                 const mondrian_candidate *c)
{
    const region_axis *a = &r->space.axes[c->attribute];
    const uint32_t *cells = r->problem->attributes[c->attribute].cells;
    mondrian_distribution distribution;
    uint32_t n = 0;
    for (uint32_t i = part->start; i < part->end; i++)
        if (regions_cell(a, cells[r->order[i]]) == c->cut)
            r->scratch[n++] = r->order[i];
    qsort(r->scratch, n, sizeof *r->scratch, sort_uint32);
    mondrian_rule_distribution(&distribution, &r->choices, part->number);
    rng_shuffle(&distribution.choices, r->scratch, n);
    rng_wipe(&distribution.choices);
    return mondrian_rule_quota(&distribution, n, c->share);
}

/* The child of each own record of the part, in the order of order[start …]. */
static void find_children(mondrian_run *r, const mondrian_part *part, const mondrian_candidate *c,
                          uint32_t *children)
{
    const region_axis *a = &r->space.axes[c->attribute];
    const uint32_t *cells = r->problem->attributes[c->attribute].cells;
    const uint32_t n_left = c->shared ? distribute_equal(r, part, c) : 0;
    if (n_left > 0)
        qsort(r->scratch, n_left, sizeof *r->scratch, sort_uint32);
    for (uint32_t i = part->start; i < part->end; i++) {
        const uint32_t record = r->order[i], node = cells[record];
        uint32_t *child = &children[i - part->start];
        if (!a->ordered)
            *child = regions_child_of(a, part->regions[c->attribute], node);
        else if (c->shared && regions_cell(a, node) == c->cut)
            *child = bsearch(&record, r->scratch, n_left, sizeof record, sort_uint32) == NULL;
        else
            *child = regions_cell(a, node) > c->cut;
    }
}

void mondrian_parts_tally(mondrian_run *r, const mondrian_part *part, const mondrian_candidate *c,
                          uint32_t *tallies)
{
    const uint32_t width = r->conditions.rules.width;
    find_children(r, part, c, r->children);
    for (uint32_t i = part->start; i < part->end; i++)
        joint_tree_rules_count_row(&r->conditions.rules, r->problem,
                                   tallies + (size_t)r->children[i - part->start] * width,
                                   r->order[i]);
}

/* --- splitting --- */

kith_status mondrian_parts_split(mondrian_run *r, size_t index, const mondrian_candidate *c,
                                 const bool *empty, kith_error *error)
{
    const mondrian_part part = r->parts[index];
    const region_axis *a = &r->space.axes[c->attribute];
    const region whole = part.regions[c->attribute];
    const uint32_t n = mondrian_parts_n_children(r, &part, c);
    region halves[2], *changed = part.regions;
    uint32_t start = part.start;
    find_children(r, &part, c, r->children);
    memcpy(r->scratch, r->order + part.start, (part.end - part.start) * sizeof *r->scratch);
    if (a->ordered)
        mondrian_rule_halves(halves, whole, c->cut, c->shared);
    for (uint32_t child = 0; child < n; child++) {
        uint32_t end = start;
        if (empty != NULL && empty[child])
            continue;
        for (uint32_t i = 0; i < part.end - part.start; i++)
            if (r->children[i] == child)
                r->order[end++] = r->scratch[i];
        changed[c->attribute] = a->ordered ? halves[child] : regions_child(a, whole, child);
        TRY(mondrian_parts_add_part(r, mondrian_rule_child(part.number, child), changed, start, end,
                                    error));
        start = end;
    }
    ASSERT(start == part.end);
    r->parts[index].phase = PART_FINAL;
    r->n_splits++;
    return KITH_OK;
}
