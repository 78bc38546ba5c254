/* Checking nodes one by one, from the groups of nodes below them. */
#include "search/lattice/checker_internal.h"

#include <math.h>
#include <string.h>

#include "core/error.h"

/* Does the class of this tuple show the root in all attributes, without being all records? */
bool checker_looks_suppressed(const checker *c, uint32_t tuple, const uint8_t *levels,
                              uint32_t size)
{
    if (!c->blanks || size == c->problem->n_records)
        return false;
    for (uint32_t j = 0; j < c->tuples.n_attributes; j++) {
        const tree *t = c->tuples.attributes[j].tree;
        bool single = t->level_start[levels[j] + 1] - t->level_start[levels[j]] == 1;
        if (!single && tuples_leaf(&c->tuples, tuple, j) != t->n_leaves)
            return false;
    }
    return true;
}

/* The nodes that the class of this tuple is generalized to. */
static void close_class(const checker *c, uint32_t *closure, const uint8_t *levels, uint32_t tuple)
{
    for (uint32_t j = 0; j < c->tuples.n_attributes; j++) {
        const tree *t = c->tuples.attributes[j].tree;
        uint32_t leaf = tuples_leaf(&c->tuples, tuple, j);
        closure[j] = leaf == t->n_leaves ? tree_root(t) : tree_up(t, leaf, levels[j]);
    }
}

/* A class whose values have been counted. */
model_verdict checker_judge(const checker *c, checker_scratch *s, uint32_t tuple, uint32_t size,
                            const uint8_t *levels)
{
    class_view view = {.size = size, .sensitive = s->histogram, .closure = s->closure};
    if (c->models.closures)
        close_class(c, s->closure, levels, tuple);
    return monotone_models_judge(&c->models, &view);
}

/* Adds up the sensitive values of the groups read that make a group, and writes its own list; the
 * counts stay in s->count for the models. */
static void merge_lists(const checker *c, checker_scratch *s, const groups *from, uint32_t target)
{
    const groups_coarsen *r = &s->coarsen;
    for (uint32_t q = 0; q < c->problem->n_sensitive; q++) {
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

static void clear_counts(const checker *c, checker_scratch *s, uint32_t target)
{
    for (uint32_t q = 0; q < c->problem->n_sensitive; q++)
        for (uint32_t e = s->first[q][target]; e < s->first[q][target + 1]; e++)
            s->count[q][s->value[q][e]] = 0;
}

/* Records in groups that are too small whatever else is asked. */
static uint32_t count_small(const uint32_t *size, uint32_t made, uint32_t min_class)
{
    uint32_t small = 0;
    for (uint32_t t = 0; t < made; t++)
        small += size[t] < min_class ? size[t] : 0;
    return small;
}

/* Judges every group made. With `all` the lists of those that are too small are made too. */
static void mark(const checker *c, checker_scratch *s, const groups *from, uint32_t made,
                 const uint8_t *levels, bool all, node_value *value)
{
    const groups_coarsen *r = &s->coarsen;
    uint32_t part = 0;
    for (uint32_t q = 0; c->models.values && q < c->problem->n_sensitive; q++)
        s->first[q][0] = 0;
    value->suppressed = 0;
    for (uint32_t t = 0; t < made; t++) {
        bool small = r->size[t] < c->min_class, listed = c->models.values && (all || !small);
        if (listed)
            merge_lists(c, s, from, t);
        else if (c->models.values)
            for (uint32_t q = 0; q < c->problem->n_sensitive; q++)
                s->first[q][t + 1] = s->first[q][t];
        model_verdict v = small ? (model_verdict){false, false}
                                : checker_judge(c, s, r->representative[t], r->size[t], levels);
        if (listed)
            clear_counts(c, s, t);
        s->violates[t] =
            !v.holds || checker_looks_suppressed(c, r->representative[t], levels, r->size[t]);
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

void checker_count_leaves(const checker *c, uint32_t *count, uint32_t tuple)
{
    for (uint32_t j = 0; j < c->tuples.n_attributes; j++)
        count[c->node_loss.offset[j] + tuples_leaf(&c->tuples, tuple, j)] +=
            c->tuples.weight[tuple];
}

void checker_count_codes(const checker *c, uint32_t *count, const uint8_t *levels, uint32_t tuple,
                         uint32_t size)
{
    for (uint32_t j = 0; j < c->tuples.n_attributes; j++) {
        const uint32_t *code = c->tuples.attributes[j].code[levels[j]];
        count[c->node_loss.offset[j] + code[tuples_leaf(&c->tuples, tuple, j)]] += size;
    }
}

/* From the cells that are kept to those that are not. */
void checker_complement(const checker *c, uint32_t *count, const uint8_t *levels)
{
    for (uint32_t j = 0; j < c->tuples.n_attributes; j++) {
        const tree *t = c->tuples.attributes[j].tree;
        const uint32_t *all = node_loss_all_cells(&c->node_loss, j, levels[j]);
        uint32_t level = c->node_loss.by_leaf ? 0 : levels[j];
        uint32_t codes = t->level_start[level + 1] - t->level_start[level] + 1;
        for (uint32_t code = 0; code < codes; code++)
            count[c->node_loss.offset[j] + code] = all[code] - count[c->node_loss.offset[j] + code];
    }
}

/* Counts the cells of the groups suppressed, or of those kept where they are fewer. */
static void count_gone(const checker *c, checker_scratch *s, const groups *from, uint32_t made,
                       const uint8_t *levels, uint32_t violating)
{
    const groups_coarsen *r = &s->coarsen;
    bool kept = violating > made / 2;
    memset(s->gone, 0, node_loss_count_entries(&c->node_loss) * sizeof *s->gone);
    for (uint32_t t = 0; t < made; t++) {
        if (s->violates[t] == kept)
            continue;
        if (!c->node_loss.by_leaf)
            checker_count_codes(c, s->gone, levels, r->representative[t], r->size[t]);
        else
            for (uint32_t m = r->start[t]; m < r->start[t + 1]; m++)
                FOR_TUPLES(u, from, r->member[m])
        checker_count_leaves(c, s->gone, u);
    }
    if (kept)
        checker_complement(c, s->gone, levels);
}

static void price(const checker *c, checker_scratch *s, node_value *value, const groups *from,
                  uint32_t made, const uint8_t *levels)
{
    const groups_coarsen *r = &s->coarsen;
    double squares = 0;
    uint32_t violating = 0;
    for (uint32_t t = 0; t < made; t++) {
        violating += s->violates[t];
        squares += s->violates[t] ? 0 : (double)r->size[t] * r->size[t];
    }
    if (value->suppressed > 0 && c->problem->measure != MEASURE_DM)
        count_gone(c, s, from, made, levels, violating);
    value->loss =
        node_loss_compute(&c->node_loss, levels, value->suppressed, s->gone, squares, &value->kept);
}

/* Lists the tuples of the groups made. */
static void list_tuples(checker_scratch *s, const groups *from, uint32_t made)
{
    const groups_coarsen *r = &s->coarsen;
    uint32_t used = 0;
    for (uint32_t t = 0; t < made; t++) {
        s->offset[t] = used;
        for (uint32_t m = r->start[t]; m < r->start[t + 1]; m++)
            FOR_TUPLES(u, from, r->member[m])
        s->tuple[used++] = u;
    }
    s->offset[made] = used;
}

static void keep(checker *c, checker_scratch *s, const groups *from, uint32_t made,
                 const uint8_t *levels)
{
    groups own = {.count = made,
                  .representative = s->coarsen.representative,
                  .size = s->coarsen.size,
                  .first = s->first,
                  .value = s->value,
                  .times = s->times};
    if (c->node_loss.by_leaf) {
        list_tuples(s, from, made);
        own.offset = s->offset;
        own.tuple = s->tuple;
    }
    groups_snapshots_keep(c->snapshots, levels, &own);
}

void checker_node(checker *c, unsigned worker, const uint8_t *levels, node_value *value)
{
    checker_scratch *s = &c->scratch[worker];
    groups from = c->base;
    groups_snapshots_find(c->snapshots, levels, &from);
    *value = (node_value){.loss = INFINITY};
    uint32_t made = groups_coarsen_run(&s->coarsen, &from, levels);
    /* Each kept one has at most half of the groups it came from: a few generations serve all. */
    bool keeping = 2 * (uint64_t)made <= from.count && from.count > 1024;
    value->suppressed = count_small(s->coarsen.size, made, c->min_class);
    bool hope = value->suppressed <= c->problem->may_suppress;
    if (!hope && !keeping)
        return;
    if (c->models.values || c->node_loss.by_leaf)
        groups_coarsen_sort(&s->coarsen, from.count, made);
    if (hope || c->models.values)
        mark(c, s, &from, made, levels, keeping, value);
    if (value->satisfied)
        price(c, s, value, &from, made, levels);
    if (keeping)
        keep(c, s, &from, made, levels);
}

kith_status checker_partition(checker *c, const uint8_t *levels, partition *result, arena *memory,
                              kith_error *error)
{
    const problem *p = c->problem;
    checker_scratch *s = &c->scratch[0];
    groups_coarsen *r = &s->coarsen;
    node_value value;
    uint32_t made = groups_coarsen_run(r, &c->base, levels);
    if (c->models.values)
        groups_coarsen_sort(r, c->base.count, made);
    mark(c, s, &c->base, made, levels, false, &value);
    /* Classes are numbered as their records appear; start[] has served and holds the numbers. */
    uint32_t *number = r->start;
    memset(number, 0xff, made * sizeof *number);
    result->n_classes = 0;
    result->class_of =
        TRY_ALLOC(arena_array(memory, p->n_records, sizeof *result->class_of), error);
    result->closure = TRY_ALLOC(
        arena_array(memory, (size_t)made * p->n_attributes, sizeof *result->closure), error);
    for (uint32_t i = 0; i < p->n_records; i++) {
        uint32_t g = r->target[c->tuples.of[i]];
        if (s->violates[g]) {
            result->class_of[i] = PARTITION_SUPPRESSED;
            continue;
        }
        if (number[g] == UINT32_MAX) {
            number[g] = result->n_classes++;
            close_class(c, result->closure + (size_t)number[g] * p->n_attributes, levels,
                        r->representative[g]);
        }
        result->class_of[i] = number[g];
    }
    return KITH_OK;
}
