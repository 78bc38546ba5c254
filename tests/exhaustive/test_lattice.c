/* Every multiset of 5 records x 2 attributes x 3 values, three tiny hierarchies, every model but
 * k-map, k = 2 and 3, suppression 0, 0.2 and 1, against a brute force that shares nothing with the
 * searches: the optimal ones find its levels and its loss, and what any search returns keeps the
 * models. By default a fixed sample of 1%, chosen by hash; KITH_EXHAUSTIVE=full takes all. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/search.h"
#include "support/naive_models.h"
#include "support/problems.h"

enum { RECORDS = 5, KINDS = 9, ATTRIBUTES = 2, TREES = 3, MEASURES = 6 };

static const measure_id measures[MEASURES] = {MEASURE_LM, MEASURE_EM,       MEASURE_ENTROPY,
                                              MEASURE_DM, MEASURE_ARX_LOSS, MEASURE_TREE};

typedef struct truth {
    bool found;
    double loss;
    uint32_t levels[ATTRIBUTES];
} truth;

static naive_list class_like(const problem *p, const uint32_t *levels, uint32_t record,
                             uint32_t *first)
{
    naive_list list = {0};
    *first = UINT32_MAX;
    for (uint32_t i = 0; i < p->n_records; i++) {
        bool same = true;
        for (uint32_t j = 0; j < p->n_attributes; j++) {
            const attribute *a = &p->attributes[j];
            same &= tree_up(a->tree, a->cells[i], levels[j]) ==
                    tree_up(a->tree, a->cells[record], levels[j]);
        }
        if (!same)
            continue;
        *first = *first == UINT32_MAX ? i : *first;
        list.value[list.size++] = p->sensitive[0].values[i];
    }
    return list;
}

static bool all_hold(const problem *p, const naive_list *class, const naive_list *table)
{
    for (uint32_t m = 0; m < p->n_models; m++)
        if (!naive_holds(&p->models[m], class, table))
            return false;
    return true;
}

/* What the attribute's cells lose: those kept at their level, the others at the root, or by entropy
 * among themselves. */
static double attribute_loss(const problem *p, uint32_t j, uint32_t level, const bool *kept)
{
    const attribute *a = &p->attributes[j];
    double loss = 0;
    uint32_t gone = 0, count[3] = {0};
    for (uint32_t i = 0; i < p->n_records; i++) {
        uint32_t shown = kept[i] ? tree_up(a->tree, a->cells[i], level) : tree_root(a->tree);
        if (kept[i] || p->measure != MEASURE_ENTROPY)
            loss += a->cost[shown] - a->cost[a->cells[i]];
        gone += !kept[i];
        count[a->cells[i]] += !kept[i];
    }
    for (uint32_t v = 0; v < 3 && p->measure == MEASURE_ENTROPY; v++)
        if (count[v] > 0)
            loss += a->weight * count[v] * log2((double)gone / count[v]);
    return loss;
}

static double loss_of(const problem *p, const uint32_t *levels, const bool *kept,
                      const uint32_t *size)
{
    double sum = 0, product = 0, weights = 0;
    if (p->measure == MEASURE_DM) {
        for (uint32_t i = 0; i < p->n_records; i++)
            sum += kept[i] ? size[i] : p->n_records;
        return sum;
    }
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        double loss = attribute_loss(p, j, levels[j], kept), weight = p->attributes[j].weight;
        sum += loss;
        product += weight * log(1 + loss / weight / p->n_records);
        weights += weight;
    }
    return p->measure == MEASURE_ARX_LOSS ? exp(product / weights) - 1 : sum;
}

/* Loss at these levels, infinite if too many records would have to be suppressed. */
static double brute_loss(const problem *p, const uint32_t *levels, const naive_list *table)
{
    uint32_t gone = 0, first, size[RECORDS];
    bool kept[RECORDS];
    for (uint32_t i = 0; i < p->n_records; i++) {
        naive_list class = class_like(p, levels, i, &first);
        kept[i] = all_hold(p, &class, table);
        size[i] = class.size;
        gone += !kept[i];
    }
    return gone <= p->may_suppress ? loss_of(p, levels, kept, size) : INFINITY;
}

static truth brute_force(const problem *p, const naive_list *table)
{
    truth t = {0};
    for (uint32_t sum = 0; sum < 6; sum++) /* ties go to the smaller sum, then in this order */
        for (uint32_t x = 0; x < p->attributes[0].tree->n_levels; x++)
            for (uint32_t y = 0; y < p->attributes[1].tree->n_levels; y++) {
                uint32_t levels[] = {x, y};
                double loss = x + y == sum ? brute_loss(p, levels, table) : INFINITY;
                if (isfinite(loss) && (!t.found || loss < t.loss - 1e-9))
                    t = (truth){true, loss, {x, y}};
            }
    return t;
}

/* Whatever was found must keep the models, and recode a value in one way only. */
static void check_release(const problem *p, const partition *part, const naive_list *table)
{
    uint32_t gone = 0;
    for (uint32_t i = 0; i < p->n_records; i++) {
        naive_list class = {0};
        gone += part->class_of[i] == PARTITION_SUPPRESSED;
        if (part->class_of[i] == PARTITION_SUPPRESSED)
            continue;
        for (uint32_t o = 0; o < p->n_records; o++) {
            if (part->class_of[o] == part->class_of[i])
                class.value[class.size++] = p->sensitive[0].values[o];
            for (uint32_t j = 0; j < ATTRIBUTES && part->class_of[o] != PARTITION_SUPPRESSED; j++)
                if (p->attributes[j].cells[o] == p->attributes[j].cells[i])
                    assert_int_equal(part->closure[part->class_of[o] * ATTRIBUTES + j],
                                     part->closure[part->class_of[i] * ATTRIBUTES + j]);
        }
        assert_true(all_hold(p, &class, table));
        for (uint32_t j = 0; j < ATTRIBUTES; j++)
            assert_true(tree_covers(p->attributes[j].tree,
                                    part->closure[part->class_of[i] * ATTRIBUTES + j],
                                    p->attributes[j].cells[i]));
    }
    assert_true(gone <= p->may_suppress);
}

static uint64_t answers, suppressing, infeasible;

static void check_search(const problem *p, const truth *t, const naive_list *table,
                         const char *name, context *c)
{
    search_result result;
    kith_error error;
    const algorithm *a = search_find(name);
    if (!search_minimizes(a, p->measure))
        return;
    kith_status status = search_run(&result, a, p, &(search_spec){0}, c, &error);
    if (a->cuts && status == KITH_INFEASIBLE)
        return; /* begins with the whole table, which need not be good where others are */
    if (!t->found) {
        assert_true(a->cuts || status == KITH_INFEASIBLE);
        infeasible++;
        return;
    }
    assert_int_equal(status, KITH_OK);
    check_release(p, &result.partition, table);
    answers++;
    for (uint32_t i = 0; i < p->n_records; i++)
        suppressing += result.partition.class_of[i] == PARTITION_SUPPRESSED;
    if (a->cuts)
        return;
    double loss = brute_loss(p, result.levels, table);
    assert_true(loss >= t->loss - 1e-9);
    if (strcmp(name, "datafly") == 0)
        return;
    assert_memory_equal(result.levels, t->levels, sizeof t->levels);
}

typedef struct table_case {
    uint32_t cells[ATTRIBUTES][RECORDS], values[RECORDS];
    naive_list table;
    uint64_t hash;
} table_case;

static void solve(table_case *t, const tree *const *trees, uint32_t kind, uint32_t k,
                  uint32_t may_suppress, uint64_t hash)
{
    static const char *const names[] = {"flash",       "ola",     "incognito", "breadth-first",
                                        "depth-first", "datafly", "top-down"};
    static const uint32_t nothing[RECORDS];
    context c;
    assert_int_equal(
        context_init(&c, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true), NULL),
        KITH_OK);
    rng r;
    rng_init(&r, hash, 5);
    model_facts *facts = naive_facts(c.memory, &t->table);
    facts->signature = 1;
    model_spec models[2] = {{.id = MODEL_K_ANONYMITY, .k = k}, naive_draw(kind, &r)};
    models[1].facts = facts;
    attribute a[ATTRIBUTES];
    sensitive_attribute s[] = {{.values = t->values, .count = NAIVE_VALUES},
                               {.values = nothing, .count = 1}};
    problem p = {.n_records = RECORDS,
                 .may_suppress = may_suppress,
                 .measure = measures[hash / 7 % MEASURES],
                 .n_attributes = ATTRIBUTES,
                 .attributes = a,
                 .n_sensitive = 2,
                 .sensitive = s,
                 .n_models = 2,
                 .models = models};
    p.k = models_minimum_size(models, 2);
    for (uint32_t j = 0; j < ATTRIBUTES; j++) {
        a[j] = (attribute){.tree = trees[j], .cells = t->cells[j], .weight = 1};
        bool additive = measure_at(p.measure)->additive;
        problems_costs(&p, &a[j], additive ? p.measure : MEASURE_LM, c.memory);
    }
    truth best = brute_force(&p, &t->table);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_search(&p, &best, &t->table, names[i], &c);
    context_wipe(&c);
}

static uint64_t mix(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * 0xff51afd7ed558ccdU;
    return hash ^ (hash >> 29);
}

static void fill(table_case *t, const uint32_t *kind)
{
    t->hash = 0x9e3779b97f4a7c15U;
    for (uint32_t i = 0; i < RECORDS; i++)
        t->hash = mix(t->hash, kind[i]);
    t->table.size = RECORDS;
    for (uint32_t i = 0; i < RECORDS; i++) {
        t->cells[0][i] = kind[i] / 3;
        t->cells[1][i] = kind[i] % 3;
        t->values[i] = (uint32_t)(mix(t->hash, i) >> 20) % (2 + (uint32_t)(t->hash >> 40) % 4);
        t->table.value[i] = t->values[i];
    }
}

static void every_problem(table_case *t, const tree *const *trees, bool full)
{
    static const uint32_t limits[] = {0, 1, RECORDS}; /* 0, 0.2 and 1 of five records */
    for (uint32_t code = 0; code < TREES * TREES * NAIVE_KINDS * 2 * 3; code++) {
        uint64_t hash = mix(t->hash, code + 100);
        if (!full && hash % 1000 >= 10)
            continue;
        const tree *pair[] = {trees[code % TREES], trees[code / TREES % TREES]};
        uint32_t rest = code / TREES / TREES;
        solve(t, pair, rest % NAIVE_KINDS, 2 + rest / NAIVE_KINDS % 2,
              limits[rest / NAIVE_KINDS / 2], hash);
    }
}

static void every_tiny_table(void **state)
{
    (void)state;
    const char *asked = getenv("KITH_EXHAUSTIVE");
    bool full = asked != NULL && strcmp(asked, "full") == 0;
    arena *memory = arena_new();
    const uint32_t paired[] = {0, 1, 2, 0, 0, 1, 0, 0, 0}, last[] = {0, 1, 2, 0, 1, 1, 0, 0, 0};
    const tree *trees[] = {trees_flat(memory, 3), trees_from_groups(memory, 3, 3, paired),
                           trees_from_groups(memory, 3, 3, last)};
    uint32_t kind[RECORDS], n_tables = 0;
    for (uint32_t code = 0; code < KINDS * KINDS * KINDS * KINDS * KINDS; code++) {
        uint32_t rest = code;
        bool sorted = true;
        for (uint32_t i = 0; i < RECORDS; i++, rest /= KINDS) {
            kind[i] = rest % KINDS;
            sorted &= i == 0 || kind[i - 1] <= kind[i];
        }
        if (!sorted)
            continue;
        table_case t;
        fill(&t, kind);
        every_problem(&t, trees, full);
        n_tables++;
    }
    assert_int_equal(n_tables, 1287);
    print_message("%lu answers, %lu records suppressed in them, %lu times infeasible\n", answers,
                  suppressing, infeasible);
    assert_true(answers > 10000 && suppressing > 1000 && infeasible > 1000);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_tiny_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
