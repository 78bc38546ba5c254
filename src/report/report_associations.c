/* Which columns go together: two heat maps, or a list where there are too many columns for them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_internal.h"

enum { MAX_NAMES = 24, MAX_LISTED = 30, SHADES = 10 };

typedef struct pair {
    const char *one, *other;
    double before, after;
} pair;

typedef struct pairs {
    pair *all;
    size_t count;
    const char **names;
    size_t n_names;
} pairs;

static void note_name(pairs *p, const char *name)
{
    for (size_t i = 0; i < p->n_names; i++)
        if (strcmp(p->names[i], name) == 0)
            return;
    p->names[p->n_names++] = name;
}

static bool read_pairs(pairs *p, const report *r)
{
    const kith_document *d = r->measured;
    p->count = kith_document_n_items(d, "associations.list");
    p->all = arena_array(r->memory, p->count + 1, sizeof *p->all);
    p->names = arena_array(r->memory, 2 * p->count + 1, sizeof *p->names);
    if (p->all == NULL || p->names == NULL) {
        html_fail(r->page);
        return false;
    }
    for (size_t i = 0; i < p->count; i++) {
        p->all[i] = (pair){report_list_text(d, "associations.list", i, "one"),
                           report_list_text(d, "associations.list", i, "other"),
                           report_list_number(d, "associations.list", i, "before", 0),
                           report_list_number(d, "associations.list", i, "after", 0)};
        note_name(p, p->all[i].one);
        note_name(p, p->all[i].other);
    }
    return p->count > 0;
}

/* The pair's association, -1 if the two are not paired. */
static double find_pair(const pairs *p, const char *one, const char *other, bool after)
{
    for (size_t i = 0; i < p->count; i++) {
        const pair *at = &p->all[i];
        if ((strcmp(at->one, one) == 0 && strcmp(at->other, other) == 0) ||
            (strcmp(at->one, other) == 0 && strcmp(at->other, one) == 0))
            return after ? at->after : at->before;
    }
    return -1;
}

static void put_map(const report *r, const pairs *p, bool after)
{
    html_fill(r->page,
              "<figure class=\"map\"><figcaption>{}</figcaption><div class=\"wide\" tabindex=\"0\" "
              "role=\"region\" aria-label=\"{}\"><table><thead><tr><td></td>",
              after ? "in the release" : "in the data",
              after ? "Associations in the release" : "Associations in the data");
    for (size_t i = 0; i < p->n_names; i++)
        html_fill(r->page, "<th scope=\"col\">{}</th>", p->names[i]);
    html_markup(r->page, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < p->n_names; i++) {
        html_fill(r->page, "<tr><th scope=\"row\">{}</th>", p->names[i]);
        for (size_t k = 0; k < p->n_names; k++) {
            const double v = i == k ? -1 : find_pair(p, p->names[i], p->names[k], after);
            if (v < 0)
                html_markup(r->page, "<td></td>");
            else
                html_fill(r->page, "<td class=\"h{}\">{}</td>",
                          report_format(r, "%d", (int)fmin(SHADES, floor(v * SHADES + 0.5))),
                          report_format(r, "%.2f", v));
        }
        html_markup(r->page, "</tr>\n");
    }
    html_markup(r->page, "</tbody></table></div></figure>\n");
}

static int larger_change(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    const double p = fabs(x->before - x->after), q = fabs(y->before - y->after);
    return (p < q) - (p > q);
}

void report_associations(const report *r)
{
    pairs p = {0};
    if (!read_pairs(&p, r))
        return;
    report_section(r, "associations", "Which columns still go together",
                   "Cramér's V of each pair of columns: 0 means that one says nothing about the "
                   "other, 1 that it determines it.");
    if (p.n_names > MAX_NAMES) {
        const char *const headings[] = {"columns", "data", "release"};
        qsort(p.all, p.count, sizeof *p.all, larger_change);
        report_chart(r, "pairs", "The pairs whose association changed most", "Cramér's V", headings,
                     3);
        for (size_t i = 0; i < p.count && i < MAX_LISTED; i++) {
            report_chart_label(r, report_format(r, "%s, %s", p.all[i].one, p.all[i].other));
            report_chart_value(r, report_format(r, "%.2f", p.all[i].before), p.all[i].before);
            report_chart_value(r, report_format(r, "%.2f", p.all[i].after), p.all[i].after);
            report_chart_row_end(r);
        }
        report_chart_end(r);
    } else {
        html_markup(r->page, "<div class=\"maps\">\n");
        put_map(r, &p, false);
        put_map(r, &p, true);
        html_markup(r->page, "</div>\n");
    }
    report_section_end(r);
}
