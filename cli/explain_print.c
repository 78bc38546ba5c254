/* Why a release is not finer, in plain words. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 5 }; /* suppressed classes */

static const char *text_at(const kith_document *d, const char *base, const char *key)
{
    return kith_document_text(d, path_at("%s.%s", base, key), "");
}

static double number_at(const kith_document *d, const char *base, const char *key)
{
    return kith_document_number(d, path_at("%s.%s", base, key), NAN);
}

/* "records 3, needed at least 5" */
static void print_finding(FILE *out, const kith_document *d, const char *base)
{
    double found = number_at(d, base, "found");
    fprintf(out, "%s ", text_at(d, base, "quantity"));
    if (isnan(found))
        fputs("beyond all bounds", out);
    else
        fprintf(out, "%.4g", found);
    fprintf(out, ", needed %s %.4g", text_at(d, base, "bound"), number_at(d, base, "needed"));
}

static void print_model(FILE *out, const kith_document *d, size_t i, bool binding)
{
    char base[64], tightest[80];
    snprintf(base, sizeof base, "explain.models.%zu", i);
    snprintf(tightest, sizeof tightest, "%s.tightest", base);
    fputs("  ", out);
    models_print_title(out, d, base);
    fprintf(out, "%s: %s of %s at its border\n", binding ? " (binding)" : "",
            human_count(number_at(d, base, "border_classes")),
            human_counted(kith_document_number(d, "classes", 0), "class"));
    if (isnan(number_at(d, tightest, "needed")))
        return;
    fputs("    tightest: ", out);
    print_finding(out, d, tightest);
    fputc('\n', out);
}

/* "age=20-39, zip=80**" */
static void print_cells(FILE *out, const kith_document *d, const char *base)
{
    char path[96];
    snprintf(path, sizeof path, "%s.cells", base);
    for (size_t i = 0; i < kith_document_n_items(d, path); i++) {
        const char *name = kith_document_key(d, path, i);
        fprintf(out, "%s%s=%s", i == 0 ? "" : ", ", name,
                kith_document_text(d, path_at("%s.%s", path, name), ""));
    }
}

static void print_suppressed(FILE *out, const kith_document *d)
{
    double classes = kith_document_number(d, "explain.suppressed_classes", 0);
    size_t listed = kith_document_n_items(d, "explain.suppressed");
    size_t shown = listed <= SHOWN ? listed : SHOWN;
    if (classes == 0)
        return;
    fprintf(out, "suppressed: %s of %s%s\n",
            human_counted(kith_document_number(d, "explain.suppressed_records", 0), "record"),
            human_counted(classes, "class"),
            (double)shown < classes ? ", the largest of them:" : ":");
    for (size_t i = 0; i < shown; i++) {
        char base[64];
        wrap_buffer buffer;
        FILE *line = wrap_begin(&buffer);
        snprintf(base, sizeof base, "explain.suppressed.%zu", i);
        fputs("  ", line);
        print_cells(line, d, base);
        fprintf(line, ": %s; ", human_counted(number_at(d, base, "records"), "record"));
        models_print_title(line, d, base);
        fputs(": ", line);
        print_finding(line, d, base);
        wrap_end(&buffer, out, 4);
    }
    if (shown < listed)
        fprintf(out, "  … (--json lists %zu)\n", listed);
}

void explain_print(FILE *out, const kith_document *d)
{
    double binding = kith_document_number(d, "explain.binding", -1);
    fputs("why not finer:\n", out);
    for (size_t i = 0; i < kith_document_n_items(d, "explain.models"); i++)
        print_model(out, d, i, (double)i == binding);
    print_suppressed(out, d);
    if (binding < 0)
        fputs("  no class is at a border: none could be split into two that satisfy the models\n",
              out);
}
