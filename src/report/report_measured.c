/* The release beside the data: risk, distributions, numbers, queries, predictions. */
#include <stdio.h>
#include <math.h>

#include "report/report_internal.h"

static void put_pair(const report *r, const char *label, double before, double after, bool share)
{
    if (isnan(before) || isnan(after))
        return;
    report_chart_label(r, label);
    report_chart_value(r, share ? report_percent(r, before) : report_number(r, before), before);
    report_chart_value(r, share ? report_percent(r, after) : report_number(r, after), after);
    report_chart_row_end(r);
}

/* Both the summary of a run and a measurement have it. */
static void put_risk(const report *r, const kith_document *d)
{
    static const struct {
        const char *key, *label;
    } rows[] = {
        {"prosecutor_highest", "highest risk of a record to be found"},
        {"prosecutor_average", "average risk"},
        {"share_at_risk", "records with a risk above 20%"},
        {"uniqueness", "records that nobody else is like"},
        {"journalist_highest", "highest risk, if the attacker does not know who is in the data"},
    };
    const char *const headings[] = {"", "data", "release"};
    report_section(r, "risk", "Risk before and after",
                   "How likely somebody who knows all quasi-identifiers of a record picks the "
                   "right one.");
    report_chart(r, "pairs", "Risk of being found, in the data and in the release", "share",
                 headings, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char before[64], after[64];
        snprintf(before, sizeof before, "risk.before.%s", rows[i].key);
        snprintf(after, sizeof after, "risk.after.%s", rows[i].key);
        put_pair(r, rows[i].label, kith_document_number(d, before, NAN),
                 kith_document_number(d, after, NAN), true);
    }
    report_chart_end(r);
    report_section_end(r);
}

/* One column of the measurement's distributions. */
static void put_distribution(const report *r, size_t i)
{
    const char *const headings[] = {"value", "data", "release"};
    char list[64];
    snprintf(list, sizeof list, "distributions.%zu.values", i);
    report_chart(r, "pairs", report_list_text(r->measured, "distributions", i, "column"),
                 "share of records", headings, 3);
    for (size_t k = 0; k < kith_document_n_items(r->measured, list); k++)
        put_pair(r, report_list_text(r->measured, list, k, "value"),
                 report_list_number(r->measured, list, k, "before", NAN),
                 report_list_number(r->measured, list, k, "after", NAN), true);
    report_chart_end(r);
}

static void put_distributions(const report *r)
{
    const size_t count = kith_document_n_items(r->measured, "distributions");
    if (count == 0)
        return;
    report_section(r, "distributions", "Columns before and after",
                   "How the values of each quasi-identifier are distributed in the data, and as "
                   "somebody would estimate it from the release, where a coarse cell stands for "
                   "all its values alike.");
    html_markup(r->page, "<div class=\"multiples\">\n");
    for (size_t i = 0; i < count; i++)
        put_distribution(r, i);
    html_markup(r->page, "</div>\n");
    report_section_end(r);
}

static void put_statistics(const report *r)
{
    static const char *const keys[] = {"mean", "standard_deviation", "q05", "q25", "median", "q75",
                                       "q95"};
    const size_t count = kith_document_n_items(r->measured, "statistics");
    if (count == 0)
        return;
    report_section(r, "numbers", "Numbers before and after",
                   "A released interval counts as its middle. Cells that are hidden or missing do "
                   "not count: where few records do, the others may be quite different.");
    html_markup(
        r->page,
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Numbers before "
        "and after\"><table><thead><tr><th scope=\"col\">column</th>"
        "<th scope=\"col\">in the</th><th scope=\"col\">records that count</th>"
        "<th scope=\"col\">mean</th>"
        "<th scope=\"col\">deviation</th><th scope=\"col\">5%</th><th scope=\"col\">25%</th>"
        "<th scope=\"col\">median</th><th scope=\"col\">75%</th><th scope=\"col\">95%</th>"
        "</tr></thead><tbody>\n");
    for (size_t i = 0; i < 2 * count; i++) {
        const bool after = i % 2 == 1;
        html_fill(
            r->page, "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td>",
            report_list_text(r->measured, "statistics", i / 2, "column"),
            after ? "release" : "data",
            report_count(r, report_list_number(r->measured, "statistics", i / 2,
                                               after ? "after.records" : "before.records", 0)));
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            char key[48];
            snprintf(key, sizeof key, "%s.%s", after ? "after" : "before", keys[k]);
            html_fill(
                r->page, "<td>{}</td>",
                report_number(r, report_list_number(r->measured, "statistics", i / 2, key, NAN)));
        }
        html_markup(r->page, "</tr>\n");
    }
    html_markup(r->page, "</tbody></table></div>\n");
    report_section_end(r);
}

static void put_queries(const report *r)
{
    const double count = kith_document_number(r->measured, "queries.count", 0);
    if (count <= 0)
        return;
    report_section(r, "queries", "Errors of counting",
                   "How far counts from the release are from those of the data, for random "
                   "conditions on two quasi-identifiers.");
    const char *const headings[] = {"", "relative error"};
    report_chart(r, "bars",
                 report_format(r, "Error of %s random counting queries", report_count(r, count)),
                 "relative error", headings, 2);
    static const char *const rows[][2] = {{"error_median", "half of them: at most"},
                                          {"error_mean", "on average"},
                                          {"error_p95", "19 of 20: at most"}};
    for (size_t i = 0; i < 3; i++) {
        char path[40];
        snprintf(path, sizeof path, "queries.%s", rows[i][0]);
        const double value = kith_document_number(r->measured, path, NAN);
        report_chart_label(r, rows[i][1]);
        report_chart_value(r, report_percent(r, value), value);
        report_chart_row_end(r);
    }
    report_chart_end(r);
    report_section_end(r);
}

/* What a group tells about sensitive values. */
static void put_disclosure(const report *r)
{
    const size_t count = kith_document_n_items(r->measured, "disclosure");
    if (count == 0)
        return;
    const char *const headings[] = {"column", "data", "release"};
    report_section(r, "disclosure", "Learning without finding",
                   "How well a sensitive value can be guessed from the quasi-identifiers: the "
                   "share of the most frequent value in a group, in the group that tells most and "
                   "on average over all records.");
    report_chart(r, "pairs", "Share of the most frequent sensitive value in a group", "share",
                 headings, 3);
    for (size_t i = 0; i < 2 * count; i++) {
        const bool highest = i % 2 == 0;
        const char *name = report_list_text(r->measured, "disclosure", i / 2, "column");
        put_pair(r, report_format(r, highest ? "%s, highest" : "%s, on average", name),
                 report_list_number(r->measured, "disclosure", i / 2,
                                    highest ? "before.highest" : "before.mean", NAN),
                 report_list_number(r->measured, "disclosure", i / 2,
                                    highest ? "after.highest" : "after.mean", NAN),
                 true);
    }
    report_chart_end(r);
    report_section_end(r);
}

void report_measured(const report *r)
{
    if (!r->internal)
        return;
    const kith_document *d = r->measured != NULL ? r->measured : r->summary;
    if (kith_document_has(d, "risk.before"))
        put_risk(r, d);
    if (r->measured == NULL)
        return;
    put_disclosure(r);
    put_distributions(r);
    put_statistics(r);
    report_associations(r);
    put_queries(r);
}
