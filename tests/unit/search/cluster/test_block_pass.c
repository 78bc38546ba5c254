/* The block rule against a naive reading of it: closures are nodes of trees computed from nothing,
 * what a site knows is kept apart from what is true, and both must agree in every visit. */
/* needs: clustering */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "reference/rows_plain.h"
#include "search/search.h"
#include "search/cluster/block_pass.h"
#include "support/problems.h"

enum { RECORDS = 1024, ATTRIBUTES = 8 };

typedef struct place {
    uint32_t node[ATTRIBUTES];
} place;

/* Clusters whose targets are found by the engine, and everything else by brute force. */
typedef struct naive {
    arena *memory;
    problem *p;
    slots rows;
    class_rules admit;
    clusters c;
    uint32_t site_of[RECORDS];
    uint32_t block, n_sites, n_moves;
    uint64_t n_questions, put_off, n_blocks;
    place answer[RECORDS];  /* by record: the joint closure without it when last collected */
    bool alone[RECORDS];    /* by record: there was nobody else then */
    uint32_t was[RECORDS];  /* by record: its cluster at that time */
    bool lost[2 * RECORDS]; /* by cluster: in this block */
} naive;

static void start(naive *f, const problem_shape *shape, uint32_t n_sites, uint32_t block,
                  uint64_t seed)
{
    rng r;
    *f = (naive){.memory = arena_new(), .block = block, .n_sites = n_sites};
    f->p = problems_random(f->memory, shape, seed);
    rng_init(&r, seed, 9);
    uint32_t n = f->p->n_records, n_parts = n / (shape->k / 2);
    assert_int_equal(slots_build(&f->rows, f->p, 1, f->memory, NULL), KITH_OK);
    assert_int_equal(class_rules_init(&f->admit, f->p, f->memory, NULL), KITH_OK);
    assert_int_equal(clusters_init(&f->c, &f->rows, &f->admit, n_parts, f->memory, NULL), KITH_OK);
    for (uint32_t i = 0; i < n_parts; i++)
        assert_int_equal(clusters_add(&f->c), i);
    for (uint32_t i = 0; i < n; i++) {
        f->site_of[i] = rng_below(&r, n_sites);
        assert_int_equal(clusters_append(&f->c, i % n_parts, i, NULL), KITH_OK);
    }
    for (uint32_t i = 0; i < n_parts; i++)
        clusters_close(&f->c, i);
}

/* The others in the cluster of a record, at one site (UINT32_MAX: at all). */
static uint32_t others(const naive *f, uint32_t record, uint32_t site, uint32_t *list)
{
    uint32_t count = 0, cluster = f->c.of[record];
    for (uint32_t m = 0; m < f->c.size[cluster]; m++) {
        uint32_t other = f->c.member[cluster][m];
        if (other != record && (site == UINT32_MAX || f->site_of[other] == site))
            list[count++] = other;
    }
    return count;
}

static place closure(const naive *f, const uint32_t *list, uint32_t count)
{
    place at = {{0}};
    for (uint32_t j = 0; j < f->p->n_attributes; j++) {
        const attribute *a = &f->p->attributes[j];
        at.node[j] = a->cells[list[0]];
        for (uint32_t i = 1; i < count; i++)
            at.node[j] = tree_lca(a->tree, at.node[j], a->cells[list[i]]);
    }
    return at;
}

/* Fixed-point cost per record of a closure that covers `member`, level by level. */
static int64_t cost_of(const naive *f, const place *at, uint32_t member)
{
    uint16_t row[512];
    slots_start(&f->rows, row, member);
    for (uint32_t i = 0; i < f->rows.count; i++) {
        const slot *s = &f->rows.slots[i];
        const tree *t = f->p->attributes[s->attribute].tree;
        if (s->level < t->level[at->node[s->attribute]])
            row[i] = SLOT_NONE;
    }
    return slots_cost(&f->rows, row, member);
}

static bool may_leave(const naive *f, const uint32_t *rest, uint32_t count)
{
    for (uint32_t m = 0; m < f->p->n_models; m++)
        for (uint32_t i = 0; f->p->models[m].id == MODEL_L_DIVERSITY && i < count; i++) {
            uint32_t same = 0;
            for (uint32_t o = 0; o < count; o++)
                same += f->p->sensitive[0].values[rest[o]] == f->p->sensitive[0].values[rest[i]];
            if ((double)count / same < f->p->models[m].l)
                return false;
        }
    return true;
}

static bool needs(naive *f, uint32_t record, bool *stays)
{
    uint32_t rest[RECORDS], mates[RECORDS], all = others(f, record, UINT32_MAX, rest);
    uint32_t own = others(f, record, f->site_of[record], mates);
    *stays = all > 0 && !may_leave(f, rest, all);
    if (all == 0 || *stays)
        return false;
    place without = own > 0 ? closure(f, mates, own) : (place){{0}};
    mates[own] = record;
    rest[all] = record;
    place local = closure(f, mates, own + 1), joint = closure(f, rest, all + 1), best = joint;
    bool may = false;
    for (uint32_t j = 0; j < f->p->n_attributes; j++) {
        if (own == 0)
            may |= joint.node[j] >= f->p->attributes[j].tree->n_leaves;
        else if (local.node[j] == joint.node[j] && without.node[j] != local.node[j]) {
            may = true;
            best.node[j] = without.node[j];
        }
    }
    if (!may)
        return false;
    int64_t min_cost = own == 0 || !f->rows.monotone ? 0 : cost_of(f, &best, mates[0]);
    int64_t gain = cost_of(f, &joint, record) * (all + 1) - min_cost * all;
    *stays = clusters_best(&f->c, record, gain) == CLUSTER_NONE;
    return !*stays;
}

static bool visit(naive *f, uint32_t record)
{
    uint32_t rest[RECORDS], all = others(f, record, UINT32_MAX, rest), from = f->c.of[record];
    if (all > 0 && !may_leave(f, rest, all))
        return false;
    int64_t gain = INT64_MAX;
    if (all > 0) {
        place remains = closure(f, rest, all);
        int64_t after = cost_of(f, &remains, rest[0]) * all;
        rest[all] = record;
        place joint = closure(f, rest, all + 1);
        gain = cost_of(f, &joint, record) * (all + 1) - after;
    }
    uint32_t to = clusters_best(&f->c, record, gain);
    if (to == CLUSTER_NONE)
        return false;
    int32_t remaining;
    int64_t told = clusters_gain(&f->c, record, &remaining);
    assert_true(all == 0 || told == gain);
    assert_int_equal(clusters_move(&f->c, record, to, remaining, NULL), KITH_OK);
    f->lost[from] = true;
    f->n_moves++;
    return true;
}

/* What the site is told, or knows without being told. */
static void remember(naive *f, uint32_t record, bool asked)
{
    uint32_t rest[RECORDS], all = others(f, record, UINT32_MAX, rest);
    f->alone[record] = all == 0;
    if (!asked)
        rest[all++] = record;
    f->answer[record] = closure(f, rest, all);
    for (uint32_t i = 0; i < f->p->n_records; i++)
        f->was[i] = f->c.of[i];
}

/* Does what the site knows tell the true closure without the record? */
static void check_knowledge(const naive *f, uint32_t record, const uint32_t *then)
{
    uint32_t rest[RECORDS], all = others(f, record, UINT32_MAX, rest), cluster = f->c.of[record];
    if (all == 0)
        return;
    place truth = closure(f, rest, all), known = f->answer[record];
    if (f->alone[record]) /* then all that is there now was gained */
        known = closure(f, rest, 1);
    if (f->lost[cluster]) {
        rest[all] = record;
        known = closure(f, rest, all + 1);
    }
    for (uint32_t i = 0; i < all; i++)
        for (uint32_t j = 0; j < f->p->n_attributes && then[rest[i]] != cluster; j++) {
            const attribute *a = &f->p->attributes[j];
            assert_int_equal(f->site_of[rest[i]], f->site_of[record]);
            known.node[j] = tree_lca(a->tree, known.node[j], a->cells[rest[i]]);
        }
    assert_memory_equal(&truth, &known, f->p->n_attributes * sizeof truth.node[0]);
}

static void turn(naive *f, uint32_t *pending, uint32_t count)
{
    while (count > 0) {
        uint32_t block[RECORDS], then[RECORDS], taken = 0, later = 0, asked = 0, at = 0;
        bool stays[RECORDS];
        for (; at < count && asked < f->block; at++) {
            bool need = needs(f, pending[at], &stays[taken]);
            asked += need;
            if (asked == 0) {
                visit(f, pending[at]);
                continue;
            }
            remember(f, pending[at], need);
            block[taken++] = pending[at];
        }
        memcpy(then, f->was, sizeof then);
        memset(f->lost, 0, sizeof f->lost);
        for (uint32_t i = 0; i < taken; i++) {
            bool settled = false;
            if (stays[i])
                continue;
            if (f->lost[f->c.of[block[i]]] && needs(f, block[i], &settled)) {
                block[later++] = block[i];
                continue;
            }
            if (!settled)
                check_knowledge(f, block[i], then);
            bool moved = visit(f, block[i]);
            assert_false(settled && moved);
        }
        f->put_off += later;
        f->n_questions += asked;
        f->n_blocks += asked > 0;
        memmove(pending + later, pending + at, (count - at) * sizeof *pending);
        memcpy(pending, block, later * sizeof *pending);
        count = later + count - at;
    }
}

static void naive_pass(naive *f)
{
    f->n_moves = 0;
    for (uint32_t s = 0; s < f->n_sites; s++) {
        uint32_t pending[RECORDS], count = 0;
        for (uint32_t i = 0; i < f->p->n_records; i++)
            if (f->site_of[i] == s)
                pending[count++] = i;
        turn(f, pending, count);
    }
}

static uint64_t put_off, questions, pruned;

static void compare(const problem_shape *shape, uint32_t n_sites, uint32_t block, uint64_t seed)
{
    naive mine, theirs;
    block_pass t;
    start(&mine, shape, n_sites, block, seed);
    start(&theirs, shape, n_sites, block, seed);
    const uint32_t *sites = n_sites == 1 ? NULL : theirs.site_of;
    assert_int_equal(block_pass_init(&t, &theirs.c, sites, block, NULL), KITH_OK);
    for (int pass = 0; pass < 4; pass++) {
        assert_int_equal(clusters_arrange(&mine.c, NULL), KITH_OK);
        assert_int_equal(clusters_arrange(&theirs.c, NULL), KITH_OK);
        naive_pass(&mine);
        assert_int_equal(block_pass_run(&t, NULL), KITH_OK);
        assert_memory_equal(mine.c.of, theirs.c.of, mine.p->n_records * sizeof *mine.c.of);
        assert_int_equal(mine.n_moves, t.totals.n_moves);
    }
    if (block > 1) {
        assert_int_equal(t.totals.n_questions, mine.n_questions);
        assert_int_equal(t.totals.n_put_off, mine.put_off);
        assert_int_equal(t.totals.n_blocks, mine.n_blocks);
        pruned += 4 * mine.p->n_records - t.totals.n_questions;
    }
    put_off += t.totals.n_put_off;
    questions += t.totals.n_questions;
    arena_free(mine.memory);
    arena_free(theirs.memory);
}

static const problem_shape shapes[] = {
    {.n_records = 300, .n_attributes = 4, .n_leaves = 12, .width = 3, .k = 6, .skew = 2},
    {.n_records = 300, .n_attributes = 5, .n_leaves = 5, .k = 8, .skew = 2},
    {.n_records = 200, .n_attributes = 3, .n_leaves = 16, .width = 2, .k = 10, .wildcards = .1},
    {.n_records = 250,
     .n_attributes = 4,
     .n_leaves = 9,
     .width = 3,
     .k = 10,
     .n_sensitive = 3,
     .l = 1.7},
    {.n_records = 200, .n_attributes = 3, .n_leaves = 20, .width = 3, .k = 4, .n_kinds = 40},
};

static void blocks_follow_the_rule(void **state)
{
    (void)state;
    static const uint32_t sites[] = {1, 2, 3, 5}, sizes[] = {1, 2, 7, 40, 1000};
    put_off = questions = pruned = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t m = 0; m < 4; m++)
            for (size_t b = 0; b < 5; b++) {
                problem_shape shape = shapes[s];
                shape.measure = (measure_id)((s + m + b) % 4);
                compare(&shape, sites[m], sizes[b], 100 * s + 10 * m + b);
            }
    assert_true(put_off > 100 && questions > 1000 && pruned > 1000);
}

/* Whatever the block, the whole algorithm keeps the models; block 1 is the paper's way
 * (without the repair that the default adds where there are models). */
static void whole_runs_keep_the_models(void **state)
{
    (void)state;
    context c;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 5);
    uint32_t site[RECORDS];
    for (uint32_t i = 0; i < RECORDS; i++)
        site[i] = i * 7 % 3;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        search_result one, same, many;
        assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
        problem *p = problems_random(c.memory, &shapes[s], s);
        const algorithm *a = search_find("sequential");
        search_spec spec = {.finish = FINISH_MERGE};
        assert_int_equal(search_run(&one, a, p, &spec, &c, NULL), KITH_OK);
        spec = (search_spec){.block = 1, .finish = FINISH_MERGE};
        assert_int_equal(search_run(&same, a, p, &spec, &c, NULL), KITH_OK);
        size_t bytes = p->n_records * sizeof *one.partition.class_of;
        assert_memory_equal(one.partition.class_of, same.partition.class_of, bytes);
        spec = (search_spec){.block = 20};
        const rows_plain_sites sites = {.site = site};
        assert_int_equal(rows_plain(&many, p, &spec, &sites, &c, NULL), KITH_OK);
        assert_true(problems_hold(p, many.partition.class_of, many.partition.n_classes));
        assert_int_not_equal(memcmp(one.partition.class_of, many.partition.class_of, bytes), 0);
        assert_true(many.n_questions > 0 && one.n_questions == 0);
        context_wipe(&c);
    }
}

static void sites_beyond_the_records_are_refused(void **state)
{
    (void)state;
    naive f;
    block_pass t;
    kith_error error = {0};
    start(&f, &shapes[0], 2, 2, 1);
    f.site_of[17] = 300;
    assert_int_equal(block_pass_init(&t, &f.c, f.site_of, 2, &error), KITH_INVALID);
    assert_string_equal(error.message, "record 17 has site 300, but there are only 300 records");
    arena_free(f.memory);
}

static bool refuse(void *user, uint32_t visited)
{
    (void)user;
    return visited < 512;
}

static void a_pass_can_be_stopped(void **state)
{
    (void)state;
    naive f;
    block_pass t;
    problem_shape shape = {.n_records = 1000, .n_attributes = 3, .n_leaves = 9, .k = 10};
    start(&f, &shape, 1, 1, 1);
    assert_int_equal(clusters_arrange(&f.c, NULL), KITH_OK);
    assert_int_equal(block_pass_init(&t, &f.c, NULL, 50, NULL), KITH_OK);
    t.report = refuse;
    assert_int_equal(block_pass_run(&t, NULL), KITH_CANCELLED);
    arena_free(f.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_follow_the_rule),
        cmocka_unit_test(whole_runs_keep_the_models),
        cmocka_unit_test(sites_beyond_the_records_are_refused),
        cmocka_unit_test(a_pass_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
