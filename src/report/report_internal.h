/* The parts of a report. Each function adds a section of the page, or nothing where the run has
 * nothing to show for it. */
#ifndef REPORT_REPORT_INTERNAL_H
#define REPORT_REPORT_INTERNAL_H

#include <kith/report.h>

#include "report/html.h"
#include "table/table.h"

typedef struct report {
    arena *memory;
    html *page;
    bool internal;
    const kith_document *summary;
    const kith_document *measured;       /* internal only: of kith_measure; or NULL */
    const kith_document *const *ledgers; /* internal only: of kith_ledger_describe */
    size_t n_ledgers;
    const char *lattice;           /* internal only: file; or NULL */
    const kith_document *estimate; /* internal only: of kith_estimate; or NULL */
    const kith_table *release;     /* or NULL */
} report;

/* report_verdict.c: is it safe, what was kept, what risk is left? */
void report_verdict(const report *r);
/* The loss of each column. */
void report_kept(const report *r);
/* report_release.c: class sizes and columns as a reader of the release sees them. */
kith_status report_release(const report *r, kith_error *error);
/* report_measured.c: the release beside the data. */
void report_measured(const report *r);
/* report_associations.c: which columns go together, in the data and in the release. */
void report_associations(const report *r);
/* report_joint.c: what parties sent and learned. */
void report_joint(const report *r);
/* report_ways.c: protocols, settings and solutions that were compared. */
void report_ways(const report *r);
kith_status report_lattice(const report *r, kith_error *error);

/* report_words.c: figures as texts, which live as long as the arena. If memory runs out, a text is
 * empty and the page fails. */
const char *report_count(const report *r, double count);     /* 45,222 */
const char *report_percent(const report *r, double share);   /* 12.3% */
const char *report_number(const report *r, double number);   /* 0.1785 */
const char *report_bytes(const report *r, double bytes);     /* 1.2 MB */
const char *report_seconds(const report *r, double seconds); /* 2 min 5 s */
const char *report_format(const report *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Members of the index-th object of a list in a document. */
double report_list_number(const kith_document *d, const char *list, size_t index, const char *key,
                          double fallback);
const char *report_list_text(const kith_document *d, const char *list, size_t index,
                             const char *key);

/* A section with its heading; `id` is for links. */
void report_section(const report *r, const char *id, const char *title, const char *lead);
void report_section_end(const report *r);

/* A table of figures that the page's script also draws as a chart of this kind: "bars", "columns",
 * "pairs", "dots". Without scripts the table is all there is, so it has every figure. The caption
 * is also the chart's text for those who cannot see it. */
void report_chart(const report *r, const char *kind, const char *caption, const char *axis,
                  const char *const *headings, size_t n_headings);
/* A row: its label, then pairs of the text to show and the number to draw. */
void report_chart_label(const report *r, const char *label);
void report_chart_value(const report *r, const char *shown, double number);
void report_chart_row_end(const report *r);
void report_chart_end(const report *r);

#endif
