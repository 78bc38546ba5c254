/* What the models of a study promise, and whether a release keeps it. */
#include "cli.h"

void models_print_title(FILE *out, const kith_document *d, const char *base)
{
    char *title = NULL, *promise = NULL;
    kith_error error;
    if (kith_model_words(&title, &promise, d, base, &error) == KITH_OK)
        fputs(title, out);
    kith_free(title);
    kith_free(promise);
}

void models_print_one(FILE *to, const kith_document *d, size_t i)
{
    char base[64], *title = NULL, *promise = NULL;
    kith_error error;
    snprintf(base, sizeof base, "models.%zu", i);
    if (kith_model_words(&title, &promise, d, base, &error) != KITH_OK)
        or_die(NULL);
    wrap_buffer line;
    FILE *out = wrap_begin(&line);
    const bool holds = kith_document_flag(d, path_at("%s.holds", base), false);
    const bool known = kith_document_flag(d, path_at("%s.holds", base), true) == holds;
    fprintf(out, "%s %s", !known ? "not checked:" : holds ? "holds" : "FAILS", title);
    if (promise[0] != '\0')
        fprintf(out, ": %s", promise);
    wrap_end(&line, to, 2);
    kith_free(title);
    kith_free(promise);
}

void models_print(FILE *out, const kith_document *d)
{
    for (size_t i = 0; i < kith_document_n_items(d, "models"); i++)
        models_print_one(out, d, i);
    overlap_print(out, d);
}
