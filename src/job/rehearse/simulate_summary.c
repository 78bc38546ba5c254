/* The summary of a simulation, from its own results and from the summaries of the parties. */
#include <math.h>
#include <stdio.h>

#include "core/document.h"
#include "core/error.h"
#include "job/joint/joint_summary.h"
#include "job/rehearse/simulate.h"
#include "job/result/released_as_is.h"
#include "job/result/summary.h"

double simulate_summary_total(const simulation *s, const char *path)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->n_parties; i++)
        if (s->endpoints[i].summary != NULL)
            sum += kith_document_number(s->endpoints[i].summary, path, 0);
    return sum;
}

double simulate_summary_maximum(const simulation *s, const char *path)
{
    double max = NAN;
    for (uint32_t i = 0; i < s->n_parties; i++)
        if (s->endpoints[i].summary != NULL)
            max = fmax(max, kith_document_number(s->endpoints[i].summary, path, NAN));
    return max;
}

/* Adds that maximum, or nothing. */
static void put_max(kith_document *d, document_node *to, const simulation *s, const char *key,
                    const char *path)
{
    const double max = simulate_summary_maximum(s, path);
    if (isfinite(max))
        document_put_number(d, to, key, max);
}

/* Adds an object that has every number of the parties' objects at the same path, each with its
 * maximum. Parties may have different numbers: a master, for example, calls other primitives. */
static void put_object(kith_document *d, document_node *to, const simulation *s, const char *key)
{
    document_node *made = NULL;
    char path[64];
    snprintf(path, sizeof path, "protocol.%s", key);
    for (uint32_t i = 0; i < s->n_parties; i++) {
        const kith_document *one = s->endpoints[i].summary;
        const size_t count = one == NULL ? 0 : kith_document_n_items(one, path);
        for (size_t k = 0; k < count; k++) {
            char full[200];
            const char *name = kith_document_key(one, path, k);
            if (name == NULL)
                continue;
            snprintf(full, sizeof full, "%s.%s", path, name);
            if (made == NULL)
                made = document_object(d, to, key);
            if (!kith_document_has(d, full)) /* no party before has it */
                put_max(d, made, s, name, full);
        }
    }
}

/* Messages and bytes are those of all parties together; other numbers are those of the party with
 * the most. */
static void put_protocol(kith_document *d, document_node *root, const simulation *s)
{
    static const char *const objects[] = {"calls", "paper_calls", "paper_calls_strict", "learned",
                                          "facts"};
    document_node *to = document_object(d, root, "protocol");
    document_put_text(d, to, "name", options_protocol_name(&s->site_study->joint));
    document_put_count(d, to, "sites", s->split.n_sites);
    document_put_count(d, to, "parties", s->n_parties);
    document_put_text(d, to, "partition", options_partition_name(s->site_study->joint.partition));
    document_put_text(d, to, "transport", s->options->executable != NULL ? "tls" : "in-process");
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        put_object(d, to, s, objects[i]);
    put_max(d, to, s, "rounds", "protocol.rounds");
    document_put_count(d, to, "messages", (uint64_t)simulate_summary_total(s, "protocol.messages"));
    document_put_count(d, to, "bytes", (uint64_t)simulate_summary_total(s, "protocol.bytes"));
}

/* One object for each party, those without data included. */
static void put_sites(kith_document *d, document_node *root, const simulation *s)
{
    document_node *list = document_array(d, root, "sites");
    for (uint32_t i = 0; i < s->n_parties; i++) {
        const simulate_endpoint *endpoint = &s->endpoints[i];
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "name", s->parties[i].name);
        document_put_count(d, one, "records", endpoint->n_rows);
        if (s->split.n_column_parts > 1 && s->parties[i].holds) {
            document_node *columns = document_array(d, one, "columns");
            for (uint32_t j = 0; j < s->study->n_columns; j++)
                if (s->split.part_of_column[j] == i % s->split.n_column_parts)
                    document_put_text(d, columns, NULL, s->study->columns[j].name);
        }
        if (endpoint->summary == NULL)
            continue;
        document_copy(d, one, "seconds", endpoint->summary, "seconds.total");
        document_copy(d, one, "messages", endpoint->summary, "protocol.messages");
        document_copy(d, one, "bytes", endpoint->summary, "protocol.bytes");
        if (endpoint->peak_rss_bytes > 0)
            document_put_count(d, one, "peak_rss_bytes", endpoint->peak_rss_bytes);
    }
}

/* A release that is only compared with the joint one: it may break models, and "holds" says so. */
static void put_together(kith_document *d, document_node *to, const simulation *s,
                         const assessment *t)
{
    summary_put_classes(d, to, &t->verified);
    summary_put_loss(d, to, &t->loss);
    document_put_number(d, to, "objective", assess_objective(&s->prepared, &t->loss));
    summary_put_models(d, to, s->study, &t->verified);
    document_put_flag(d, to, "holds", t->verified.holds);
}

static void put_baseline(kith_document *d, document_node *root, const simulation *s,
                         const simulate_baseline *b)
{
    if (b == NULL)
        return;
    document_node *to = document_object(d, root, "baseline");
    put_together(d, to, s, &b->integrated);
    document_put_count(d, to, "failed_sites", b->failed);
    if (b->by_columns)
        put_together(d, document_object(d, to, "side_by_side"), s, &b->side_by_side);
}

kith_status simulate_summary_meta(kith_document **meta, const simulation *s,
                                  const simulate_result *r, kith_error *error)
{
    const assessment *a = &r->publication.assessment;
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    summary_put_meta_heading(d, root, s->study);
    summary_put_overlap(d, root, s->site_study);
    summary_put_counts(d, root, s->site_study->algorithm, &s->prepared, &a->verified);
    summary_put_privacy(d, root, s->study, &a->verified, &s->site_study->joint, r->site_worst);
    summary_put_released_loss(d, root, &a->loss);
    return document_finish(meta, d, error);
}

kith_status simulate_summary(kith_document **summary, const simulation *s, const simulate_result *r,
                             const simulate_baseline *baseline, const simulate_times *seconds,
                             kith_error *error)
{
    const assessment *a = &r->publication.assessment;
    uint64_t peak = summary_peak_rss_bytes(); /* of the largest process: this one or a party's */
    for (uint32_t i = 0; i < s->n_parties; i++)
        peak = s->endpoints[i].peak_rss_bytes > peak ? s->endpoints[i].peak_rss_bytes : peak;
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    summary_put_heading(d, root, "simulate", s->study);
    summary_put_overlap(d, root, s->site_study);
    summary_put_seed(d, root, s->context.run);
    summary_put_counts(d, root, s->site_study->algorithm, &s->prepared, &a->verified);
    joint_summary_put_left_out(d, root, s->site_study);
    summary_put_loss(d, root, &a->loss);
    document_put_text(d, root, "measure", measure_at(s->study->measure)->name);
    document_put_number(d, root, "objective", assess_objective(&s->prepared, &a->loss));
    summary_put_attribute_loss(d, root, &s->prepared, &a->loss);
    summary_put_privacy(d, root, s->study, &a->verified, &s->site_study->joint, r->site_worst);
    risk_put(d, root, &a->risks);
    document_node *warnings = document_array(d, root, "warnings");
    released_as_is_warn(d, warnings, s->findings);
    /* What a party warns of, all do. */
    for (size_t i = 0; i < kith_document_n_items(s->endpoints[0].summary, "warnings"); i++) {
        char path[32];
        snprintf(path, sizeof path, "warnings.%zu", i);
        document_put_text(d, warnings, NULL, kith_document_text(s->endpoints[0].summary, path, ""));
    }
    document_put_count(d, root, "dropped", s->prepared.dropped);
    document_put_count(d, root, "empty", s->prepared.empty + s->table->n_empty);
    put_max(d, root, s, "passes", "passes");
    summary_phase phases[5] = {
        {"load", seconds->load}, {"run", seconds->run}, {"verify", seconds->verify}};
    size_t n_phases = 3;
    if (baseline != NULL)
        phases[n_phases++] = (summary_phase){"baseline", seconds->baseline};
    phases[n_phases++] = (summary_phase){"total", seconds->total};
    summary_put_seconds(d, root, phases, n_phases);
    document_put_count(d, root, "peak_rss_bytes", peak);
    put_protocol(d, root, s);
    put_sites(d, root, s);
    put_baseline(d, root, s, baseline);
    const kith_status status =
        s->protocol->put_phases == NULL ? KITH_OK : s->protocol->put_phases(d, root, s, error);
    return status == KITH_OK ? document_finish(summary, d, error)
                             : document_hand_over(summary, d, status);
}
