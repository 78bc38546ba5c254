/* Findings for scripts. */
#include "core/document.h"
#include "core/error.h"
#include "core/findings.h"

static void put_finding(kith_document *d, document_node *list, const kith_finding *f)
{
    document_node *item = document_object(d, list, NULL);
    document_put_text(d, item, "severity", f->severity == KITH_PROBLEM ? "problem" : "warning");
    if (f->file != NULL)
        document_put_text(d, item, "file", f->file);
    if (f->line > 0)
        document_put_count(d, item, "line", f->line);
    if (f->column > 0)
        document_put_count(d, item, "column", f->column);
    document_put_text(d, item, "text", f->text);
}

kith_status kith_findings_document(const kith_findings *findings, kith_document **document,
                                   kith_error *error)
{
    kith_document *d = TRY_ALLOC(document_new(), error);
    size_t problems = kith_findings_problems(findings);
    size_t all = kith_findings_count(findings) + kith_findings_dropped(findings);
    document_node *root = document_root(d);
    document_put_count(d, root, "problems", problems);
    document_put_count(d, root, "warnings", all - problems);
    document_node *list = document_array(d, root, "findings");
    for (size_t i = 0; i < kith_findings_count(findings); i++) {
        kith_finding f = kith_findings_at(findings, i);
        put_finding(d, list, &f);
    }
    kith_status status = document_status(d, error);
    if (status == KITH_OK)
        *document = d;
    else
        kith_document_free(d);
    return status;
}
