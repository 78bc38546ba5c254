/* What each quasi-identifier lost. */
#include <math.h>

#include "report/report_internal.h"

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
