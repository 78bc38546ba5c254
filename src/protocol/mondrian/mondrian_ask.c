/* The questions of one step: those of all open parts go into one call of a primitive. */
#include <string.h>

#include "core/error.h"
#include "protocol/mondrian/mondrian_internal.h"
#include "smc/sums/sum.h"

/* --- questions of one sum --- */

/* Numbers of records of all parties, for alpha < 1. They are sums of the sizes of final classes. */
kith_status mondrian_ask_sizes(mondrian_run *r, kith_error *error)
{
    size_t n = 0;
    for (size_t i = r->first_open; i < r->n_parts; i++)
        n += r->parts[i].phase == PART_SIZE;
    if (n == 0)
        return KITH_OK;
    uint64_t *sizes = TRY_ALLOC(arena_array(r->memory, n, sizeof *sizes), error);
    n = 0;
    for (size_t i = r->first_open; i < r->n_parts; i++)
        if (r->parts[i].phase == PART_SIZE)
            sizes[n++] = r->parts[i].end - r->parts[i].start;
    TRY(sum_masked(r->party, sizes, sizes, n, 0, SMC_ALL, error)); /* message 3 */
    n = 0;
    for (size_t i = r->first_open; i < r->n_parts; i++) {
        mondrian_part *part = &r->parts[i];
        if (part->phase != PART_SIZE)
            continue;
        part->size = sizes[n++];
        if (part->size < part->end - part->start || part->size > r->n_total)
            return error_set(error, KITH_PEER, "the size of a part of all sites is impossible");
        part->phase = part->size < 2 * (uint64_t)r->conditions.rules.k ? PART_FINAL : PART_SEARCH;
        part->is_class = part->phase == PART_FINAL;
    }
    return KITH_OK;
}

/* Is there a question about this candidate now? With alpha < 1 all are searched at once. */
static bool is_searched(const mondrian_run *r, const mondrian_part *part, uint32_t i)
{
    return part->phase == PART_SEARCH && part->candidates[i].phase != CANDIDATE_READY &&
           (r->alpha < 1 || i == part->next);
}

static size_t count_simple(const mondrian_run *r, size_t *n_empty)
{
    size_t n = 0;
    *n_empty = 0;
    for (size_t i = r->first_open; i < r->n_parts; i++) {
        const mondrian_part *part = &r->parts[i];
        n += part->phase == PART_SIZE;
        for (uint32_t c = 0; c < part->n_candidates; c++)
            n += is_searched(r, part, c);
        if (part->phase == PART_EMPTY)
            *n_empty += mondrian_parts_n_children(r, part, &part->candidates[part->next]);
    }
    n += *n_empty;
    return n;
}

/* Own records of each child of the split that has been allowed. */
static kith_status count_children(mondrian_run *r, const mondrian_part *part, int64_t *values,
                                  arena *scratch, kith_error *error)
{
    const mondrian_candidate *c = &part->candidates[part->next];
    const uint32_t n = mondrian_parts_n_children(r, part, c), width = r->conditions.rules.width;
    uint32_t *tallies = TRY_ALLOC(arena_zalloc(scratch, (size_t)n * width, sizeof *tallies), error);
    mondrian_parts_tally(r, part, c, tallies);
    for (uint32_t g = 0; g < n; g++)
        values[g] = joint_tree_rules_records(&r->conditions.rules, tallies + (size_t)g * width);
    return KITH_OK;
}

static kith_status fill_simple(mondrian_run *r, int64_t *values, int64_t *thresholds,
                               arena *scratch, kith_error *error)
{
    size_t at = 0;
    for (size_t i = r->first_open; i < r->n_parts; i++) {
        const mondrian_part *part = &r->parts[i];
        if (part->phase == PART_SIZE) {
            values[at] = part->end - part->start;
            thresholds[at++] = 2 * (int64_t)r->conditions.rules.k;
        }
        for (uint32_t c = 0; c < part->n_candidates; c++)
            if (is_searched(r, part, c))
                values[at++] = mondrian_search_question(r, part, &part->candidates[c]);
        if (part->phase == PART_EMPTY) {
            const uint32_t n = mondrian_parts_n_children(r, part, &part->candidates[part->next]);
            TRY(count_children(r, part, values + at, scratch, error));
            for (uint32_t g = 0; g < n; g++)
                thresholds[at++] = 1;
        }
        TRY(party_poll(r->party, error));
    }
    return KITH_OK;
}

/* Which children are not empty; those become parts. */
static kith_status take_children(mondrian_run *r, size_t index, const uint64_t *bits, size_t *at,
                                 arena *scratch, kith_error *error)
{
    const mondrian_part *part = &r->parts[index];
    const mondrian_candidate c = part->candidates[part->next];
    const uint32_t n = mondrian_parts_n_children(r, part, &c);
    bool *empty = TRY_ALLOC(arena_array(scratch, n, sizeof *empty), error);
    uint32_t *own = TRY_ALLOC(arena_zalloc(scratch, n, sizeof *own), error);
    for (uint32_t g = 0; g < n; g++)
        empty[g] = !smc_bit(bits, (*at)++);
    for (uint32_t i = part->start; i < part->end; i++)
        own[regions_child_of(&r->space.axes[c.attribute], part->regions[c.attribute],
                             r->problem->attributes[c.attribute].cells[r->order[i]])]++;
    for (uint32_t g = 0; g < n; g++)
        if (empty[g] && own[g] > 0)
            return error_set(error, KITH_PEER,
                             "a child with records of this site is said to be empty");
    return mondrian_parts_split(r, index, &c, empty, error);
}

static kith_status ask_simple(mondrian_run *r, size_t n, kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    int64_t *values = TRY_ALLOC(arena_array(scratch, n, sizeof *values), error);
    int64_t *thresholds = TRY_ALLOC(arena_zalloc(scratch, n, sizeof *thresholds), error);
    uint64_t *bits = TRY_ALLOC(arena_zalloc(scratch, smc_words(n), sizeof *bits), error);
    const int64_t most = 2 * (int64_t)r->n_total, least = 2 * (int64_t)r->conditions.rules.k;
    TRY(fill_simple(r, values, thresholds, scratch, error));
    const compare_sums sums = {.values = values,
                               .thresholds = thresholds,
                               .n_groups = n,
                               .bound = most > least ? most : least};
    /* message 4 */
    TRY(compare_thresholds(r->party, bits, &sums, (smc_output){SMC_ALL, NULL}, error));
    r->n_questions += n;
    const size_t n_parts = r->n_parts; /* splits add parts behind them */
    size_t at = 0;
    for (size_t i = r->first_open; i < n_parts; i++) {
        mondrian_part *part = &r->parts[i];
        if (part->phase == PART_SIZE) {
            part->is_class = !smc_bit(bits, at++);
            part->phase = part->is_class ? PART_FINAL : PART_SEARCH;
            continue;
        }
        for (uint32_t c = 0; c < part->n_candidates; c++)
            if (is_searched(r, part, c))
                mondrian_search_answer(r, part, &part->candidates[c], smc_bit(bits, at++));
        if (part->phase == PART_EMPTY)
            TRY(take_children(r, i, bits, &at, scratch, error));
    }
    return KITH_OK;
}

kith_status mondrian_ask_simple(mondrian_run *r, kith_error *error)
{
    size_t n_empty, n_sizes = 0;
    const size_t n = count_simple(r, &n_empty);
    for (size_t i = r->first_open; i < r->n_parts; i++)
        n_sizes += r->parts[i].phase == PART_SIZE;
    if (n == 0)
        return KITH_OK;
    TRY(ask_simple(r, n, error));
    if (n_sizes > 0)
        party_learns(r->party, DISCLOSE_AGGREGATE, "parts can be halved", n_sizes);
    if (n > n_sizes + n_empty)
        party_learns(r->party, DISCLOSE_AGGREGATE, "medians", n - n_sizes - n_empty);
    if (n_empty > 0)
        party_learns(r->party, DISCLOSE_AGGREGATE, "children are empty", n_empty);
    return KITH_OK;
}

/* --- may a part be split like this? --- */

/* Children in a question about the split that a part tries next; 0: there is no question. Halves of
 * an ordered attribute must both have records, children of a node may be empty. */
static uint32_t question_size(const mondrian_run *r, const mondrian_part *part, bool ordered)
{
    if (part->phase != PART_ALLOWED ||
        mondrian_is_ordered(r, &part->candidates[part->next]) != ordered)
        return 0;
    if (ordered)
        return 2;
    /* Splits along trees are asked together if they have about as many children: a power of two. */
    const uint32_t n_children = mondrian_parts_n_children(r, part, &part->candidates[part->next]);
    uint32_t n = 2;
    while (n < n_children)
        n *= 2;
    return n;
}

/* What follows from the answer about the split of a part. */
static kith_status take_allowed(mondrian_run *r, size_t index, bool allowed, kith_error *error)
{
    mondrian_part *part = &r->parts[index];
    mondrian_candidate *c = &part->candidates[part->next];
    if (allowed && mondrian_is_ordered(r, c)) {
        const mondrian_candidate split = *c;
        return mondrian_parts_split(r, index, &split, NULL, error);
    }
    if (allowed)
        part->phase = PART_EMPTY;
    else if (c->second != UINT32_MAX) {
        c->cut = c->second;
        c->second = UINT32_MAX;
    } else {
        part->next++;
        part->phase = PART_SEARCH;
    }
    return KITH_OK;
}

typedef struct allowed_batch {
    bool ordered;
    uint32_t n_children; /* of each question, padded */
    size_t n_questions;
    size_t *parts; /* [n_questions] */
} allowed_batch;

static kith_status fill_allowed(mondrian_run *r, const allowed_batch *b, int64_t *values,
                                int64_t *thresholds, arena *scratch, kith_error *error)
{
    const mondrian_conditions *k = &r->conditions;
    const mondrian_shape *shape = b->ordered ? &k->required : &k->or_empty;
    const size_t n_tallies = (size_t)b->n_children * k->rules.width;
    uint32_t *tallies = TRY_ALLOC(arena_array(scratch, n_tallies, sizeof *tallies), error);
    for (size_t q = 0; q < b->n_questions; q++) {
        const mondrian_part *part = &r->parts[b->parts[q]];
        memset(tallies, 0, n_tallies * sizeof *tallies);
        mondrian_parts_tally(r, part, &part->candidates[part->next], tallies);
        for (uint32_t g = 0; g < b->n_children; g++) {
            mondrian_conditions_fill(k, !b->ordered, tallies + (size_t)g * k->rules.width, values,
                                     thresholds);
            values += shape->n_sums;
            thresholds += shape->n_sums;
        }
        TRY(party_poll(r->party, error));
    }
    return KITH_OK;
}

/* The same blocks for every child. */
static kith_status repeat_blocks(compare_block **blocks, const mondrian_shape *shape, size_t times,
                                 arena *scratch, kith_error *error)
{
    *blocks = TRY_ALLOC(arena_array(scratch, times * shape->n_blocks, sizeof **blocks), error);
    for (size_t i = 0; i < times; i++)
        memcpy(*blocks + i * shape->n_blocks, shape->blocks, shape->n_blocks * sizeof **blocks);
    return KITH_OK;
}

static kith_status ask_batch(mondrian_run *r, const allowed_batch *b, arena *scratch,
                             kith_error *error)
{
    const mondrian_conditions *k = &r->conditions;
    const mondrian_shape *shape = b->ordered ? &k->required : &k->or_empty;
    const size_t n_sums = b->n_questions * b->n_children * shape->n_sums;
    int64_t *values = TRY_ALLOC(arena_array(scratch, n_sums, sizeof *values), error);
    int64_t *thresholds = TRY_ALLOC(arena_array(scratch, n_sums, sizeof *thresholds), error);
    uint64_t *bits = TRY_ZEROS(bits, scratch, smc_words(b->n_questions), error);
    compare_block *blocks = NULL;
    TRY(repeat_blocks(&blocks, shape, b->n_children, scratch, error));
    TRY(fill_allowed(r, b, values, thresholds, scratch, error));
    const compare_sums sums = {.values = values,
                               .thresholds = thresholds,
                               .n_groups = b->n_questions,
                               .blocks = blocks,
                               .n_blocks = b->n_children * shape->n_blocks,
                               .bound = mondrian_conditions_bound(k)};
    /* message 6 */
    TRY(compare_thresholds(r->party, bits, &sums, (smc_output){SMC_ALL, "splits are possible"},
                           error));
    r->n_questions += b->n_questions;
    for (size_t q = 0; q < b->n_questions; q++)
        TRY(take_allowed(r, b->parts[q], smc_bit(bits, q), error));
    return KITH_OK;
}

/* All questions of one kind and size. */
static kith_status ask_alike(mondrian_run *r, bool ordered, uint32_t n_children, size_t n_parts,
                             kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    allowed_batch b = {.ordered = ordered, .n_children = n_children};
    b.parts = TRY_ALLOC(arena_array(scratch, n_parts, sizeof *b.parts), error);
    for (size_t i = r->first_open; i < n_parts; i++)
        if (question_size(r, &r->parts[i], ordered) == n_children)
            b.parts[b.n_questions++] = i;
    return b.n_questions == 0 ? KITH_OK : ask_batch(r, &b, scratch, error);
}

kith_status mondrian_ask_allowed(mondrian_run *r, kith_error *error)
{
    const size_t n_parts = r->n_parts; /* children of this step are asked in the next one */
    uint32_t max_children = 0;
    for (size_t i = r->first_open; i < n_parts; i++) {
        const uint32_t n = question_size(r, &r->parts[i], false);
        max_children = n > max_children ? n : max_children;
    }
    /* Trees first: a part whose split along a tree is refused here may be asked about another one
     * in the next step only, whatever the order. */
    for (uint32_t n = 2; n != 0 && n <= max_children; n *= 2)
        TRY(ask_alike(r, false, n, n_parts, error));
    return ask_alike(r, true, 2, n_parts, error);
}

kith_status mondrian_ask_all(mondrian_run *r, const uint32_t *tallies, size_t n_sets, bool *all,
                             const char *entry, kith_error *error)
{
    const mondrian_conditions *k = &r->conditions;
    const size_t n_sums = n_sets * k->required.n_sums;
    uint64_t bits = 0;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    int64_t *values = TRY_ALLOC(arena_array(scratch, n_sums, sizeof *values), error);
    int64_t *thresholds = TRY_ALLOC(arena_array(scratch, n_sums, sizeof *thresholds), error);
    compare_block *blocks = NULL;
    TRY(repeat_blocks(&blocks, &k->required, n_sets, scratch, error));
    for (size_t i = 0; i < n_sets; i++)
        mondrian_conditions_fill(k, false, tallies + i * k->rules.width,
                                 values + i * k->required.n_sums,
                                 thresholds + i * k->required.n_sums);
    const compare_sums sums = {.values = values,
                               .thresholds = thresholds,
                               .n_groups = 1,
                               .blocks = blocks,
                               .n_blocks = n_sets * k->required.n_blocks,
                               .bound = mondrian_conditions_bound(k)};
    /* messages 1, 7 */
    TRY(compare_thresholds(r->party, &bits, &sums, (smc_output){SMC_ALL, entry}, error));
    *all = bits & 1;
    return KITH_OK;
}
