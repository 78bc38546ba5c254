/* Figures in words, and the frame of sections and charts. */
#include <math.h>
#include <stdio.h>

#include "report/report_internal.h"

const char *report_format(const report *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(r->memory, format, arguments);
    va_end(arguments);
    if (text == NULL)
        html_fail(r->page);
    return text == NULL ? "" : text;
}

const char *report_count(const report *r, double count)
{
    if (!isfinite(count))
        return "–";
    char digits[400];
    const int length = snprintf(digits, sizeof digits, "%.0f", count);
    const int n_digits = length - (digits[0] == '-');
    char grouped[600];
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        const int left = length - i;
        if (left % 3 == 0 && left < n_digits)
            grouped[used++] = ',';
        grouped[used++] = digits[i];
    }
    grouped[used] = '\0';
    return report_format(r, "%s", grouped);
}

const char *report_percent(const report *r, double share)
{
    if (!isfinite(share))
        return "–";
    const double percent = 100 * share;
    /* What is not nothing must not look like nothing, and what is not everything not like all. */
    if (percent > 0 && percent < 0.1)
        return "less than 0.1%";
    if (percent < 100 && percent > 99.9)
        return "more than 99.9%";
    return report_format(r, fabs(percent - round(percent)) < 0.05 ? "%.0f%%" : "%.1f%%", percent);
}

const char *report_number(const report *r, double number)
{
    return isfinite(number) ? report_format(r, "%.4g", number) : "–";
}

const char *report_bytes(const report *r, double bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    while (bytes >= 1000 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1000;
        unit++;
    }
    return report_format(r, unit == 0 || bytes >= 100 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
}

const char *report_seconds(const report *r, double seconds)
{
    if (seconds < 1)
        return report_format(r, "%.0f ms", 1000 * seconds);
    if (seconds < 60)
        return report_format(r, "%.1f s", seconds);
    const double minutes = floor(seconds / 60);
    if (minutes < 60)
        return report_format(r, "%.0f min %.0f s", minutes, floor(seconds - 60 * minutes));
    return report_format(r, "%.0f h %.0f min", floor(minutes / 60), fmod(minutes, 60));
}

double report_list_number(const kith_document *d, const char *list, size_t index, const char *key,
                          double fallback)
{
    char path[160];
    snprintf(path, sizeof path, "%s.%zu.%s", list, index, key);
    return kith_document_number(d, path, fallback);
}

const char *report_list_text(const kith_document *d, const char *list, size_t index,
                             const char *key)
{
    char path[160];
    snprintf(path, sizeof path, "%s.%zu.%s", list, index, key);
    return kith_document_text(d, path, "");
}

void report_section(const report *r, const char *id, const char *title, const char *lead)
{
    html_fill(r->page,
              "<section id=\"{}\" aria-labelledby=\"{}-title\"><h2 id=\"{}-title\">{}</h2>\n", id,
              id, id, title);
    if (lead[0] != '\0')
        html_fill(r->page, "<p class=\"lead\">{}</p>\n", lead);
}

void report_section_end(const report *r)
{
    html_markup(r->page, "</section>\n");
}

void report_chart(const report *r, const char *kind, const char *caption, const char *axis,
                  const char *const *headings, size_t n_headings)
{
    html_fill(r->page,
              "<figure class=\"chart\" data-kind=\"{}\" data-axis=\"{}\">"
              "<figcaption>{}</figcaption>"
              "<details open><summary>Figures</summary><div class=\"wide\" tabindex=\"0\" "
              "role=\"region\" aria-label=\"{}\"><table><thead><tr>",
              kind, axis, caption, caption);
    for (size_t i = 0; i < n_headings; i++)
        html_fill(r->page, "<th scope=\"col\">{}</th>", headings[i]);
    html_markup(r->page, "</tr></thead><tbody>\n");
}

void report_chart_label(const report *r, const char *label)
{
    html_fill(r->page, "<tr><th scope=\"row\">{}</th>", label);
}

void report_chart_value(const report *r, const char *shown, double number)
{
    html_fill(r->page, "<td data-v=\"{}\">{}</td>",
              isfinite(number) ? report_format(r, "%.17g", number) : "", shown);
}

void report_chart_row_end(const report *r)
{
    html_markup(r->page, "</tr>\n");
}

void report_chart_end(const report *r)
{
    html_markup(r->page, "</tbody></table></div></details></figure>\n");
}
