/* Checking nodes one by one, from the groups of nodes below them. */
#include "search/lattice/checker_internal.h"

#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"

/* Groups are kept for nodes above only if there are at most half as many as those they came from,
 * so that a few snapshots serve the whole lattice, and not where regrouping is cheap anyway. */
enum { KEEP_FROM = 1024 };

/* One check of one node. */
typedef struct node_check {
    checker *checker;
    checker_scratch *scratch;
    const uint8_t *levels;
    groups from;     /* the groups of a node below, or every tuple a group */
    uint32_t n_made; /* groups at `levels`, made from those: scratch->coarsen */
} node_check;

bool checker_looks_suppressed(const checker *c, uint32_t tuple, const uint8_t *levels,
                              uint32_t size)
{
    if (!c->blanks || size == c->tuples.n_records)
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

model_verdict checker_judge(const checker *c, checker_scratch *s, uint32_t tuple, uint32_t size,
                            const uint8_t *levels)
{
    class_view view = {.size = size, .sensitive = s->histogram, .closure = s->closure};
    if (c->models.closures)
        close_class(c, s->closure, levels, tuple);
    return monotone_models_judge(&c->models, &view);
}

/* Writes the lists of sensitive values of the group `made`: the sums of the lists of the groups it
 * was made from. The sums also stay in s->count, where the models read them. */
static void merge_lists(const node_check *n, uint32_t made)
{
    checker_scratch *s = n->scratch;
    const groups *from = &n->from;
    const groups_coarsen *r = &s->coarsen;
    for (uint32_t q = 0; q < n->checker->problem->n_sensitive; q++) {
        uint32_t used = s->first[q][made];
        uint32_t *count = s->count[q];
        for (uint32_t i = r->start[made]; i < r->start[made + 1]; i++) {
            uint32_t g = r->member[i];
            for (uint32_t e = from->first[q][g]; e < from->first[q][g + 1]; e++) {
                uint32_t value = from->value[q][e];
                if (count[value] == 0)
                    s->value[q][used++] = value;
                count[value] += from->times[q][e];
            }
        }
        for (uint32_t e = s->first[q][made]; e < used; e++)
            s->times[q][e] = count[s->value[q][e]];
        s->first[q][made + 1] = used;
    }
}

/* Restores the invariant of s->count after merge_lists. */
static void clear_counts(const node_check *n, uint32_t made)
{
    checker_scratch *s = n->scratch;
    for (uint32_t q = 0; q < n->checker->problem->n_sensitive; q++)
        for (uint32_t e = s->first[q][made]; e < s->first[q][made + 1]; e++)
            s->count[q][s->value[q][e]] = 0;
}

/* Judges every group made and fills in what is suppressed. Groups below the minimum size violate
 * the models whatever their values; their lists are made only with `list_all`, for a snapshot. */
static void judge_groups(const node_check *n, bool list_all, node_value *value)
{
    const checker *c = n->checker;
    checker_scratch *s = n->scratch;
    const groups_coarsen *r = &s->coarsen;
    uint32_t n_sensitive = c->models.values ? c->problem->n_sensitive : 0;
    uint32_t part_violating = 0;
    for (uint32_t q = 0; q < n_sensitive; q++)
        s->first[q][0] = 0;
    value->suppressed = 0;
    for (uint32_t made = 0; made < n->n_made; made++) {
        uint32_t tuple = r->representative[made], size = r->size[made];
        bool small = size < c->min_class;
        model_verdict v = {false, false};
        if (c->models.values && (list_all || !small))
            merge_lists(n, made);
        else
            for (uint32_t q = 0; q < n_sensitive; q++)
                s->first[q][made + 1] = s->first[q][made];
        if (!small)
            v = checker_judge(c, s, tuple, size, n->levels);
        if (c->models.values)
            clear_counts(n, made);
        s->violates[made] = !v.holds || checker_looks_suppressed(c, tuple, n->levels, size);
        value->suppressed += s->violates[made] ? size : 0;
        part_violating += v.part_holds ? 0 : size;
    }
    value->possible = part_violating <= c->problem->may_suppress;
    value->satisfied = value->suppressed <= c->problem->may_suppress;
}

typedef struct tuple_span {
    const uint32_t *tuples;
    uint32_t count;
} tuple_span;

/* The tuples of a group. Where groups have no lists every group is one tuple of the same number, so
 * that the group's number itself is the list. */
static tuple_span tuples_of(const groups *from, const uint32_t *group)
{
    if (from->offset == NULL)
        return (tuple_span){group, 1};
    uint32_t start = from->offset[*group];
    return (tuple_span){from->tuple + start, from->offset[*group + 1] - start};
}

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

void checker_complement(const checker *c, uint32_t *count, const uint8_t *levels)
{
    for (uint32_t j = 0; j < c->tuples.n_attributes; j++) {
        const tree *t = c->tuples.attributes[j].tree;
        const uint32_t *all = node_loss_all_cells(&c->node_loss, j, levels[j]);
        uint32_t level = c->node_loss.by_leaf ? 0 : levels[j];
        uint32_t n_codes = t->level_start[level + 1] - t->level_start[level] + 1;
        uint32_t *own = count + c->node_loss.offset[j];
        for (uint32_t code = 0; code < n_codes; code++) {
            ASSERT(own[code] <= all[code]);
            own[code] = all[code] - own[code];
        }
    }
}

/* Counts the cells of the suppressed groups into s->cells. Where most groups are suppressed it
 * counts those that are kept instead, and subtracts. */
static void count_suppressed_cells(const node_check *n, uint32_t n_violating)
{
    const checker *c = n->checker;
    checker_scratch *s = n->scratch;
    const groups_coarsen *r = &s->coarsen;
    bool count_kept = n_violating > n->n_made / 2;
    memset(s->cells, 0, node_loss_count_entries(&c->node_loss) * sizeof *s->cells);
    for (uint32_t made = 0; made < n->n_made; made++) {
        if (s->violates[made] == count_kept)
            continue;
        if (!c->node_loss.by_leaf) {
            checker_count_codes(c, s->cells, n->levels, r->representative[made], r->size[made]);
            continue;
        }
        for (uint32_t m = r->start[made]; m < r->start[made + 1]; m++) {
            tuple_span span = tuples_of(&n->from, &r->member[m]);
            for (uint32_t i = 0; i < span.count; i++)
                checker_count_leaves(c, s->cells, span.tuples[i]);
        }
    }
    if (count_kept)
        checker_complement(c, s->cells, n->levels);
}

/* Fills in the loss of a node whose groups have been judged. */
static void price_node(const node_check *n, node_value *value)
{
    const checker *c = n->checker;
    const checker_scratch *s = n->scratch;
    double squares = 0;
    uint32_t n_violating = 0;
    for (uint32_t made = 0; made < n->n_made; made++) {
        double size = s->coarsen.size[made];
        n_violating += s->violates[made];
        squares += s->violates[made] ? 0 : size * size;
        if (!s->violates[made])
            checker_keep_class(value, s->coarsen.size[made]);
    }
    /* dm depends on the sizes of classes alone. */
    if (value->suppressed > 0 && c->problem->measure != MEASURE_DM)
        count_suppressed_cells(n, n_violating);
    value->loss = node_loss_compute(&c->node_loss, n->levels, value->suppressed, s->cells, squares,
                                    &value->kept);
}

/* Keeps the groups made, so that checks of nodes above can start from them. */
static void keep_groups(const node_check *n)
{
    checker_scratch *s = n->scratch;
    const groups_coarsen *r = &s->coarsen;
    groups own = {.count = n->n_made,
                  .representative = r->representative,
                  .size = r->size,
                  .first = s->first,
                  .value = s->value,
                  .times = s->times};
    if (n->checker->node_loss.by_leaf) {
        uint32_t used = 0;
        for (uint32_t made = 0; made < n->n_made; made++) {
            s->offset[made] = used;
            for (uint32_t m = r->start[made]; m < r->start[made + 1]; m++) {
                tuple_span span = tuples_of(&n->from, &r->member[m]);
                for (uint32_t i = 0; i < span.count; i++)
                    s->tuple[used++] = span.tuples[i];
            }
        }
        s->offset[n->n_made] = used;
        own.offset = s->offset;
        own.tuple = s->tuple;
    }
    groups_snapshots_keep(n->checker->snapshots, n->levels, &own);
}

void checker_node(checker *c, unsigned worker, const uint8_t *levels, node_value *value)
{
    ASSERT(worker < c->n_workers);
    CHECK(checker_scratch_check(c, worker));
    node_check n = {
        .checker = c, .scratch = &c->scratch[worker], .levels = levels, .from = c->base};
    groups_coarsen *r = &n.scratch->coarsen;
    groups_snapshots_find(c->snapshots, levels, &n.from);
    n.n_made = groups_coarsen_run(r, &n.from, levels);
    bool keep = 2 * (uint64_t)n.n_made <= n.from.count && n.from.count > KEEP_FROM;
    /* Most nodes fail because too many records are in groups that are too small. */
    *value = (node_value){.loss = INFINITY};
    for (uint32_t made = 0; made < n.n_made; made++)
        value->suppressed += r->size[made] < c->min_class ? r->size[made] : 0;
    bool hopeless = value->suppressed > c->problem->may_suppress;
    if (hopeless && !keep)
        return;
    if (c->models.values || c->node_loss.by_leaf)
        groups_coarsen_sort(r, n.from.count, n.n_made);
    if (!hopeless || c->models.values) /* judging also makes the lists that a snapshot needs */
        judge_groups(&n, keep, value);
    if (value->satisfied)
        price_node(&n, value);
    if (keep)
        keep_groups(&n);
}

kith_status checker_partition(checker *c, const uint8_t *levels, partition *result, arena *memory,
                              kith_error *error)
{
    const problem *p = c->problem;
    node_check n = {.checker = c, .scratch = &c->scratch[0], .levels = levels, .from = c->base};
    groups_coarsen *r = &n.scratch->coarsen;
    node_value value;
    n.n_made = groups_coarsen_run(r, &n.from, levels);
    if (c->models.values)
        groups_coarsen_sort(r, n.from.count, n.n_made);
    judge_groups(&n, false, &value);
    /* Classes are numbered as their records appear. start[] is not needed any more and holds the
     * numbers. */
    uint32_t *number = r->start;
    memset(number, 0xff, n.n_made * sizeof *number);
    result->n_classes = 0;
    result->class_of =
        TRY_ALLOC(arena_array(memory, p->n_records, sizeof *result->class_of), error);
    result->closure = TRY_ALLOC(
        arena_array(memory, (size_t)n.n_made * p->n_attributes, sizeof *result->closure), error);
    for (uint32_t i = 0; i < p->n_records; i++) {
        uint32_t g = r->target[c->tuples.of[i]];
        if (n.scratch->violates[g]) {
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
    CHECK(partition_check(result, p));
    return KITH_OK;
}
