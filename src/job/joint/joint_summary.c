#include "job/joint/joint_summary.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "job/joint/joint_homes.h"
#include "job/result/released_as_is.h"
#include "job/result/summary.h"
#include "study/holders.h"
#include "wire/ledger.h"

void joint_summary_put_left_out(kith_document *d, document_node *root, const kith_study *study)
{
    document_node *list = NULL;
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (!holders_leave_out(study, i))
            continue;
        if (list == NULL)
            list = document_array(d, root, "left_out");
        document_put_text(d, list, NULL, study->columns[i].name);
    }
}

/* What summary and companion say of the release. Loss by the data is not known to a party; what the
 * classes alone show is counted here. */
static void put_release(kith_document *d, document_node *root, const joint_outcome *o)
{
    const joint_run *j = o->run;
    document_put_count(d, root, "records", j->n_records);
    if (o->verified == NULL)
        return;
    uint64_t squares = 0;
    const classes *all = o->verified->grouping;
    for (uint32_t i = 0; i < all->count; i++)
        squares += (uint64_t)all->size[i] * all->size[i];
    summary_put_quasi_identifiers(d, root, j->study);
    summary_put_classes(d, root, o->verified);
    /* A release does not show the sites. */
    summary_put_privacy(d, root, j->study, o->verified, &j->study->joint, NULL);
    document_node *loss = document_object(d, root, "loss");
    document_put_number(d, loss, "lm", j->loss.known ? j->loss.lm : NAN);
    document_put_count(d, loss, "dm", squares);
    if (all->count > 0)
        document_put_number(d, loss, "average_class", (double)o->verified->n_rows / all->count);
}

/* Calls of primitives as the ledger counts them, and beside them the calls that the paper would
 * count, where the protocol follows one. */
static void put_calls(kith_document *d, document_node *parent, const joint_run *j)
{
    const ledger *l = party_ledger(j->party);
    document_node *calls = document_object(d, parent, "calls");
    for (size_t i = 0; i < LEDGER_PRIMITIVES && l->called[i].primitive != NULL; i++)
        document_put_count(d, calls, l->called[i].primitive, l->called[i].n_calls);
    if (j->report.n_paper_sums + j->report.n_paper_ands == 0)
        return;
    document_node *paper = document_object(d, parent, "paper_calls");
    document_put_count(d, paper, "sum", j->report.n_paper_sums);
    document_put_count(d, paper, "and", j->report.n_paper_ands);
    document_node *strict = document_object(d, parent, "paper_calls_strict");
    document_put_count(d, strict, "sum", j->report.n_paper_sums);
    document_put_count(d, strict, "and", j->report.n_paper_ands_strict);
}

/* The cost of the protocol at this party, from its ledger, and the facts that the protocol reports.
 */
static void put_protocol(kith_document *d, document_node *root, const joint_run *j)
{
    const ledger *l = party_ledger(j->party);
    const protocol_options *o = &j->study->joint;
    document_node *p = document_object(d, root, "protocol");
    document_put_text(d, p, "name", options_protocol_name(o));
    document_put_count(d, p, "sites", options_holders(o, party_count(j->party)));
    document_put_text(d, p, "partition", options_partition_name(o->partition));
    put_calls(d, p, j);
    document_put_count(d, p, "rounds", l->n_rounds);
    document_put_count(d, p, "messages", l->sent.n_messages);
    document_put_count(d, p, "bytes", l->sent.bytes);
    document_node *learned = document_object(d, p, "learned");
    document_put_count(d, learned, "choice", ledger_learned(l, DISCLOSE_CHOICE));
    document_put_count(d, learned, "aggregate", ledger_learned(l, DISCLOSE_AGGREGATE));
    document_put_count(d, learned, "release", ledger_learned(l, DISCLOSE_RELEASE));
    document_node *facts = document_object(d, p, "facts");
    for (uint32_t i = 0; i < j->report.n_facts; i++)
        document_put_number(d, facts, j->report.facts[i].name, j->report.facts[i].value);
}

kith_status joint_summary_make(kith_document **document, const joint_outcome *o, kith_error *error)
{
    const joint_run *j = o->run;
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    summary_put_heading(d, root, "party", j->study);
    summary_put_overlap(d, root, j->study);
    document_put_text(d, root, "party", party_name(j->party, party_self(j->party)));
    summary_put_seed(d, root, j->context->run);
    document_put_text(d, root, "algorithm", j->study->algorithm);
    document_put_count(d, root, "own_records", j->table == NULL ? 0 : j->table->n_rows);
    document_put_count(d, root, "empty", j->table == NULL ? 0 : j->table->n_empty);
    if (j->study->joint.partition == PARTITION_VERTICAL && j->table != NULL)
        document_put_count(d, root, "unmatched", j->n_unmatched);
    put_release(d, root, o);
    joint_summary_put_left_out(d, root, j->study);
    document_put_text(d, root, "measure", measure_at(j->study->measure)->name);
    document_put_number(d, root, "objective", j->loss.known ? j->loss.objective : NAN);
    const summary_phase phases[] = {{"load", o->seconds.load},
                                    {"protocol", o->seconds.protocol},
                                    {"verify", o->seconds.verify},
                                    {"total", o->seconds.total}};
    if (j->report.n_passes > 0)
        document_put_count(d, root, "passes", j->report.n_passes);
    if (j->report.stopped != NULL)
        document_put_text(d, root, "stopped", j->report.stopped);
    document_node *warnings = document_array(d, root, "warnings");
    if (j->place->findings != NULL)
        released_as_is_warn(d, warnings, j->place->findings);
    joint_homes_warn(d, warnings, j);
    put_protocol(d, root, j);
    summary_put_seconds(d, root, phases, sizeof phases / sizeof *phases);
    const uint64_t peak = summary_peak_rss_bytes();
    if (peak > 0)
        document_put_count(d, root, "peak_rss_bytes", peak);
    return document_finish(document, d, error);
}

kith_status joint_summary_meta(kith_document **document, const joint_outcome *o, kith_error *error)
{
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    summary_put_meta_heading(d, root, o->run->study);
    summary_put_overlap(d, root, o->run->study);
    document_put_text(d, root, "protocol", options_protocol_name(&o->run->study->joint));
    put_release(d, root, o);
    return document_finish(document, d, error);
}

double joint_summary_calls(const kith_document *summary)
{
    double calls = 0;
    size_t count = kith_document_n_items(summary, "protocol.calls");
    for (size_t i = 0; i < count; i++) {
        char path[96];
        snprintf(path, sizeof path, "protocol.calls.%s",
                 kith_document_key(summary, "protocol.calls", i));
        calls += kith_document_number(summary, path, 0);
    }
    return calls;
}
