/* Sequential clustering (SEQ Algorithms 1 and 2) for measures like pmi, whose cost depends on the
 * sensitive values of a class: the same steps as sequential.c on another representation (scan.h),
 * which takes one pass over the clusters for every sensitive value.
 *
 * Invariant: the cluster of record i stands at position of[i]; its members are a ring linked by
 * next and prev, which contains first[of[i]]. The step numbers are those of Algorithm 1 |
 * Algorithm 2. */
#include "search/cluster/sequential_sensitive.h"

#include <string.h>

#include "core/error.h"
#include "core/group_by_part.h"
#include "core/rng.h"
#include "search/class_rules.h"
#include "search/cluster/agglomerative.h"
#include "search/cluster/scan.h"
#include "search/random_split.h"
#include "search/sequential_rules.h"
#include "search/unit_marks.h"

enum { ATTEMPTS = 8 };

typedef struct sequence {
    const problem *p;
    context *run;
    scan clusters;
    scan_query query;
    class_rules rules;
    unit_marks marks;
    random_split split;
    rng rng;
    uint32_t k;
    uint32_t *of, *next, *prev;   /* [n_records] */
    uint32_t *first, *size;       /* [positions] */
    uint32_t *list, *part, *more; /* [positions] scratch */
    uint32_t *node;               /* scratch: a closure */
    double *count;
    uint32_t n_passes, max_passes;
    const char *stopped;
} sequence;

static kith_status sequential_sensitive_allocate(sequence *s, arena *memory, kith_error *error)
{
    uint32_t n = s->p->n_records, n_parts = sequential_parts(n, s->k);
    TRY(scan_init(&s->clusters, s->p, n, memory, error));
    TRY(scan_query_init(&s->query, &s->clusters, memory, error));
    TRY(class_rules_init_any_size(&s->rules, s->p, memory, error));
    TRY(unit_marks_init(&s->marks, s->p, memory, error));
    uint32_t tightest = class_rules_tightest(&s->rules);
    TRY(random_split_init(&s->split, tightest == UINT32_MAX ? NULL : &s->p->sensitive[tightest], n,
                          n_parts > 2 ? n_parts : 2, memory, error));
    uint32_t **arrays[] = {&s->of,   &s->next, &s->prev, &s->first,
                           &s->size, &s->list, &s->part, &s->more};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = arena_array(memory, s->clusters.capacity, sizeof **arrays[i]);
        TRY_ALLOC(*arrays[i], error);
    }
    s->node = TRY_ARRAY(s->node, memory, s->p->n_attributes, error);
    s->count = TRY_ARRAY(s->count, memory, s->clusters.n_values, error);
    return KITH_OK;
}

static uint32_t list_members(const sequence *s, uint32_t position, uint32_t *list)
{
    uint32_t record = s->first[position];
    for (uint32_t m = 0; m < s->size[position]; m++, record = s->next[record])
        list[m] = record;
    return s->size[position];
}

static void link_in(sequence *s, uint32_t record, uint32_t position)
{
    if (s->size[position]++ == 0) {
        s->first[position] = s->next[record] = s->prev[record] = record;
    } else {
        uint32_t front = s->first[position], back = s->prev[front];
        s->next[back] = s->prev[front] = record;
        s->prev[record] = back;
        s->next[record] = front;
    }
    s->of[record] = position;
}

/* The closure and counts of a cluster without one of its records, in the scratch space. */
static void close_without(sequence *s, uint32_t position, uint32_t record)
{
    uint32_t at = s->next[record];
    scan_record(&s->clusters, at, s->node, s->count);
    for (uint32_t m = 2; m < s->size[position]; m++)
        scan_join_record(&s->clusters, s->node, s->count, at = s->next[at]);
}

/* A new cluster of the members in list[from … to-1], at the end. */
static void add_cluster(sequence *s, const uint32_t *list, uint32_t from, uint32_t to)
{
    uint32_t position = s->clusters.count;
    s->size[position] = 0;
    scan_record(&s->clusters, list[from], s->node, s->count);
    for (uint32_t m = from; m < to; m++) {
        link_in(s, list[m], position);
        if (m > from)
            scan_join_record(&s->clusters, s->node, s->count, list[m]);
    }
    scan_put(&s->clusters, position, s->node, s->count);
}

static bool parts_hold(const sequence *s, uint32_t n_parts, const uint32_t *start)
{
    for (uint32_t i = 0; s->rules.n_conditions > 0 && i < n_parts; i++)
        if (!class_rules_allow(&s->rules, s->more + start[i], start[i + 1] - start[i]))
            return false;
    return true;
}

static kith_status sequential_sensitive_distribute(sequence *s, arena *memory, kith_error *error)
{
    uint32_t n = s->p->n_records, n_parts = sequential_parts(n, s->k);
    uint32_t *start = TRY_ARRAY(start, memory, (size_t)n_parts + 2, error);
    for (uint32_t i = 0; i < n; i++)
        s->list[i] = i;
    for (uint32_t attempt = 1;; attempt++) {
        random_split_assign(&s->split, s->part, s->list, n, n_parts, &s->rng); /* 1 | 2 */
        group_by_part(s->more, start, s->part, n_parts, s->list, n);
        if (parts_hold(s, n_parts, start)) /* – | 3 */
            break;
        if (attempt % ATTEMPTS == 0)
            n_parts -= n_parts / 8 + 1;
    }
    for (uint32_t i = 0; i < n_parts; i++)
        if (start[i] < start[i + 1])
            add_cluster(s, s->more, start[i], start[i + 1]);
    return KITH_OK;
}

typedef struct newcomer {
    sequence *s;
    uint32_t record;
} newcomer;

static bool may_join(void *user, uint32_t position)
{
    const newcomer *n = user;
    uint32_t size = list_members(n->s, position, n->s->list);
    return class_rules_join(&n->s->rules, n->s->list, size, n->record);
}

static scan_hit best_place(sequence *s, uint32_t record)
{
    newcomer n = {s, record};
    scan_record(&s->clusters, record, s->node, s->count);
    scan_ask(&s->clusters, &s->query, s->node, s->count);
    if (s->rules.n_conditions == 0)
        return scan_nearest(&s->clusters, &s->query, s->clusters.count, s->of[record]);
    return scan_nearest_if(&s->clusters, &s->query, s->clusters.count, s->of[record], may_join, &n);
}

static void move(sequence *s, uint32_t record, uint32_t to)
{
    uint32_t from = s->of[record];
    if (s->size[from] > 1) {
        close_without(s, from, record);
        scan_put(&s->clusters, from, s->node, s->count);
    } else {
        scan_remove(&s->clusters, from);
    }
    uint32_t position = s->of[record];
    s->next[s->prev[record]] = s->next[record];
    s->prev[s->next[record]] = s->prev[record];
    if (s->first[position] == record)
        s->first[position] = s->next[record];
    s->size[position]--;
    scan_take(&s->clusters, to, s->node, s->count);
    scan_join_record(&s->clusters, s->node, s->count, record);
    scan_put(&s->clusters, to, s->node, s->count);
    link_in(s, record, to);
}

/* One visit of a record; true if it moved. */
static bool visit(sequence *s, uint32_t record)
{
    uint32_t from = s->of[record];   /* 3 | 5 */
    if (s->rules.n_conditions > 0) { /* – | 6 */
        uint32_t size = list_members(s, from, s->list);
        if (!class_rules_leave(&s->rules, s->list, size, record))
            return false;
    }
    double remaining = 0;
    if (s->size[from] > 1) {
        close_without(s, from, record);
        remaining = scan_cost(&s->clusters, s->node, s->count);
    }
    double leaving = remaining - s->clusters.own[from];
    scan_hit best = best_place(s, record); /* 4-5 | 7-10 */
    if (best.position == SCAN_NONE)        /* – | 8 */
        return false;
    if (s->size[from] > 1 && leaving + best.distance + s->query.own >= 0)
        return false;
    move(s, record, best.position); /* 6-7 | 11-12 */
    return true;
}

static void sequential_sensitive_split_large(sequence *s)
{
    uint32_t start[4], before = s->clusters.count;
    for (uint32_t c = 0; c < before; c++) { /* 9 | 14 */
        if (scan_is_free(&s->clusters, c) || s->clusters.count + 2 > s->clusters.capacity)
            continue;
        uint32_t size = list_members(s, c, s->list);
        if (!sequential_too_large(unit_marks_count(&s->marks, s->list, size), s->k))
            continue;
        random_split_assign(&s->split, s->part, s->list, size, 2, &s->rng);
        group_by_part(s->more, start, s->part, 2, s->list, size);
        if (!parts_hold(s, 2, start) || start[1] == 0 || start[1] == size)
            continue;
        scan_remove(&s->clusters, c);
        add_cluster(s, s->more, 0, start[1]);
        add_cluster(s, s->more, start[1], size);
    }
}

/* Removes the positions of clusters that no longer exist. */
static void sequential_sensitive_compact(sequence *s)
{
    uint32_t before = s->clusters.count, *moved = s->part;
    scan_compact(&s->clusters, moved);
    for (uint32_t c = 0; c < before; c++)
        if (moved[c] != SCAN_NONE) {
            s->first[moved[c]] = s->first[c];
            s->size[moved[c]] = s->size[c];
        }
    for (uint32_t i = 0; i < s->p->n_records; i++)
        s->of[i] = moved[s->of[i]];
}

static double total_cost(const sequence *s)
{
    double total = 0;
    for (uint32_t c = 0; c < s->clusters.count; c++)
        total += scan_is_free(&s->clusters, c) ? 0 : s->clusters.own[c];
    return total;
}

/* Passes until the stop rule ends them. */
static kith_status sequential_sensitive_improve(sequence *s, kith_error *error)
{
    const uint32_t n = s->p->n_records;
    double before = total_cost(s);
    while (s->stopped == NULL) {
        uint32_t n_moves = 0;
        for (uint32_t i = 0; i < n; i++) { /* 2 | 4 */
            double done = s->n_passes + (double)i / (double)n;
            if (i % 256 == 0 && !context_progress(s->run, "clustering", done / (s->n_passes + 10)))
                return error_set(error, KITH_CANCELLED, "stopped while clustering");
            n_moves += visit(s, i);
        }
        sequential_sensitive_compact(s);
        sequential_sensitive_split_large(s); /* 9 | 14 */
        sequential_sensitive_compact(s);
        s->n_passes++;
        double now = total_cost(s);
        s->stopped = sequential_stop(s->n_passes, s->max_passes, n_moves, before,
                                     before - now); /* 10 | 15 */
        before = now;
    }
    return KITH_OK;
}

static kith_status start_once(sequence *s, partition *out, uint64_t start, arena *memory,
                              kith_error *error)
{
    rng_init(&s->rng, s->run->seed, start);
    TRY(sequential_sensitive_allocate(s, memory, error));
    TRY(sequential_sensitive_distribute(s, memory, error));
    TRY(sequential_sensitive_improve(s, error));
    memcpy(out->class_of, s->of, s->p->n_records * sizeof *s->of);
    out->n_classes = s->clusters.count;
    return agglomerative_finish(out, s->p, s->run, error); /* 11-15 | 16-20 */
}

/* One start; the result keeps the better one. */
static kith_status try_start(search_result *result, double *best, sequence *s, uint64_t start,
                             kith_error *error)
{
    arena *memory = TRY_ALLOC(arena_new_like(s->run->memory), error);
    partition found = {0};
    uint32_t n = s->p->n_records;
    found.class_of = arena_array(s->run->memory, n, sizeof *found.class_of);
    kith_status status =
        found.class_of == NULL ? error_nomem(error) : start_once(s, &found, start, memory, error);
    double cost = status == KITH_OK ? partition_cost(&found, s->p) : 0;
    if (status == KITH_OK && (start == 0 || cost < *best)) {
        result->partition = found;
        result->n_passes = s->n_passes;
        result->stopped = s->stopped;
        *best = cost;
    }
    arena_free(memory);
    return status;
}

kith_status sequential_sensitive_run(search_result *result, const problem *p,
                                     const search_spec *spec, context *c, kith_error *error)
{
    double best = 0;
    for (uint32_t start = 0; start == 0 || start < spec->n_restarts; start++) {
        sequence s = {.p = p,
                      .run = c,
                      .k = class_rules_min_size(p),
                      .max_passes =
                          spec->max_passes > 0 ? spec->max_passes : SEQUENTIAL_MAX_PASSES};
        TRY(try_start(result, &best, &s, start, error));
    }
    return KITH_OK;
}
