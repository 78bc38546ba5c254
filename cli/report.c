/* Messages on standard error, and exit statuses. */
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool as_json;

void report_as_json(void)
{
    as_json = true;
}

int report_exit_status(kith_status status)
{
    switch (status) {
    case KITH_OK: return EXIT_DONE;
    case KITH_INVALID:
    case KITH_DATA: return EXIT_BAD_INPUT;
    case KITH_PEER: return EXIT_PEER;
    case KITH_INFEASIBLE: return EXIT_INFEASIBLE;
    case KITH_NOMEM:
    case KITH_IO: return EXIT_LOCAL;
    case KITH_CANCELLED: return EXIT_INTERRUPTED;
    case KITH_BUG: return EXIT_BUG;
    }
    return EXIT_BUG;
}

static void report_line(const char *kind, const char *text)
{
    fprintf(stderr, "kith: %s: ", kind);
    plain_text_print(stderr, text, "");
    fputc('\n', stderr);
}

/* {"error", "hint", "kind", "exit"} on one line. */
static int report_error_json(const kith_error *error)
{
    const int status = report_exit_status(error->status);
    fputs("{\"error\": ", stderr);
    json_text(stderr, error->status == KITH_CANCELLED ? "interrupted" : error->message);
    if (error->hint[0] != '\0') {
        fputs(", \"hint\": ", stderr);
        json_text(stderr, error->hint);
    }
    fprintf(stderr, ", \"kind\": \"%s\", \"exit\": %d}\n", kith_status_name(error->status), status);
    return status;
}

int report_error(const kith_error *error)
{
    if (!kith_ranks_reports(ranks_joined()) && ranks_first())
        return report_exit_status(error->status);
    if (as_json)
        return report_error_json(error);
    if (error->status == KITH_CANCELLED)
        fputs("kith: interrupted\n", stderr);
    else
        report_line("error", error->message);
    if (error->hint[0] != '\0')
        report_line("hint", error->hint);
    if (error->status == KITH_BUG)
        fputs(
            "kith: hint: this is a bug in kith; please report it with the command and the study\n",
            stderr);
    return report_exit_status(error->status);
}

int report_usage(const char *format, ...)
{
    va_list arguments;
    kith_error error = {.status = KITH_INVALID};
    va_start(arguments, format);
    if (as_json) {
        vsnprintf(error.message, sizeof error.message, format, arguments);
        report_error_json(&error);
    } else {
        fputs("kith: error: ", stderr);
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
    }
    va_end(arguments);
    return EXIT_BAD_INPUT;
}

int report_missing(const char *what, const help_page *page)
{
    return report_usage("%s is missing; usage: %s", what, page->usage);
}

static void report_place(const kith_finding *f)
{
    if (f->file == NULL)
        return;
    fprintf(stderr, "%s:", f->file);
    if (f->line > 0)
        fprintf(stderr, "%zu:", f->line);
    if (f->line > 0 && f->column > 0)
        fprintf(stderr, "%zu:", f->column);
    fputc(' ', stderr);
}

/* The document of kith_findings_describe on one line. */
static void print_findings_json(const kith_findings *findings)
{
    kith_document *d = NULL;
    char *json =
        kith_findings_describe(&d, findings, NULL) == KITH_OK ? kith_document_json(d, false) : NULL;
    if (json != NULL)
        fprintf(stderr, "%s\n", json);
    kith_free(json);
    kith_document_free(d);
}

static void print_findings(const kith_findings *findings, bool warnings)
{
    if (as_json) {
        print_findings_json(findings);
        return;
    }
    for (size_t i = 0; i < kith_findings_n_listed(findings); i++) {
        kith_finding f = KITH_INIT(kith_finding);
        if (!kith_findings_at(&f, findings, i))
            break;
        if (f.severity != KITH_SEVERITY_PROBLEM && !warnings)
            continue;
        fprintf(stderr, "kith: %s: ", f.severity == KITH_SEVERITY_PROBLEM ? "error" : "warning");
        report_place(&f);
        plain_text_print(stderr, f.text, "");
        fputc('\n', stderr);
    }
    if (kith_findings_n_dropped(findings) > 0)
        fprintf(stderr, "kith: … and %zu more\n", kith_findings_n_dropped(findings));
}

void report_warnings(const kith_document *document)
{
    for (size_t i = 0; !as_json && i < kith_document_n_items(document, "warnings"); i++) {
        fputs("kith: warning: ", stderr);
        plain_text_print(stderr, kith_document_text(document, path_at("warnings.%zu", i), ""), "");
        fputc('\n', stderr);
    }
}

int report_one_input(const char *study, const char *const inputs[3])
{
    for (int i = 0; i < 3; i++)
        if (inputs[i] != NULL && strcmp(inputs[i], "-") == 0 && strcmp(study, "-") == 0)
            return report_usage("the study and the data cannot both come from standard input");
    return EXIT_DONE;
}

void report_findings(const kith_findings *findings)
{
    print_findings(findings, true);
}

void report_problems(const kith_findings *findings)
{
    print_findings(findings, false);
}

bool report_explained(const kith_findings *findings, size_t before, const kith_error *error)
{
    return kith_findings_n_problems(findings) > before &&
           (error->status == KITH_INVALID || error->status == KITH_DATA);
}
