/* Clustering over rows: how many records of others does a site come to know? All sites run in this
 * process, and an audit hears what each of them learns (rows_clustering.h).
 *
 *   heard     sizes and closures of clusters
 *   one       of these, with exactly one foreign record
 *   single    of these, one foreign record alone: its quasi-identifiers
 *   answers   to this site's questions that are one foreign record alone
 *   known     different combinations of quasi-identifiers that are single records of others and
 * have a leaf in every attribute: from clusters, and from clusters and answers; as a share of the
 * foreign records small     the same from all sets of fewer than k records with a foreign one cells
 * share of leaves among the cells of sets with exactly one foreign record
 *
 * usage: bench_singles STUDY DATA [k=K] [m=M] [withhold=T] [seed=S]     e.g. of `kith generate
 * hospital` bench_singles adult DIRECTORY …                          the ARX form of Adult
 *
 * Half of the records are at the first site, 35% at the second, 15% at the third; with m=M, an
 * equal share at each of M sites. */
/* needs: clustering */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/kith.h>

#include "adult.h"
#include "job/prepare/prepare.h"
#include "protocol/rows/rows_clustering.h"
#include "wire/inproc.h"

enum { MAX_SITES = 16 };

/* Combinations of nodes, n_attributes each. */
typedef struct combinations {
    uint32_t *nodes;
    size_t count, room;
} combinations;

typedef struct site {
    problem mine;
    context context;
    rows_result result;
    uint64_t n_heard, n_one, n_single, n_answers;
    uint64_t n_sets, n_leaves;  /* sets with one foreign record; leaves in their closures */
    combinations clusters, all; /* single foreign records, from clusters; and from answers, too */
    combinations small;         /* of all sets of fewer than k records with a foreign one */
} site;

typedef struct bench {
    arena *memory;
    problem *all;
    uint32_t m, withhold;
    uint64_t seed;
    site sites[MAX_SITES];
} bench;

static void die(const char *message)
{
    fprintf(stderr, "bench_singles: %s\n", message);
    exit(1);
}

static void stop_on(kith_status status, const kith_error *error)
{
    if (status != KITH_OK)
        die(error->message);
}

static bool is_person(const problem *p, const uint32_t *nodes)
{
    for (uint32_t j = 0; j < p->n_attributes; j++)
        if (nodes[j] >= p->attributes[j].tree->n_leaves)
            return false;
    return true;
}

static void keep(combinations *c, const uint32_t *nodes, uint32_t n_attributes)
{
    if (c->count == c->room) {
        c->room = c->room * 2 + 1024;
        c->nodes = realloc(c->nodes, c->room * n_attributes * sizeof *c->nodes);
        if (c->nodes == NULL)
            die("out of memory");
    }
    memcpy(c->nodes + c->count++ * n_attributes, nodes, n_attributes * sizeof *nodes);
}

static int compare_nodes(const void *a, const void *b, void *user)
{
    return memcmp(a, b, *(const size_t *)user);
}

/* How many of the combinations are different. */
static size_t count_different(combinations *c, uint32_t n_attributes)
{
    size_t bytes = n_attributes * sizeof *c->nodes, count = 0;
    if (c->count > 0)
        qsort_r(c->nodes, c->count, bytes, compare_nodes, &bytes);
    for (size_t i = 0; i < c->count; i++)
        count += i == 0 ||
                 memcmp(c->nodes + i * n_attributes, c->nodes + (i - 1) * n_attributes, bytes) != 0;
    return count;
}

static void hear(void *user, rows_event event, uint32_t size, uint32_t own, const uint32_t *nodes)
{
    site *s = user;
    const bool single = size == 1 && own == 0;
    for (uint32_t j = 0; size - own == 1 && j < s->mine.n_attributes; j++)
        s->n_leaves += nodes[j] < s->mine.attributes[j].tree->n_leaves;
    s->n_sets += size - own == 1;
    s->n_heard += event == ROWS_CLUSTER;
    s->n_one += event == ROWS_CLUSTER && size - own == 1;
    s->n_single += event == ROWS_CLUSTER && single;
    s->n_answers += event == ROWS_ANSWER && single;
    if (size == own || size >= s->mine.k || !is_person(&s->mine, nodes))
        return;
    keep(&s->small, nodes, s->mine.n_attributes);
    if (!single)
        return;
    keep(&s->all, nodes, s->mine.n_attributes);
    if (event == ROWS_CLUSTER)
        keep(&s->clusters, nodes, s->mine.n_attributes);
}

/* The first site gets the first records, and so on: tables of `kith generate` are in random order.
 */
static void distribute(bench *b, bool even)
{
    static const double until[] = {0.5, 0.85, 1};
    uint32_t first = 0;
    for (uint32_t s = 0; s < b->m; s++) {
        problem *p = &b->sites[s].mine;
        double end = even ? (s + 1.0) / b->m : until[s];
        uint32_t last = (uint32_t)(end * b->all->n_records + 0.5);
        *p = *b->all;
        sensitive_attribute *sensitive = arena_array(b->memory, p->n_sensitive, sizeof *sensitive);
        attribute *attributes = arena_array(b->memory, p->n_attributes, sizeof *attributes);
        if (attributes == NULL || sensitive == NULL)
            die("out of memory");
        for (uint32_t j = 0; j < p->n_attributes; j++) {
            attributes[j] = b->all->attributes[j];
            attributes[j].cells += first;
        }
        for (uint32_t j = 0; j < p->n_sensitive; j++) {
            sensitive[j] = b->all->sensitive[j];
            sensitive[j].values += first;
        }
        p->attributes = attributes;
        p->sensitive = sensitive;
        p->n_records = last - first;
        first = last;
    }
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    bench *b = user;
    site *s = &b->sites[party_self(p)];
    search_spec spec = {0};
    protocol_options options = {.partition = PARTITION_HORIZONTAL, .withhold = b->withhold};
    rows_task task = {.mine = &s->mine,
                      .spec = &spec,
                      .options = &options,
                      .context = &s->context,
                      .seeded = true,
                      .seed = b->seed};
    rows_recorder recorder = {hear, s};
    return rows_clustering_recorded(&s->result, p, &task, &recorder, error);
}

static double loss_of(const problem *p, const rows_result *r)
{
    double sum = 0;
    for (uint32_t c = 0; c < r->n_classes; c++)
        for (uint32_t j = 0; j < p->n_attributes; j++)
            sum += (double)r->size[c] *
                   p->attributes[j].cost[r->closure[(size_t)c * p->n_attributes + j]];
    return sum / p->n_records / p->n_attributes;
}

static void print(bench *b)
{
    const problem *p = b->all;
    printf("%u records, %u attributes, k = %u: lm %.4f, %u classes\n", p->n_records,
           p->n_attributes, p->k, loss_of(p, &b->sites[0].result), b->sites[0].result.n_classes);
    printf("%4s %7s %7s %7s %7s %7s %8s %7s %8s %7s %7s %7s %7s\n", "site", "foreign", "heard",
           "one", "single", "answers", "clusters", "share", "and answ", "share", "small", "share",
           "cells");
    for (uint32_t i = 0; i < b->m; i++) {
        site *s = &b->sites[i];
        const uint32_t foreign = p->n_records - s->mine.n_records;
        size_t clusters = count_different(&s->clusters, p->n_attributes);
        size_t all = count_different(&s->all, p->n_attributes);
        size_t small = count_different(&s->small, p->n_attributes);
        printf(
            "%4u %7u %7lu %7lu %7lu %7lu %8zu %6.1f%% %8zu %6.1f%% %7zu %6.1f%% %6.1f%%\n", i + 1,
            foreign, (unsigned long)s->n_heard, (unsigned long)s->n_one, (unsigned long)s->n_single,
            (unsigned long)s->n_answers, clusters, 100.0 * (double)clusters / foreign, all,
            100.0 * (double)all / foreign, small, 100.0 * (double)small / foreign,
            s->n_sets == 0 ? 0.0
                           : 100.0 * (double)s->n_leaves / (double)(s->n_sets * p->n_attributes));
    }
}

static void run(bench *b)
{
    kith_error errors[MAX_SITES] = {{0}};
    void *user[MAX_SITES];
    kith_run how = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = b->seed);
    for (uint32_t i = 0; i < b->m; i++) {
        user[i] = b;
        stop_on(context_init(&b->sites[i].context, &how, &errors[0]), &errors[0]);
    }
    kith_status status = inproc_run(b->m, NULL, NULL, take_part, user, errors);
    for (uint32_t i = 0; i < b->m; i++)
        if (errors[i].status == status)
            stop_on(status, &errors[i]);
    print(b);
    for (uint32_t i = 0; i < b->m; i++) {
        context_wipe(&b->sites[i].context);
        free(b->sites[i].clusters.nodes);
        free(b->sites[i].all.nodes);
        free(b->sites[i].small.nodes);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        puts("bench_singles: skipped, no data (give a study and its table, or adult DIRECTORY)");
        return 0;
    }
    bench b = {.memory = arena_new(), .m = 3, .withhold = 0, .seed = 1};
    uint32_t k = 5;
    bool even = false;
    for (int i = 3; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        uint32_t number = value == NULL ? 0 : (uint32_t)atoi(value + 1);
        if (strncmp(argv[i], "k=", 2) == 0)
            k = number;
        else if (strncmp(argv[i], "m=", 2) == 0)
            b.m = number, even = true;
        else if (strncmp(argv[i], "withhold=", 9) == 0)
            b.withhold = number;
        else if (strncmp(argv[i], "seed=", 5) == 0)
            b.seed = number;
        else
            die("unknown word");
    }
    if (b.m < 2 || b.m > MAX_SITES)
        die("2 to 16 sites");
    kith_error error = {0};
    context c;
    prepared all;
    kith_study *study = NULL;
    kith_table *table = NULL;
    kith_run how = KITH_OPTIONS(kith_run, .n_threads = 1);
    stop_on(context_init(&c, &how, &error), &error);
    if (strcmp(argv[1], "adult") == 0) {
        b.all = adult_arx(b.memory, argv[2], MEASURE_LM, k);
    } else {
        stop_on(kith_study_read(&study, argv[1], NULL, &error), &error);
        kith_table_options columns = study_table_options(study);
        stop_on(kith_table_read(&table, argv[2], &columns, &how, &error), &error);
        stop_on(prepare_table(&all, study, table, &c, &error), &error);
        b.all = &all.problem;
        b.all->may_suppress = 0;
    }
    adult_ask(b.all, k, 0, b.memory);
    distribute(&b, even);
    run(&b);
    kith_table_free(table);
    kith_study_free(study);
    context_wipe(&c);
    arena_free(b.memory);
    return 0;
}
