#include "core/findings.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "core/text.h"

enum { FINDINGS_KEPT = 1000 };

/* Invariants: count <= capacity <= FINDINGS_KEPT; n_problems <= count + dropped; every item owns
 * its three texts. */
struct kith_findings {
    kith_finding *items;
    size_t count;
    size_t capacity;
    size_t n_problems; /* including dropped ones */
    size_t dropped;    /* warnings and problems for which there was no room */
    bool nomem;        /* memory was lacking for one of these */
};

#if KITH_DEBUG
static void findings_check(const kith_findings *findings)
{
    ASSERT(findings->count <= findings->capacity);
    ASSERT(findings->capacity <= FINDINGS_KEPT);
    ASSERT(findings->n_problems <= findings->count + findings->dropped);
    size_t problems = 0;
    for (size_t i = 0; i < findings->count; i++) {
        ASSERT(findings->items[i].text != NULL);
        problems += findings->items[i].severity == KITH_SEVERITY_PROBLEM;
    }
    ASSERT(problems <= findings->n_problems);
}
#endif

kith_findings *kith_findings_new(void)
{
    return calloc(1, sizeof(kith_findings));
}

void kith_findings_free(kith_findings *findings)
{
    if (findings == NULL)
        return;
    for (size_t i = 0; i < findings->count; i++) {
        free((char *)findings->items[i].file);
        free((char *)findings->items[i].text);
        free((char *)findings->items[i].path);
    }
    free(findings->items);
    free(findings);
}

size_t kith_findings_n_listed(const kith_findings *findings)
{
    return findings == NULL ? 0 : findings->count;
}

size_t kith_findings_n_problems(const kith_findings *findings)
{
    return findings == NULL ? 0 : findings->n_problems;
}

size_t kith_findings_n_dropped(const kith_findings *findings)
{
    return findings == NULL ? 0 : findings->dropped;
}

const kith_finding *findings_item(const kith_findings *findings, size_t index)
{
    return index < kith_findings_n_listed(findings) ? &findings->items[index] : NULL;
}

bool kith_findings_at(kith_finding *finding, const kith_findings *findings, size_t index)
{
    const kith_finding *item = findings_item(findings, index);
    return item != NULL && options_give(finding, OPTIONS_FIRST_SIZE(kith_finding, text), item,
                                        sizeof *item, "kith_finding", NULL) == KITH_OK;
}

/* Makes room for one more item. A file in which every line is wrong must not fill the memory, so
 * the list has a limit. False: no room. */
static bool findings_reserve(kith_findings *findings)
{
    if (findings->count < findings->capacity)
        return true;
    if (findings->count == FINDINGS_KEPT)
        return false;
    size_t capacity = findings->capacity == 0 ? 8 : 2 * findings->capacity;
    if (capacity > FINDINGS_KEPT)
        capacity = FINDINGS_KEPT;
    kith_finding *items = realloc(findings->items, capacity * sizeof *items);
    if (items == NULL)
        return false;
    findings->items = items;
    findings->capacity = capacity;
    return true;
}

kith_findings *findings_or_own(kith_findings *callers, kith_findings **own)
{
    return callers != NULL ? callers : (*own = kith_findings_new());
}

void findings_add(kith_findings *findings, kith_severity severity, const char *file, size_t line,
                  size_t column, const char *format, ...)
{
    if (findings == NULL)
        return;
    if (severity == KITH_SEVERITY_PROBLEM)
        findings->n_problems++;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    char *own_text = strdup(text);
    char *own_file = file == NULL ? NULL : strdup(file);
    const bool copied = own_text != NULL && (file == NULL || own_file != NULL);
    if (!copied || !findings_reserve(findings)) {
        free(own_text);
        free(own_file);
        findings->dropped++;
        findings->nomem = findings->nomem || !copied || findings->count < FINDINGS_KEPT;
        return;
    }
    findings->items[findings->count++] =
        (kith_finding)KITH_OPTIONS(kith_finding, .severity = severity, .file = own_file,
                                   .line = line, .column = column, .text = own_text);
}

void findings_set_path(kith_findings *findings, size_t index, const char *path)
{
    ASSERT(index < findings->count);
    free((char *)findings->items[index].path);
    findings->items[index].path = path == NULL ? NULL : strdup(path);
}

kith_status findings_status(const kith_findings *findings, size_t before, kith_status status,
                            kith_error *error)
{
    size_t problems = kith_findings_n_problems(findings);
    if (findings != NULL && findings->nomem)
        return error_nomem(error);
    if (problems <= before)
        return KITH_OK;
    CHECK(findings_check(findings));
    size_t seen = 0;
    for (size_t i = 0; i < findings->count; i++) {
        const kith_finding *item = &findings->items[i];
        if (item->severity != KITH_SEVERITY_PROBLEM || seen++ < before)
            continue;
        if (item->file == NULL)
            error_set(error, status, "%s", item->text);
        else
            error_at(error, status, item->file, item->line, item->column, "%s", item->text);
        if (problems - before > 1)
            error_hint(error, status, "%zu more problem%s found", problems - before - 1,
                       problems - before == 2 ? " was" : "s were");
        return status;
    }
    /* Every problem since `before` was dropped. */
    return error_set(error, status, "%zu problem%s found beyond what the list keeps",
                     problems - before, problems - before == 1 ? " was" : "s were");
}

kith_status kith_findings_describe(kith_document **document, const kith_findings *findings,
                                   kith_error *error)
{
    kith_document *d = TRY_ALLOC(document_new(), error);
    size_t problems = kith_findings_n_problems(findings);
    size_t all = kith_findings_n_listed(findings) + kith_findings_n_dropped(findings);
    document_node *root = document_root(d);
    document_put_count(d, root, "problems", problems);
    document_put_count(d, root, "warnings", all - problems);
    document_node *list = document_array(d, root, "findings");
    for (size_t i = 0; i < kith_findings_n_listed(findings); i++) {
        const kith_finding *f = &findings->items[i];
        document_node *item = document_object(d, list, NULL);
        document_put_text(d, item, "severity",
                          f->severity == KITH_SEVERITY_PROBLEM ? "problem" : "warning");
        if (f->file != NULL)
            document_put_text(d, item, "file", f->file);
        if (f->line > 0)
            document_put_count(d, item, "line", f->line);
        if (f->column > 0)
            document_put_count(d, item, "column", f->column);
        if (f->path != NULL)
            document_put_text(d, item, "path", f->path);
        document_put_text(d, item, "text", f->text);
    }
    return document_finish(document, d, error);
}
