/* kith_estimate: the cost of a joint run, from rehearsals (estimate_trials.c), or as the protocol
 * calculates it from numbers of rows and values and the speed of this machine. */
#include <math.h>
#include <string.h>

#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "job/prepare/recode.h"
#include "job/rehearse/estimate.h"
#include "job/rehearse/simulate_files.h"
#include "study/study.h"
#include "table/table_input.h"

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
    options.separator = e->options->input->separator;
    options.csv = e->options->input->csv;
    TRY(kith_table_read(&e->table, e->options->input->uri, &options, e->context.run, error));
    if (e->table->n_rows == 0)
        return error_set(error, KITH_DATA, "%s has no rows to draw from", e->table->source);
    e->n_records = e->options->n_records > 0 ? e->options->n_records : e->table->n_rows;
    e->n_sites =
        e->options->n_sites > 0 ? e->options->n_sites : options_holders(o, e->study->n_parties);
    if (e->study->n_parties == 0 && e->options->n_sites == 0)
        e->n_sites = 0; /* the split decides */
    return KITH_OK;
}

/* The function that finds the figures of the study's protocol. */
static kith_status find_figures(estimation *e, kith_error *error)
{
    const protocol_options *o = &e->study->joint;
    e->protocol = options_protocol_name(o); /* a rehearsal may choose another one */
    if (o->protocol->estimate != NULL)
        return o->protocol->estimate(e, error);
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

static kith_status estimate_describe(kith_document **estimate, const estimation *e,
                                     kith_error *error)
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
    if (e->put_details != NULL)
        e->put_details(d, root, e);
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
        status = estimate_describe(estimate, &e, error);
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
    kith_input input;
    TRY(OPTIONS_TAKE(kith_estimate_options, megabits, &own, options, error));
    TRY(recode_refuse_joint(study, error));
    TRY(table_input_need(&input, own.input, "input", error));
    TRY(table_input_refuse_table(&input, "input", error));
    own.input = &input;
    return estimate_run(estimate, study, &own, &budget, run, error);
}
