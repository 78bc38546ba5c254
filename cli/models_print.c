/* What the models of a study promise, and whether a release keeps it, in plain words. */
#include "cli.h"

#include <math.h>
#include <string.h>

static double model_number(const kith_document *d, size_t i, const char *key)
{
    char path[64];
    snprintf(path, sizeof path, "models.%zu.%s", i, key);
    return kith_document_number(d, path, NAN);
}

static const char *model_text(const kith_document *d, size_t i, const char *key)
{
    char path[64];
    snprintf(path, sizeof path, "models.%zu.%s", i, key);
    return kith_document_text(d, path, "");
}

static bool model_holds(const kith_document *d, size_t i)
{
    char path[64];
    snprintf(path, sizeof path, "models.%zu.holds", i);
    return kith_document_flag(d, path, false);
}

static void print_k(FILE *out, double worst, bool holds)
{
    if (worst <= 1)
        fputs("somebody's quasi-identifiers are like nobody else's", out);
    else
        fprintf(out, "%s all quasi-identifiers with %s %s other%s",
                holds ? "every person shares" : "somebody shares", holds ? "at least" : "only",
                human_count(worst - 1), worst == 2 ? "" : "s");
}

/* Rounded up: what is printed must be true. */
static void print_l(FILE *out, double worst, bool holds, const char *attribute)
{
    double percent = ceil(1000 / worst - 1e-9) / 10;
    if (holds)
        fprintf(out, "no %s is that of more than %g%% of a class", attribute, percent);
    else
        fprintf(out, "one %s is that of %g%% of a class", attribute, percent);
}

static void print_meaning(FILE *out, const kith_document *d, size_t i, double worst)
{
    bool holds = model_holds(d, i);
    fprintf(out, " (worst class %.10g): ", floor(1000 * worst + 1e-6) / 1000);
    if (strcmp(model_text(d, i, "model"), "k-anonymity") == 0)
        print_k(out, worst, holds);
    else
        print_l(out, worst, holds, model_text(d, i, "attribute"));
}

static void print_asked(FILE *out, const kith_document *d, size_t i)
{
    double k = model_number(d, i, "k"), l = model_number(d, i, "l");
    fputs(model_text(d, i, "model"), out);
    if (!isnan(k))
        fprintf(out, " %.0f", k);
    if (!isnan(l))
        fprintf(out, " %g of %s", l, model_text(d, i, "attribute"));
}

void models_print_one(FILE *out, const kith_document *d, size_t i)
{
    double worst = model_number(d, i, "worst");
    fprintf(out, "%s ", model_holds(d, i) ? "holds" : "FAILS");
    print_asked(out, d, i);
    if (isnan(worst))
        fputs(": there is no class", out);
    else
        print_meaning(out, d, i, worst);
    fputc('\n', out);
}

void models_print(FILE *out, const kith_document *d)
{
    for (size_t i = 0; i < kith_document_count(d, "models"); i++)
        models_print_one(out, d, i);
}
