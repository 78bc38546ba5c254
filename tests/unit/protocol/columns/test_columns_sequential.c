/* Clustering over columns against a naive reading of its header: costs are computed from nothing,
 * nothing is kept between questions, and clusters must come out the same, number by number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/context.h"
#include "protocol/columns/columns_sequential.h"
#include "search/random_split.h"
#include "support/problems.h"

enum { MAX_RECORDS = 512 };

typedef struct naive {
    arena *memory;
    const problem *p;
    uint32_t k, aim, block;
    bool diverse, adapts;
    rng r;
    random_split split;
    uint32_t member[MAX_RECORDS][MAX_RECORDS], size[MAX_RECORDS], used, freed[MAX_RECORDS], n_free;
    uint32_t of[MAX_RECORDS];
    bool touched[MAX_RECORDS];
    uint64_t put_off, n_visits, n_ties;
    uint32_t n_splits, n_moves, n_passes, dissolved, united;
} naive;

/* --- clusters --- */

static int64_t list_cost(const naive *w, const uint32_t *list, uint32_t size)
{
    int64_t cost = 0;
    for (uint32_t j = 0; j < w->p->n_attributes && size > 0; j++) {
        const attribute *a = &w->p->attributes[j];
        uint32_t node = a->cells[list[0]];
        for (uint32_t m = 1; m < size; m++)
            node = tree_lca(a->tree, node, a->cells[list[m]]);
        cost += llrint(a->cost[node] * COLUMNS_UNIT);
    }
    return cost * size;
}

static int64_t total(const naive *w, uint32_t cluster)
{
    return list_cost(w, w->member[cluster], w->size[cluster]);
}

static int64_t with(const naive *w, uint32_t cluster, const uint32_t *more, uint32_t count)
{
    uint32_t list[2 * MAX_RECORDS];
    memcpy(list, w->member[cluster], w->size[cluster] * sizeof *list);
    memcpy(list + w->size[cluster], more, count * sizeof *list);
    return list_cost(w, list, w->size[cluster] + count);
}

static int64_t without(const naive *w, uint32_t record)
{
    uint32_t list[MAX_RECORDS], count = 0, own = w->of[record];
    for (uint32_t m = 0; m < w->size[own]; m++)
        if (w->member[own][m] != record)
            list[count++] = w->member[own][m];
    return list_cost(w, list, count);
}

static int64_t move_price(const naive *w, uint32_t record, uint32_t to)
{
    uint32_t own = w->of[record];
    return with(w, to, &record, 1) + without(w, record) - total(w, to) - total(w, own);
}

static int64_t union_price(const naive *w, uint32_t a, uint32_t b)
{
    return with(w, a, w->member[b], w->size[b]) - total(w, a) - total(w, b);
}

static uint32_t add(naive *w)
{
    return w->n_free > 0 ? w->freed[--w->n_free] : w->used++;
}

static void put(naive *w, uint32_t record, uint32_t to)
{
    w->member[to][w->size[to]++] = record;
    w->of[record] = to;
}

static void drop(naive *w, uint32_t cluster)
{
    w->size[cluster] = 0;
    w->freed[w->n_free++] = cluster;
}

static void move(naive *w, uint32_t record, uint32_t to)
{
    uint32_t own = w->of[record], last = --w->size[own];
    for (uint32_t m = 0; m < last; m++)
        if (w->member[own][m] == record)
            w->member[own][m] = w->member[own][last];
    if (last == 0)
        drop(w, own);
    put(w, record, to);
}

static void unite(naive *w, uint32_t into, uint32_t from)
{
    for (uint32_t m = 0; m < w->size[from]; m++)
        put(w, w->member[from][m], into);
    drop(w, from);
}

static uint32_t clusters(const naive *w)
{
    return w->used - w->n_free;
}

/* --- models --- */

static bool holds(const naive *w, const uint32_t *list, uint32_t size)
{
    for (uint32_t i = 0; i < size && w->diverse; i++) {
        uint32_t same = 0;
        for (uint32_t o = 0; o < size; o++)
            same += w->p->sensitive[0].values[list[o]] == w->p->sensitive[0].values[list[i]];
        if ((double)size / same < w->p->models[1].l)
            return false;
    }
    return true;
}

static bool may_move(const naive *w, uint32_t record, uint32_t to)
{
    uint32_t list[MAX_RECORDS];
    memcpy(list, w->member[to], w->size[to] * sizeof *list);
    list[w->size[to]] = record;
    return holds(w, list, w->size[to] + 1);
}

static bool may_leave(const naive *w, uint32_t record)
{
    uint32_t list[MAX_RECORDS], count = 0, own = w->of[record];
    for (uint32_t m = 0; m < w->size[own]; m++)
        if (w->member[own][m] != record)
            list[count++] = w->member[own][m];
    return holds(w, list, count);
}

static bool parts_hold(const naive *w, const uint32_t *member, const uint32_t *parts, uint32_t size,
                       uint32_t n_parts)
{
    for (uint32_t i = 0; i < n_parts; i++) {
        uint32_t list[MAX_RECORDS], count = 0;
        for (uint32_t m = 0; m < size; m++)
            if (parts[m] == i)
                list[count++] = member[m];
        if (!holds(w, list, count))
            return false;
    }
    return true;
}

/* --- the steps --- */

static void first(naive *w)
{
    uint32_t n = w->p->n_records, n_parts = n / (w->aim / 2), member[MAX_RECORDS],
             parts[MAX_RECORDS], id[MAX_RECORDS];
    for (uint32_t i = 0; i < n; i++)
        member[i] = i;
    for (uint32_t attempt = 1;; attempt++) {
        random_split_assign(&w->split, parts, member, n, n_parts, &w->r);
        if (parts_hold(w, member, parts, n, n_parts))
            break;
        n_parts -= attempt % 8 == 0 ? n_parts / 8 + 1 : 0;
    }
    for (uint32_t i = 0; i < n_parts; i++)
        id[i] = add(w);
    for (uint32_t record = 0; record < n; record++)
        for (uint32_t m = 0; m < n; m++)
            if (member[m] == record)
                put(w, record, id[parts[m]]);
    for (uint32_t i = 0; i < n_parts; i++)
        if (w->size[id[i]] == 0)
            drop(w, id[i]);
}

/* What becomes of one record, given its prices before the block. */
static bool visit(naive *w, uint32_t record, const int64_t *price)
{
    uint32_t own = w->of[record], best = UINT32_MAX;
    bool alone = w->size[own] == 1, wants = false, blocked = false;
    for (uint32_t r = 0; r < w->used; r++)
        wants |= r != own && price[r] != INT64_MAX && (alone || price[r] < 0);
    if (!wants)
        return true;
    if (!may_leave(w, record))
        return true;
    if (w->touched[own])
        return false;
    for (uint32_t r = 0; r < w->used; r++) {
        if (r == own || price[r] == INT64_MAX || !(alone || price[r] < 0))
            continue;
        if (!may_move(w, record, r) || (w->diverse && w->size[r] == 0))
            continue;
        blocked |= w->touched[r];
        if (w->touched[r])
            continue;
        w->n_ties += best != UINT32_MAX && price[r] == price[best];
        if (best == UINT32_MAX || price[r] < price[best])
            best = r;
    }
    if (best == UINT32_MAX)
        return !blocked;
    w->touched[own] = w->touched[best] = true;
    w->n_moves++;
    move(w, record, best);
    return true;
}

static void pass(naive *w, uint32_t keep)
{
    static int64_t price[MAX_RECORDS][MAX_RECORDS];
    uint32_t off[MAX_RECORDS], off_count = 0, next = 0, n = w->p->n_records;
    w->n_moves = 0;
    while (off_count > 0 || next < n) {
        uint32_t record[MAX_RECORDS], count = 0, left = 0;
        for (uint32_t i = 0; i < off_count; i++) {
            if (count == w->block)
                off[left++] = off[i];
            else if (w->size[w->of[off[i]]] > keep)
                record[count++] = off[i];
        }
        for (; next < n && count < w->block; next++)
            if (w->size[w->of[next]] > keep)
                record[count++] = next;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t r = 0; r < w->used; r++)
                price[i][r] = w->size[r] == 0         ? INT64_MAX
                              : r == w->of[record[i]] ? 0
                                                      : move_price(w, record[i], r);
        memset(w->touched, 0, sizeof w->touched);
        uint32_t later[MAX_RECORDS], later_count = 0;
        for (uint32_t i = 0; i < count && clusters(w) > 1; i++)
            if (!visit(w, record[i], price[i]))
                later[later_count++] = record[i];
        w->put_off += later_count;
        w->n_visits += count - later_count;
        if (w->adapts && count == w->block)
            w->block = later_count * 10 < count ? w->block < 4096 ? w->block * 2 : w->block
                       : later_count * 10 > count * 3 && w->block > 16 ? w->block / 2
                                                                       : w->block;
        memcpy(later + later_count, off, left * sizeof *later);
        off_count = later_count + left;
        memcpy(off, later, off_count * sizeof *off);
    }
}

static void split(naive *w)
{
    uint32_t large[MAX_RECORDS], count = 0;
    static uint32_t members[MAX_RECORDS][MAX_RECORDS], parts[MAX_RECORDS][MAX_RECORDS];
    bool good[MAX_RECORDS];
    for (uint32_t c = 0; c < w->used; c++) {
        uint32_t size = w->size[c];
        if (size <= 1.5 * w->aim)
            continue;
        good[count] = false;
        for (int attempt = 0; attempt < 8 && !good[count]; attempt++) {
            memcpy(members[count], w->member[c], size * sizeof(uint32_t));
            random_split_assign(&w->split, parts[count], members[count], size, 2, &w->r);
            good[count] = parts_hold(w, members[count], parts[count], size, 2);
        }
        large[count++] = c;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t list[MAX_RECORDS], size = w->size[large[i]], second = 0, id[2];
        memcpy(list, w->member[large[i]], size * sizeof *list);
        for (uint32_t m = 0; m < size; m++)
            second += parts[i][m] == 1;
        if (!good[i] || second == 0 || second == size)
            continue;
        w->n_splits++;
        drop(w, large[i]);
        id[0] = add(w);
        id[1] = add(w);
        for (uint32_t m = 0; m < size; m++)
            for (uint32_t o = 0; o < size; o++)
                if (members[i][o] == list[m])
                    put(w, list[m], id[parts[i][o]]);
    }
}

static int64_t cost_of_all(const naive *w)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < w->used; c++)
        sum += total(w, c);
    return sum;
}

static void improve(naive *w)
{
    int64_t before = cost_of_all(w), now;
    do {
        pass(w, 0);
        split(w);
        w->n_passes++;
        now = cost_of_all(w);
        if (w->n_passes >= 5 && (double)(before - now) < 1e-5 * (double)before)
            return;
        before = now;
    } while (w->n_moves > 0 && w->n_passes < 200);
}

static void merge(naive *w)
{
    for (;;) {
        uint32_t a = UINT32_MAX, b = 0, last = UINT32_MAX;
        int64_t best = INT64_MAX;
        for (uint32_t x = 0; x < w->used; x++) {
            if (w->size[x] == 0 || w->size[x] >= w->k)
                continue;
            last = x;
            for (uint32_t y = x + 1; y < w->used; y++) {
                if (w->size[y] == 0 || w->size[y] >= w->k || union_price(w, x, y) >= best)
                    continue;
                best = union_price(w, x, y);
                a = x;
                b = y;
            }
        }
        if (last == UINT32_MAX)
            return;
        w->united++;
        if (a != UINT32_MAX) {
            unite(w, a, b);
            continue;
        }
        for (uint32_t y = 0; y < w->used; y++)
            if (y != last && w->size[y] > 0 && union_price(w, last, y) < best) {
                best = union_price(w, last, y);
                a = y;
            }
        if (a != UINT32_MAX)
            unite(w, a, last);
        return;
    }
}

/* One small cluster of a round, if it need not wait; prices are those before the round. */
static void treat(naive *w, uint32_t own, const naive *was)
{
    uint32_t into = UINT32_MAX, size = w->size[own], to[MAX_RECORDS], list[MAX_RECORDS];
    int64_t uniting = INT64_MAX, dissolving = 0;
    bool free = true;
    if (w->touched[own])
        return;
    for (uint32_t r = 0; r < was->used; r++) {
        if (r == own || was->size[r] == 0)
            continue;
        int64_t price = union_price(was, own, r);
        if (was->size[r] < w->k && was->size[r] + size >= w->k && price > 0)
            price /= 2;
        if (into == UINT32_MAX || price < uniting) {
            uniting = price;
            into = r;
        }
    }
    for (uint32_t m = 0; m < size; m++) {
        int64_t best = INT64_MAX;
        list[m] = w->member[own][m];
        for (uint32_t r = 0; r < was->used; r++) {
            if (r == own || was->size[r] == 0)
                continue;
            int64_t price = with(was, r, &list[m], 1) - total(was, r) - total(was, own) / size;
            if (price < best) {
                best = price;
                to[m] = r;
            }
        }
        dissolving += best;
        free &= !w->touched[to[m]];
    }
    if (!w->diverse && dissolving < uniting) {
        for (uint32_t m = size; free && m-- > 0;) {
            move(w, list[m], to[m]);
            w->touched[own] = w->touched[to[m]] = true;
        }
        w->dissolved += free;
    } else if (!w->touched[into]) {
        unite(w, into, own);
        w->touched[own] = w->touched[into] = true;
        w->united++;
    }
}

static void hybrid(naive *w)
{
    for (;;) {
        uint32_t small[MAX_RECORDS], count = 0;
        for (uint32_t size = 1; size < w->k; size++)
            for (uint32_t c = 0; c < w->used; c++)
                if (w->size[c] == size)
                    small[count++] = c;
        if (count == 0 || clusters(w) == 1)
            break;
        naive *was = arena_alloc(w->memory, sizeof *was);
        *was = *w;
        memset(w->touched, 0, sizeof w->touched);
        for (uint32_t i = 0; i < (count + 9) / 10; i++)
            treat(w, small[i], was);
    }
    int64_t before = cost_of_all(w), now;
    for (uint32_t i = 0; i < 20; i++) {
        pass(w, w->k);
        now = cost_of_all(w);
        if (w->n_moves == 0 || (double)(before - now) < 1e-5 * (double)before)
            break;
        before = now;
    }
}

/* --- comparisons --- */

typedef struct seen {
    uint64_t put_off, n_ties;
    uint32_t n_splits, dissolved, united;
} seen;

static void compare(const problem_shape *shape, uint32_t block, bool merges, uint64_t seed, seen *s)
{
    context c;
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    naive *w = arena_zalloc(c.memory, 1, sizeof *w);
    problem *p = problems_random(c.memory, shape, seed);
    w->memory = c.memory;
    w->p = p;
    w->k = shape->k;
    w->aim = shape->l > shape->k ? (uint32_t)ceil(shape->l) : shape->k;
    w->diverse = shape->l > 0;
    w->adapts = block == 0;
    w->block = block == 0 ? 512 : block;
    rng_init(&w->r, seed, 0);
    assert_int_equal(random_split_init(&w->split, w->diverse ? p->sensitive : NULL, p->n_records,
                                       p->n_records, c.memory, NULL),
                     KITH_OK);
    first(w);
    improve(w);
    if (merges)
        merge(w);
    else
        hybrid(w);

    columns_sequential_result r;
    search_spec spec = {.block = block, .finish = merges ? FINISH_MERGE : FINISH_HYBRID};
    assert_int_equal(columns_sequential_run(&r, p, &spec, &(columns_link){0}, seed, &c, NULL),
                     KITH_OK);
    assert_int_equal(r.n_passes, w->n_passes);
    assert_int_equal(r.n_visits, w->n_visits);
    assert_int_equal(r.put_off, w->put_off);
    assert_int_equal(r.partition.n_classes, clusters(w));
    uint32_t number[MAX_RECORDS];
    memset(number, 0xff, sizeof number);
    for (uint32_t i = 0, next = 0; i < p->n_records; i++) {
        uint32_t *own = &number[w->of[i]];
        *own = *own == UINT32_MAX ? next++ : *own;
        assert_int_equal(r.partition.class_of[i], *own);
    }
    assert_true(problems_hold(p, r.partition.class_of, r.partition.n_classes));
    s->put_off += w->put_off;
    s->n_ties += w->n_ties;
    s->n_splits += w->n_splits;
    s->dissolved += w->dissolved;
    s->united += w->united;
    context_wipe(&c);
}

static void does_what_its_header_says(void **state)
{
    (void)state;
    static const problem_shape shapes[] = {
        {.n_records = 180, .n_attributes = 3, .n_leaves = 12, .width = 3, .k = 6},
        {.n_records = 150,
         .n_attributes = 2,
         .n_leaves = 9,
         .skew = 2,
         .k = 4,
         .measure = MEASURE_EM},
        {.n_records = 160,
         .n_attributes = 3,
         .n_leaves = 8,
         .width = 2,
         .k = 5,
         .n_sensitive = 5,
         .l = 2.5},
        {.n_records = 120,
         .n_attributes = 3,
         .n_leaves = 20,
         .n_kinds = 30,
         .k = 3,
         .wildcards = 0.1},
        {.n_records = 400, .n_attributes = 4, .n_leaves = 16, .width = 4, .skew = 2, .k = 12},
        {.n_records = 90,
         .n_attributes = 2,
         .n_leaves = 800,
         .width = 9,
         .k = 4}, /* a large tree */
    };
    static const uint32_t blocks[] = {1, 7, 16, 0};
    seen s = {0};
    for (unsigned shape = 0; shape < 6; shape++)
        for (unsigned b = 0; b < 4; b++)
            for (int merges = 0; merges < 2; merges++)
                compare(&shapes[shape], blocks[b], merges, 10 * shape + b, &s);
    assert_true(s.put_off > 100);
    assert_true(s.n_ties > 100);
    assert_true(s.n_splits > 10);

    assert_true(s.dissolved > 5);
    assert_true(s.united > 50);
}

/* --- a pivot that lies --- */

typedef struct liar {
    rng r;
    uint32_t truthful; /* messages before the first lie */
    uint32_t n_records, told;
} liar;

static kith_status add_nothing(void *user, columns_topic topic, int64_t *value, size_t n,
                               kith_error *error)
{
    (void)user, (void)topic, (void)value, (void)n, (void)error;
    return KITH_OK;
}

/* Something that could be, for a while; then anything. */
static kith_status lie(void *user, columns_topic topic, void *bytes, size_t length,
                       kith_error *error)
{
    liar *l = user;
    unsigned char *byte = bytes;
    uint32_t *word = bytes;
    (void)error;
    bool lies = l->told++ >= l->truthful;
    for (size_t i = 0; i < length; i++)
        byte[i] = lies ? (unsigned char)(rng_below(&l->r, 3) == 0 ? rng_next(&l->r) : 0) : 0;
    for (size_t i = 0; topic == COLUMNS_MOVES && i < length / 4; i++)
        word[i] = lies ? word[i] % 80 : UINT32_MAX; /* stays */
    if (!lies && topic == COLUMNS_TERMS)
        word[0] = 1, word[1] = 4;
    for (uint32_t i = 0; !lies && topic == COLUMNS_CLUSTERS && i <= l->n_records; i++)
        word[i] = i == l->n_records ? 30 : i % 30;
    return KITH_OK;
}

static kith_status unbelievable(void *user, columns_topic topic, kith_error *error)
{
    (void)user, (void)topic, (void)error;
    return KITH_PEER;
}

static void believes_no_lies(void **state)
{
    (void)state;
    uint32_t refused = 0;
    for (uint32_t seed = 0; seed < 400; seed++) {
        problem_shape shape = {
            .n_records = 60, .n_attributes = 2, .n_leaves = 8, .width = 2, .k = 4};
        liar l = {.truthful = seed % 8, .n_records = 60};
        columns_link link = {
            .user = &l, .follows = true, .sum = add_nothing, .tell = lie, .refuse = unbelievable};
        search_spec spec = {.finish = seed % 2 ? FINISH_MERGE : FINISH_HYBRID, .max_passes = 20};
        columns_sequential_result r;
        context c;
        rng_init(&l.r, seed, 3);
        assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
        problem *p = problems_random(c.memory, &shape, 3);
        kith_status status = columns_sequential_run(&r, p, &spec, &link, 0, &c, NULL);
        refused += status == KITH_PEER;
        assert_true(status == KITH_PEER || status == KITH_OK || status == KITH_INFEASIBLE);
        context_wipe(&c);
    }
    assert_true(refused > 200);
}

static kith_status run(const problem *p, const search_spec *spec, context *c,
                       columns_sequential_result *r, kith_error *error)
{
    return columns_sequential_run(r, p, spec, &(columns_link){0}, 1, c, error);
}

/* With a key the seed is of no account; another key makes other choices. */
static void a_key_decides_the_choices(void **state)
{
    (void)state;
    problem_shape shape = {.n_records = 200, .n_attributes = 3, .n_leaves = 9, .width = 3, .k = 5};
    unsigned char key[RNG_KEY_BYTES] = {1};
    const columns_link link = {.choices = key};
    context c;
    columns_sequential_result r[3];
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    problem *p = problems_random(c.memory, &shape, 4);
    for (uint64_t run_number = 0; run_number < 3; run_number++) {
        key[1] = run_number == 2;
        assert_int_equal(columns_sequential_run(&r[run_number], p, &(search_spec){0}, &link,
                                                run_number, &c, NULL),
                         KITH_OK);
    }
    const size_t bytes = p->n_records * sizeof *r[0].partition.class_of;
    assert_memory_equal(r[0].partition.class_of, r[1].partition.class_of, bytes);
    assert_memory_not_equal(r[0].partition.class_of, r[2].partition.class_of, bytes);
    context_wipe(&c);
}

static void keeps_the_models_in_odd_cases(void **state)
{
    (void)state;
    static const problem_shape shapes[] = {
        {.n_records = 7, .n_attributes = 2, .n_leaves = 4, .k = 7},
        {.n_records = 9, .n_attributes = 2, .n_leaves = 4, .k = 5},
        {.n_records = 40, .n_attributes = 2, .n_leaves = 4, .n_kinds = 1, .k = 3},
        {.n_records = 40, .n_attributes = 0, .n_leaves = 4, .k = 3},
        {.n_records = 60, .n_attributes = 2, .n_leaves = 4, .k = 2, .n_sensitive = 2, .l = 1.6},
        {.n_records = 1, .n_attributes = 1, .n_leaves = 4, .k = 1},
        {.n_records = 50, .n_attributes = 1, .n_leaves = 1000, .k = 2, .width = 10},
    };
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int f = 0; f < 4; f++) {
            context c;
            columns_sequential_result r;
            assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
            problem *p = problems_random(c.memory, &shapes[i], 3);
            search_spec spec = {.finish = f % 2 ? FINISH_MERGE : FINISH_HYBRID, .n_restarts = f};
            assert_int_equal(run(p, &spec, &c, &r, NULL), KITH_OK);
            assert_true(problems_hold(p, r.partition.class_of, r.partition.n_classes));
            context_wipe(&c);
        }
}

static void keeps_the_best_start(void **state)
{
    (void)state;
    problem_shape shape = {.n_records = 200, .n_attributes = 3, .n_leaves = 9, .width = 3, .k = 5};
    context c;
    columns_sequential_result one, many;
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    problem *p = problems_random(c.memory, &shape, 4);
    assert_int_equal(run(p, &(search_spec){0}, &c, &one, NULL), KITH_OK);
    assert_int_equal(run(p, &(search_spec){.n_restarts = 5}, &c, &many, NULL), KITH_OK);
    assert_true(partition_cost(&many.partition, p) < partition_cost(&one.partition, p));
    context_wipe(&c);
}

static void refuses(const problem_shape *shape, model_id extra, kith_status status,
                    const char *text)
{
    context c;
    kith_error error = {0};
    columns_sequential_result r;
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    problem *p = problems_random(c.memory, shape, 1);
    model_spec models[3] = {p->models[0], p->models[1], {.id = extra}};
    if (extra != MODEL_K_ANONYMITY) {
        p->models = models;
        models[p->n_models++] = (model_spec){
            .id = extra, .variant = extra == MODEL_DISSIMILARITY ? VARIANT_EQUAL : VARIANT_NONE};
    }
    assert_int_equal(run(p, &(search_spec){0}, &c, &r, &error), status);
    assert_non_null(strstr(error.message, text));
    context_wipe(&c);
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    problem_shape shape = {.n_records = 10, .n_attributes = 1, .n_leaves = 4, .k = 11};
    refuses(&shape, MODEL_K_ANONYMITY, KITH_INFEASIBLE, "only 10 records");
    shape.n_records = 0;
    refuses(&shape, MODEL_K_ANONYMITY, KITH_INFEASIBLE, "no records");
    shape = (problem_shape){
        .n_records = 40, .n_attributes = 1, .n_leaves = 4, .k = 2, .n_sensitive = 2, .l = 3};
    refuses(&shape, MODEL_K_ANONYMITY, KITH_INFEASIBLE, "l-diversity");
    shape.l = 0;
    refuses(&shape, MODEL_DISSIMILARITY, KITH_INVALID, "dissimilarity");
    refuses(&shape, MODEL_K_MAP, KITH_INVALID, "k-map");
    shape.by_sensitive = true;
    refuses(&shape, MODEL_K_ANONYMITY, KITH_INVALID, "sensitive values");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(does_what_its_header_says),
        cmocka_unit_test(keeps_the_models_in_odd_cases),
        cmocka_unit_test(a_key_decides_the_choices),
        cmocka_unit_test(keeps_the_best_start),
        cmocka_unit_test(believes_no_lies),
        cmocka_unit_test(refuses_what_it_cannot_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
