/* Hierarchies from a text or from labels in memory. */
#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/options.h"
#include "hierarchy/arx_read.h"

/* What a hierarchy is made from: a text in the form of a file, or labels. */
typedef struct contents {
    const char *text;
    size_t length;
    char separator;
    const char *const *labels; /* NULL: the text */
    size_t n_leaves, n_levels;
} contents;

static kith_status fill(draft *d, const contents *from, kith_findings *findings, kith_error *error)
{
    arx_rows rows;
    if (from->labels == NULL) {
        /* Quoted cells are unescaped in place. */
        char *text = TRY_ALLOC(arena_alloc(d->scratch, from->length), error);
        if (from->length > 0)
            memcpy(text, from->text, from->length);
        return arx_read_text(d, "<memory>", text, from->length, from->separator, findings, error);
    }
    d->file = "<labels>";
    TRY(arx_scan_labels(&rows, from->labels, from->n_leaves, from->n_levels, d->file, &d->labels,
                        d->scratch, findings, error));
    return arx_read_rows(d, &rows, findings, error);
}

static kith_status make_from(kith_hierarchy **hierarchy, const contents *from,
                             kith_findings *findings, kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    kith_findings *own FINDINGS_SCOPED = NULL;
    kith_findings *list = TRY_ALLOC(findings_or_own(findings, &own), error);
    arena *memory = TRY_ALLOC(arena_new(), error);
    draft d;
    kith_status status = draft_init(&d, memory, scratch, error);
    const size_t before = kith_findings_n_problems(list);
    if (status == KITH_OK)
        status = fill(&d, from, list, error);
    if (status == KITH_OK)
        status = findings_status(list, before, KITH_DATA, error);
    if (status == KITH_OK) {
        d.file = NULL; /* there is none that a message could name later */
        status = draft_finish(&d, hierarchy, error);
    }
    if (status == KITH_OK)
        (*hierarchy)->memory = memory;
    else
        arena_free(memory);
    return status;
}

kith_status kith_hierarchy_parse(kith_hierarchy **hierarchy, const char *text, size_t length,
                                 const kith_hierarchy_options *options, kith_findings *findings,
                                 kith_error *error)
{
    kith_hierarchy_options own;
    *hierarchy = NULL;
    TRY(OPTIONS_TAKE(kith_hierarchy_options, separator, &own, options, error));
    const contents from = {.text = text, .length = length, .separator = own.separator};
    return make_from(hierarchy, &from, findings, error);
}

kith_status kith_hierarchy_from_labels(kith_hierarchy **hierarchy, const char *const *labels,
                                       size_t n_leaves, size_t n_levels, kith_findings *findings,
                                       kith_error *error)
{
    const contents from = {.labels = labels, .n_leaves = n_leaves, .n_levels = n_levels};
    *hierarchy = NULL;
    if (n_leaves == 0 || n_levels < 2)
        return error_set(error, KITH_INVALID,
                         "a hierarchy needs a value and, above it, a root: %zu values with %zu "
                         "levels",
                         n_leaves, n_levels);
    return make_from(hierarchy, &from, findings, error);
}
