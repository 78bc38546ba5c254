/* Checking nodes one by one, from the groups of nodes below them. */
#include "search/lattice/checker_internal.h"

#include <string.h>

#include "core/check.h"

/* Groups are kept for nodes above only if there are at most half as many as those they came from,
 * so that a few snapshots serve the whole lattice, and not where regrouping is cheap anyway. */
enum { KEEP_FROM = 1024 };

bool checker_looks_suppressed(const checker *c, const uint32_t *row, const uint8_t *levels,
                              uint32_t size)
{
    if (!c->blanks || size == checker_n_records(c))
        return false;
    for (uint32_t j = 0; j < c->problem->n_attributes; j++) {
        const tree *t = c->problem->attributes[j].tree;
        bool single = t->level_start[levels[j] + 1] - t->level_start[levels[j]] == 1;
        if (!single && row[j] != t->n_leaves)
            return false;
    }
    return true;
}

void checker_close(const checker *c, uint32_t *closure, const uint8_t *levels, const uint32_t *row)
{
    for (uint32_t j = 0; j < c->problem->n_attributes; j++) {
        const tree *t = c->problem->attributes[j].tree;
        closure[j] = row[j] == t->n_leaves ? tree_root(t) : tree_up(t, row[j], levels[j]);
    }
}

model_verdict checker_judge(const checker *c, checker_scratch *s, const uint32_t *row,
                            uint32_t size, const uint8_t *levels)
{
    class_view view = {.size = size, .sensitive = s->histogram, .closure = s->closure};
    if (c->models.closures)
        checker_close(c, s->closure, levels, row);
    if (c->by_units == NULL)
        return monotone_models_judge(&c->models, &view);
    view = unit_lists_view(&s->units, s->closure);
    return monotone_models_judge(&c->models, &view);
}

model_verdict checker_judge_tallied(const checker *c, checker_scratch *s, uint32_t group,
                                    const uint32_t *row, const uint8_t *levels)
{
    const class_view view = unit_tallies_view(&s->tallies, group, s->closure);
    if (c->models.closures)
        checker_close(c, s->closure, levels, row);
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

/* Has the group `made` so many units? */
static bool has_units(const node_check *n, uint32_t made, uint32_t k)
{
    checker_scratch *s = n->scratch;
    const groups_coarsen *r = &s->coarsen;
    uint32_t n_units = 0;
    unit_marks_begin(&s->marks);
    for (uint32_t m = r->start[made]; m < r->start[made + 1] && n_units < k; m++) {
        const tuple_span span = tuples_of(&n->from, &r->member[m]);
        n_units += unit_lists_count(&s->marks, r->tuples, span.tuples, span.count, k - n_units);
    }
    return n_units >= k;
}

/* Is the unit in the list? */
static bool lists(const uint32_t *list, uint32_t count, uint32_t unit)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += list[i] == unit;
    return found > 0;
}

/* Lists units of the groups made, as many as models ask for: united, such lists show k units if and
 * only if the groups have k. What was grouped is walked through in its order, because it is not
 * sorted by groups. */
static void list_units(const node_check *n)
{
    checker_scratch *s = n->scratch;
    const groups_coarsen *r = &s->coarsen;
    const tuples *t = r->tuples;
    const uint32_t k = n->checker->models.part_k;
    const bool all = n->from.offset == NULL;
    const uint32_t *first = all ? t->first[t->n_sensitive - 1] : n->from.offset;
    const uint32_t *unit = all ? t->value[t->n_sensitive - 1] : n->from.tuple;
    s->offset[0] = 0;
    for (uint32_t made = 0; made < n->n_made; made++)
        s->offset[made + 1] = s->offset[made] + (r->size[made] < k ? r->size[made] : k);
    memset(s->n_units, 0, n->n_made * sizeof *s->n_units);
    for (uint32_t g = 0; g < n->from.count; g++) {
        uint32_t *count = &s->n_units[r->target[g]];
        if (*count >= k)
            continue;
        uint32_t *list = s->tuple + s->offset[r->target[g]];
        for (uint32_t e = first[g]; e < first[g + 1] && *count < k; e++)
            if (!lists(list, *count, unit[e]))
                list[(*count)++] = unit[e];
    }
}

/* Counts the units of all groups made. */
static void tally_units(node_check *n)
{
    checker_scratch *s = n->scratch;
    const groups_coarsen *r = &s->coarsen;
    const uint32_t *group_of = n->from.offset == NULL ? r->target : s->group_of;
    for (uint32_t g = 0; n->from.offset != NULL && g < n->from.count; g++) {
        const tuple_span span = tuples_of(&n->from, &g);
        for (uint32_t i = 0; i < span.count; i++)
            s->group_of[span.tuples[i]] = r->target[g];
    }
    unit_tallies_count(&s->tallies, group_of, n->n_made);
    n->tallied = true;
}

/* Judges the group `made` by its units. Where it is `lost` already that all models hold, it is only
 * asked whether those of the monotone part do. */
static model_verdict judge_units(const node_check *n, uint32_t made, bool lost)
{
    const checker *c = n->checker;
    checker_scratch *s = n->scratch;
    const groups_coarsen *r = &s->coarsen;
    if (c->models.only_units || (lost && c->models.part_units)) {
        const uint32_t k = c->models.part_k;
        const bool enough = n->tallied       ? s->tallies.group[made].n_units >= k
                            : c->lists_units ? s->n_units[made] >= k
                                             : has_units(n, made, k);
        return (model_verdict){enough, enough};
    }
    if (n->tallied)
        return checker_judge_tallied(c, s, made, tuples_row(r->tuples, r->representative[made]),
                                     n->levels);
    const uint32_t *member = r->member + r->start[made];
    const uint32_t count = r->start[made + 1] - r->start[made];
    unit_lists_begin(&s->units);
    if (n->from.offset == NULL)
        unit_lists_add(&s->units, r->tuples, member, count);
    for (uint32_t m = 0; n->from.offset != NULL && m < count; m++) {
        const tuple_span span = tuples_of(&n->from, &member[m]);
        unit_lists_add(&s->units, r->tuples, span.tuples, span.count);
    }
    return checker_judge(c, s, tuples_row(r->tuples, r->representative[made]), r->size[made],
                         n->levels);
}

/* Judges every group made and fills in what is suppressed; of units, unless `all`, only as far as
 * is needed to know that it is too much. Groups below the minimum size violate the models whatever
 * their values; their lists are made only with `list_all`, for a snapshot. */
static void judge_groups(node_check *n, bool list_all, bool all, node_part *part)
{
    const checker *c = n->checker;
    checker_scratch *s = n->scratch;
    if (c->tallies_units && n->n_made <= s->tallies.room)
        tally_units(n);
    const groups_coarsen *r = &s->coarsen;
    uint32_t n_sensitive = c->lists_values ? c->problem->n_sensitive : 0;
    for (uint32_t q = 0; q < n_sensitive; q++)
        s->first[q][0] = 0;
    *part = (node_part){0};
    const bool ends = !all && c->by_units != NULL;
    for (uint32_t made = 0; made < n->n_made; made++) {
        const uint32_t *row = tuples_row(r->tuples, r->representative[made]);
        uint32_t size = r->size[made];
        bool small = size < c->min_class;
        const bool lost = ends && part->suppressed > c->problem->may_suppress;
        if (lost && part->part_violating > c->problem->may_suppress)
            return;
        model_verdict v = {false, false};
        if (c->lists_values && (list_all || !small))
            merge_lists(n, made);
        else
            for (uint32_t q = 0; q < n_sensitive; q++)
                s->first[q][made + 1] = s->first[q][made];
        if (!small)
            v = c->by_units != NULL ? judge_units(n, made, lost)
                                    : checker_judge(c, s, row, size, n->levels);
        if (c->lists_values) {
            /* Restores the invariant of s->count after merge_lists. */
            for (uint32_t q = 0; q < n->checker->problem->n_sensitive; q++)
                for (uint32_t e = s->first[q][made]; e < s->first[q][made + 1]; e++)
                    s->count[q][s->value[q][e]] = 0;
        }
        s->violates[made] = !v.holds || checker_looks_suppressed(c, row, n->levels, size);
        part->suppressed += s->violates[made] ? size : 0;
        part->part_violating += v.part_holds ? 0 : size;
    }
}

void checker_count_leaves(const checker *c, uint32_t *count, const tuples *t, uint32_t tuple)
{
    for (uint32_t j = 0; j < t->n_attributes; j++) {
        uint32_t *of_leaf = count + c->node_loss.offset[j];
        const uint32_t list = t->n_sensitive + j;
        if (t->first[list] == NULL)
            of_leaf[tuples_leaf(t, tuple, j)] += t->weight[tuple];
        else
            for (uint32_t e = t->first[list][tuple]; e < t->first[list][tuple + 1]; e++)
                of_leaf[t->value[list][e]] += t->times[list][e];
    }
}

void checker_count_codes(const checker *c, uint32_t *count, const uint8_t *levels,
                         const uint32_t *row, uint32_t size)
{
    for (uint32_t j = 0; j < c->problem->n_attributes; j++) {
        const uint32_t *code = c->distributions.attributes[j].code[levels[j]];
        count[c->node_loss.offset[j] + code[row[j]]] += size;
    }
}

/* Counts the cells of the suppressed groups, or of those that are kept, into s->cells. */
static void count_cells(const node_check *n, bool of_kept)
{
    const checker *c = n->checker;
    checker_scratch *s = n->scratch;
    const groups_coarsen *r = &s->coarsen;
    memset(s->cells, 0, node_loss_count_entries(&c->node_loss) * sizeof *s->cells);
    for (uint32_t made = 0; made < n->n_made; made++) {
        if (s->violates[made] == of_kept)
            continue;
        if (!c->node_loss.by_leaf) {
            checker_count_codes(c, s->cells, n->levels,
                                tuples_row(r->tuples, r->representative[made]), r->size[made]);
            continue;
        }
        for (uint32_t m = r->start[made]; m < r->start[made + 1]; m++) {
            tuple_span span = tuples_of(&n->from, &r->member[m]);
            for (uint32_t i = 0; i < span.count; i++)
                checker_count_leaves(c, s->cells, r->tuples, span.tuples[i]);
        }
    }
}

/* Adds up what the loss of a node depends on, after its groups have been judged. */
static void checker_node_add_up(const node_check *n, node_part *part)
{
    const checker *c = n->checker;
    const checker_scratch *s = n->scratch;
    uint32_t n_violating = 0;
    for (uint32_t made = 0; made < n->n_made; made++) {
        n_violating += s->violates[made];
        if (!s->violates[made])
            checker_keep_class(part, s->coarsen.size[made]);
    }
    /* dm depends on the sizes of classes alone. */
    if (part->suppressed == 0 || c->problem->measure == MEASURE_DM)
        return;
    /* Where most groups are suppressed the others are counted. Ranks must all count the same. */
    part->cells_kept = n->distribution->everywhere && n_violating > n->n_made / 2;
    count_cells(n, part->cells_kept);
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
    if (n->checker->lists_tuples) {
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
    if (n->checker->lists_units) {
        uint32_t used = 0;
        for (uint32_t made = 0; made < n->n_made; made++) {
            const uint32_t *list = s->tuple + s->offset[made];
            s->offset[made] = used;
            for (uint32_t i = 0; i < s->n_units[made]; i++)
                s->tuple[used++] = list[i];
        }
        s->offset[n->n_made] = used;
        own.offset = s->offset;
        own.tuple = s->tuple;
    }
    groups_snapshots_keep(n->checker->snapshots, n->distribution->number, n->levels, &own);
}

/* Every tuple of a distribution a group. */
static groups all_tuples(const distribution *e)
{
    const tuples *t = &e->tuples;
    return (groups){.count = t->count,
                    .size = t->weight,
                    .first = t->first,
                    .value = t->value,
                    .times = t->times};
}

void checker_node_begin(node_check *n, checker *c, unsigned worker, const distribution *e,
                        const uint8_t *levels)
{
    ASSERT(worker < c->n_workers && e->there);
    CHECK(checker_scratch_check(c, worker));
    *n = (node_check){.checker = c,
                      .scratch = &c->scratch[worker],
                      .distribution = e,
                      .levels = levels,
                      .from = all_tuples(e)};
    groups_coarsen *r = &n->scratch->coarsen;
    r->tuples = &e->tuples;
    groups_snapshots_find(c->snapshots, e->number, levels, &n->from);
    n->n_made = groups_coarsen_run(r, &n->from, levels);
    n->keep = 2 * (uint64_t)n->n_made <= n->from.count && n->from.count > KEEP_FROM;
    for (uint32_t made = 0; made < n->n_made; made++)
        n->small += r->size[made] < c->min_class ? r->size[made] : 0;
}

void checker_node_end(node_check *n, bool hopeless, node_part *part)
{
    const checker *c = n->checker;
    *part = (node_part){.suppressed = n->small, .part_violating = n->small};
    /* Most nodes fail because too many records are in groups that are too small. */
    if (hopeless && !n->keep)
        return;
    if (c->lists_values || c->lists_tuples)
        groups_coarsen_sort(&n->scratch->coarsen, n->from.count, n->n_made);
    if (c->lists_units)
        list_units(n);
    node_part judged;
    if (!hopeless || c->lists_values) /* judging also makes the lists that a snapshot needs */
        judge_groups(n, n->keep, false, hopeless ? &judged : part);
    if (!hopeless && part->suppressed <= c->problem->may_suppress)
        checker_node_add_up(n, part);
    if (n->keep)
        keep_groups(n);
}

void checker_judge_all(node_check *n, checker *c, const distribution *e, const uint8_t *levels,
                       node_part *part)
{
    *n = (node_check){.checker = c,
                      .scratch = &c->scratch[0],
                      .distribution = e,
                      .levels = levels,
                      .from = all_tuples(e)};
    groups_coarsen *r = &n->scratch->coarsen;
    r->tuples = &e->tuples;
    n->n_made = groups_coarsen_run(r, &n->from, levels);
    if (c->lists_values || c->lists_tuples)
        groups_coarsen_sort(r, n->from.count, n->n_made);
    if (c->lists_units)
        list_units(n);
    judge_groups(n, false, true, part);
}
