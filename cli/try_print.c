#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_try.h"

const char *try_text(const kith_document *d, size_t row, const char *key)
{
    return kith_document_text(d, path_at("rows.%zu.%s", row, key), "");
}

double try_number(const kith_document *d, size_t row, const char *key)
{
    return kith_document_number(d, path_at("rows.%zu.%s", row, key), NAN);
}

static bool is_pareto(const kith_document *d, size_t row)
{
    return kith_document_flag(d, path_at("rows.%zu.pareto", row), false);
}

static const char *key_at(const kith_document *d, size_t index)
{
    return kith_document_text(d, path_at("keys.%zu", index), "");
}

static const char *value_at(const kith_document *d, size_t row, size_t index)
{
    char key[48];
    snprintf(key, sizeof key, "values.%zu", index);
    return try_text(d, row, key);
}

static void add_heading(grid *g, const kith_document *d, bool studies, bool pareto)
{
    static const char *const names[] = {"risk: highest", "mean", "classes", "suppressed", "time"};
    grid_cell(g, "row");
    if (studies)
        grid_cell(g, "study");
    for (size_t i = 0; i < kith_document_n_items(d, "keys"); i++)
        grid_cell(g, "%s", key_at(d, i));
    grid_cell(g, "loss (%.16s)", kith_document_text(d, "measure", ""));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        grid_cell(g, "%s", names[i]);
    if (pareto)
        grid_cell(g, "pareto");
}

/* Rows without a release show their outcome instead of the loss; the reason stands below. */
static void add_row(grid *g, const kith_document *d, size_t row, bool studies, bool pareto)
{
    bool released = strcmp(try_text(d, row, "outcome"), "released") == 0;
    double loss = try_number(d, row, "loss");
    grid_cell(g, "%zu", row + 1);
    if (studies)
        grid_cell(g, "%s", try_text(d, row, "study"));
    for (size_t i = 0; i < kith_document_n_items(d, "keys"); i++)
        grid_cell(g, "%s", value_at(d, row, i));
    if (!released)
        grid_cell(g, "%s", try_text(d, row, "outcome"));
    else if (strcmp(kith_document_text(d, "measure", ""), "dm") == 0)
        grid_cell(g, "%s", human_count(loss));
    else
        grid_cell(g, "%s", human_loss(loss));
    if (!released)
        for (size_t i = 0; i < 5; i++)
            grid_cell(g, "-");
    else {
        grid_cell(g, "%.4f", try_number(d, row, "risk_highest"));
        grid_cell(g, "%.4f", try_number(d, row, "risk_mean"));
        grid_cell(g, "%s", human_count(try_number(d, row, "classes")));
        grid_cell(g, "%s", human_count(try_number(d, row, "suppressed")));
        grid_cell(g, "%s", human_seconds(try_number(d, row, "seconds")));
    }
    if (pareto)
        grid_cell(g, "%s", is_pareto(d, row) ? "*" : "");
}

static bool same_reason(const kith_document *d, size_t a, size_t b)
{
    return strcmp(try_text(d, a, "reason"), try_text(d, b, "reason")) == 0 &&
           strcmp(try_text(d, a, "outcome"), try_text(d, b, "outcome")) == 0;
}

/* "rows 2, 8 and 14": those from `first` on that ended like it. */
static void print_rows(const kith_document *d, size_t first)
{
    size_t count = 0, left, n_rows = kith_document_n_items(d, "rows");
    for (size_t i = first; i < n_rows; i++)
        count += same_reason(d, first, i);
    left = count;
    printf(count == 1 ? "row " : "rows ");
    for (size_t i = first; i < n_rows; i++)
        if (same_reason(d, first, i))
            printf("%zu%s", i + 1, --left > 1 ? ", " : left == 1 ? " and " : "");
    printf(count == 1 ? " is " : " are ");
}

/* Why rows have no release, each reason once. */
static void print_reasons(const kith_document *d)
{
    for (size_t i = 0; i < kith_document_n_items(d, "rows"); i++) {
        size_t first = 0;
        while (!same_reason(d, first, i))
            first++;
        const char *outcome = try_text(d, i, "outcome");
        if (first < i || strcmp(outcome, "released") == 0)
            continue;
        print_rows(d, i);
        if (strcmp(outcome, "missing") == 0) {
            puts("missing: the run was interrupted");
            continue;
        }
        printf("%s: ", outcome);
        plain_text_print(stdout, try_text(d, i, "reason"), "");
        putchar('\n');
    }
}

void try_print(const kith_document *d, bool studies, bool pareto, bool seeded)
{
    size_t n_keys = kith_document_n_items(d, "keys"), n_rows = kith_document_n_items(d, "rows");
    char alignment[LIST_ITEMS + 16] = "r";
    size_t n_columns = 1 + studies + n_keys + 6 + pareto;
    memset(alignment + 1, 'l', studies + n_keys);
    memset(alignment + 1 + studies + n_keys, 'r', 6);
    alignment[n_columns - pareto] = pareto ? 'l' : '\0';
    alignment[n_columns] = '\0';
    grid *g = grid_new(n_columns, alignment);
    add_heading(g, d, studies, pareto);
    for (size_t i = 0; i < n_rows; i++)
        add_row(g, d, i, studies, pareto);
    grid_print_free(g);
    putchar('\n');
    print_reasons(d);
    if (!kith_document_has(d, "best"))
        return;
    double best = kith_document_number(d, "best", 0);
    printf("The smallest loss is that of row %.0f: --save %.0f=FILE writes its study.\n", best,
           best);
    if (!seeded)
        printf("With --seed %.0f 'kith anonymize' makes the release that was tried.\n",
               kith_document_number(d, "seed", 0));
}

static void put_cell(FILE *out, const char *text)
{
    bool quote = strpbrk(text, ",\"\r\n") != NULL || text[0] == ' ';
    fputs(quote ? ",\"" : ",", out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    if (quote)
        fputc('"', out);
}

static bool counts_persons(const kith_document *d)
{
    for (size_t row = 0; row < kith_document_n_items(d, "rows"); row++)
        if (!isnan(try_number(d, row, "smallest_class_persons")))
            return true;
    return false;
}

static void put_csv(FILE *out, const kith_document *d)
{
    static const char *const all[] = {"loss",           "lm",
                                      "risk_highest",   "risk_mean",
                                      "records",        "classes",
                                      "smallest_class", "suppressed",
                                      "seconds",        "smallest_class_persons"};
    const size_t n_numbers = sizeof all / sizeof *all - !counts_persons(d);
    size_t n_keys = kith_document_n_items(d, "keys");
    fputs("row,study", out);
    for (size_t k = 0; k < n_keys; k++)
        put_cell(out, key_at(d, k));
    fputs(",measure,outcome", out);
    for (size_t i = 0; i < n_numbers; i++)
        put_cell(out, all[i]);
    fputs(",pareto,reason\n", out);
    for (size_t row = 0; row < kith_document_n_items(d, "rows"); row++) {
        fprintf(out, "%zu", row + 1);
        put_cell(out, try_text(d, row, "study"));
        for (size_t k = 0; k < n_keys; k++)
            put_cell(out, value_at(d, row, k));
        put_cell(out, kith_document_text(d, "measure", ""));
        put_cell(out, try_text(d, row, "outcome"));
        for (size_t i = 0; i < n_numbers; i++) {
            double value = try_number(d, row, all[i]);
            if (isnan(value))
                fputc(',', out);
            else
                fprintf(out, ",%.10g", value);
        }
        fputs(is_pareto(d, row) ? ",yes" : ",no", out);
        put_cell(out, try_text(d, row, "reason"));
        fputc('\n', out);
    }
}

int try_save_csv(const kith_document *d, const char *path)
{
    wrap_buffer buffer;
    put_csv(wrap_begin(&buffer), d);
    char *text = wrap_take(&buffer);
    int status = save_private(path, text);
    free(text);
    return status;
}
