/* A joint run: what each party sent, to whom, in which step, and what it learned. Internal: traffic
 * and answers depend on the data. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/report_internal.h"

enum { MAX_STEPS = 64 };

typedef struct step {
    const char *name;
    double bytes, messages, rounds;
} step;

static double traffic_number(const kith_document *ledger, size_t i, const char *key)
{
    return report_list_number(ledger, "traffic", i, key, 0);
}

static step *find_step(step *steps, size_t *n_steps, const char *name)
{
    for (size_t i = 0; i < *n_steps; i++)
        if (strcmp(steps[i].name, name) == 0)
            return &steps[i];
    if (*n_steps == MAX_STEPS)
        return NULL;
    steps[*n_steps] = (step){.name = name};
    return &steps[(*n_steps)++];
}

/* Steps in their order, what all parties sent added up; rounds are the most of any party. */
static size_t add_steps(step *steps, const report *r)
{
    size_t n_steps = 0;
    for (size_t l = 0; l < r->n_ledgers; l++) {
        const kith_document *d = r->ledgers[l];
        for (size_t i = 0; i < kith_document_n_items(d, "steps"); i++) {
            step *at = find_step(steps, &n_steps, report_list_text(d, "steps", i, "step"));
            const double rounds = report_list_number(d, "steps", i, "rounds", 0);
            if (at != NULL && rounds > at->rounds)
                at->rounds = rounds;
        }
        for (size_t i = 0; i < kith_document_n_items(d, "traffic"); i++) {
            step *at = find_step(steps, &n_steps, report_list_text(d, "traffic", i, "step"));
            if (at == NULL)
                continue;
            at->bytes += traffic_number(d, i, "sent.bytes");
            at->messages += traffic_number(d, i, "sent.messages");
        }
    }
    return n_steps;
}

static void put_steps(const report *r)
{
    step steps[MAX_STEPS] = {0};
    const size_t n_steps = add_steps(steps, r);
    const char *const headings[] = {"step", "sent", "messages", "rounds"};
    report_chart(r, "bars",
                 r->n_ledgers > 1 ? "What all parties sent, by step"
                                  : "What this party sent, by step",
                 "bytes", headings, 4);
    for (size_t i = 0; i < n_steps; i++) {
        report_chart_label(r, steps[i].name);
        report_chart_value(r, report_bytes(r, steps[i].bytes), steps[i].bytes);
        html_fill(r->page, "<td>{}</td><td>{}</td>", report_count(r, steps[i].messages),
                  report_count(r, steps[i].rounds));
        report_chart_row_end(r);
    }
    report_chart_end(r);
}

static void put_peers(const report *r)
{
    const char *const headings[] = {"from and to", "sent", "messages"};
    report_chart(r, "bars", "Who sent how much to whom", "bytes", headings, 3);
    for (size_t l = 0; l < r->n_ledgers; l++) {
        const kith_document *d = r->ledgers[l];
        const char *from = kith_document_text(d, "party", "");
        for (size_t p = 0; p < kith_document_n_items(d, "parties"); p++) {
            char path[40];
            snprintf(path, sizeof path, "parties.%zu", p);
            const char *to = kith_document_text(d, path, "");
            double bytes = 0, messages = 0;
            for (size_t i = 0; i < kith_document_n_items(d, "traffic"); i++)
                if (strcmp(report_list_text(d, "traffic", i, "peer"), to) == 0) {
                    bytes += traffic_number(d, i, "sent.bytes");
                    messages += traffic_number(d, i, "sent.messages");
                }
            if (messages == 0)
                continue;
            report_chart_label(r, report_format(r, "%s → %s", from, to));
            report_chart_value(r, report_bytes(r, bytes), bytes);
            html_fill(r->page, "<td>{}</td>", report_count(r, messages));
            report_chart_row_end(r);
        }
    }
    report_chart_end(r);
}

static void put_learned(const report *r, const kith_document *d)
{
    html_fill(r->page,
              "<h3>What {} learned</h3><div class=\"wide\" tabindex=\"0\" role=\"region\" "
              "aria-label=\"What {} learned\"><table><thead><tr><th scope=\"col\">learned</th>"
              "<th scope=\"col\">values</th><th scope=\"col\">in step</th>"
              "<th scope=\"col\">announced by the dry run as</th></tr></thead><tbody>\n",
              kith_document_text(d, "party", ""), kith_document_text(d, "party", ""));
    for (size_t i = 0; i < kith_document_n_items(d, "learned"); i++) {
        const char *says = report_list_text(d, "learned", i, "says");
        const char *means = report_list_text(d, "learned", i, "means");
        html_fill(
            r->page,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>\n",
            says[0] != '\0' ? says : report_list_text(d, "learned", i, "what"),
            report_count(r, report_list_number(d, "learned", i, "count", 0)),
            report_list_text(d, "learned", i, "step"), means[0] != '\0' ? means : "–");
    }
    html_markup(r->page, "</tbody></table></div>\n");
}

/* What was estimated before the run beside what it took. A figure that one of them lacks is left
 * out. */
static void put_estimate(const report *r)
{
    if (r->estimate == NULL)
        return;
    const kith_document *before = r->estimate, *after = r->summary;
    double busiest_bytes = 0;
    for (size_t i = 0; i < kith_document_n_items(after, "sites"); i++)
        busiest_bytes = fmax(busiest_bytes, report_list_number(after, "sites", i, "bytes", 0));
    const struct {
        const char *name;
        double estimate, actual;
        const char *(*words)(const report *, double);
    } rows[] = {
        {"rounds", kith_document_number(before, "rounds", 0),
         kith_document_number(after, "protocol.rounds", 0), report_count},
        {"messages", kith_document_number(before, "messages", 0),
         kith_document_number(after, "protocol.messages", 0), report_count},
        {"bytes of all parties", kith_document_number(before, "bytes", 0),
         kith_document_number(after, "protocol.bytes", 0), report_bytes},
        {"bytes of the busiest party", kith_document_number(before, "busiest_bytes", 0),
         busiest_bytes, report_bytes},
        {"time of the run", kith_document_number(before, "compute_seconds", 0),
         kith_document_number(after, "seconds.run", 0), report_seconds},
    };
    html_markup(r->page, "<h3>Estimate and actual</h3><table><thead><tr><th scope=\"col\"></th>"
                         "<th scope=\"col\">estimate</th><th scope=\"col\">actual</th>"
                         "<th scope=\"col\">actual / estimate</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].estimate > 0 && rows[i].actual > 0)
            html_fill(r->page,
                      "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td>"
                      "<td class=\"n\">{}</td></tr>\n",
                      rows[i].name, rows[i].words(r, rows[i].estimate),
                      rows[i].words(r, rows[i].actual),
                      report_number(r, rows[i].actual / rows[i].estimate));
    html_markup(r->page, "</tbody></table>\n");
}

/* Phases of the encrypted view, whose costs are known beforehand. */
static void put_phases(const report *r)
{
    const size_t count = kith_document_n_items(r->summary, "phases");
    if (count == 0)
        return;
    const char *const headings[] = {"phase", "estimate (s)", "actual (s)"};
    report_chart(r, "pairs", "Time of each phase: estimate and actual", "seconds", headings, 3);
    for (size_t i = 0; i < count; i++) {
        const double estimate = report_list_number(r->summary, "phases", i, "estimate.seconds", 0);
        const double actual = report_list_number(r->summary, "phases", i, "actual.seconds", 0);
        report_chart_label(r, report_list_text(r->summary, "phases", i, "phase"));
        report_chart_value(r, report_number(r, estimate), estimate);
        report_chart_value(r, report_number(r, actual), actual);
        report_chart_row_end(r);
    }
    report_chart_end(r);
}

void report_joint(const report *r)
{
    if (!r->internal || !kith_document_has(r->summary, "protocol.name"))
        return;
    const kith_document *d = r->summary;
    report_section(
        r, "joint", "The joint run",
        report_format(r, "Protocol %s with %s sites: %s rounds, %s messages, %s sent in %s.",
                      kith_document_text(d, "protocol.name", ""),
                      report_count(r, kith_document_number(d, "protocol.sites", 0)),
                      report_count(r, kith_document_number(d, "protocol.rounds", 0)),
                      report_count(r, kith_document_number(d, "protocol.messages", 0)),
                      report_bytes(r, kith_document_number(d, "protocol.bytes", 0)),
                      report_seconds(r, kith_document_number(d, "seconds.total", 0))));
    if (r->n_ledgers > 0) {
        put_steps(r);
        put_peers(r);
    }
    put_estimate(r);
    put_phases(r);
    for (size_t i = 0; i < r->n_ledgers; i++)
        put_learned(r, r->ledgers[i]);
    report_section_end(r);
}
