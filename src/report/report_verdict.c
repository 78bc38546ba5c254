/* The first screen: are the study's promises kept, what was kept, what risk is left? Everything
 * here can be computed from the release. */
#include <stdio.h>
#include <math.h>
#include <string.h>

#include "report/report_internal.h"

static bool model_holds(const kith_document *d, size_t i)
{
    char path[40];
    snprintf(path, sizeof path, "models.%zu.holds", i);
    return kith_document_flag(d, path, false);
}

/* Do the models count persons who may have several records? A release does not show them, so that
 * figures about them are for those who have the data. */
static bool counts_persons(const kith_document *d)
{
    return kith_document_has(d, "persons");
}

/* Who found that a model holds. */
static const char *model_witness(const kith_document *d, size_t i)
{
    const char *by = report_list_text(d, "models", i, "by");
    const bool of_sites =
        strcmp(report_list_text(d, "models", i, "model"), "m-privacy") == 0 ||
        strcmp(report_list_text(d, "models", i, "model"), "l-site-diversity") == 0;
    if (strcmp(by, "protocol") == 0)
        return of_sites ? "kept by the protocol; a release does not show sites"
                        : "kept by the protocol; a release does not show persons";
    if (strcmp(by, "rows") == 0)
        return "counted in the rows that each site published";
    return counts_persons(d)
               ? "counted in release and data, by code that shares nothing with the "
                 "search"
               : "counted in the release, by code that shares nothing with the search";
}

static void put_model(const report *r, size_t i)
{
    char path[40], *title = NULL, *promise = NULL;
    const bool holds = model_holds(r->summary, i);
    snprintf(path, sizeof path, "models.%zu", i);
    if (kith_model_words(&title, &promise, r->summary, path, NULL) != KITH_OK) {
        html_fail(r->page);
        return;
    }
    char *figure = strrchr(promise, '(');
    if (counts_persons(r->summary) && !r->internal && figure != NULL && figure > promise)
        figure[-1] = '\0';
    html_markup(r->page, holds ? "<li class=\"yes\"><span class=\"mark\">holds</span> "
                               : "<li class=\"no\"><span class=\"mark\">broken</span> ");
    html_fill(r->page, "<strong>{}</strong>", title);
    if (promise[0] != '\0')
        html_fill(r->page, ": {}", promise);
    html_fill(r->page, "<br><small>{}</small></li>\n", model_witness(r->summary, i));
    kith_free(title);
    kith_free(promise);
}

/* Of sites that hold rows: may a person be at two of them? */
static void put_overlap(html *page, const kith_document *d)
{
    const char *overlap = kith_document_text(d, "overlap", "");
    if (strcmp(overlap, "unknown") == 0)
        html_markup(page, "<p>Whoever is at two sites counts twice: the study does not say whether "
                          "anybody is.</p>\n");
    else if (strcmp(overlap, "none") == 0)
        html_markup(page, "<p>It holds if nobody is at two sites, as the parties state.</p>\n");
    else if (strcmp(overlap, "matched") == 0)
        html_markup(page, "<p>Whoever is at several sites counts at one of them.</p>\n");
}

/* Whether the study asks for enough is not for a page to say. */
static void put_promises(const report *r)
{
    bool kept = true;
    for (size_t i = 0; i < kith_document_n_items(r->summary, "models"); i++)
        kept = kept && model_holds(r->summary, i);
    html_fill(r->page,
              "<article class=\"card {}\"><h2>Does the release keep the study's promises?</h2>"
              "<p class=\"figure\">{}</p><p>{}</p>\n",
              kept ? "yes" : "no", kept ? "Yes" : "No",
              kept ? "Every privacy model of the study holds in this release:"
                   : "Do not publish it: a privacy model of the study is broken.");
    html_markup(r->page, "<ul class=\"models\">\n");
    for (size_t i = 0; i < kith_document_n_items(r->summary, "models"); i++)
        put_model(r, i);
    html_markup(r->page, "</ul>\n");
    /* What stands behind a class. */
    if (counts_persons(r->summary) || kith_document_n_items(r->summary, "unit") > 0)
        html_markup(r->page, "<p>Models count persons, who may have several records.</p>\n");
    else if (kith_document_has(r->summary, "unit"))
        html_markup(r->page, "<p>The study says that each record is a person.</p>\n");
    else
        html_markup(r->page, "<p>Models count records: where several records belong together, as "
                             "those of one patient, fewer may stand behind a class.</p>\n");
    put_overlap(r->page, r->summary);
    /* Models promise nothing of these columns; what they show can be counted in the release. */
    for (size_t i = 0; i < kith_document_n_items(r->summary, "released_as_is"); i++) {
        const double share = report_list_number(r->summary, "released_as_is", i, "unique_share", 0);
        html_fill(
            r->page, "<p>{} is released as it is; its value is unique for {} of the records.</p>\n",
            report_list_text(r->summary, "released_as_is", i, "column"), report_percent(r, share));
    }
    /* For those who release the table; others are told in general terms, with the risk. */
    for (size_t i = 0; r->internal && i < kith_document_n_items(r->summary, "warnings"); i++)
        html_fill(r->page, "<p>Warning: {}.</p>\n",
                  kith_document_text(r->summary, report_format(r, "warnings.%.0f", (double)i), ""));
    html_markup(r->page, "</article>\n");
}

static void put_kept(const report *r)
{
    const double lm = kith_document_number(r->summary, "loss.lm", NAN);
    const double records = kith_document_number(r->summary, "records", NAN);
    const double suppressed = kith_document_number(r->summary, "suppressed", 0);
    if (isnan(lm))
        return;
    html_fill(r->page,
              "<article class=\"card\"><h2>What was kept?</h2><p class=\"figure\">{}</p>"
              "<p>of the detail in the quasi-identifiers: 100% is the data itself, 0% a table in "
              "which every such cell is hidden (1 − loss, measure lm).</p>"
              "<p>{} records are in the release.</p>\n",
              report_percent(r, 1 - lm), report_count(r, records));
    if (suppressed > 0)
        html_fill(
            r->page,
            "<p>{} of them ({}) are suppressed: all their quasi-identifiers are hidden.</p>\n",
            report_count(r, suppressed), report_percent(r, suppressed / records));
    html_markup(r->page, "</article>\n");
}

/* What a group tells of sensitive values, although no record of it can be told apart. */
static void put_certainty(const report *r)
{
    for (size_t i = 0; i < kith_document_n_items(r->summary, "certainty"); i++) {
        const double highest = report_list_number(r->summary, "certainty", i, "highest", NAN);
        if (!isnan(highest))
            html_fill(
                r->page,
                counts_persons(r->summary)
                    ? "<p>In the group that tells most, {} of the persons have the same {}, "
                      "or it is as certain of one.</p>\n"
                    : "<p>In the group that tells most, {} of the records have the same {}.</p>\n",
                report_percent(r, highest), report_list_text(r->summary, "certainty", i, "column"));
    }
}

/* The same by persons. */
static void put_risk_of_persons(const report *r)
{
    const double smallest = kith_document_number(r->summary, "smallest_class_persons", 0);
    html_markup(r->page, "<article class=\"card\"><h2>What risk is left?</h2>");
    if (r->internal) {
        html_fill(r->page,
                  "<p class=\"figure\">1 in {}</p><p>at most: anyone who knows all "
                  "quasi-identifiers of a person finds records of at least {} persons.</p>\n",
                  report_count(r, smallest), report_count(r, smallest));
        put_certainty(r);
    } else {
        html_markup(r->page, "<p>The models say it. A release does not show whose its records are, "
                             "and no figure about persons is given here.</p>\n");
    }
    html_markup(r->page, "<p>Whoever knows how many records a person has, or finds several of "
                         "them, may learn more.</p></article>\n");
}

static void put_risk(const report *r)
{
    const kith_document *d = r->summary;
    double smallest = kith_document_number(d, "smallest_class", NAN);
    const double classes = kith_document_number(d, "classes", NAN);
    const double average = kith_document_number(d, "risk.after.prosecutor_average", NAN);
    if (isnan(smallest) || smallest < 1)
        return;
    if (counts_persons(d)) {
        put_risk_of_persons(r);
        return;
    }
    html_fill(
        r->page,
        "<article class=\"card\"><h2>What risk is left?</h2><p class=\"figure\">1 in {}</p>"
        "<p>at most: anyone who knows all quasi-identifiers of a record finds at least {} records "
        "that could be it, and cannot tell them apart.</p>"
        "<p>The release has {} groups of such records.</p>\n",
        report_count(r, smallest), report_count(r, smallest), report_count(r, classes));
    if (average > 0)
        html_fill(r->page, "<p>On average over all records it is 1 in {}.</p>\n",
                  report_format(r, "%.1f", 1 / average));
    put_certainty(r);
    if (strcmp(kith_document_text(d, "order", ""), "data") == 0)
        html_markup(r->page,
                    "<p>This is what the cells tell; the order of the rows may tell more.</p>\n");
    html_markup(r->page, "</article>\n");
}

void report_verdict(const report *r)
{
    if (kith_document_n_items(r->summary, "models") == 0)
        return;
    html_markup(r->page, "<section class=\"cards\" id=\"verdict\" aria-label=\"Verdict\">\n");
    put_promises(r);
    put_kept(r);
    put_risk(r);
    report_section_end(r);
}

void report_kept(const report *r)
{
    const size_t count = kith_document_n_items(r->summary, "attribute_loss");
    if (count == 0)
        return;
    report_section(
        r, "kept", "What each column lost",
        "The share of a column's detail that was given up: 0% means that every value was "
        "released as it is, 100% that all of them are hidden.");
    const char *const headings[] = {"column", "lost"};
    report_chart(r, "bars", "Loss of each quasi-identifier", "share of detail lost", headings, 2);
    for (size_t i = 0; i < count; i++) {
        const char *name = kith_document_key(r->summary, "attribute_loss", i);
        const char *path = report_format(r, "attribute_loss.%s.lm", name);
        const double lost = kith_document_number(r->summary, path, NAN);
        report_chart_label(r, name);
        report_chart_value(r, report_percent(r, lost), lost);
        report_chart_row_end(r);
    }
    report_chart_end(r);
    report_section_end(r);
}
