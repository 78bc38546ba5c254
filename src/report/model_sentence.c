/* kith_model_words: what a model of a summary or verdict promises, and whether it is kept. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/report.h>

#include "core/error.h"
#include "core/system/text_stream.h"
#include "report/model_words.h"

enum { PATH_BYTES = 96 };

/* One model of a document. */
typedef struct shown_model {
    const kith_document *document;
    const char *base; /* path of its object */
    bool holds;
    double worst; /* NAN: beyond all bounds, or not counted */
    bool persons; /* are they what the model counts? */
    const model_words *words;
} shown_model;

static double number_at(const shown_model *m, const char *key)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s.%s", m->base, key);
    return kith_document_number(m->document, path, NAN);
}

/* Parameters that are 0 are not in the document. */
static double parameter(const shown_model *m, const char *key)
{
    double value = number_at(m, key);
    return isnan(value) ? 0 : value;
}

static const char *text_at(const shown_model *m, const char *key)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s.%s", m->base, key);
    return kith_document_text(m->document, path, "");
}

static shown_model model_at(const kith_document *d, const char *base)
{
    char path[PATH_BYTES];
    shown_model m = {.document = d, .base = base};
    snprintf(path, sizeof path, "%s.holds", base);
    m.holds = kith_document_flag(d, path, false);
    m.worst = number_at(&m, "worst");
    m.words = model_words_of(text_at(&m, "model"), text_at(&m, "variant"));
    /* Where each row is a person, records of several sites may be of the same one, unless the
     * parties state that nobody is at two; and a population has records. */
    const bool twice = kith_document_n_items(d, "unit") == 0 &&
                       (kith_document_has(d, "protocol") || kith_document_has(d, "overlap")) &&
                       strcmp(kith_document_text(d, "overlap", ""), "none") != 0;
    m.persons =
        kith_document_has(d, "unit") && !twice && strcmp(text_at(&m, "model"), "k-map") != 0;
    return m;
}

/* Rounded to a multiple of 1/`parts`; what was lost to binary fractions is no reason to step. */
static double rounded(double value, double parts, bool up)
{
    return (up ? ceil(parts * value - 1e-6) : floor(parts * value + 1e-6)) / parts + 0.0;
}

/* A value of a model in the unit in which it is shown. */
static double in_unit(worst_kind kind, double value)
{
    switch (kind) {
    case WORST_SHARE_AT_LEAST:
    case WORST_SHARE_AT_MOST:
    case WORST_SHARE_EITHER: return 100 * value;
    case WORST_ONE_IN: return 100 / value;
    case WORST_GAIN: return 1 + value;
    case WORST_LOGARITHM: return exp(value);
    default: return value;
    }
}

static bool is_percentage(worst_kind kind)
{
    return kind == WORST_ONE_IN || kind == WORST_SHARE_AT_LEAST || kind == WORST_SHARE_AT_MOST ||
           kind == WORST_SHARE_EITHER;
}

/* The number of the worst class, which is rounded, but not beyond a bound that it keeps. */
static double worst_shown(const shown_model *m)
{
    const worst_kind kind = m->words->kind;
    const double parts = is_percentage(kind) ? 10 : 1000, worst = in_unit(kind, m->worst);
    if (kind == WORST_SHARE_EITHER)
        return round(parts * worst) / parts;
    const bool more_is_better = kind == WORST_AT_LEAST || kind == WORST_SHARE_AT_LEAST;
    const double shown = rounded(worst, parts, !more_is_better);
    if (!m->holds || m->words->bound == NULL)
        return shown;
    const double bound = in_unit(kind, parameter(m, m->words->bound));
    return more_is_better ? fmax(shown, fmin(bound, worst)) : fmin(shown, fmax(bound, worst));
}

static const char *ordinal_ending(double number)
{
    const int n = (int)fmod(number, 100), last = n % 10;
    if (n / 10 == 1)
        return "th";
    return last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
}

/* A number that is computed from a parameter, or the parameter itself. Bounds that are rounded
 * leave the sentence true. */
static double place_number(const shown_model *m, const char *name)
{
    if (strcmp(name, "k-1") == 0)
        return parameter(m, "k") - 1;
    if (strcmp(name, "1+beta") == 0)
        return 1 + parameter(m, "beta");
    if (strcmp(name, "e^delta") == 0)
        return rounded(exp(parameter(m, "delta")), 1000, m->holds);
    if (strcmp(name, "smallest") == 0)
        return kith_document_number(m->document, "smallest_class_persons",
                                    kith_document_number(m->document, "smallest_class", NAN));
    return parameter(m, name);
}

/* "12%", "4 times"; `noun` may be NULL. */
static void print_number(FILE *out, double number, bool percentage, const char *noun)
{
    fprintf(out, "%.10g%s", number, percentage ? "%" : "");
    if (noun != NULL)
        fprintf(out, " %s%s", noun, number == 1 ? "" : "s");
}

/* What goes to one place of a text; `noun` may be NULL. */
static void print_place(FILE *out, const shown_model *m, const char *name, const char *noun)
{
    if (strcmp(name, "attribute") == 0) {
        fputs(text_at(m, "attribute"), out);
    } else if (strcmp(name, "worst") == 0) {
        print_number(out, worst_shown(m), is_percentage(m->words->kind), noun);
    } else if (strcmp(name, "earlier") == 0) {
        if (number_at(m, "earlier_releases") > 0)
            fputs(m->holds ? ", and every record of an earlier release is in a class with the same "
                             "values as there"
                           : ", or other values than a record in it had in an earlier release",
                  out);
    } else if (strcmp(name, "other values") == 0) {
        if (number_at(m, "values") > 0)
            fprintf(out, " with at least %.10g different values", number_at(m, "values"));
    } else if (strcmp(name, "distance") == 0) {
        const char *variant = text_at(m, "variant");
        if (strcmp(variant, "equal") != 0)
            fprintf(out, "%s ", variant);
    } else if (strcmp(name, "1/l") == 0) {
        fprintf(out, "%.10g%%", rounded(100 / parameter(m, "l"), 10, m->holds));
    } else if (strcmp(name, "l-th") == 0) {
        fprintf(out, "%.10g%s", parameter(m, "l"), ordinal_ending(parameter(m, "l")));
    } else if (name[0] == '%') {
        fprintf(out, "%.10g%%", 100 * parameter(m, name + 1));
    } else {
        const bool person = m->persons && noun != NULL && strcmp(noun, "record") == 0;
        print_number(out, place_number(m, name), false, person ? "person" : noun);
    }
}

/* Words between places, which speak of records. */
static void print_plain(FILE *out, const shown_model *m, const char *text, size_t length)
{
    static const char record[] = "record";
    const size_t n = sizeof record - 1;
    while (length > 0) {
        const bool other = m->persons && length >= n && strncmp(text, record, n) == 0;
        if (other)
            fputs("person", out);
        else
            putc(*text, out);
        text += other ? n : 1;
        length -= other ? n : 1;
    }
}

/* A text of model_words.c with its places filled in. */
static void print_words(FILE *out, const shown_model *m, const char *text)
{
    while (*text != '\0') {
        const size_t plain = strcspn(text, "{"), length = strcspn(text + plain, "}");
        print_plain(out, m, text, plain);
        text += plain;
        if (*text == '\0')
            return;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(length - 1), text + 1);
        char *colon = strchr(name, ':');
        if (colon != NULL)
            *colon = '\0';
        print_place(out, m, name, colon == NULL ? NULL : colon + 1);
        text += length + 1;
    }
}

/* Whether the worst class is beyond all bounds; models about sites may have no worst class because
 * it was not counted. */
static void print_promise(FILE *out, const shown_model *m)
{
    const model_words *w = m->words;
    if (!m->holds && m->worst <= 1 && strcmp(w->model, "k-anonymity") == 0)
        print_words(out, m, "some record's quasi-identifiers are unique");
    else if (!m->holds && m->worst == 1 && m->persons && w->only != NULL)
        print_words(out, m, w->only);
    else
        print_words(out, m, m->holds || w->fails == NULL ? w->holds : w->fails);
    const char *worst = !isnan(m->worst) ? w->worst : w->endless;
    if (worst == NULL)
        return;
    fputs(" (", out);
    print_words(out, m, worst);
    fputc(')', out);
}

/* Fills `title` and `promise` through streams, which remember a failed allocation. */
static void print_both(FILE *title, FILE *promise, const kith_document *d, const char *path)
{
    const shown_model m = model_at(d, path);
    if (m.words == NULL)
        fputs(text_at(&m, "model"), title);
    else
        print_words(title, &m, m.words->title);
    char holds[PATH_BYTES];
    snprintf(holds, sizeof holds, "%s.holds", path);
    if (kith_document_flag(d, holds, true) != kith_document_flag(d, holds, false))
        return; /* not known, or not judged */
    if (kith_document_number(d, "classes", 0) == 0)
        fputs("there is no class", promise);
    else if (m.words != NULL)
        print_promise(promise, &m);
}

kith_status kith_model_words(char **title, char **promise, const kith_document *document,
                             const char *path, kith_error *error)
{
    char *texts[2] = {NULL, NULL};
    size_t lengths[2];
    FILE *to[2] = {open_memstream(&texts[0], &lengths[0]), open_memstream(&texts[1], &lengths[1])};
    if (to[0] != NULL && to[1] != NULL)
        print_both(to[0], to[1], document, path);
    bool good = true;
    for (int i = 0; i < 2; i++)
        good = to[i] != NULL && text_stream_close(to[i], &texts[i], error) == KITH_OK && good;
    if (!good) {
        free(texts[0]);
        free(texts[1]);
        return error_nomem(error);
    }
    *title = texts[0];
    *promise = texts[1];
    return KITH_OK;
}
