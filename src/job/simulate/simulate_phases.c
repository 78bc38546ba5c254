/* The phases of a run of the encrypted view: the estimate of the cost model and the actual cost. */
#include <stdio.h>

#include "core/error.h"
#include "job/simulate/simulate.h"
#include "job/simulate/view_estimate.h"

/* How long the speed of this machine is measured. */
#define CALIBRATION_SECONDS 0.05

/* The cost from the summaries of all parties: the sum of messages and bytes, and the longest time,
 * since they work at the same time. */
static void put_actual(kith_document *d, document_node *to, const simulation *s, const char *phase)
{
    double messages = 0, bytes = 0, seconds = 0;
    for (uint32_t i = 0; i < s->n_parties; i++) {
        const kith_document *one = s->seats[i].summary;
        char path[96];
        if (one == NULL)
            continue;
        snprintf(path, sizeof path, "protocol.facts.%s_messages", phase);
        messages += kith_document_number(one, path, 0);
        snprintf(path, sizeof path, "protocol.facts.%s_bytes", phase);
        bytes += kith_document_number(one, path, 0);
        snprintf(path, sizeof path, "protocol.facts.%s_seconds", phase);
        double taken = kith_document_number(one, path, 0);
        seconds = taken > seconds ? taken : seconds;
    }
    document_node *actual = document_object(d, to, "actual");
    document_put_count(d, actual, "messages", (uint64_t)messages);
    document_put_count(d, actual, "bytes", (uint64_t)bytes);
    document_put_number(d, actual, "seconds", seconds);
}

static kith_status calculate(view_cost *cost, const simulation *s, kith_error *error)
{
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
    view_cost_calibrate(&rates, CALIBRATION_SECONDS);
    /* All sites run on this machine and share its cores. */
    rates.cores = (double)threads_count(s->context.pool) / s->split.n_sites;
    view_cost_estimate(cost, &task, &rates);
    return KITH_OK;
}

kith_status simulate_phases(kith_document *d, document_node *parent, const simulation *s,
                            kith_error *error)
{
    view_cost cost;
    if (s->protocol != PROTOCOL_ENCRYPTED_VIEW)
        return KITH_OK;
    TRY(calculate(&cost, s, error));
    document_node *list = document_array(d, parent, "phases");
    for (int i = 0; i < VIEW_PHASES; i++) {
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "phase", view_estimate_phase(i));
        view_estimate_put_cost(d, document_object(d, one, "estimate"), &cost.phase[i]);
        put_actual(d, one, s, view_estimate_phase(i));
    }
    return KITH_OK;
}
