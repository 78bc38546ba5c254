/* From the rows of a file to a draft: rows of another width and repeated leaves are sorted out
 * here, what remains is left to draft_validate. */
#include "hierarchy/arx_read.h"

#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "hierarchy/repeated_findings.h"
#include "table/text_feed.h"

/* The width that most rows have; of equals the one met first. */
static kith_status usual_width(const arx_rows *rows, size_t *usual, arena *scratch,
                               kith_error *error)
{
    size_t widest = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i].width > widest)
            widest = rows->rows[i].width;
    size_t *count = TRY_ZEROS(count, scratch, widest + 1, error);
    size_t max_count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        size_t same = ++count[rows->rows[i].width];
        max_count = same > max_count ? same : max_count;
    }
    for (size_t i = rows->count; i-- > 0;)
        if (count[rows->rows[i].width] == max_count)
            *usual = rows->rows[i].width;
    return KITH_OK;
}

/* Removes the rows of another width, so that the rest can be checked as well. */
static void keep_width(arx_rows *rows, size_t width, const char *file, kith_findings *findings)
{
    repeated_findings t = {.findings = findings, .file = file, .severity = KITH_SEVERITY_PROBLEM};
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const arx_row *row = &rows->rows[i];
        if (row->width == width)
            rows->rows[kept++] = *row;
        else
            repeated_findings_add(&t, row->line, "%zu column%s, where most rows have %zu",
                                  row->width, row->width == 1 ? "" : "s", width);
    }
    rows->count = kept;
    repeated_findings_end(&t, "rows of another width");
}

/* A leaf that was seen before: with the same ancestors or with others. */
static void report_repeated_leaf(const draft *d, const arx_row *row, const uint32_t *cell,
                                 uint32_t known, repeated_findings *repeated,
                                 repeated_findings *contradicted)
{
    char leaf[DRAFT_QUOTED], here[DRAFT_QUOTED], there[DRAFT_QUOTED];
    draft_quoted(leaf, d, cell[0]);
    for (uint32_t level = 1; level < d->n_levels; level++)
        if (cell[level] != draft_cell(d, known, level)) {
            repeated_findings_add(
                contradicted, row->line, "'%s' is below '%s' here, but below '%s' in line %zu",
                leaf, draft_quoted(here, d, cell[level]),
                draft_quoted(there, d, draft_cell(d, known, level)), d->line[known]);
            return;
        }
    repeated_findings_add(repeated, row->line, "'%s' repeats line %zu", leaf, d->line[known]);
}

/* Rows to leaves: the first row of every leaf counts. */
static kith_status take_leaves(draft *d, const arx_rows *rows, kith_findings *findings,
                               kith_error *error)
{
    uint32_t *leaf_of = TRY_ARRAY(leaf_of, d->scratch, d->labels.count, error);
    d->line = TRY_ARRAY(d->line, d->scratch, rows->count, error);
    memset(leaf_of, 0xff, d->labels.count * sizeof *leaf_of);
    repeated_findings repeated = {
        .findings = findings, .file = d->file, .severity = KITH_SEVERITY_WARNING};
    repeated_findings contradicted = {
        .findings = findings, .file = d->file, .severity = KITH_SEVERITY_PROBLEM};
    uint32_t n_leaves = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const uint32_t *cell = rows->cells + rows->rows[i].first;
        uint32_t known = leaf_of[cell[0]];
        if (known != UINT32_MAX) {
            report_repeated_leaf(d, &rows->rows[i], cell, known, &repeated, &contradicted);
            continue;
        }
        leaf_of[cell[0]] = n_leaves;
        memcpy(d->cell + (uint64_t)n_leaves * d->n_levels, cell, d->n_levels * sizeof *cell);
        d->line[n_leaves++] = rows->rows[i].line;
    }
    d->n_leaves = n_leaves;
    repeated_findings_end(&repeated, "repeated rows");
    repeated_findings_end(&contradicted, "values with other ancestors than before");
    return KITH_OK;
}

kith_status arx_read_rows(draft *d, arx_rows *rows, kith_findings *findings, kith_error *error)
{
    size_t width = 0;
    d->n_file_rows = rows->count;
    TRY(usual_width(rows, &width, d->scratch, error));
    keep_width(rows, width, d->file, findings);
    if (width > HIERARCHY_MAX_LEVELS)
        findings_add(findings, KITH_SEVERITY_PROBLEM, d->file, rows->rows[0].line, 0,
                     "%zu columns are too many (most: %d)", width, HIERARCHY_MAX_LEVELS);
    else if (width < 2) /* most likely it was read with the wrong separator */
        findings_add(findings, KITH_SEVERITY_PROBLEM, d->file, rows->rows[0].line, 0,
                     "only one column: expected a value and the labels above it up to the root, "
                     "separated by ; , or tab");
    if (width < 2 || width > HIERARCHY_MAX_LEVELS)
        return KITH_OK;
    TRY(draft_reserve(d, rows->count, (uint32_t)width, error));
    TRY(take_leaves(d, rows, findings, error));
    return draft_validate(d, findings, error);
}

kith_status arx_read_text(draft *d, const char *file, char *text, size_t length, char separator,
                          kith_findings *findings, kith_error *error)
{
    d->file = file;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (separator == 0)
        separator = arx_scan_separator(text, length);
    arx_rows rows;
    const arx_text contents = {file, text, length, separator == 0 ? ';' : separator};
    TRY(arx_scan(&rows, &contents, &d->labels, d->scratch, findings, error));
    if (rows.count == 0) {
        findings_add(findings, KITH_SEVERITY_PROBLEM, file, 0, 0,
                     "the file is empty: expected one row per value, such as 81667;8166*;*");
        return KITH_OK;
    }
    return arx_read_rows(d, &rows, findings, error);
}

kith_status arx_read(draft *d, const char *path, char separator, const char *encoding,
                     kith_findings *findings, kith_error *error)
{
    byte_feed bytes, feed;
    char *text = NULL;
    size_t length = 0;
    TRY(byte_feed_open(&bytes, d->scratch, path, NULL, error));
    if (strcmp(path, "-") == 0)
        path = "standard input";
    TRY(text_feed_open(&feed, d->scratch, bytes, encoding, path, error));
    /* All that a feed has, in scratch memory. */
    size_t capacity = 64 * 1024, got = 1;
    text = TRY_ALLOC(arena_alloc(d->scratch, capacity), error);
    for (length = 0; got > 0; length += got) {
        TRY_GROW(text, capacity, length + 1, d->scratch, error);
        TRY(feed.read(feed.user, text + length, capacity - length, &got, error));
    }
    return arx_read_text(d, path, text, length, separator, findings, error);
}
