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
        fputs("somebody's quasi-identifiers are unique", out);
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
        fprintf(out, "no %s makes up more than %g%% of any class", attribute, percent);
    else
        fprintf(out, "one %s makes up %g%% of a class", attribute, percent);
}

/* What the number of a worst class is. */
static const struct {
    const char *model, *variant, *meaning;
    bool at_most; /* lower is better: rounded up */
} meanings[] = {
    {"k-map", "", "people of the population who look like it", false},
    {"l-diversity", "distinct", "the fewest different values of %s in a class", false},
    {"l-diversity", "entropy", "how many equally frequent values of %s would be as mixed", false},
    {"l-diversity", "recursive", "the most frequent %s over the sum of the l-th and rarer ones",
     true},
    {"t-closeness", "", "the farthest distribution of %s in a class from the whole table's", true},
    {"delta-presence", "", "the share of a class that belongs to the subset", false},
    {"alpha-k", "", "the share of it that has the same %s", true},
    {"p-sensitive", "", "how many different values of %s it has", false},
    {"lkc", "", "the share of it that has the same protected %s", true},
    {"dissimilarity", "", "the share of it that is unlike one of its records in %s", false},
    {"delta-disclosure", "", "how far the logarithm of the share of a %s is from the table's",
     true},
    {"beta-likeness", "", "the relative gain of the share of a %s over the table's", true},
    {"m-invariance", "", "how many different values of %s it has", false},
};

static void print_attribute(FILE *out, const char *text, const char *attribute)
{
    const char *place = strstr(text, "%s");
    if (place == NULL)
        fputs(text, out);
    else
        fprintf(out, "%.*s%s%s", (int)(place - text), text, attribute, place + 2);
}

static void print_other(FILE *out, const kith_document *d, size_t i, double worst)
{
    const char *model = model_text(d, i, "model"), *variant = model_text(d, i, "variant");
    for (size_t m = 0; m < sizeof meanings / sizeof *meanings; m++) {
        if (strcmp(meanings[m].model, model) != 0 ||
            (meanings[m].variant[0] != '\0' && strcmp(meanings[m].variant, variant) != 0))
            continue;
        double shown = meanings[m].at_most ? ceil(1000 * worst - 1e-6) : floor(1000 * worst + 1e-6);
        if (isnan(worst))
            fputs(" (worst class beyond all bounds): ", out);
        else
            fprintf(out, " (worst class %.10g): ", shown / 1000 + 0.0); /* not -0 */
        print_attribute(out, meanings[m].meaning, model_text(d, i, "attribute"));
        return;
    }
}

static bool has_own_words(const kith_document *d, size_t i)
{
    return strcmp(model_text(d, i, "model"), "k-anonymity") == 0 ||
           strcmp(model_text(d, i, "variant"), "frequency") == 0;
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

static void print_other_asked(FILE *out, const kith_document *d, size_t i)
{
    static const char *const keys[] = {"k",   "l",   "c",       "t",     "alpha", "p",
                                       "min", "max", "epsilon", "delta", "beta",  "m"};
    const char *variant = model_text(d, i, "variant"), *attribute = model_text(d, i, "attribute");
    fputs(model_text(d, i, "model"), out);
    if (variant[0] != '\0')
        fprintf(out, " (%s)", variant);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        double value = model_number(d, i, keys[k]);
        if (!isnan(value))
            fprintf(out, " %s=%g", keys[k], value);
    }
    if (attribute[0] != '\0')
        fprintf(out, " of %s", attribute);
}

static void print_asked(FILE *out, const kith_document *d, size_t i)
{
    double k = model_number(d, i, "k"), l = model_number(d, i, "l");
    if (!has_own_words(d, i)) {
        print_other_asked(out, d, i);
        return;
    }
    fputs(model_text(d, i, "model"), out);
    if (!isnan(k))
        fprintf(out, " %.0f", k);
    if (!isnan(l))
        fprintf(out, " %g of %s", l, model_text(d, i, "attribute"));
}

static void print_one(FILE *out, const kith_document *d, size_t i)
{
    double worst = model_number(d, i, "worst");
    fprintf(out, "%s ", model_holds(d, i) ? "holds" : "FAILS");
    print_asked(out, d, i);
    if (kith_document_number(d, "classes", 0) == 0)
        fputs(": there is no class", out);
    else if (!has_own_words(d, i))
        print_other(out, d, i, worst);
    else
        print_meaning(out, d, i, worst);
}

void models_print_one(FILE *out, const kith_document *d, size_t i)
{
    wrap_buffer line;
    print_one(wrap_begin(&line), d, i);
    wrap_end(&line, out, 2);
}

void models_print(FILE *out, const kith_document *d)
{
    for (size_t i = 0; i < kith_document_n_items(d, "models"); i++)
        models_print_one(out, d, i);
}
