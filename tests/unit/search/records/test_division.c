/* The plan of a division: the same pieces as a slow recursion over lists of records finds, however
 * the records are shown; conditions of pieces; data that change between scans. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "search/class_rules.h"
#include "search/records/division.h"
#include "support/problems.h"
#include "support/thread_ranks.h"

/* --- The reference: sets are lists of records, everything is counted anew. --- */

typedef struct listing {
    const problem *p;
    uint32_t limit, min_class;
    arena *memory;
    uint32_t *piece_of; /* [n_records] */
    uint32_t n_pieces;
} listing;

static uint32_t below(const listing *l, uint32_t a, uint32_t node, const uint32_t *list, uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        count += tree_covers(l->p->attributes[a].tree, node, l->p->attributes[a].cells[list[i]]);
    return count;
}

static uint32_t common_node(const listing *l, uint32_t a, const uint32_t *list, uint32_t n)
{
    uint32_t node = 0;
    while (below(l, a, node, list, n) < n)
        node++;
    return node;
}

static double bits_of(double count)
{
    return count > 0 ? count * log2(count) : 0;
}

/* What a split by the children of the common node is worth. */
static double worth(const listing *l, uint32_t a, const uint32_t *list, uint32_t n)
{
    const attribute *at = &l->p->attributes[a];
    const uint32_t common = common_node(l, a, list, n);
    double kept = 0, bits = bits_of(n), rest = n;
    for (uint32_t child = 0; child < common; child++) {
        const uint32_t count = at->tree->parent[child] == common ? below(l, a, child, list, n) : 0;
        if (count == 0 || count < l->min_class)
            continue;
        kept += count * (at->cost[common] - at->cost[child]);
        bits -= bits_of(count);
        rest -= count;
    }
    return kept > 0 ? kept / n / pow(fmax((bits - bits_of(rest)) / n, 0) + 0.001, 0.3) : 0;
}

static bool is_class(const listing *l, const uint32_t *group, uint32_t number, const uint32_t *list,
                     uint32_t n)
{
    uint32_t *class_of = arena_array(l->memory, l->p->n_records, sizeof *class_of);
    uint32_t size = 0;
    memset(class_of, 0xff, l->p->n_records * sizeof *class_of);
    for (uint32_t i = 0; i < n; i++)
        if (group[i] == number) {
            class_of[list[i]] = 0;
            size++;
        }
    return size >= l->min_class && problems_hold(l->p, class_of, 1);
}

static void renumber(uint32_t *group, uint32_t n, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < n; i++)
        group[i] = group[i] == from ? to : group[i];
}

/* group[i] becomes the group of list[i]; returns how many there are. */
static uint32_t make_groups(const listing *l, uint32_t a, const uint32_t *list, uint32_t n,
                            uint32_t *group)
{
    const attribute *at = &l->p->attributes[a];
    const uint32_t common = common_node(l, a, list, n);
    uint32_t n_groups = 0, size = 0;
    for (uint32_t child = 0; child <= common; child++) { /* the common node itself: all others */
        uint32_t more = 0;
        if (child < common && at->tree->parent[child] != common)
            continue;
        for (uint32_t i = 0; i < n; i++)
            more += child < common ? tree_covers(at->tree, child, at->cells[list[i]])
                                   : at->cells[list[i]] == common;
        if (size > 0 && more > 0 && size + more > l->limit) {
            n_groups++;
            size = 0;
        }
        size += more;
        for (uint32_t i = 0; i < n; i++)
            if (child < common ? tree_covers(at->tree, child, at->cells[list[i]])
                               : at->cells[list[i]] == common)
                group[i] = n_groups;
    }
    n_groups++;
    uint32_t kept = 0;
    for (uint32_t g = 0; g < n_groups; g++) {
        if (kept == 0 || is_class(l, group, kept - 1, list, n))
            kept++;
        renumber(group, n, g, kept - 1);
    }
    for (; kept > 1 && !is_class(l, group, kept - 1, list, n); kept--)
        renumber(group, n, kept - 1, kept - 2);
    return kept;
}

static bool split_by(listing *l, uint32_t a, const uint32_t *list, uint32_t n);

static void divide_list(listing *l, const uint32_t *list, uint32_t n)
{
    double score[8];
    for (uint32_t a = 0; a < l->p->n_attributes; a++)
        score[a] = n > l->limit ? worth(l, a, list, n) : 0;
    for (;;) {
        uint32_t best = 0;
        for (uint32_t a = 1; a < l->p->n_attributes; a++)
            best = score[a] > score[best] ? a : best;
        if (score[best] <= 0)
            break;
        if (split_by(l, best, list, n))
            return;
        score[best] = 0;
    }
    for (uint32_t i = 0; i < n; i++)
        l->piece_of[list[i]] = l->n_pieces;
    l->n_pieces++;
}

static bool split_by(listing *l, uint32_t a, const uint32_t *list, uint32_t n)
{
    uint32_t *group = arena_array(l->memory, n, sizeof *group);
    const uint32_t n_groups = make_groups(l, a, list, n, group);
    if (n_groups < 2)
        return false;
    for (uint32_t g = 0; g < n_groups; g++) {
        uint32_t *part = arena_array(l->memory, n, sizeof *part), size = 0;
        for (uint32_t i = 0; i < n; i++)
            if (group[i] == g)
                part[size++] = list[i];
        divide_list(l, part, size);
    }
    return true;
}

static listing reference(const problem *p, uint32_t limit, arena *memory)
{
    listing l = {p, limit, class_rules_min_size(p), memory, NULL, 0};
    uint32_t *all = arena_array(memory, p->n_records, sizeof *all);
    l.piece_of = arena_array(memory, p->n_records, sizeof *l.piece_of);
    for (uint32_t i = 0; i < p->n_records; i++)
        all[i] = i;
    divide_list(&l, all, p->n_records);
    return l;
}

/* --- Records, shown in several ways. --- */

typedef struct shown {
    const problem *p;
    uint32_t block;         /* records per block */
    bool keep;              /* what the scans have reached */
    uint32_t *reached;      /* [n_records] */
    uint32_t n_scans, lost; /* record that later scans do not show; UINT32_MAX: none */
} shown;

enum { MAX_COLUMNS = 8, MAX_BLOCK = 4096 };

static kith_status show(void *user, record_visit visit, void *to, kith_error *error)
{
    shown *s = user;
    uint32_t cells[MAX_COLUMNS][MAX_BLOCK], value[MAX_BLOCK];
    const uint32_t *columns[MAX_COLUMNS], *sensitive[1] = {value};
    s->n_scans++;
    for (uint32_t i = 0; i < s->p->n_records;) {
        record_block b = {.cells = columns, .sensitive = sensitive};
        b.reached = s->keep ? s->reached + i : NULL;
        for (; b.n < s->block && i < s->p->n_records; i++) {
            if (s->n_scans > 1 && i == s->lost)
                continue;
            for (uint32_t a = 0; a < s->p->n_attributes; a++)
                cells[a][b.n] = s->p->attributes[a].cells[i];
            value[b.n] = s->p->n_sensitive > 0 ? s->p->sensitive[0].values[i] : 0;
            b.n++;
        }
        for (uint32_t a = 0; a < s->p->n_attributes; a++)
            columns[a] = cells[a];
        const kith_status status = visit(to, &b, error);
        if (status != KITH_OK)
            return status;
    }
    return KITH_OK;
}

static division *plan(const problem *p, uint32_t limit, shown *s, context *c)
{
    division *d;
    const record_scan scan = {show, s};
    s->reached = arena_zalloc(c->memory, p->n_records, sizeof *s->reached);
    assert_int_equal(
        division_make(&d, p, p->n_records, class_rules_min_size(p), limit, &scan, c, NULL),
        KITH_OK);
    return d;
}

/* The piece of each record. */
static uint32_t *pieces_of(const division *d, const problem *p, arena *memory)
{
    uint32_t *piece_of = arena_array(memory, p->n_records, sizeof *piece_of);
    const uint32_t *cells[MAX_COLUMNS];
    for (uint32_t a = 0; a < p->n_attributes; a++)
        cells[a] = p->attributes[a].cells;
    division_pieces(d, &(record_block){.n = p->n_records, .cells = cells}, piece_of);
    return piece_of;
}

static problem *draw(arena *memory, uint64_t seed, uint32_t *limit)
{
    rng r;
    rng_init(&r, seed, 3);
    problem_shape s = {.n_records = 50 + rng_below(&r, 400),
                       .n_attributes = 1 + rng_below(&r, 3),
                       .n_leaves = 2 + rng_below(&r, 20),
                       .width = rng_below(&r, 3) == 0 ? 0 : 2 + rng_below(&r, 3),
                       .n_kinds = rng_below(&r, 3) == 0 ? 4 + rng_below(&r, 30) : 0,
                       .wildcards = rng_below(&r, 2) == 0 ? 0 : 0.2,
                       .skew = 1 + 2 * rng_unit(&r),
                       .k = 1 + rng_below(&r, 8)};
    if (rng_below(&r, 2) == 0) {
        s.n_sensitive = 3;
        s.l = 1.2 + rng_unit(&r);
    }
    *limit = 1 + rng_below(&r, s.n_records / 3);
    return problems_random(memory, &s, seed);
}

enum { TABLES = 60 };

static void pieces_are_those_of_the_reference(void **state)
{
    (void)state;
    uint32_t n_pieces = 0;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        context c;
        uint32_t limit;
        assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
        const problem *p = draw(c.memory, seed, &limit);
        const listing expected = reference(p, limit, c.memory);
        for (int way = 0; way < 3; way++) {
            shown s = {.p = p, .block = way == 0 ? 4096 : 37, .keep = way < 2, .lost = UINT32_MAX};
            const division *d = plan(p, limit, &s, &c);
            assert_int_equal(division_count(d), expected.n_pieces);
            const uint32_t *piece_of = pieces_of(d, p, c.memory);
            uint64_t *size = arena_zalloc(c.memory, expected.n_pieces, sizeof *size);
            for (uint32_t i = 0; i < p->n_records; i++) {
                assert_int_equal(piece_of[i], expected.piece_of[i]);
                size[expected.piece_of[i]]++;
            }
            for (uint32_t i = 0; i < expected.n_pieces; i++)
                assert_int_equal(division_size(d, i), size[i]);
        }
        n_pieces += expected.n_pieces;
        context_wipe(&c);
    }
    assert_true(n_pieces > 4 * TABLES);
}

static void changed_data_are_refused(void **state)
{
    (void)state;
    context c;
    division *d;
    kith_error error;
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    const problem_shape shape = {
        .n_records = 500, .n_attributes = 2, .n_leaves = 16, .width = 4, .k = 2};
    const problem *p = problems_random(c.memory, &shape, 1);
    shown s = {.p = p, .block = 4096, .lost = 7};
    const record_scan scan = {show, &s};
    assert_int_equal(division_make(&d, p, p->n_records, 2, 20, &scan, &c, &error), KITH_DATA);
    assert_non_null(strstr(error.message, "changed"));
    assert_int_equal(division_make(&d, p, (uint64_t)UINT32_MAX + 1, 2, 20, &scan, &c, &error),
                     KITH_INVALID);
    context_wipe(&c);
}

typedef struct shared {
    problem p;
    kith_status status[2];
    uint64_t n_sent[2], n_sets;
} shared;

/* Each of two ranks has all records of `shared.p`. */
static void divide_over_ranks(kith_ranks *ranks, void *user)
{
    shared *s = user;
    context c;
    division *d = NULL;
    const uint32_t rank = ranks_self(ranks);
    s->status[rank] = context_init(&c, NULL, NULL);
    c.ranks = ranks;
    shown own = {.p = &s->p, .block = 4096, .lost = UINT32_MAX};
    const record_scan scan = {show, &own};
    const uint64_t n_records = 2 * (uint64_t)s->p.n_records;
    if (s->status[rank] == KITH_OK)
        s->status[rank] = division_make(&d, &s->p, n_records, 2, 100, &scan, &c, NULL);
    s->status[rank] = ranks_leave(ranks, s->status[rank], NULL);
    s->n_sent[rank] = ranks_n_sent_bytes(ranks);
    if (rank == 0 && s->status[0] == KITH_OK)
        s->n_sets = division_count(d);
    context_wipe(&c);
}

/* Sets are counted below the node that they have in common, not in all of a large tree. */
static void large_trees_take_few_counts(void **state)
{
    (void)state;
    context c;
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    const problem_shape shape = {
        .n_records = 4000, .n_attributes = 2, .n_leaves = 10000, .width = 10, .k = 2};
    shared s = {.p = *problems_random(c.memory, &shape, 1)};
    thread_ranks_run(2, divide_over_ranks, &s);
    for (uint32_t r = 0; r < 2; r++) {
        assert_int_equal(s.status[r], KITH_OK);
        /* Of a set 10 children in each of two trees, of which all nodes would be 22,222. */
        assert_true(s.n_sent[r] < s.n_sets * 2 * 20 * sizeof(uint64_t) + 10000);
    }
    assert_true(s.n_sets > 50);
    context_wipe(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_those_of_the_reference),
        cmocka_unit_test(changed_data_are_refused),
        cmocka_unit_test(large_trees_take_few_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
