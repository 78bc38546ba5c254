/* kith_estimate: the cost of a joint run, from rehearsals (estimate_trials.c). The encrypted view
 * and the ID-based protocol need none: their cost follows from numbers of rows, values and lists
 * and the speed of this machine (protocol/view/view_cost.h, protocol/id_based/id_based_cost.h). */
#include <math.h>
#include <string.h>

#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "job/prepare/recode.h"
#include "job/rehearse/estimate.h"
#include "job/rehearse/simulate_files.h"
#include "job/rehearse/simulate_split.h"
#include "job/rehearse/view_estimate.h"
#include "protocol/id_based/id_based_cost.h"
#include "study/study.h"
#include "table/rows/row_groups.h"

enum { MASK_ROUNDS = 52 }; /* of the secure maximum of a length */
/* How long the speed of this machine is measured. */
#define CALIBRATION_SECONDS 0.5

static const char *const figure_names[FIGURES] = {
    [CALLS] = "calls", [ROUNDS] = "rounds",         [MESSAGES] = "messages",
    [BYTES] = "bytes", [BUSIEST] = "busiest_bytes", [SECONDS] = "compute_seconds"};

/* Reads the table, and finds the numbers of records and sites to estimate for. */
static kith_status read_table(estimation *e, kith_error *error)
{
    const protocol_options *o = &e->study->joint;
    kith_table_options options = study_table_options(e->study);
    kith_column_spec *columns = TRY_ARRAY(columns, e->context.memory, options.n_columns + 1, error);
    memcpy(columns, options.columns, options.n_columns * sizeof *columns);
    if (e->study->id_column != NULL && !o->ids_aligned)
        columns[options.n_columns++] = (kith_column_spec){.name = e->study->id_column};
    options.columns = columns;
    options.separator = e->options->separator;
    options.csv = e->options->csv;
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

/* The time of a search on the given table, or on a part of it, extrapolated in proportion to the
 * records, and its release, which the caller frees. 0 and NULL if it fails: whether the models can
 * be satisfied is not the question here. */
static double search_seconds(kith_table **texts, const estimation *e)
{
    enum { ENOUGH = 20000 };
    kith_table *part = NULL;
    kith_document *summary = NULL;
    double seconds = 0;
    *texts = NULL;
    if (e->study->joint.n_site_models > 0 ||
        (e->table->n_rows > ENOUGH && estimate_trials_sample(&part, e, ENOUGH, NULL) != KITH_OK))
        return 0;
    const kith_table *table = part != NULL ? part : e->table;
    const double worked = context_process_seconds();
    if (kith_anonymize_table(texts, &summary, e->study, table, e->context.run, NULL) == KITH_OK)
        seconds =
            estimate_trials_seconds(summary, "seconds.total", context_process_seconds() - worked) *
            (double)e->n_records / table->n_rows;
    kith_document_free(summary);
    kith_table_free(part);
    return seconds;
}

/* The cost with so many sites, from the numbers of values that each of them has. */
static kith_status calculate_sites(view_cost *cost, view_cost_task *task, const estimation *e,
                                   const prepared *p, const kith_table *release, kith_error *error)
{
    context c = e->context;
    TRY(view_estimate_columns(task, p, &c, error));
    if (release != NULL)
        view_estimate_released(task, p, release);
    view_cost_estimate(cost, task, &e->calibration);
    return KITH_OK;
}

/* The cost of the run, and with fewer sites. */
static kith_status calculate_costs(estimation *e, const prepared *p, const kith_table *release,
                                   kith_error *error)
{
    const size_t room = e->n_sites + (size_t)1;
    e->by_sites = TRY_ARRAY(e->by_sites, e->context.memory, room, error);
    for (uint32_t n = 2; n < e->n_sites && e->view.partition == PARTITION_HORIZONTAL; n++) {
        view_cost_task task = e->view;
        task.n_holders = n;
        TRY(calculate_sites(&e->by_sites[n], &task, e, p, release, error));
    }
    TRY(calculate_sites(&e->cost, &e->view, e, p, release, error));
    e->by_sites[e->n_sites] = e->cost;
    return KITH_OK;
}

/* The cost of the encrypted view by its model, and the time of the search that the master runs. */
static kith_status calculate_view(estimation *e, kith_error *error)
{
    view_cost_calibrate(&e->calibration, CALIBRATION_SECONDS);
    e->calibration.cores = threads_count(e->context.pool);
    /* The task of the cost model, and what it costs. */
    const protocol_options *o = &e->study->joint;
    prepared p;
    simulate_split split;
    TRY(simulate_split_read(&split, e->context.memory, e->study, o->partition, e->options->split,
                            e->n_sites, error));
    e->n_sites = split.n_sites;
    TRY(prepare_table(&p, e->study, e->table, &e->context, error));
    e->view.partition = split.partition;
    e->view.n_holders = split.n_sites;
    e->view.n_masters = o->master == PROTOCOL_MASTER_EXTERNAL ? o->n_replicas : 0;
    e->view.master = e->view.n_masters > 0 ? 0 : o->master;
    e->view.n_column_parts = split.n_column_parts;
    e->view.n_rows = e->n_records;
    kith_table *release;
    e->search = search_seconds(&release, e);
    kith_status status = calculate_costs(e, &p, release, error);
    kith_table_free(release);
    TRY(status);
    /* The longest chain of messages: around the ring to encrypt, to integrate, to decrypt and to
     * decode. Before it, a secure maximum agrees on the length of the values of each masked
     * column. */
    double rounds = 4.0 * e->view.n_holders;
    for (uint32_t i = 0; i < e->study->n_columns; i++)
        if (e->study->columns[i].role == ROLE_QUASI_IDENTIFYING &&
            e->study->columns[i].hierarchy.kind == HIERARCHY_MASK)
            rounds += MASK_ROUNDS;
    e->figure[ROUNDS] = rounds;
    e->figure[MESSAGES] = (double)e->cost.all.n_messages;
    e->figure[BYTES] = (double)e->cost.all.bytes;
    e->figure[BUSIEST] = e->figure[BYTES] / e->view.n_holders;
    e->figure[SECONDS] = e->cost.all.seconds + e->search;
    e->modelled = e->viewed = true;
    return KITH_OK;
}

#if KITH_PAIRING
/* The bytes of the release's cells as a party sends them. */
static double cell_bytes(const estimation *e)
{
    enum { LENGTH = 4 };
    const kith_table *t = e->table;
    double sum = 0;
    for (uint32_t i = 0; i < t->n_columns; i++)
        for (uint32_t row = 0; row < t->n_rows; row++) {
            const uint32_t code = t->columns[i].codes[row];
            const dictionary *values = &t->columns[i].values;
            sum += LENGTH + (code == TABLE_MISSING ? 0 : dictionary_length(values, code));
        }
    return sum / t->n_rows * (double)e->n_records;
}

/* Counts the quasi-identifiers that k records have, if the given table is like the whole one. */
static kith_status count_kept(id_based_sizes *sizes, const estimation *e, kith_error *error)
{
    const kith_study *study = e->study;
    const double times = (double)e->n_records / e->table->n_rows;
    arena *memory = e->context.memory;
    row_groups groups;
    row_groups_lists lists;
    uint32_t *quasi = TRY_ARRAY(quasi, memory, study->n_columns, error), n = 0;
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].role == ROLE_QUASI_IDENTIFYING)
            quasi[n++] = table_find(e->table, study->columns[i].name);
    TRY(row_groups_by(&groups, memory, e->table, quasi, n, error));
    TRY(row_groups_list(&lists, &groups, memory, error));
    for (uint32_t i = 0; i < groups.count; i++)
        sizes->n_kept += (lists.starts[i + 1] - lists.starts[i]) * times >= sizes->k;
    sizes->already = sizes->n_kept == groups.count;
    return KITH_OK;
}

/* The cost of the ID-based protocol. Without `lists` both sites are taken to have half of the
 * rows. */
static kith_status calculate_id_based(estimation *e, kith_error *error)
{
    const protocol_options *o = &e->study->joint;
    const uint64_t half = e->n_records / 2 + e->n_records % 2;
    id_based_sizes sizes = {.lists = o->lists > 0 ? o->lists : 1,
                            .agreed = o->lists == 0,
                            .hashing = o->hashing,
                            .k = models_minimum_size(e->study->models, e->study->n_models),
                            .row_bytes = cell_bytes(e)};
    id_based_speed speed;
    id_based_cost cost;
    if (e->n_sites != 0 && e->n_sites != 2)
        return error_set(error, KITH_INVALID, "protocol id-based is for two parties, not for %u",
                         e->n_sites);
    if (o->max_rows > 0 && half > o->max_rows)
        return error_set(error, KITH_INVALID,
                         "half of the records are %llu; the study allows a party %u (rows)",
                         (unsigned long long)half, o->max_rows);
    while (sizes.agreed && sizes.lists < half)
        sizes.lists *= 2;
    e->n_sites = 2;
    TRY(count_kept(&sizes, e, error));
    TRY(id_based_cost_measure(&speed, CALIBRATION_SECONDS, error));
    /* Both parties share this machine, as in a rehearsal. */
    id_based_cost_estimate(&cost, &sizes, &speed, threads_count(e->context.pool) / 2.0);
    e->figure[ROUNDS] = (double)cost.n_rounds;
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
    e->protocol = options_protocol_name(o->protocol); /* a rehearsal may choose another one */
    if (o->partition != PARTITION_NONE && o->protocol == PROTOCOL_ENCRYPTED_VIEW)
        return calculate_view(e, error);
#if KITH_PAIRING
    if (o->partition != PARTITION_NONE && o->protocol == PROTOCOL_ID_BASED)
        return calculate_id_based(e, error);
#endif
    return estimate_trials(e, error);
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
    document_put_text(d, root, "protocol", e->protocol);
    document_put_count(d, root, "sites", e->n_sites);
    document_put_count(d, root, "records", e->n_records);
    document_put_number(d, root, "rehearsed",
                        e->extrapolated > 0 ? e->extrapolated : (double)e->n_records);
    document_put_flag(d, root, "about",
                      !e->modelled && (e->extrapolated > 0 || e->n_records > e->table->n_rows));
    for (int i = e->modelled ? ROUNDS : CALLS; i < FIGURES; i++)
        document_put_number(d, root, figure_names[i],
                            i == SECONDS ? e->figure[i] : round(e->figure[i]));
    document_node *networks = document_array(d, root, "networks");
    put_network(d, networks, e, "local", 0.25, 1000);
    put_network(d, networks, e, "wide", 30, 100);
    if (e->options->megabits > 0)
        put_network(d, networks, e, "given", e->options->latency_ms, e->options->megabits);
    if (e->viewed) {
        /* Details of the encrypted view, and its cost with fewer sites. */
        view_estimate_put(d, root, &e->cost);
        document_put_number(d, root, "search_seconds", e->search);
        document_put_number(d, root, "multiplications_per_second",
                            1 / e->calibration.multiply_seconds);
        document_node *list = document_array(d, root, "by_sites");
        for (uint32_t n_sites = 2;
             n_sites <= e->n_sites && e->view.partition == PARTITION_HORIZONTAL; n_sites++) {
            const view_cost cost = e->by_sites[n_sites];
            document_node *one = document_object(d, list, NULL);
            document_put_count(d, one, "sites", n_sites);
            document_put_count(d, one, "messages", cost.all.n_messages);
            document_put_count(d, one, "bytes", cost.all.bytes);
            document_put_number(d, one, "seconds", cost.all.seconds);
        }
    }
    return document_finish(estimate, d, error);
}

kith_status estimate_run(kith_document **estimate, const kith_study *study,
                         const kith_estimate_options *options, const estimate_budget *budget,
                         const kith_run *run, kith_error *error)
{
    estimation e = {.study = study, .options = options, .budget = budget};
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

kith_status kith_estimate(kith_document **estimate, const kith_study *study,
                          const kith_estimate_options *options, const kith_run *run,
                          kith_error *error)
{
    static const estimate_budget budget = {.seconds = 20, .share = 0.1};
    kith_estimate_options own;
    TRY(OPTIONS_TAKE(kith_estimate_options, megabits, &own, options, error));
    TRY(recode_refuse_joint(study, error));
    TRY(options_need(own.input, "input", error));
    return estimate_run(estimate, study, &own, &budget, run, error);
}
