/* What kith describe prints about values: ranges, frequent ones, texts that spoil a type, columns
 * that determine each other. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_VALUES = 6, SHOWN_DEPENDENCIES = 20, SHOWN_DEPENDENT = 8 };
enum { FEW_COLUMNS = 20, MANY_COLUMNS = 60 };
enum { PATH_BYTES = 128 };

static const char *text_at(const kith_document *d, size_t column, const char *key)
{
    return kith_document_text(d, path_at("columns.%zu.%s", column, key), "");
}

static double number_at(const kith_document *d, size_t column, const char *key)
{
    return kith_document_number(d, path_at("columns.%zu.%s", column, key), 0);
}

static bool has(const kith_document *d, size_t column, const char *key)
{
    return kith_document_has(d, path_at("columns.%zu.%s", column, key));
}

static size_t count_at(const kith_document *d, size_t column, const char *key)
{
    return kith_document_n_items(d, path_at("columns.%zu.%s", column, key));
}

/* Dates are texts. */
static void value_cell(grid *g, const kith_document *d, size_t column, const char *key)
{
    const char *text = text_at(d, column, key);
    double number = number_at(d, column, key);
    if (text[0] != '\0')
        grid_cell(g, "%s", text);
    else if (number == floor(number) && fabs(number) < 1e12)
        grid_cell(g, "%.0f", number);
    else
        grid_cell(g, "%.6g", number);
}

/* Numbers and names of people say nothing by their size or frequency. */
static bool identifies(const kith_document *d, size_t column)
{
    const char *role = text_at(d, column, "role");
    const char *suggested = text_at(d, column, "suggested_role");
    return strcmp(role[0] != '\0' ? role : suggested, "identifying") == 0;
}

void describe_values_numbers(const kith_document *d)
{
    static const char *const keys[] = {"minimum", "q25", "median", "q75", "maximum"};
    static const char *const heading[] = {"column", "minimum", "25%", "median",
                                          "75%",    "maximum", "mean"};
    grid *g = NULL;
    if (kith_document_n_items(d, "columns") > MANY_COLUMNS) {
        puts("\nRanges and frequent values of so many columns are listed by --json only.");
        return;
    }
    for (size_t i = 0; i < kith_document_n_items(d, "columns"); i++) {
        if (!has(d, i, "minimum") || identifies(d, i))
            continue;
        if (g == NULL) {
            puts("\nNumbers and dates:");
            g = grid_new(7, "lrRrRrr");
            for (size_t k = 0; k < 7; k++)
                grid_cell(g, "%s", heading[k]);
        }
        grid_cell(g, "%s", text_at(d, i, "name"));
        for (size_t k = 0; k < 5; k++)
            value_cell(g, d, i, keys[k]);
        if (has(d, i, "mean"))
            grid_cell(g, "%.6g", number_at(d, i, "mean"));
        else
            grid_cell(g, "%s", "");
    }
    if (g != NULL)
        grid_print_free(g);
}

void describe_values_frequent(const kith_document *d)
{
    grid *g = NULL;
    if (kith_document_n_items(d, "columns") > MANY_COLUMNS)
        return;
    for (size_t i = 0; i < kith_document_n_items(d, "columns"); i++) {
        char list[400] = "";
        size_t count = count_at(d, i, "frequent"), used = 0;
        for (size_t k = 0; k < count && k < SHOWN_VALUES && used < 300; k++) {
            char value[128];
            short_value(kith_document_text(d, path_at("columns.%zu.frequent.%zu.value", i, k), ""),
                        value);
            used += (size_t)snprintf(
                list + used, sizeof list - used, "%s%s %.1f%%", k == 0 ? "" : ", ", value,
                100 * kith_document_number(d, path_at("columns.%zu.frequent.%zu.share", i, k), 0));
        }
        if (count == 0 || identifies(d, i))
            continue;
        if (g == NULL) {
            puts("\nMost frequent values:");
            g = grid_new(2, "ll");
            grid_cell(g, "column");
            grid_cell(g, "values");
        }
        grid_cell(g, "%s", text_at(d, i, "name"));
        grid_cell(g, "%s", list);
    }
    if (g != NULL)
        grid_print_free(g);
}

static void print_spoiled(const kith_document *d, size_t i)
{
    char value[128], cells[32];
    wrap_buffer line;
    FILE *out = wrap_begin(&line);
    size_t count = count_at(d, i, "spoiled.values");
    snprintf(cells, sizeof cells, "%s", human_count(number_at(d, i, "spoiled.cells")));
    fprintf(out, "%s: all but %s of %s cells are ", short_value(text_at(d, i, "name"), value),
            cells, human_count(kith_document_number(d, "records", 0) - number_at(d, i, "missing")));
    if (has(d, i, "spoiled.digits"))
        fprintf(out, "codes of %.0f digits:", number_at(d, i, "spoiled.digits"));
    else
        fprintf(out, "of type %s:", text_at(d, i, "spoiled.type"));
    for (size_t k = 0; k < count; k++)
        fprintf(
            out, "%s '%s'", k == 0 ? "" : ",",
            short_value(kith_document_text(d, path_at("columns.%zu.spoiled.values.%zu", i, k), ""),
                        value));
    if (kith_document_flag(d, path_at("columns.%zu.spoiled.missing_values", i), false))
        fputs(". If that means missing, list it in missing_values", out);
    wrap_end(&line, stdout, 2);
}

void describe_values_spoiled(const kith_document *d)
{
    bool any = false;
    for (size_t i = 0; i < kith_document_n_items(d, "columns"); i++) {
        if (!has(d, i, "spoiled"))
            continue;
        if (!any)
            puts("\nNearly of a type:");
        any = true;
        print_spoiled(d, i);
    }
}

void describe_values_list(FILE *out, const kith_document *d, const char *path, size_t max)
{
    char value[128];
    size_t count = kith_document_n_items(d, path), shown = count <= max ? count : max;
    for (size_t i = 0; i < shown; i++)
        fprintf(out, "%s%s", i == 0 ? "" : ", ",
                short_value(kith_document_text(d, path_at("%s.%zu", path, i), ""), value));
    if (shown < count)
        fprintf(out, " and %zu more", count - shown);
}

void describe_values_dependencies(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "dependencies");
    if (count > 0)
        puts("\nColumns that determine others:");
    for (size_t i = 0; i < count && i < SHOWN_DEPENDENCIES; i++) {
        char path[PATH_BYTES], name[128];
        wrap_buffer line;
        FILE *out = wrap_begin(&line);
        snprintf(path, sizeof path, "dependencies.%zu.determines", i);
        fprintf(
            out, "%s determines ",
            short_value(kith_document_text(d, path_at("dependencies.%zu.column", i), ""), name));
        describe_values_list(out, d, path, SHOWN_DEPENDENT);
        wrap_end(&line, stdout, 2);
    }
    if (count > SHOWN_DEPENDENCIES)
        printf("… and %zu more (--json lists all)\n", count - SHOWN_DEPENDENCIES);
    if (!kith_document_flag(d, "dependencies_complete", true))
        puts("Not all pairs of columns were tried: the table is large.");
}

/* All columns with the reason of column `first`. */
static void print_reason(const kith_document *d, size_t first)
{
    const char *why = text_at(d, first, "why");
    wrap_buffer line;
    FILE *out = wrap_begin(&line);
    fprintf(out, "%s, because %s:", text_at(d, first, "suggested_role"), why);
    bool any = false;
    for (size_t i = first; i < kith_document_n_items(d, "columns"); i++) {
        char name[128];
        if (strcmp(text_at(d, i, "why"), why) != 0)
            continue;
        fprintf(out, "%s %s", any ? "," : "", short_value(text_at(d, i, "name"), name));
        any = true;
    }
    wrap_end(&line, stdout, 2);
}

static bool reason_told(const kith_document *d, size_t column)
{
    for (size_t i = 0; i < column; i++)
        if (strcmp(text_at(d, i, "why"), text_at(d, column, "why")) == 0)
            return true;
    return false;
}

/* Few columns: one line each. Many: one paragraph for each reason. */
void describe_values_reasons(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "columns");
    puts("\nWhy these roles are suggested:");
    for (size_t i = 0; count > FEW_COLUMNS && i < count; i++)
        if (!reason_told(d, i))
            print_reason(d, i);
    if (count > FEW_COLUMNS)
        return;
    grid *g = grid_new(3, "lll");
    static const char *const heading[] = {"column", "suggested role", "because"};
    for (size_t i = 0; i < 3; i++)
        grid_cell(g, "%s", heading[i]);
    for (size_t i = 0; i < count; i++) {
        grid_cell(g, "%s", text_at(d, i, "name"));
        grid_cell(g, "%s", text_at(d, i, "suggested_role"));
        grid_cell(g, "%s", text_at(d, i, "why"));
    }
    grid_print_free(g);
}
