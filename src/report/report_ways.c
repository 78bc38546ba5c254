/* Things that were compared: protocols (kith compare), settings (kith try), solutions of a lattice.
 * Internal: what another release would have lost says something about the data. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_internal.h"

static void put_ways_chart(const report *r, const char *caption, const char *axis, const char *key,
                           const char *(*words)(const report *, double))
{
    const kith_document *d = r->summary;
    const char *const headings[] = {"way", axis};
    report_chart(r, "bars", caption, axis, headings, 2);
    for (size_t i = 0; i < kith_document_n_items(d, "ways"); i++) {
        const double value = report_list_number(d, "ways", i, key, NAN);
        if (isnan(value))
            continue;
        report_chart_label(r, report_list_text(d, "ways", i, "way"));
        report_chart_value(r, words(r, value), value);
        report_chart_row_end(r);
    }
    report_chart_end(r);
}

static void put_disclosed(const report *r, size_t way)
{
    char list[40];
    snprintf(list, sizeof list, "ways.%zu.discloses", way);
    const size_t count = kith_document_n_items(r->summary, list);
    const char *refused = report_list_text(r->summary, "ways", way, "refused");
    if (count == 0 && refused[0] == '\0')
        return;
    html_fill(r->page, "<h3>{}</h3>\n", report_list_text(r->summary, "ways", way, "way"));
    if (refused[0] != '\0')
        html_fill(r->page, "<p>Not run: {}</p>\n", refused);
    if (count == 0)
        return;
    html_markup(r->page, "<p>It tells</p><ul>\n");
    for (size_t i = 0; i < count; i++)
        html_fill(r->page, "<li><strong>{}</strong>: {}</li>\n",
                  report_list_text(r->summary, list, i, "to"),
                  report_list_text(r->summary, list, i, "what"));
    html_markup(r->page, "</ul>\n");
}

/* "k = 5, algorithm = weave" of one row of kith try. */
static const char *row_settings(const report *r, size_t row)
{
    const char *text = "";
    for (size_t k = 0; k < kith_document_n_items(r->summary, "keys"); k++) {
        char key[40], value[64];
        snprintf(key, sizeof key, "keys.%zu", k);
        snprintf(value, sizeof value, "rows.%zu.values.%zu", row, k);
        text = report_format(r, "%s%s%s = %s", text, k == 0 ? "" : ", ",
                             kith_document_text(r->summary, key, ""),
                             kith_document_text(r->summary, value, ""));
    }
    return text[0] == '\0' ? report_list_text(r->summary, "rows", row, "study") : text;
}

static void put_tried(const report *r)
{
    const kith_document *d = r->summary;
    const char *const headings[] = {"settings", "highest risk", "loss", "groups", "suppressed"};
    report_section(r, "tried", "The settings side by side",
                   "Each point is one release: the further left, the smaller its risk; the further "
                   "down, the less it lost.");
    report_chart(r, "dots", "Loss against risk", "loss", headings, 5);
    for (size_t i = 0; i < kith_document_n_items(d, "rows"); i++) {
        const double risk = report_list_number(d, "rows", i, "risk_highest", NAN);
        const double loss = report_list_number(d, "rows", i, "loss", NAN);
        report_chart_label(r, row_settings(r, i));
        if (isnan(loss)) {
            html_fill(r->page, "<td>{}</td><td></td><td></td><td></td>",
                      report_list_text(d, "rows", i, "reason"));
        } else {
            report_chart_value(r, report_percent(r, risk), risk);
            report_chart_value(r, report_number(r, loss), loss);
            html_fill(r->page, "<td>{}</td><td>{}</td>",
                      report_count(r, report_list_number(d, "rows", i, "classes", 0)),
                      report_count(r, report_list_number(d, "rows", i, "suppressed", 0)));
        }
        report_chart_row_end(r);
    }
    report_chart_end(r);
    report_section_end(r);
}

void report_ways(const report *r)
{
    if (!r->internal)
        return;
    if (kith_document_n_items(r->summary, "ways") > 0) {
        report_section(r, "ways", "The protocols side by side",
                       "Each protocol on the same data, beside a search in one place and what each "
                       "site could do alone.");
        html_markup(r->page, "<div class=\"multiples\">\n");
        put_ways_chart(r, "Loss", "loss", "objective", report_number);
        put_ways_chart(r, "Bytes that all parties sent", "bytes", "bytes", report_bytes);
        put_ways_chart(r, "Time on this machine", "seconds", "seconds", report_seconds);
        put_ways_chart(r, "Rounds", "rounds", "rounds", report_count);
        html_markup(r->page, "</div>\n");
        for (size_t i = 0; i < kith_document_n_items(r->summary, "ways"); i++)
            put_disclosed(r, i);
        report_section_end(r);
    }
    if (kith_document_n_items(r->summary, "rows") > 0)
        put_tried(r);
}

enum { MAX_SOLUTIONS = 400 };

typedef struct solution {
    const char *levels; /* between tabs */
    double loss;
    double smallest; /* records of its smallest class */
} solution;

/* The number in the last field of a line, which is cut off. NaN if there is none. */
static double take_number(char *line)
{
    char *tab = strrchr(line, '\t'), *end;
    if (tab == NULL)
        return NAN;
    *tab = '\0';
    const double number = strtod(tab + 1, &end);
    return end == tab + 1 || *end != '\0' ? NAN : number;
}

/* One line of the file: levels, then satisfied, known, loss, smallest_class. False if the solution
 * has no loss, because it was not checked or does not satisfy the models. */
static bool read_solution(char *line, solution *to)
{
    line[strcspn(line, "\r\n")] = '\0';
    to->smallest = take_number(line);
    to->loss = take_number(line);
    for (int field = 0; field < 2; field++) {
        char *tab = strrchr(line, '\t');
        if (tab == NULL)
            return false;
        *tab = '\0';
    }
    to->levels = line;
    return isfinite(to->loss) && to->smallest >= 1;
}

kith_status report_lattice(const report *r, kith_error *error)
{
    if (!r->internal || r->lattice == NULL)
        return KITH_OK;
    FILE *in = fopen(r->lattice, "r");
    if (in == NULL)
        return error_errno(error, errno, "read", r->lattice);
    char *line = NULL;
    size_t room = 0, n_shown = 0;
    const char *const headings[] = {"levels", "highest risk", "loss", "smallest group"};
    report_section(
        r, "lattice", "The solutions that were searched",
        "Every solution that keeps the models and whose loss is known. The further left, "
        "the smaller its risk; the further down, the less it lost.");
    report_chart(r, "dots", "Loss against risk", "loss", headings, 4);
    for (bool first = true; getline(&line, &room, in) >= 0 && n_shown < MAX_SOLUTIONS;
         first = false) {
        solution one;
        if (first || !read_solution(line, &one))
            continue;
        n_shown++;
        report_chart_label(r, one.levels);
        report_chart_value(r, report_percent(r, 1 / one.smallest), 1 / one.smallest);
        report_chart_value(r, report_number(r, one.loss), one.loss);
        html_fill(r->page, "<td>{}</td>", report_count(r, one.smallest));
        report_chart_row_end(r);
    }
    free(line);
    fclose(in);
    report_chart_end(r);
    report_section_end(r);
    return KITH_OK;
}
