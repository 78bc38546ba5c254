/* Findings for scripts. */
#include "core/document.h"
#include "core/error.h"
#include "core/findings.h"

static void put_finding(kith_document *d, document_node *list, const kith_finding *f)
{
    document_node *item = document_object(d, list, NULL);
    document_put_text(d, item, "severity",
                      f->severity == KITH_SEVERITY_PROBLEM ? "problem" : "warning");
    if (f->file != NULL)
        document_put_text(d, item, "file", f->file);
    if (f->line > 0)
        document_put_count(d, item, "line", f->line);
    if (f->column > 0)
        document_put_count(d, item, "column", f->column);
    document_put_text(d, item, "text", f->text);
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
        put_finding(d, list, findings_item(findings, i));
    }
    kith_status status = document_status(d, error);
    if (status == KITH_OK)
        *document = d;
    else
        kith_document_free(d);
    return status;
}
