#include "modules/encrypted_view/view_estimate.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "job/rehearse/estimate.h"
#include "job/rehearse/simulate.h"

enum { MASK_ROUNDS = 52 }; /* of the secure maximum of a length */
/* How long the speed of this machine is measured for the phases of a rehearsal. */
#define PHASES_SECONDS 0.05

/* The cost by the model. */
typedef struct model {
    view_calibration calibration;
    view_cost_task view;
    view_cost cost;
    view_cost *by_sites; /* [n_sites + 1] from 2 on */
    double search;       /* seconds of the anonymization */
} model;

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
static kith_status calculate_sites(view_cost *cost, view_cost_task *task, const model *own,
                                   const estimation *e, const prepared *p,
                                   const kith_table *released, kith_error *error)
{
    context c = e->context;
    TRY(view_estimate_columns(task, p, &c, error));
    if (released != NULL)
        view_estimate_released(task, p, released);
    view_cost_estimate(cost, task, &own->calibration);
    return KITH_OK;
}

/* The cost of the run, and with fewer sites. */
static kith_status calculate_costs(model *own, const estimation *e, const prepared *p,
                                   const kith_table *released, kith_error *error)
{
    const size_t room = e->n_sites + (size_t)1;
    own->by_sites = TRY_ARRAY(own->by_sites, e->context.memory, room, error);
    for (uint32_t n = 2; n < e->n_sites && own->view.partition == PARTITION_HORIZONTAL; n++) {
        view_cost_task task = own->view;
        task.n_holders = n;
        TRY(calculate_sites(&own->by_sites[n], &task, own, e, p, released, error));
    }
    TRY(calculate_sites(&own->cost, &own->view, own, e, p, released, error));
    own->by_sites[e->n_sites] = own->cost;
    return KITH_OK;
}

/* Details, and the cost with fewer sites. */
static void put_details(kith_document *d, document_node *root, const estimation *e)
{
    const model *own = e->details;
    view_estimate_put(d, root, &own->cost);
    document_put_number(d, root, "search_seconds", own->search);
    document_put_number(d, root, "multiplications_per_second",
                        1 / own->calibration.multiply_seconds);
    document_node *list = document_array(d, root, "by_sites");
    for (uint32_t n_sites = 2; n_sites <= e->n_sites && own->view.partition == PARTITION_HORIZONTAL;
         n_sites++) {
        const view_cost cost = own->by_sites[n_sites];
        document_node *one = document_object(d, list, NULL);
        document_put_count(d, one, "sites", n_sites);
        document_put_count(d, one, "messages", cost.all.n_messages);
        document_put_count(d, one, "bytes", cost.all.bytes);
        document_put_number(d, one, "seconds", cost.all.seconds);
    }
}

/* The cost of the encrypted view by its model, and the time of the search that the master runs. */
kith_status view_estimate_run(estimation *e, kith_error *error)
{
    model *own = TRY_ZEROS(own, e->context.memory, 1, error);
    view_cost_calibrate(&own->calibration, ESTIMATE_CALIBRATION_SECONDS);
    own->calibration.cores = threads_count(e->context.pool);
    /* The task of the cost model, and what it costs. */
    const protocol_options *o = &e->study->joint;
    prepared p;
    simulate_split split;
    TRY(simulate_split_read(&split, e->context.memory, e->study, o->partition, e->options->split,
                            e->n_sites, error));
    e->n_sites = split.n_sites;
    TRY(prepare_table(&p, e->study, e->table, &e->context, error));
    own->view.partition = split.partition;
    own->view.n_holders = split.n_sites;
    own->view.n_masters = o->master == PROTOCOL_MASTER_EXTERNAL ? o->n_replicas : 0;
    own->view.master = own->view.n_masters > 0 ? 0 : o->master;
    own->view.n_column_parts = split.n_column_parts;
    own->view.n_rows = e->n_records;
    kith_table *released;
    own->search = search_seconds(&released, e);
    kith_status status = calculate_costs(own, e, &p, released, error);
    kith_table_free(released);
    TRY(status);
    /* The longest chain of messages: around the ring to encrypt, to integrate, to decrypt and to
     * decode. Before it, a secure maximum agrees on the length of the values of each masked
     * column. */
    double rounds = 4.0 * own->view.n_holders;
    for (uint32_t i = 0; i < e->study->n_columns; i++)
        if (e->study->columns[i].role == ROLE_QUASI_IDENTIFYING &&
            e->study->columns[i].hierarchy.kind == HIERARCHY_MASK)
            rounds += MASK_ROUNDS;
    e->figure[ROUNDS] = rounds;
    e->figure[MESSAGES] = (double)own->cost.all.n_messages;
    e->figure[BYTES] = (double)own->cost.all.bytes;
    e->figure[BUSIEST] = e->figure[BYTES] / own->view.n_holders;
    e->figure[SECONDS] = own->cost.all.seconds + own->search;
    e->modelled = true;
    e->details = own;
    e->put_details = put_details;
    return KITH_OK;
}

/* The cost of a phase that the parties had: the sum of messages and bytes, and the longest time,
 * since they work at the same time. */
static void put_actual(kith_document *d, document_node *to, const simulation *s, const char *phase)
{
    static const char *const figures[] = {"messages", "bytes", "seconds"};
    for (int i = 0; i < 3; i++) {
        char path[96];
        snprintf(path, sizeof path, "protocol.facts.%s_%s", phase, figures[i]);
        document_put_number(d, to, figures[i],
                            i < 2 ? simulate_summary_total(s, path)
                                  : fmax(simulate_summary_maximum(s, path), 0));
    }
}

kith_status view_estimate_put_phases(kith_document *d, document_node *parent, const simulation *s,
                                     kith_error *error)
{
    view_cost cost;
    /* The cost by the model, with the speed of this machine, whose cores all
     * sites share. */
    context run = s->context;
    view_calibration rates;
    view_cost_task task = {.partition = s->split.partition,
                           .n_holders = s->split.n_sites,
                           .n_masters = s->n_parties - s->split.n_sites,
                           .master =
                               s->n_parties > s->split.n_sites ? 0 : s->site_study->joint.master,
                           .n_column_parts = s->split.n_column_parts,
                           .n_rows = s->prepared.n_rows};
    TRY(view_estimate_columns(&task, &s->prepared, &run, error));
    view_cost_calibrate(&rates, PHASES_SECONDS);
    rates.cores = (double)threads_count(s->context.pool) / s->split.n_sites;
    view_cost_estimate(&cost, &task, &rates);
    document_node *list = document_array(d, parent, "phases");
    for (int i = 0; i < VIEW_PHASES; i++) {
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "phase", view_estimate_phase(i));
        view_estimate_put_cost(d, document_object(d, one, "estimate"), &cost.phase[i]);
        put_actual(d, document_object(d, one, "actual"), s, view_estimate_phase(i));
    }
    return KITH_OK;
}
