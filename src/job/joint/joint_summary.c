#include "job/joint/joint_summary.h"

#include <kith/kith.h>
#include <stdio.h>
#include <sys/resource.h>

#include "core/error.h"
#include "job/result/summary.h"
#include "protocol/disclosures.h"
#include "wire/ledger.h"

static void put_site_models(kith_document *d, document_node *models, const kith_study *study)
{
    for (uint32_t i = 0; i < study->joint.n_site_models; i++) {
        const model_spec *m = &study->joint.site_models[i];
        document_node *one = document_object(d, models, NULL);
        document_put_text(d, one, "model", model_name(m->id));
        if (m->variant != VARIANT_NONE)
            document_put_text(d, one, "variant", model_variant_name(m->variant));
        if (m->l > 0)
            document_put_number(d, one, "l", m->l);
        if (m->k > 0)
            document_put_count(d, one, "k", m->k);
        document_put_flag(d, one, "holds", true);
        document_put_text(d, one, "by", "protocol"); /* a release does not show sites */
    }
}

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
    document_put_count(d, root, "classes", o->verified->n_classes);
    document_put_count(d, root, "smallest_class", o->verified->smallest);
    document_put_count(d, root, "suppressed", o->verified->suppressed);
    document_node *models = document_array(d, root, "models");
    for (uint32_t i = 0; i < j->study->n_models; i++)
        summary_put_model(d, models, &j->study->models[i], &o->verified->verdict[i]);
    put_site_models(d, models, j->study);
    document_node *loss = document_object(d, root, "loss");
    if (j->loss.known)
        document_put_number(d, loss, "lm", j->loss.lm);
    document_put_count(d, loss, "dm", squares);
    if (all->count > 0)
        document_put_number(d, loss, "average_class", (double)o->verified->n_rows / all->count);
}

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

static void put_protocol(kith_document *d, document_node *root, const joint_run *j)
{
    const ledger *l = party_ledger(j->party);
    const protocol_options *o = &j->study->joint;
    document_node *p = document_object(d, root, "protocol");
    document_put_text(d, p, "name", options_protocol_name(o->protocol));
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

static void put_run(kith_document *d, document_node *root, const joint_outcome *o)
{
    struct rusage usage;
    const joint_run *j = o->run;
    if (j->report.n_passes > 0)
        document_put_count(d, root, "passes", j->report.n_passes);
    if (j->report.stopped != NULL)
        document_put_text(d, root, "stopped", j->report.stopped);
    put_protocol(d, root, j);
    document_node *seconds = document_object(d, root, "seconds");
    document_put_number(d, seconds, "load", o->seconds.load);
    document_put_number(d, seconds, "protocol", o->seconds.protocol);
    document_put_number(d, seconds, "verify", o->seconds.verify);
    document_put_number(d, seconds, "total", o->seconds.total);
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        document_put_count(d, root, "peak_rss_bytes", (uint64_t)usage.ru_maxrss * 1024);
}

static kith_status return_document(kith_document **document, kith_document *d, kith_error *error)
{
    kith_status status = document_status(d, error);
    if (status == KITH_OK)
        *document = d;
    else
        kith_document_free(d);
    return status;
}

kith_status joint_summary_make(kith_document **document, const joint_outcome *o, kith_error *error)
{
    const joint_run *j = o->run;
    const kith_run *run = j->context->run;
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    document_put_text(d, root, "kith", kith_version());
    document_put_text(d, root, "command", "party");
    document_put_text(d, root, "study", kith_study_name(j->study));
    document_put_text(d, root, "party", party_name(j->party, party_self(j->party)));
    if (run->seeded)
        document_put_count(d, root, "seed", run->seed);
    else
        document_put_null(d, root, "seed");
    document_put_text(d, root, "algorithm", j->study->algorithm);
    document_put_count(d, root, "own_records", j->table == NULL ? 0 : j->table->n_rows);
    put_release(d, root, o);
    document_put_text(d, root, "measure", measure_at(j->study->measure)->name);
    if (j->loss.known)
        document_put_number(d, root, "objective", j->loss.objective);
    put_run(d, root, o);
    return return_document(document, d, error);
}

kith_status joint_summary_meta(kith_document **document, const joint_outcome *o, kith_error *error)
{
    kith_document *d = document_new();
    char digest[65];
    TRY_ALLOC(d, error);
    document_node *root = document_root(d);
    kith_study_digest(digest, o->run->study);
    document_put_text(d, root, "kith", kith_version());
    document_put_text(d, root, "study", kith_study_name(o->run->study));
    document_put_text(d, root, "digest", digest);
    document_put_text(d, root, "protocol", options_protocol_name(o->run->study->joint.protocol));
    put_release(d, root, o);
    return return_document(document, d, error);
}

void joint_summary_put_disclosures(kith_document *d, document_node *parent,
                                   const protocol_options *o)
{
    disclosure_line lines[DISCLOSURES_MAX + 1];
    document_node *list = document_array(d, parent, "discloses");
    disclosures_list(lines, o);
    for (int i = 0; lines[i].to != NULL; i++) {
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "to", lines[i].to);
        document_put_text(d, one, "what", lines[i].what);
    }
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
