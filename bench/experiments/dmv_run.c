/* One run for the experiments of DMV: classes of a study, without messages, and the error of
 * counting queries on them.
 *
 * usage: dmv_run STUDY DATA SITES [ENTROPY]
 *
 * With `protocol: mondrian` the classes are those of distributed Mondrian, by its reference, where
 * column SITES of DATA says which site holds a record; ENTROPY is that of the score: even (as in
 * the protocol), printed (equation (2) of the paper) or weighted. Other studies run their algorithm
 * on the whole table. Prints one line, separated by tabs: classes, mean class size, least number of
 * sites of a class, lm, then mean, median and 95th percentile of the relative error of 10,000
 * queries, the same ones in every run on the same columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/kith.h>

#include "core/run/context.h"
#include "job/prepare/prepare.h"
#include "measure/query_error.h"
#include "reference/mondrian_plain.h"

enum { QUERIES = 10000, SEED = 1 };

static void stop_on(kith_status status, const kith_error *error)
{
    if (status == KITH_OK)
        return;
    fprintf(stderr, "dmv_run: %s\n", error->message);
    exit(1);
}

static void *need(void *pointer)
{
    if (pointer == NULL) {
        fputs("dmv_run: out of memory\n", stderr);
        exit(5);
    }
    return pointer;
}

typedef struct setting {
    const kith_study *study;
    prepared ready;
    mondrian_plain_sites sites;
    mondrian_plain_entropy entropy;
    context context;
} setting;

/* The column that says who holds a record is not in the study: it is read by itself. */
static void read_sites(setting *s, const char *path, const char *name, const kith_run *run)
{
    kith_error error;
    kith_table *table;
    const prepared *p = &s->ready;
    uint32_t *site_of = need(arena_array(s->context.memory, p->n_rows, sizeof *site_of));
    const kith_table_options options = KITH_OPTIONS(
        kith_table_options, .columns = (const kith_column_spec[]){{.name = name}}, .n_columns = 1);
    stop_on(kith_table_read(&table, path, &options, run, &error), &error);
    for (uint32_t i = 0; i < p->n_rows; i++)
        site_of[i] = table->columns[0].codes[p->rows[i]];
    s->sites = (mondrian_plain_sites){.count = table->columns[0].values.count,
                                      .site_of = site_of,
                                      .n_models = s->study->joint.n_site_models,
                                      .models = s->study->joint.site_models};
    kith_table_free(table);
}

static void find_classes(search_result *found, setting *s)
{
    const kith_study *study = s->study;
    const problem *p = &s->ready.problem;
    kith_error error;
    const mondrian_plain_options options = {.relaxed = study->search.relaxed,
                                            .alpha = study->joint.alpha,
                                            .ranges = study->search.ranges,
                                            .entropy = s->entropy,
                                            .seed = SEED};
    stop_on(study->search.regions
                ? mondrian_plain(found, p, &s->sites, &options, s->context.memory, &error)
                : search_run(found, search_find(study->algorithm), p, &study->search, &s->context,
                             &error),
            &error);
}

/* What a class shows of attribute j: a range of values, or the leaves of a node. */
static query_cell shown(const problem *p, const search_result *found, uint32_t class, uint32_t j)
{
    const attribute *a = &p->attributes[j];
    const size_t at = (size_t) class * p->n_attributes + j;
    const uint32_t node = found->partition.closure[at], n_leaves = a->tree->n_leaves;
    if (found->low != NULL && found->low[at] < n_leaves && found->high[at] < n_leaves)
        return (query_cell){true, a->rank[found->low[at]], a->rank[found->high[at]]};
    return (query_cell){false, a->tree->first[node], a->tree->end[node] - 1};
}

static double cell_loss(const problem *p, query_cell cell, uint32_t j)
{
    const uint32_t n_leaves = p->attributes[j].tree->n_leaves;
    return n_leaves < 2 ? 0 : (cell.last - cell.first) / (n_leaves - 1.0);
}

/* Sites of the class that has the fewest. */
static uint32_t least_sites(const setting *s, const partition *classes)
{
    const uint32_t n = s->sites.count;
    bool *seen =
        need(arena_zalloc(s->context.memory, (size_t)classes->n_classes * n, sizeof *seen));
    uint32_t least = n;
    for (uint32_t i = 0; i < s->ready.n_rows; i++)
        seen[(size_t)classes->class_of[i] * n + s->sites.site_of[i]] = true;
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint32_t count = 0;
        for (uint32_t site = 0; site < n; site++)
            count += seen[(size_t)c * n + site];
        least = count < least ? count : least;
    }
    return least;
}

static void report(const setting *s, const search_result *found)
{
    const problem *p = &s->ready.problem;
    const uint32_t n_classes = found->partition.n_classes;
    arena *memory = s->context.memory;
    query_column *columns = need(arena_zalloc(memory, p->n_attributes, sizeof *columns));
    uint32_t *sizes = need(arena_zalloc(memory, n_classes, sizeof *sizes));
    double loss = 0;
    for (uint32_t i = 0; i < p->n_records; i++)
        sizes[found->partition.class_of[i]]++;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *a = &p->attributes[j];
        query_cell *cells = need(arena_array(memory, n_classes, sizeof *cells));
        uint32_t *positions = need(arena_array(memory, p->n_records, sizeof *positions));
        for (uint32_t c = 0; c < n_classes; c++) {
            cells[c] = shown(p, found, c, j);
            loss += cell_loss(p, cells[c], j) * sizes[c];
        }
        for (uint32_t i = 0; i < p->n_records; i++)
            positions[i] = a->rank[a->cells[i]]; /* Adult has no missing values here */
        columns[j] =
            (query_column){a->tree->n_leaves, positions, a->tree->n_leaves, a->rank, cells};
    }
    const query_input in = {p->n_records, p->n_attributes, columns, n_classes, sizes, NULL};
    query_error_report errors;
    kith_error error;
    stop_on(query_error_measure(&errors, &in, QUERIES, SEED, memory, &error), &error);
    printf("%u\t%.1f\t%u\t%.4f\t%.4f\t%.4f\t%.4f\n", n_classes, (double)p->n_records / n_classes,
           least_sites(s, &found->partition), loss / p->n_records / p->n_attributes, errors.mean,
           errors.median, errors.p95);
}

static mondrian_plain_entropy entropy_named(const char *name)
{
    static const char *const names[] = {"protocol", "printed", "weighted"};
    uint32_t i = 0;
    while (i < 3 && strcmp(names[i], name) != 0)
        i++;
    if (i == 3) {
        fprintf(stderr, "dmv_run: no such entropy: %s\n", name);
        exit(2);
    }
    return (mondrian_plain_entropy)i;
}

int main(int argc, char **argv)
{
    kith_error error;
    kith_study *study;
    kith_table *table;
    search_result found = {0};
    setting s = {.entropy = ENTROPY_PROTOCOL};
    if (argc < 4) {
        fputs("usage: dmv_run STUDY DATA SITES [ENTROPY]\n", stderr);
        return 2;
    }
    if (argc > 4)
        s.entropy = entropy_named(argv[4]);
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = SEED);
    stop_on(kith_study_read(&study, argv[1], NULL, &error), &error);
    const kith_table_options options = study_table_options(study);
    stop_on(kith_table_read(&table, argv[2], &options, &run, &error), &error);
    stop_on(context_init(&s.context, &run, &error), &error);
    stop_on(prepare_table(&s.ready, study, table, &s.context, &error), &error);
    s.study = study;
    read_sites(&s, argv[2], argv[3], &run);
    find_classes(&found, &s);
    report(&s, &found);
    context_wipe(&s.context);
    kith_table_free(table);
    kith_study_free(study);
    return 0;
}
