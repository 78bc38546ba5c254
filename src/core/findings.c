#include "core/findings.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/options.h"
#include "core/text.h"

enum { FINDINGS_KEPT = 1000 };

/* Invariant: count <= capacity <= FINDINGS_KEPT; every item owns its two texts. */
struct kith_findings {
    kith_finding *items;
    size_t count;
    size_t capacity;
    size_t n_problems; /* including dropped ones */
    size_t dropped;
};

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

static int reserve(kith_findings *findings)
{
    if (findings->count < findings->capacity)
        return 1;
    if (findings->count == FINDINGS_KEPT)
        return 0;
    size_t capacity = findings->capacity == 0 ? 8 : 2 * findings->capacity;
    if (capacity > FINDINGS_KEPT)
        capacity = FINDINGS_KEPT;
    kith_finding *items = realloc(findings->items, capacity * sizeof *items);
    if (items == NULL)
        return 0;
    findings->items = items;
    findings->capacity = capacity;
    return 1;
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
    if (own_text == NULL || (file != NULL && own_file == NULL) || !reserve(findings)) {
        free(own_text);
        free(own_file);
        findings->dropped++;
        return;
    }
    findings->items[findings->count++] =
        (kith_finding)KITH_OPTIONS(kith_finding, .severity = severity, .file = own_file,
                                   .line = line, .column = column, .text = own_text);
}

kith_status findings_status(const kith_findings *findings, size_t before, kith_status status,
                            kith_error *error)
{
    size_t problems = kith_findings_n_problems(findings);
    if (problems <= before)
        return KITH_OK;
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
    return error_set(error, status, "%zu problem%s found beyond what the list keeps",
                     problems - before, problems - before == 1 ? " was" : "s were");
}
