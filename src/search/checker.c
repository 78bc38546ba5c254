#include "search/checker.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "search/groups.h"
#include "search/judging.h"
#include "search/lattice.h"
#include "search/pricing.h"
#include "search/regroup.h"
#include "search/sweep.h"

/* Scratch of one worker, large enough for every node. Invariant between checks: `count` of every
 * secret is all zero. */
typedef struct scratch {
    regrouping regrouping;
    sweep sweep;
    uint8_t *violates;                  /* [tuples] */
    uint32_t **count;                   /* [secrets][values] */
    uint32_t **first, **value, **times; /* [secrets] lists of the groups being made */
    histogram *histogram;               /* [secrets] */
    uint32_t *closure;                  /* [attributes] of the class being judged */
    uint32_t *gone;                     /* [pricing_counts] */
    uint32_t *offset, *tuple;           /* [tuples + 1], [tuples] tuples of the groups being made */
} scratch;

struct checker {
    const problem *problem;
    tuples tuples;
    groups base; /* every tuple a group */
    pricing pricing;
    snapshots *snapshots;
    judging judging;
    uint32_t least; /* records that any good class has */
    bool blanks;    /* classes that look like suppressed records count as such */
    bool sweeping;
    unsigned workers;
    arena *memory;
    scratch *scratch;
};

static void free_snapshots(void *object)
{
    snapshots_free(object);
}

static kith_status scratch_lists(scratch *s, const checker *c, arena *memory, kith_error *error)
{
    const problem *p = c->problem;
    uint32_t n = c->tuples.count;
    s->count = arena_array(memory, p->secrets, sizeof *s->count);
    s->first = arena_array(memory, p->secrets, sizeof *s->first);
    s->value = arena_array(memory, p->secrets, sizeof *s->value);
    s->times = arena_array(memory, p->secrets, sizeof *s->times);
    s->histogram = arena_array(memory, p->secrets, sizeof *s->histogram);
    TRY_ALLOC(s->count, error);
    TRY_ALLOC(s->first, error);
    TRY_ALLOC(s->value, error);
    TRY_ALLOC(s->times, error);
    TRY_ALLOC(s->histogram, error);
    for (uint32_t q = 0; q < p->secrets; q++) {
        uint32_t entries = c->tuples.first[q][n];
        s->count[q] = arena_zalloc(memory, p->secret[q].count, sizeof **s->count);
        s->first[q] = arena_array(memory, (size_t)n + 1, sizeof **s->first);
        s->value[q] = arena_array(memory, entries, sizeof **s->value);
        s->times[q] = arena_array(memory, entries, sizeof **s->times);
        TRY_ALLOC(s->count[q], error);
        TRY_ALLOC(s->first[q], error);
        TRY_ALLOC(s->value[q], error);
        TRY_ALLOC(s->times[q], error);
        s->histogram[q] = (histogram){.counts = s->count[q], .values = p->secret[q].count};
    }
    return KITH_OK;
}

static kith_status scratch_init(scratch *s, const checker *c, arena *memory, kith_error *error)
{
    uint32_t n = c->tuples.count;
    TRY(regroup_init(&s->regrouping, &c->tuples, memory, error));
    s->closure = arena_array(memory, c->tuples.attributes, sizeof *s->closure);
    TRY_ALLOC(s->closure, error);
    s->violates = arena_array(memory, n, sizeof *s->violates);
    s->offset = arena_array(memory, (size_t)n + 1, sizeof *s->offset);
    s->tuple = arena_array(memory, n, sizeof *s->tuple);
    s->gone = arena_array(memory, pricing_counts(&c->pricing), sizeof *s->gone);
    TRY_ALLOC(s->violates, error);
    TRY_ALLOC(s->offset, error);
    TRY_ALLOC(s->tuple, error);
    TRY_ALLOC(s->gone, error);
    return c->problem->secrets == 0 ? KITH_OK : scratch_lists(s, c, memory, error);
}

static bool has_wildcards(const tuples *t)
{
    for (uint32_t u = 0; u < t->count; u++)
        for (uint32_t j = 0; j < t->attributes; j++)
            if (tuples_leaf(t, u, j) == t->attribute[j].tree->leaves)
                return true;
    return false;
}

static bool sizes_only(const problem *p)
{
    for (uint32_t m = 0; m < p->models; m++)
        if (p->model[m].id != MODEL_K_ANONYMITY)
            return false;
    return true;
}

kith_status checker_new(checker **result, const problem *p, unsigned workers, arena *memory,
                        kith_error *error)
{
    checker *c = arena_zalloc(memory, 1, sizeof *c);
    TRY_ALLOC(c, error);
    c->problem = p;
    c->workers = workers;
    c->memory = memory;
    TRY(tuples_build(&c->tuples, p, memory, error));
    TRY(pricing_init(&c->pricing, p, &c->tuples, memory, error));
    TRY(judging_init(&c->judging, p, memory, error));
    c->least = p->k;
    for (uint32_t m = 0; m < p->models; m++)
        if (model_minimum_size(&p->model[m]) > c->least)
            c->least = model_minimum_size(&p->model[m]);
    /* Models that only ask for a size hold wherever it is reached, merged with what it may be. */
    c->blanks = !sizes_only(p) && p->may_suppress > 0 && has_wildcards(&c->tuples);
    c->base = (groups){.count = c->tuples.count,
                       .size = c->tuples.weight,
                       .first = c->tuples.first,
                       .value = c->tuples.value,
                       .times = c->tuples.times};
    c->snapshots = snapshots_new(p->attributes, c->judging.values ? p->secrets : 0);
    TRY_ALLOC(c->snapshots, error);
    if (!arena_defer(memory, free_snapshots, c->snapshots))
        return error_nomem(error);
    c->scratch = arena_zalloc(memory, workers, sizeof *c->scratch);
    TRY_ALLOC(c->scratch, error);
    for (unsigned w = 0; w < workers; w++)
        TRY(scratch_init(&c->scratch[w], c, memory, error));
    *result = c;
    return KITH_OK;
}

kith_status checker_begin_sweep(checker *c, kith_error *error)
{
    if (c->sweeping)
        return KITH_OK;
    const uint32_t *axis, **column;
    TRY(sweep_axes(&axis, &column, &c->tuples, c->memory, error));
    for (unsigned w = 0; w < c->workers; w++)
        TRY(sweep_init(&c->scratch[w].sweep, &c->tuples, c->least, axis, column, c->memory, error));
    c->sweeping = true;
    return KITH_OK;
}

int checker_order(const checker *c, const uint8_t *a, const uint8_t *b)
{
    const uint32_t *axis = c->scratch[0].sweep.axis;
    for (uint32_t d = 0; d < c->tuples.attributes; d++)
        if (a[axis[d]] != b[axis[d]])
            return a[axis[d]] < b[axis[d]] ? -1 : 1;
    return 0;
}

/* Does the class of this tuple show the root in all attributes, without being all records? */
static bool looks_suppressed(const checker *c, uint32_t tuple, const uint8_t *levels, uint32_t size)
{
    if (!c->blanks || size == c->problem->records)
        return false;
    for (uint32_t j = 0; j < c->tuples.attributes; j++) {
        const tree *t = c->tuples.attribute[j].tree;
        bool single = t->level_start[levels[j] + 1] - t->level_start[levels[j]] == 1;
        if (!single && tuples_leaf(&c->tuples, tuple, j) != t->leaves)
            return false;
    }
    return true;
}

/* The nodes that the class of this tuple is generalized to. */
static void close_class(const checker *c, uint32_t *closure, const uint8_t *levels, uint32_t tuple)
{
    for (uint32_t j = 0; j < c->tuples.attributes; j++) {
        const tree *t = c->tuples.attribute[j].tree;
        uint32_t leaf = tuples_leaf(&c->tuples, tuple, j);
        closure[j] = leaf == t->leaves ? tree_root(t) : tree_up(t, leaf, levels[j]);
    }
}

/* A class whose values have been counted. */
static verdict judge(const checker *c, scratch *s, uint32_t tuple, uint32_t size,
                     const uint8_t *levels)
{
    class_view view = {.size = size, .sensitive = s->histogram, .closure = s->closure};
    if (c->judging.closures)
        close_class(c, s->closure, levels, tuple);
    return judging_class(&c->judging, &view);
}

/* Adds up the sensitive values of the groups read that make a group, and writes its own list; the
 * counts stay in s->count for the models. */
static void merge_lists(const checker *c, scratch *s, const groups *from, uint32_t target)
{
    const regrouping *r = &s->regrouping;
    for (uint32_t q = 0; q < c->problem->secrets; q++) {
        uint32_t used = s->first[q][target];
        uint32_t *count = s->count[q];
        for (uint32_t i = r->start[target]; i < r->start[target + 1]; i++) {
            uint32_t g = r->member[i];
            for (uint32_t e = from->first[q][g]; e < from->first[q][g + 1]; e++) {
                uint32_t value = from->value[q][e];
                if (count[value] == 0)
                    s->value[q][used++] = value;
                count[value] += from->times[q][e];
            }
        }
        for (uint32_t e = s->first[q][target]; e < used; e++)
            s->times[q][e] = count[s->value[q][e]];
        s->first[q][target + 1] = used;
    }
}

static void clear_counts(const checker *c, scratch *s, uint32_t target)
{
    for (uint32_t q = 0; q < c->problem->secrets; q++)
        for (uint32_t e = s->first[q][target]; e < s->first[q][target + 1]; e++)
            s->count[q][s->value[q][e]] = 0;
}

/* Records in groups that are too small whatever else is asked. */
static uint32_t count_small(const uint32_t *size, uint32_t made, uint32_t least)
{
    uint32_t small = 0;
    for (uint32_t t = 0; t < made; t++)
        small += size[t] < least ? size[t] : 0;
    return small;
}

/* Judges every group made. With `all` the lists of those that are too small are made too. */
static void mark(const checker *c, scratch *s, const groups *from, uint32_t made,
                 const uint8_t *levels, bool all, node_value *value)
{
    const regrouping *r = &s->regrouping;
    uint32_t part = 0;
    for (uint32_t q = 0; c->judging.values && q < c->problem->secrets; q++)
        s->first[q][0] = 0;
    value->suppressed = 0;
    for (uint32_t t = 0; t < made; t++) {
        bool small = r->size[t] < c->least, listed = c->judging.values && (all || !small);
        if (listed)
            merge_lists(c, s, from, t);
        else if (c->judging.values)
            for (uint32_t q = 0; q < c->problem->secrets; q++)
                s->first[q][t + 1] = s->first[q][t];
        verdict v =
            small ? (verdict){false, false} : judge(c, s, r->representative[t], r->size[t], levels);
        if (listed)
            clear_counts(c, s, t);
        s->violates[t] = !v.holds || looks_suppressed(c, r->representative[t], levels, r->size[t]);
        value->suppressed += s->violates[t] ? r->size[t] : 0;
        part += v.part_holds ? 0 : r->size[t];
    }
    value->possible = part <= c->problem->may_suppress;
    value->satisfied = value->suppressed <= c->problem->may_suppress;
}

/* Calls for every tuple of a group read. */
#define FOR_TUPLES(u, from, g)                                                          \
    for (uint32_t i_ = (from)->offset == NULL ? (g) : (from)->offset[g],                \
                  end_ = (from)->offset == NULL ? (g) + 1 : (from)->offset[(g) + 1], u; \
         i_ < end_ && (u = (from)->offset == NULL ? i_ : (from)->tuple[i_], true); i_++)

static void count_leaves(const checker *c, uint32_t *count, uint32_t tuple)
{
    for (uint32_t j = 0; j < c->tuples.attributes; j++)
        count[c->pricing.offset[j] + tuples_leaf(&c->tuples, tuple, j)] += c->tuples.weight[tuple];
}

static void count_codes(const checker *c, uint32_t *count, const uint8_t *levels, uint32_t tuple,
                        uint32_t size)
{
    for (uint32_t j = 0; j < c->tuples.attributes; j++) {
        const uint32_t *code = c->tuples.attribute[j].code[levels[j]];
        count[c->pricing.offset[j] + code[tuples_leaf(&c->tuples, tuple, j)]] += size;
    }
}

/* From the cells that are kept to those that are not. */
static void complement(const checker *c, uint32_t *count, const uint8_t *levels)
{
    for (uint32_t j = 0; j < c->tuples.attributes; j++) {
        const tree *t = c->tuples.attribute[j].tree;
        const uint32_t *all = pricing_everything(&c->pricing, j, levels[j]);
        uint32_t level = c->pricing.by_leaf ? 0 : levels[j];
        uint32_t codes = t->level_start[level + 1] - t->level_start[level] + 1;
        for (uint32_t code = 0; code < codes; code++)
            count[c->pricing.offset[j] + code] = all[code] - count[c->pricing.offset[j] + code];
    }
}

/* Counts the cells of the groups suppressed, or of those kept where they are fewer. */
static void count_gone(const checker *c, scratch *s, const groups *from, uint32_t made,
                       const uint8_t *levels, uint32_t violating)
{
    const regrouping *r = &s->regrouping;
    bool kept = violating > made / 2;
    memset(s->gone, 0, pricing_counts(&c->pricing) * sizeof *s->gone);
    for (uint32_t t = 0; t < made; t++) {
        if (s->violates[t] == kept)
            continue;
        if (!c->pricing.by_leaf)
            count_codes(c, s->gone, levels, r->representative[t], r->size[t]);
        else
            for (uint32_t m = r->start[t]; m < r->start[t + 1]; m++)
                FOR_TUPLES(u, from, r->member[m])
        count_leaves(c, s->gone, u);
    }
    if (kept)
        complement(c, s->gone, levels);
}

static void price(const checker *c, scratch *s, node_value *value, const groups *from,
                  uint32_t made, const uint8_t *levels)
{
    const regrouping *r = &s->regrouping;
    double squares = 0;
    uint32_t violating = 0;
    for (uint32_t t = 0; t < made; t++) {
        violating += s->violates[t];
        squares += s->violates[t] ? 0 : (double)r->size[t] * r->size[t];
    }
    if (value->suppressed > 0 && c->problem->measure != MEASURE_DM)
        count_gone(c, s, from, made, levels, violating);
    value->loss =
        pricing_loss(&c->pricing, levels, value->suppressed, s->gone, squares, &value->kept);
}

/* Lists the tuples of the groups made. */
static void list_tuples(scratch *s, const groups *from, uint32_t made)
{
    const regrouping *r = &s->regrouping;
    uint32_t used = 0;
    for (uint32_t t = 0; t < made; t++) {
        s->offset[t] = used;
        for (uint32_t m = r->start[t]; m < r->start[t + 1]; m++)
            FOR_TUPLES(u, from, r->member[m])
        s->tuple[used++] = u;
    }
    s->offset[made] = used;
}

static void keep(checker *c, scratch *s, const groups *from, uint32_t made, const uint8_t *levels)
{
    groups own = {.count = made,
                  .representative = s->regrouping.representative,
                  .size = s->regrouping.size,
                  .first = s->first,
                  .value = s->value,
                  .times = s->times};
    if (c->pricing.by_leaf) {
        list_tuples(s, from, made);
        own.offset = s->offset;
        own.tuple = s->tuple;
    }
    snapshots_keep(c->snapshots, levels, &own);
}

void checker_node(checker *c, unsigned worker, const uint8_t *levels, node_value *value)
{
    scratch *s = &c->scratch[worker];
    groups from = c->base;
    snapshots_find(c->snapshots, levels, &from);
    *value = (node_value){.loss = INFINITY};
    uint32_t made = regroup_run(&s->regrouping, &from, levels);
    /* Each kept one has at most half of the groups it came from: a few generations serve all. */
    bool keeping = 2 * (uint64_t)made <= from.count && from.count > 1024;
    value->suppressed = count_small(s->regrouping.size, made, c->least);
    bool hope = value->suppressed <= c->problem->may_suppress;
    if (!hope && !keeping)
        return;
    if (c->judging.values || c->pricing.by_leaf)
        regroup_sort(&s->regrouping, from.count, made);
    if (hope || c->judging.values)
        mark(c, s, &from, made, levels, keeping, value);
    if (value->satisfied)
        price(c, s, value, &from, made, levels);
    if (keeping)
        keep(c, s, &from, made, levels);
}

/* Judges one group of a sweep: its tuples' values are counted, looked at, and taken back. */
static verdict judge_tuples(const checker *c, scratch *s, const uint32_t *tuple, uint32_t count,
                            uint32_t size, const uint8_t *levels)
{
    const tuples *t = &c->tuples;
    for (uint32_t q = 0; c->judging.values && q < c->problem->secrets; q++)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t e = t->first[q][tuple[i]]; e < t->first[q][tuple[i] + 1]; e++)
                s->count[q][t->value[q][e]] += t->times[q][e];
    verdict v = judge(c, s, tuple[0], size, levels);
    for (uint32_t q = 0; c->judging.values && q < c->problem->secrets; q++)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t e = t->first[q][tuple[i]]; e < t->first[q][tuple[i] + 1]; e++)
                s->count[q][t->value[q][e]] = 0;
    return v;
}

/* Judges the groups of a sweep; counts the cells of those kept and their squared sizes. */
static double mark_swept(const checker *c, scratch *s, const sweep_view *v, const uint8_t *levels,
                         node_value *value)
{
    double squares = 0;
    uint32_t part_kept = 0, kept = 0;
    memset(s->gone, 0, pricing_counts(&c->pricing) * sizeof *s->gone);
    for (uint32_t g = 0; g < v->segments; g++) {
        const uint32_t *tuple = v->tuple + v->start[g];
        uint32_t count = v->start[g + 1] - v->start[g], size = v->size[g];
        verdict found = judge_tuples(c, s, tuple, count, size, levels);
        part_kept += found.part_holds ? size : 0;
        if (!found.holds || looks_suppressed(c, tuple[0], levels, size))
            continue;
        kept += size;
        squares += (double)size * size;
        if (!c->pricing.by_leaf)
            count_codes(c, s->gone, levels, tuple[0], size);
        for (uint32_t i = 0; i < count && c->pricing.by_leaf; i++)
            count_leaves(c, s->gone, tuple[i]);
    }
    value->suppressed = c->problem->records - kept;
    value->possible = c->problem->records - part_kept <= c->problem->may_suppress;
    value->satisfied = value->suppressed <= c->problem->may_suppress;
    return squares;
}

void checker_sweep_node(checker *c, unsigned worker, const uint8_t *levels, node_value *value)
{
    scratch *s = &c->scratch[worker];
    *value = (node_value){.loss = INFINITY};
    const sweep_view *v = sweep_to(&s->sweep, levels);
    double squares = mark_swept(c, s, v, levels, value);
    if (!value->satisfied)
        return;
    if (value->suppressed > 0)
        complement(c, s->gone, levels);
    value->loss =
        pricing_loss(&c->pricing, levels, value->suppressed, s->gone, squares, &value->kept);
}

void checker_trim(checker *c)
{
    snapshots_trim(c->snapshots);
}

double checker_estimate(const checker *c, const uint8_t *levels)
{
    return pricing_estimate(&c->pricing, levels);
}

double checker_bound(const checker *c, const uint8_t *levels)
{
    return pricing_bound(&c->pricing, levels);
}

bool checker_monotone(const checker *c)
{
    return c->judging.monotone && !c->blanks;
}

bool checker_rising(const checker *c)
{
    return c->pricing.rising;
}

bool checker_kept_bounds(const checker *c)
{
    return checker_monotone(c) && c->pricing.rising;
}

const tuples *checker_tuples(const checker *c)
{
    return &c->tuples;
}

kith_status checker_partition(checker *c, const uint8_t *levels, partition *result, arena *memory,
                              kith_error *error)
{
    const problem *p = c->problem;
    scratch *s = &c->scratch[0];
    regrouping *r = &s->regrouping;
    node_value value;
    uint32_t made = regroup_run(r, &c->base, levels);
    if (c->judging.values)
        regroup_sort(r, c->base.count, made);
    mark(c, s, &c->base, made, levels, false, &value);
    /* Classes are numbered as their records appear; start[] has served and holds the numbers. */
    uint32_t *number = r->start;
    memset(number, 0xff, made * sizeof *number);
    result->classes = 0;
    result->class_of = arena_array(memory, p->records, sizeof *result->class_of);
    result->closure = arena_array(memory, (size_t)made * p->attributes, sizeof *result->closure);
    TRY_ALLOC(result->class_of, error);
    TRY_ALLOC(result->closure, error);
    for (uint32_t i = 0; i < p->records; i++) {
        uint32_t g = r->target[c->tuples.of[i]];
        if (s->violates[g]) {
            result->class_of[i] = PARTITION_SUPPRESSED;
            continue;
        }
        if (number[g] == UINT32_MAX) {
            number[g] = result->classes++;
            close_class(c, result->closure + (size_t)number[g] * p->attributes, levels,
                        r->representative[g]);
        }
        result->class_of[i] = number[g];
    }
    return KITH_OK;
}
