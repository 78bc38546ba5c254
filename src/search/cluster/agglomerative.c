/* Agglomerative clustering (SEQ 6.2.1): every record starts alone; the two closest clusters that
 * are still too small merge, until at most one is left, which joins the class it is closest to. A
 * cluster is too small while it violates a model, k-anonymity or another.
 *
 * Nearest neighbours are remembered, not recomputed. Each cluster knows the nearest among those
 * before it: enough, since of the two closest one stands behind the other. If that neighbour goes,
 * its distance stays a lower bound (clusters in front only disappear), so the search for a new
 * one waits until the bound is the smallest of all. Memory: records x slots. Time: records^2 / 2
 * distances to begin with, and one scan per union and per bound that comes up.
 *
 * Identical records merge first, since nothing is closer than distance 0 (not where costs depend on
 * sensitive values: there a union may gain). */
#include "search/cluster/agglomerative.h"

#include <math.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/error.h"
#include "core/group_by_part.h"
#include "search/class_rules.h"
#include "search/cluster/record_chain.h"
#include "search/cluster/scan.h"

enum { TASK = 128, PROGRESS_STEPS = 512, BUNCH = 64 };

typedef struct agglomeration {
    const problem *problem;
    context *context;
    scan small, full;     /* clusters that still violate a model, and those that do not */
    double *bound;        /* [positions of small] distance of the nearest in front, or less */
    double *min_bounds;   /* [positions of small / BUNCH] smallest bound of each bunch */
    uint32_t *near;       /* [positions of small] which one that is or was */
    record_chain members; /* of both; chains are named by their first record */
    uint32_t *small_first, *full_first; /* [positions] */
    uint32_t n_small;                   /* clusters in `small` */
    uint32_t *moved;                    /* scratch of compactions */
    uint32_t *list;                     /* scratch: the members of one cluster */
    scan_query *query;                  /* [threads] */
    uint32_t *node;                     /* scratch: a closure */
    double *count;                      /* scratch: members by value */
    class_rules rules;
} agglomeration;

static kith_status agglomerative_allocate(agglomeration *a, const problem *p, context *c,
                                          kith_error *error)
{
    *a = (agglomeration){.problem = p, .context = c};
    uint32_t room = p->n_records + p->n_records / 8 + SCAN_LANES;
    TRY(scan_init(&a->small, p, room, c->memory, error));
    TRY(scan_init(&a->full, p, p->n_records / p->k + 1, c->memory, error));
    TRY(record_chain_init(&a->members, p->n_records, c->memory, error));
    TRY(class_rules_init(&a->rules, p, c->memory, error));
    room = a->small.capacity;
    unsigned n_workers = threads_count(c->pool);
    a->bound = TRY_ARRAY(a->bound, c->memory, room, error);
    a->min_bounds = TRY_ARRAY(a->min_bounds, c->memory, room / BUNCH + 1, error);
    a->near = TRY_ARRAY(a->near, c->memory, room, error);
    a->moved = TRY_ARRAY(a->moved, c->memory, room, error);
    a->small_first = TRY_ARRAY(a->small_first, c->memory, room, error);
    a->full_first = TRY_ARRAY(a->full_first, c->memory, a->full.capacity, error);
    a->list = TRY_ARRAY(a->list, c->memory, p->n_records, error);
    a->query = TRY_ARRAY(a->query, c->memory, n_workers, error);
    a->node = TRY_ARRAY(a->node, c->memory, p->n_attributes, error);
    a->count = TRY_ARRAY(a->count, c->memory, a->small.n_values, error);
    for (unsigned w = 0; w < n_workers; w++)
        TRY(scan_query_init(&a->query[w], &a->small, c->memory, error));
    return KITH_OK;
}

/* Updates the smallest bound of a bunch. */
static void summarize(agglomeration *a, uint32_t bunch)
{
    uint32_t from = bunch * BUNCH, to = from + BUNCH;
    double min = HUGE_VAL;
    for (uint32_t i = from; i < to && i < a->small.count; i++)
        min = a->bound[i] < min ? a->bound[i] : min;
    a->min_bounds[bunch] = min;
}

static void set_neighbour(agglomeration *a, uint32_t position, scan_hit hit)
{
    a->bound[position] = hit.distance;
    a->near[position] = hit.position;
    summarize(a, position / BUNCH);
}

/* Does the cluster satisfy all models? Lists its members in a->list. */
static bool good(agglomeration *a, uint32_t first)
{
    uint32_t size = record_chain_list(&a->members, first, a->list);
    return size >= a->problem->k && class_rules_allow(&a->rules, a->list, size);
}

static void remove_small(agglomeration *a, uint32_t position)
{
    scan_remove(&a->small, position);
    set_neighbour(a, position, (scan_hit){SCAN_NONE, HUGE_VAL});
    a->n_small--;
}

static int by_cells(const void *left, const void *right, void *user)
{
    const problem *p = user;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const uint32_t *cells = p->attributes[j].cells;
        if (cells[a] != cells[b])
            return cells[a] < cells[b] ? -1 : 1;
    }
    return a < b ? -1 : a > b;
}

static bool identical(const problem *p, uint32_t a, uint32_t b)
{
    for (uint32_t j = 0; j < p->n_attributes; j++)
        if (p->attributes[j].cells[a] != p->attributes[j].cells[b])
            return false;
    return true;
}

/* Adds order[from … to-1] as one cluster, without a neighbour yet. */
static void start_cluster(agglomeration *a, const uint32_t *order, uint32_t from, uint32_t to)
{
    scan_record(&a->small, order[from], a->node, a->count);
    for (uint32_t i = from + 1; i < to; i++) {
        record_chain_join(&a->members, order[from], order[i]);
        scan_join_record(&a->small, a->node, a->count, order[i]);
    }
    bool is_good = good(a, order[from]);
    scan *into = is_good ? &a->full : &a->small;
    (is_good ? a->full_first : a->small_first)[into->count] = order[from];
    a->n_small += !is_good;
    scan_put(into, into->count, a->node, a->count);
}

static void find_neighbours(void *user, size_t task, unsigned worker)
{
    agglomeration *a = user;
    uint32_t from = (uint32_t)task * TASK, to = from + TASK;
    to = to < a->small.count ? to : a->small.count;
    scan_query *q = &a->query[worker];
    for (uint32_t i = from; i < to; i++) {
        scan_ask_position(&a->small, q, i);
        scan_hit hit = scan_nearest(&a->small, q, i, SCAN_NONE);
        a->bound[i] = hit.distance;
        a->near[i] = hit.position;
    }
}

static void merge(agglomeration *a, uint32_t one, uint32_t other)
{
    scan_take(&a->small, one, a->node, a->count);
    scan_join(&a->small, a->node, a->count, other);
    uint32_t first = a->small_first[one];
    record_chain_join(&a->members, first, a->small_first[other]);
    remove_small(a, one);
    remove_small(a, other);
    if (a->small.count == a->small.capacity || a->n_small < a->small.count - a->small.count / 4) {
        uint32_t before = a->small.count;
        scan_compact(&a->small, a->moved);
        for (uint32_t i = 0; i < before; i++) {
            uint32_t to = a->moved[i];
            if (to == SCAN_NONE)
                continue;
            a->bound[to] = a->bound[i];
            a->small_first[to] = a->small_first[i];
            a->near[to] = a->near[i] == SCAN_NONE ? SCAN_NONE : a->moved[a->near[i]];
        }
        for (uint32_t bunch = 0; bunch * BUNCH < a->small.count; bunch++)
            summarize(a, bunch);
    }
    /* Adds the cluster whose closure and counts are in the scratch space, and finds its
     * neighbour. */
    bool is_good = good(a, first);
    scan *to = is_good ? &a->full : &a->small;
    uint32_t position = to->count;
    (is_good ? a->full_first : a->small_first)[position] = first;
    scan_put(to, position, a->node, a->count);
    if (is_good)
        return;
    a->n_small++;
    scan_query *q = &a->query[0];
    scan_ask(&a->small, q, a->node, a->count);
    set_neighbour(a, position, scan_nearest(&a->small, q, position, SCAN_NONE));
}

/* Merges the two closest clusters, or makes one bound exact. */
static void agglomerative_step(agglomeration *a)
{
    uint32_t bunch = 0; /* the first one with the smallest bound, */
    for (uint32_t b = 1; b * BUNCH < a->small.count; b++)
        if (a->min_bounds[b] < a->min_bounds[bunch])
            bunch = b;
    uint32_t i = bunch * BUNCH; /* and in it the first cluster that has it */
    while (a->bound[i] > a->min_bounds[bunch])
        i++;
    ASSERT(i < a->small.count);
    if (a->near[i] != SCAN_NONE && !scan_is_free(&a->small, a->near[i])) {
        merge(a, i, a->near[i]);
        return;
    }
    scan_ask_position(&a->small, &a->query[0], i);
    set_neighbour(a, i, scan_nearest(&a->small, &a->query[0], i, SCAN_NONE));
}

/* The last small cluster joins the nearest class, and the next, until it violates nothing: a union
 * of a class that satisfies a model with one that does not may violate it. */
static void agglomerative_join_last(agglomeration *a)
{
    uint32_t last = 0;
    while (scan_is_free(&a->small, last))
        last++;
    scan_take(&a->small, last, a->node, a->count);
    uint32_t first = a->small_first[last];
    for (;;) {
        scan_ask(&a->full, &a->query[0], a->node, a->count);
        scan_hit hit = scan_nearest(&a->full, &a->query[0], a->full.count, SCAN_NONE);
        if (hit.position == SCAN_NONE)
            break;
        scan_join(&a->full, a->node, a->count, hit.position);
        record_chain_join(&a->members, first, a->full_first[hit.position]);
        scan_remove(&a->full, hit.position);
        if (good(a, first))
            break;
    }
    uint32_t position = a->full.count;
    scan_put(&a->full, position, a->node, a->count);
    a->full_first[position] = first;
}

static kith_status agglomerative_number_classes(agglomeration *a, partition *out, kith_error *error)
{
    out->class_of = TRY_ARRAY(out->class_of, a->context->memory, a->problem->n_records, error);
    out->n_classes = a->full.count;
    for (uint32_t c = 0; c < a->full.count; c++) {
        if (scan_is_free(&a->full, c))
            continue;
        uint32_t size = record_chain_list(&a->members, a->full_first[c], a->list);
        for (uint32_t m = 0; m < size; m++)
            out->class_of[a->list[m]] = c;
    }
    return partition_close(out, a->problem, a->context->memory, error);
}

static kith_status merge_all(agglomeration *a, kith_error *error)
{
    context *c = a->context;
    if (!context_progress(c, "agglomerative: neighbours", 0))
        return error_set(error, KITH_CANCELLED, "stopped");
    threads_run(c->pool, (a->small.count + TASK - 1) / TASK, find_neighbours, a);
    for (uint32_t bunch = 0; bunch * BUNCH < a->small.count; bunch++)
        summarize(a, bunch);
    double began = a->n_small;
    for (uint32_t steps = 0; a->n_small > 1; steps++) {
        agglomerative_step(a);
        if (steps % PROGRESS_STEPS == 0 &&
            !context_progress(c, "agglomerative: unions", 1 - (double)a->n_small / began))
            return error_set(error, KITH_CANCELLED, "stopped");
    }
    if (a->n_small == 1)
        agglomerative_join_last(a);
    return KITH_OK;
}

kith_status agglomerative_run(search_result *result, const problem *p, const search_spec *spec,
                              context *c, kith_error *error)
{
    (void)spec;
    agglomeration a;
    TRY(agglomerative_allocate(&a, p, c, error));
    /* One cluster per distinct record (or per record). */
    bool together = !problem_costs_sensitive(p);
    uint32_t *order = a.moved;
    for (uint32_t i = 0; i < p->n_records; i++)
        order[i] = i;
    if (together)
        qsort_r(order, p->n_records, sizeof *order, by_cells, (void *)(uintptr_t)p);
    for (uint32_t i = 0, next; i < p->n_records; i = next) {
        for (next = i + 1; next < p->n_records && together && identical(p, order[i], order[next]);)
            next++;
        start_cluster(&a, order, i, next);
    }
    TRY(merge_all(&a, error));
    return agglomerative_number_classes(&a, &result->partition, error);
}

kith_status agglomerative_finish(partition *classes, const problem *p, context *c,
                                 kith_error *error)
{
    agglomeration a;
    TRY(agglomerative_allocate(&a, p, c, error));
    /* One cluster per class of a partition. */
    uint32_t n = a.problem->n_records, *order = a.moved;
    uint32_t *start = TRY_ARRAY(start, a.context->memory, (size_t)classes->n_classes + 2, error);
    group_by_part(order, start, classes->class_of, classes->n_classes, NULL, n);
    for (uint32_t class = 0; class < classes->n_classes; class ++)
        if (start[class] < start[class + 1])
            start_cluster(&a, order, start[class], start[class + 1]);
    TRY(merge_all(&a, error));
    return agglomerative_number_classes(&a, classes, error);
}

kith_status agglomerative_unite_equal(partition *classes, const problem *p, context *c,
                                      kith_error *error)
{
    for (;;) {
        bool merged = false;
        uint32_t model = UINT32_MAX, class = UINT32_MAX;
        TRY(partition_unite_equal(classes, p, c->memory, &merged, error));
        /* Repairs may make further closures equal, hence the loop. */
        if (!merged || partition_holds(classes, p, c->memory, &model, &class))
            return KITH_OK;
        if (model == UINT32_MAX)
            return error_nomem(error);
        TRY(agglomerative_finish(classes, p, c, error));
    }
}
