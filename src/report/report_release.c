/* The release as its readers see it: sizes of classes, and the values of each column. */
#include <stdio.h>
#include <stdlib.h>

#include "core/sort.h"
#include "report/report_internal.h"
#include "table/rows/row_groups.h"

enum { MAX_BARS = 12, N_SIZES = 12 };

static const char *bin_label(const report *r, const uint32_t *starts, size_t bin, size_t n_bins)
{
    if (bin + 1 == n_bins)
        return report_format(r, "%u or more", starts[bin]);
    if (starts[bin] + 1 == starts[bin + 1])
        return report_format(r, "%u", starts[bin]);
    return report_format(r, "%u to %u", starts[bin], starts[bin + 1] - 1);
}

static void put_sizes(const report *r, const row_groups *g, const uint32_t *sizes)
{
    uint32_t smallest = UINT32_MAX, largest = 0, starts[N_SIZES + 1] = {0};
    uint64_t records[N_SIZES] = {0}, classes[N_SIZES] = {0};
    for (uint32_t i = 0; i < g->count; i++) {
        smallest = sizes[i] < smallest ? sizes[i] : smallest;
        largest = sizes[i] > largest ? sizes[i] : largest;
    }
    /* Bins of class sizes, each half as wide again as the one before; the last has no end. */
    size_t n_bins = 0;
    for (uint64_t from = smallest; from <= largest && n_bins < N_SIZES; n_bins++) {
        starts[n_bins] = (uint32_t)from;
        from += from / 2 > 0 ? from / 2 : 1;
    }
    for (uint32_t i = 0; i < g->count; i++) {
        size_t bin = 0;
        while (bin + 1 < n_bins && sizes[i] >= starts[bin + 1])
            bin++;
        records[bin] += sizes[i];
        classes[bin]++;
    }
    report_section(r, "classes", "How large the groups are",
                   "Records of a group show the same quasi-identifiers. The larger a group, the "
                   "better its members are hidden, and the less its cells tell.");
    const char *const headings[] = {"records in the group", "share of all records", "groups"};
    report_chart(r, "columns", "Records by the size of their group", "share of records", headings,
                 3);
    for (size_t bin = 0; bin < n_bins; bin++) {
        const double share = (double)records[bin] / g->n_rows;
        report_chart_label(r, bin_label(r, starts, bin, n_bins));
        report_chart_value(r, report_percent(r, share), share);
        html_fill(r->page, "<td>{}</td>", report_count(r, (double)classes[bin]));
        report_chart_row_end(r);
    }
    report_chart_end(r);
    report_section_end(r);
}

static kith_status put_classes(const report *r, kith_error *error)
{
    uint32_t *quasi = TRY_ARRAY(quasi, r->memory, r->release->n_columns + 1, error);
    /* The columns of the release that are quasi-identifiers; the summary names them. */
    const size_t count = kith_document_n_items(r->summary, "quasi_identifiers");
    uint32_t n_found = 0;
    for (size_t i = 0; i < count; i++) {
        char path[48];
        snprintf(path, sizeof path, "quasi_identifiers.%zu", i);
        const uint32_t found = table_find(r->release, kith_document_text(r->summary, path, ""));
        if (found != UINT32_MAX && n_found < r->release->n_columns)
            quasi[n_found++] = found;
    }
    const uint32_t n_quasi = n_found == count ? n_found : 0;
    if (n_quasi == 0 || r->release->n_rows == 0)
        return KITH_OK;
    row_groups g;
    TRY(row_groups_by(&g, r->memory, r->release, quasi, n_quasi, error));
    uint32_t *sizes = TRY_ZEROS(sizes, r->memory, g.count, error);
    for (uint32_t row = 0; row < g.n_rows; row++)
        sizes[g.of[row]]++;
    put_sizes(r, &g, sizes);
    return KITH_OK;
}

typedef struct frequency {
    uint32_t count, code;
} frequency;

static void put_value(const report *r, const char *label, uint64_t count)
{
    const double share = (double)count / r->release->n_rows;
    report_chart_label(r, label);
    report_chart_value(r, report_percent(r, share), share);
    report_chart_row_end(r);
}

/* The most frequent values of a column, the others together. */
static kith_status report_release_put_column(const report *r, const column *c, kith_error *error)
{
    const uint32_t n_values = c->values.count;
    frequency *all = TRY_ZEROS(all, r->memory, n_values + 1, error);
    uint64_t n_missing = 0;
    for (uint32_t i = 0; i < n_values; i++)
        all[i].code = i;
    for (uint32_t row = 0; row < r->release->n_rows; row++)
        if (c->codes[row] == TABLE_MISSING)
            n_missing++;
        else
            all[c->codes[row]].count++;
    qsort(all, n_values, sizeof *all, sort_uint32_down_uint32);
    const uint32_t n_bars = n_values <= MAX_BARS ? n_values : MAX_BARS - 1;
    const char *const headings[] = {"value", "share of records"};
    report_chart(r, "bars", c->name, "share of records", headings, 2);
    uint64_t n_others = 0;
    for (uint32_t i = 0; i < n_values; i++)
        if (i < n_bars)
            put_value(r, dictionary_text(&c->values, all[i].code), all[i].count);
        else
            n_others += all[i].count;
    if (n_bars < n_values)
        put_value(r, report_format(r, "%u other values", n_values - n_bars), n_others);
    if (n_missing > 0)
        put_value(r, "(missing)", n_missing);
    report_chart_end(r);
    arena_release(r->memory, all, (n_values + 1) * sizeof *all);
    return KITH_OK;
}

kith_status report_release(const report *r, kith_error *error)
{
    if (r->release == NULL || r->release->n_rows == 0)
        return KITH_OK;
    TRY(put_classes(r, error));
    report_section(r, "columns", "What the release shows",
                   "The values of each column as they were released, the most frequent first.");
    html_markup(r->page, "<div class=\"multiples\">\n");
    for (uint32_t i = 0; i < r->release->n_columns; i++)
        TRY(report_release_put_column(r, &r->release->columns[i], error));
    html_markup(r->page, "</div>\n");
    report_section_end(r);
    return KITH_OK;
}
