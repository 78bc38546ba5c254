/* kith_estimate: the cost of a joint run, measured by a rehearsal.
 *
 * The numbers of passes, blocks and nodes depend on the data more than on any formula, so the
 * protocol itself runs on records drawn from the given table: as many as the real run would have,
 * if necessary with repetitions. (Equal records are cheaper than different ones, but that error is
 * smaller than that of an extrapolation from few records.) Beyond REHEARSED records there are two
 * runs, of REHEARSED / 2 and REHEARSED records, and each figure is extrapolated as a power of the
 * number of records. Messages, rounds and bytes come from the ledgers.
 *
 * The encrypted view and the ID-based protocol need no rehearsal: their cost follows from numbers
 * of rows, values and lists and the speed of this machine (protocol/view/view_cost.h,
 * protocol/id_based/id_based_cost.h). */
#include <kith/kith.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "core/rng.h"
#include "job/joint/joint_summary.h"
#include "job/simulate/simulate_files.h"
#include "job/simulate/simulate_split.h"
#include "job/simulate/view_estimate.h"
#include "protocol/id_based/id_based_cost.h"
#include "study/study.h"
#include "table/table_writer.h"

enum {
    REHEARSED = 16000,
    MASK_ROUNDS = 52,    /* of the secure maximum of a length */
    ID_BASED_ROUNDS = 60 /* nearly all of them of the comparisons before and after */
};
/* How long the speed of this machine is measured. */
#define CALIBRATION_SECONDS 0.5

/* The figures of a run. BUSIEST: bytes that the busiest party sends. */
enum { CALLS, ROUNDS, MESSAGES, BYTES, BUSIEST, SECONDS, FIGURES };
static const char *const figure_names[FIGURES] = {
    [CALLS] = "calls", [ROUNDS] = "rounds",         [MESSAGES] = "messages",
    [BYTES] = "bytes", [BUSIEST] = "busiest_bytes", [SECONDS] = "compute_seconds"};

typedef struct estimation {
    const kith_study *study;
    const kith_estimate_options *options;
    context context;
    kith_table *table;
    const char *directory; /* private */
    uint32_t n_sites;
    uint64_t n_records;
    double figure[FIGURES];
    double extrapolated; /* number of records in the rehearsal; 0: no extrapolation */
    bool modelled;       /* the figures come from a model of the cost */
    bool viewed;         /* the encrypted view, for which the rest is set */
    view_calibration calibration;
    view_cost_task view;
    view_cost cost;
    double search; /* seconds of the anonymization */
} estimation;

/* Reads the table, and finds the numbers of records and sites to estimate for. */
static kith_status read_table(estimation *e, kith_error *error)
{
    const protocol_options *o = &e->study->joint;
    kith_table_options options = study_table_options(e->study);
    kith_column_spec *columns =
        TRY_ALLOC(arena_array(e->context.memory, options.n_columns + 1, sizeof *columns), error);
    memcpy(columns, options.columns, options.n_columns * sizeof *columns);
    if (e->study->id_column != NULL && !o->ids_aligned)
        columns[options.n_columns++] = (kith_column_spec){.name = e->study->id_column};
    options.columns = columns;
    options.separator = e->options->separator;
    options.csv = e->options->csv;
    if (o->partition == PARTITION_NONE && e->options->split == NULL)
        return error_set(error, KITH_INVALID,
                         "%s: the study does not say how the table is split, as in "
                         "'partition: horizontal'",
                         e->study->path);
    TRY(kith_table_read(&e->table, e->options->input, &options, e->context.run, error));
    if (e->table->n_rows == 0)
        return error_set(error, KITH_DATA, "%s has no rows to draw from", e->table->source);
    e->n_records = e->options->n_records > 0 ? e->options->n_records : e->table->n_rows;
    e->n_sites =
        e->options->n_sites > 0 ? e->options->n_sites : options_holders(o, e->study->n_parties);
    if (e->study->n_parties == 0 && e->options->n_sites == 0)
        e->n_sites = 0; /* the split decides */
    return KITH_OK;
}

/* Draws rows, with repetition only if there are too few. */
static kith_status draw(uint32_t **rows, const estimation *e, uint32_t count, kith_error *error)
{
    uint32_t all = e->table->n_rows;
    rng r;
    rng_init(&r, e->context.seed, 0);
    *rows = arena_array(e->context.memory, count > all ? count : all, sizeof **rows);
    TRY_ALLOC(*rows, error);
    for (uint32_t i = 0; i < all; i++)
        (*rows)[i] = i;
    rng_shuffle(&r, *rows, all);
    for (uint32_t i = all; i < count; i++)
        (*rows)[i] = rng_below(&r, all);
    return KITH_OK;
}

/* Writes the rows of a rehearsal to a file. */
static kith_status write_sample(const char **path, const estimation *e, uint32_t count,
                                kith_error *error)
{
    const kith_table *t = e->table;
    arena *memory = e->context.memory;
    const char **cells = TRY_ALLOC(arena_array(memory, t->n_columns, sizeof *cells), error);
    const char **names = TRY_ALLOC(arena_array(memory, t->n_columns, sizeof *names), error);
    uint32_t *rows;
    table_writer *w;
    *path = TRY_ALLOC(arena_printf(memory, "%s/sample-%u.csv", e->directory, count), error);
    for (uint32_t i = 0; i < t->n_columns; i++)
        names[i] = t->columns[i].name;
    TRY(draw(&rows, e, count, error));
    TRY(table_writer_open(&w, memory, *path, ',', true, names, t->n_columns, error));
    for (uint32_t r = 0; r < count; r++) {
        char number[16];
        for (uint32_t i = 0; i < t->n_columns; i++)
            cells[i] = kith_table_cell(t, rows[r], i);
        snprintf(number, sizeof number, "%u", r); /* a row that is drawn twice is two persons */
        if (e->study->id_column != NULL && !e->study->joint.ids_aligned)
            cells[t->n_columns - 1] = number;
        TRY(table_writer_row(w, cells, error));
    }
    return table_writer_commit(w, error);
}

/* The bytes that the busiest party sent. */
static double busiest(const kith_document *summary)
{
    double max = 0;
    size_t count = kith_document_n_items(summary, "sites");
    for (size_t i = 0; i < count; i++) {
        char path[48];
        snprintf(path, sizeof path, "sites.%zu.bytes", i);
        max = fmax(max, kith_document_number(summary, path, 0));
    }
    return max;
}

/* Simulates the run with a sample of this size. */
static kith_status trial_run(double figure[FIGURES], const estimation *e, uint32_t count,
                             kith_error *error)
{
    kith_document *summary = NULL;
    kith_simulate_options options =
        KITH_OPTIONS(kith_simulate_options, .separator = ',', .n_sites = e->n_sites,
                     .split = e->options->split, .overwrite = true);
    TRY(write_sample(&options.input, e, count, error));
    options.directory =
        TRY_ALLOC(arena_printf(e->context.memory, "%s/run-%u", e->directory, count), error);
    TRY(kith_simulate(&summary, e->study, &options, e->context.run, error));
    figure[CALLS] = joint_summary_calls(summary);
    figure[ROUNDS] = kith_document_number(summary, "protocol.rounds", 0);
    figure[MESSAGES] = kith_document_number(summary, "protocol.messages", 0);
    figure[BYTES] = kith_document_number(summary, "protocol.bytes", 0);
    figure[BUSIEST] = busiest(summary);
    figure[SECONDS] = kith_document_number(summary, "seconds.run", 0);
    kith_document_free(summary);
    return KITH_OK;
}

/* Extrapolates by the power law through two points. Figures that decrease with the number of
 * records stay as they are, and no power is above 2: measured times vary. */
static void extrapolate(double figure[FIGURES], const double half[FIGURES], double factor)
{
    for (int i = 0; i < FIGURES; i++) {
        double power = half[i] > 0 && figure[i] > half[i] ? log2(figure[i] / half[i]) : 0;
        figure[i] *= pow(factor, fmin(power, 2));
    }
}

/* One rehearsal of full size, or two and an extrapolation. */
static kith_status trial_runs(estimation *e, kith_error *error)
{
    double half[FIGURES];
    if (e->n_records <= REHEARSED)
        return trial_run(e->figure, e, (uint32_t)e->n_records, error);
    TRY(trial_run(half, e, REHEARSED / 2, error));
    TRY(trial_run(e->figure, e, REHEARSED, error));
    extrapolate(e->figure, half, (double)e->n_records / REHEARSED);
    e->extrapolated = REHEARSED;
    return KITH_OK;
}

/* The task of the cost model. */
static kith_status plan_view(estimation *e, kith_error *error)
{
    const protocol_options *o = &e->study->joint;
    prepared p;
    simulate_split split;
    TRY(simulate_split_read(&split, e->context.memory, e->study, o->partition, e->options->split,
                            e->n_sites, error));
    e->n_sites = split.n_sites;
    TRY(prepare_table(&p, e->study, e->table, &e->context, error));
    TRY(view_estimate_columns(&e->view, &p, &e->context, error));
    e->view.partition = split.partition;
    e->view.n_holders = split.n_sites;
    e->view.n_masters = o->master == PROTOCOL_MASTER_EXTERNAL ? o->n_replicas : 0;
    e->view.n_column_parts = split.n_column_parts;
    e->view.n_rows = e->n_records;
    return KITH_OK;
}

/* The longest chain of messages: around the ring to encrypt, to integrate, to decrypt and to
 * decode. Before it, a secure maximum agrees on the length of the values of each masked column. */
static double view_rounds(const estimation *e)
{
    double rounds = 4.0 * e->view.n_holders;
    for (uint32_t i = 0; i < e->study->n_columns; i++)
        if (e->study->columns[i].role == ROLE_QUASI_IDENTIFYING &&
            e->study->columns[i].hierarchy.kind == HIERARCHY_MASK)
            rounds += MASK_ROUNDS;
    return rounds;
}

/* The time of a search on the given table, extrapolated in proportion to the records. 0 if it
 * fails: whether the models can be satisfied is not the question here. */
static double search_seconds(const estimation *e)
{
    kith_table *texts = NULL;
    kith_document *summary = NULL;
    double seconds = 0;
    if (e->study->joint.n_site_models > 0 ||
        kith_anonymize_table(&texts, &summary, e->study, e->table, e->context.run, NULL) != KITH_OK)
        return 0;
    seconds = kith_document_number(summary, "seconds.total", 0);
    kith_document_free(summary);
    kith_table_free(texts);
    return seconds * (double)e->n_records / e->table->n_rows;
}

/* The cost of the encrypted view by its model, and the time of the search that the master runs. */
static kith_status calculate_view(estimation *e, kith_error *error)
{
    TRY(plan_view(e, error));
    view_cost_calibrate(&e->calibration, CALIBRATION_SECONDS);
    e->calibration.cores = threads_count(e->context.pool);
    view_cost_estimate(&e->cost, &e->view, &e->calibration);
    e->figure[ROUNDS] = view_rounds(e);
    e->figure[MESSAGES] = (double)e->cost.all.n_messages;
    e->figure[BYTES] = (double)e->cost.all.bytes;
    e->figure[BUSIEST] = e->figure[BYTES] / e->view.n_holders;
    e->search = search_seconds(e);
    e->figure[SECONDS] = e->cost.all.seconds + e->search;
    e->modelled = e->viewed = true;
    return KITH_OK;
}

#if KITH_PAIRING
/* The cost of the ID-based protocol. Without `lists` both sites are taken to have half of the
 * rows. */
static kith_status calculate_id_based(estimation *e, kith_error *error)
{
    const protocol_options *o = &e->study->joint;
    const uint64_t half = e->n_records / 2 + e->n_records % 2;
    const uint32_t k = models_minimum_size(e->study->models, e->study->n_models);
    uint32_t lists = o->lists > 0 ? o->lists : 1;
    id_based_speed speed;
    id_based_cost cost;
    if (e->n_sites != 0 && e->n_sites != 2)
        return error_set(error, KITH_INVALID, "protocol id-based is for two parties, not for %u",
                         e->n_sites);
    while (o->lists == 0 && lists < half)
        lists *= 2;
    e->n_sites = 2;
    TRY(id_based_cost_measure(&speed, CALIBRATION_SECONDS, error));
    /* Both parties share this machine, as in a rehearsal. */
    id_based_cost_estimate(&cost, lists, k, o->hashing, &speed,
                           threads_count(e->context.pool) / 2.0);
    e->figure[ROUNDS] = ID_BASED_ROUNDS;
    e->figure[MESSAGES] = (double)cost.n_messages;
    e->figure[BYTES] = (double)cost.bytes;
    e->figure[BUSIEST] = (double)cost.busiest_bytes;
    e->figure[SECONDS] = cost.seconds;
    e->modelled = true;
    return KITH_OK;
}
#endif

/* The function that finds the figures of the study's protocol. */
static kith_status find_figures(estimation *e, kith_error *error)
{
    const protocol_options *o = &e->study->joint;
    if (o->partition != PARTITION_NONE && o->protocol == PROTOCOL_ENCRYPTED_VIEW)
        return calculate_view(e, error);
#if KITH_PAIRING
    if (o->partition != PARTITION_NONE && o->protocol == PROTOCOL_ID_BASED)
        return calculate_id_based(e, error);
#endif
    return trial_runs(e, error);
}

/* Details of the encrypted view, and its cost with fewer sites. */
static void put_view(kith_document *d, document_node *root, const estimation *e)
{
    view_estimate_put(d, root, &e->cost);
    document_put_number(d, root, "search_seconds", e->search);
    document_put_number(d, root, "multiplications_per_second", 1 / e->calibration.multiply_seconds);
    document_node *list = document_array(d, root, "by_sites");
    for (uint32_t n_sites = 2; n_sites <= e->n_sites && e->view.partition == PARTITION_HORIZONTAL;
         n_sites++) {
        view_cost_task task = e->view;
        view_cost cost;
        task.n_holders = n_sites;
        view_cost_estimate(&cost, &task, &e->calibration);
        document_node *one = document_object(d, list, NULL);
        document_put_count(d, one, "sites", n_sites);
        document_put_count(d, one, "messages", cost.all.n_messages);
        document_put_count(d, one, "bytes", cost.all.bytes);
        document_put_number(d, one, "seconds", cost.all.seconds);
    }
}

/* The time in a network: every round waits for the latency, and the busiest party limits the
 * transfer. */
static void put_network(kith_document *d, document_node *list, const estimation *e,
                        const char *name, double latency_ms, double megabits)
{
    document_node *one = document_object(d, list, NULL);
    double wait = e->figure[ROUNDS] * latency_ms / 1000;
    double move = e->figure[BUSIEST] * 8 / (megabits * 1e6);
    document_put_text(d, one, "network", name);
    document_put_number(d, one, "latency_ms", latency_ms);
    document_put_number(d, one, "megabits", megabits);
    document_put_number(d, one, "seconds", e->figure[SECONDS] + wait + move);
}

static kith_status describe(kith_document **estimate, const estimation *e, kith_error *error)
{
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    document_put_text(d, root, "kith", kith_version());
    document_put_text(d, root, "command", "estimate");
    document_put_text(d, root, "study", kith_study_name(e->study));
    document_put_text(d, root, "protocol", options_protocol_name(e->study->joint.protocol));
    document_put_count(d, root, "sites", e->n_sites);
    document_put_count(d, root, "records", e->n_records);
    document_put_number(d, root, "rehearsed",
                        e->extrapolated > 0 ? e->extrapolated : (double)e->n_records);
    for (int i = e->modelled ? ROUNDS : CALLS; i < FIGURES; i++)
        document_put_number(d, root, figure_names[i],
                            i == SECONDS ? e->figure[i] : round(e->figure[i]));
    document_node *networks = document_array(d, root, "networks");
    put_network(d, networks, e, "local", 0.25, 1000);
    put_network(d, networks, e, "wide", 30, 100);
    if (e->options->megabits > 0)
        put_network(d, networks, e, "given", e->options->latency_ms, e->options->megabits);
    if (e->viewed)
        put_view(d, root, e);
    return document_finish(estimate, d, error);
}

kith_status kith_estimate(kith_document **estimate, const kith_study *study,
                          const kith_estimate_options *options, const kith_run *run,
                          kith_error *error)
{
    kith_estimate_options own;
    estimation e = {.study = study, .options = &own};
    TRY(OPTIONS_TAKE(kith_estimate_options, megabits, &own, options, error));
    TRY(options_need(own.input, "input", error));
    TRY(context_init(&e.context, run, error));
    kith_status status = simulate_files_private_directory(&e.directory, e.context.memory, error);
    if (status == KITH_OK)
        status = read_table(&e, error);
    if (status == KITH_OK)
        status = find_figures(&e, error);
    if (status == KITH_OK)
        status = describe(estimate, &e, error);
    kith_table_free(e.table);
    context_wipe(&e.context);
    return status;
}
