/* kith_report: gathers what is known about a run and puts the page together. */
#include <kith/measure.h>
#include <kith/report.h>

#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/document.h"
#include "core/options.h"
#include "core/system/output.h"
#include "report/report_assets.h"
#include "report/report_internal.h"
#include "table/table_input.h"

enum { QUERIES = 1000, MAX_LEDGERS = 128 };

static void free_document(void *document)
{
    kith_document_free(document);
}

/* Reads a document that lives as long as the arena. */
static kith_status read_document(const kith_document **document, const report *r, const char *path,
                                 kith_error *error)
{
    kith_document *made = NULL;
    TRY(document_read(&made, path, error));
    *document = made;
    return arena_defer(r->memory, free_document, made) ? KITH_OK : error_nomem(error);
}

static kith_status add_ledger(report *r, const kith_document **ledgers, const char *path,
                              kith_error *error)
{
    if (r->n_ledgers == MAX_LEDGERS || access(path, F_OK) != 0)
        return KITH_OK;
    TRY(read_document(&ledgers[r->n_ledgers], r, path, error));
    r->n_ledgers++;
    return KITH_OK;
}

/* The summary, the release beside it, and the ledgers. `release` stays as it is if it is given. */
static kith_status read_run(report *r, const kith_report_options *o, kith_input *release,
                            kith_error *error)
{
    struct stat about;
    if (o->run == NULL)
        return KITH_OK;
    if (stat(o->run, &about) != 0 || !S_ISDIR(about.st_mode))
        return read_document(&r->summary, r, o->run, error);
    const char *path = report_format(r, "%s/summary.json", o->run);
    if (path[0] == '\0')
        return error_nomem(error);
    if (access(path, F_OK) != 0 && access(report_format(r, "%s/ledger.json", o->run), F_OK) == 0)
        return error_set(error, KITH_DATA,
                         "%s has no summary.json: its run published nothing, and only the ledger "
                         "tells of it (kith ledger show %s)",
                         o->run, o->run);
    if (access(path, F_OK) != 0)
        return error_set(error, KITH_DATA,
                         "%s is not the directory of a run: it has no summary.json", o->run);
    TRY(read_document(&r->summary, r, path, error));
    if (r->internal) {
        /* A party leaves its ledger in the directory, a simulation one per site below it. */
        const kith_document **ledgers = TRY_ZEROS(ledgers, r->memory, MAX_LEDGERS, error);
        TRY(add_ledger(r, ledgers, report_format(r, "%s/ledger.json", o->run), error));
        for (size_t i = 0; i < kith_document_n_items(r->summary, "sites"); i++) {
            const char *name = report_list_text(r->summary, "sites", i, "name");
            if (name[0] == '\0' || strchr(name, '/') != NULL || name[0] == '.')
                continue;
            TRY(add_ledger(r, ledgers, report_format(r, "%s/%s/ledger.json", o->run, name), error));
        }
        r->ledgers = ledgers;
    }
    path = report_format(r, "%s/release.csv", o->run);
    if (!table_input_given(release) && access(path, F_OK) == 0)
        release->uri = path;
    return KITH_OK;
}

static kith_status read_release(report *r, const kith_input *release, const kith_run *run,
                                kith_error *error)
{
    const kith_table_options how = KITH_INIT(kith_table_options);
    if (!table_input_given(release))
        return KITH_OK;
    return table_input_read(&r->release, release, &how, run, r->memory, error);
}

/* Can the records of the release be told? Those of a sample are drawn again from the seed of its
 * run. */
static bool records_known(kith_run *run, const kith_document *summary)
{
    const double greatest = 9007199254740992; /* above, numbers in JSON are not exact */
    if (!kith_document_has(summary, "sample") || run->seeded)
        return true;
    const double seed = kith_document_number(summary, "seed", -1);
    if (!(seed >= 0 && seed < greatest))
        return false;
    run->seeded = true;
    run->seed = (uint64_t)seed;
    return true;
}

static kith_status measure(report *r, const kith_report_options *o, const kith_run *run,
                           kith_error *error)
{
    const char *command = kith_document_text(r->summary, "command", "");
    if (strcmp(command, "measure") == 0)
        r->measured = r->summary;
    kith_run own;
    TRY(options_take_run(&own, run, error));
    if (!table_input_given(o->data) || r->release == NULL || o->study == NULL ||
        !records_known(&own, r->summary))
        return KITH_OK;
    kith_document *measured = NULL;
    const kith_measure_options how = {
        .size = sizeof how, .data = o->data, .release = o->release, .n_queries = QUERIES};
    const kith_status status = kith_measure(&measured, o->study, &how, &own, error);
    /* What means stand for is only known row by row: without, the report lacks these figures. */
    if (status == KITH_DATA && kith_document_n_items(r->summary, "means") > 0 &&
        strcmp(kith_document_text(r->summary, "order", "data"), "data") != 0)
        return KITH_OK;
    TRY(status);
    r->measured = measured;
    return arena_defer(r->memory, free_document, measured) ? KITH_OK : error_nomem(error);
}

/* What a policy names a style or script by. */
static void put_hash(html *page, const char *bytes, size_t length)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    char text[sodium_base64_ENCODED_LEN(sizeof hash, sodium_base64_VARIANT_ORIGINAL)];
    crypto_hash_sha256(hash, (const unsigned char *)bytes, length);
    sodium_bin2base64(text, sizeof text, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL);
    html_fill(page, " 'sha256-{}'", text);
}

/* The browser runs our own scripts only, and loads nothing. */
static void put_head(const report *r, const char *title)
{
    html *page = r->page;
    html_markup(page, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "base-uri 'none'; form-action 'none'; style-src");
    put_hash(page, report_assets_style, report_assets_style_length);
    html_markup(page, "; script-src");
    if (report_assets_charts_length == 0) {
        html_markup(page, " 'none'");
    } else {
        put_hash(page, report_assets_charts, report_assets_charts_length);
        put_hash(page, report_assets_script, report_assets_script_length);
    }
    html_fill(page,
              "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>",
              title);
    html_bytes(page, report_assets_style, report_assets_style_length);
    html_markup(page, "</style></head>\n<body>\n");
}

static void put_scripts(const report *r)
{
    if (report_assets_charts_length == 0)
        return;
    html_markup(r->page, "<script>");
    html_bytes(r->page, report_assets_charts, report_assets_charts_length);
    html_markup(r->page, "</script>\n<script>");
    html_bytes(r->page, report_assets_script, report_assets_script_length);
    html_markup(r->page, "</script>\n");
}

/* Comparisons are about data alone: nothing of them is in a release. */
static bool is_comparison(const report *r)
{
    const char *command = kith_document_text(r->summary, "command", "");
    return strcmp(command, "compare") == 0 || strcmp(command, "try") == 0;
}

static void put_header(const report *r, const char *title)
{
    const char *protocol = kith_document_text(r->summary, "protocol.name", "");
    html_markup(r->page, "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header>");
    if (r->internal)
        html_markup(r->page,
                    "<p class=\"confidential\" role=\"note\">Confidential: this report was "
                    "made from the original data. Do not publish it.</p>");
    html_fill(r->page, "<h1>{}</h1><p>{}</p></header>\n<main id=\"content\">\n", title,
              is_comparison(r)      ? "a comparison"
              : protocol[0] == '\0' ? "one table"
                                    : "a release of several sites");
}

static kith_status read_estimate(report *r, const char *path, kith_error *error)
{
    if (path == NULL)
        return KITH_OK;
    TRY(read_document(&r->estimate, r, path, error));
    if (strcmp(kith_document_text(r->estimate, "command", ""), "estimate") != 0)
        return error_set(error, KITH_DATA, "%s is not a summary of 'kith estimate'", path);
    return KITH_OK;
}

static kith_status put_page(const report *r, kith_error *error)
{
    const char *study = kith_document_text(r->summary, "study", "");
    const char *title = report_format(r, "Report: %s", study[0] == '\0' ? "a run of Kith" : study);
    put_head(r, title);
    put_header(r, title);
    report_verdict(r);
    report_ways(r);
    report_kept(r);
    report_measured(r);
    TRY(report_release(r, error));
    TRY(report_lattice(r, error));
    report_joint(r);
    html_fill(r->page, "</main>\n<footer><p>Made by Kith {}. {}</p></footer>\n",
              kith_document_text(r->summary, "kith", ""),
              r->internal ? "Confidential: it says more than the release does."
                          : "Everything in this report can be computed from the release and the "
                            "study; check it with kith verify STUDY RELEASE.");
    put_scripts(r);
    html_markup(r->page, "</body></html>\n");
    return KITH_OK;
}

kith_status kith_report(const kith_report_options *options, const kith_run *run, kith_error *error)
{
    kith_report_options o;
    kith_input data_input, release;
    TRY(OPTIONS_TAKE(kith_report_options, output, &o, options, error));
    TRY(options_need(o.output, "output", error));
    TRY(table_input_take(&data_input, o.data, "data", error));
    TRY(table_input_take(&release, o.release, "release", error));
    o.data = &data_input;
    o.release = &release;
    if ((o.run == NULL) == (o.summary == NULL))
        return error_set(error, KITH_INVALID, "a report takes a run or a summary, not both");
    if (sodium_init() < 0)
        return error_set(error, KITH_IO, "libsodium cannot be initialised");
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    report r = {
        .memory = memory, .internal = o.internal, .summary = o.summary, .lattice = o.lattice};
    r.page = TRY_ALLOC(html_new(r.memory), error);
    output *out = NULL;
    TRY(output_open(&out, r.memory, o.output, o.overwrite, error));
    TRY(read_run(&r, &o, &release, error));
    const bool data = table_input_given(&data_input);
    if (!r.internal && (is_comparison(&r) || data || o.lattice != NULL || o.estimate != NULL))
        return error_hint(
            error,
            error_set(error, KITH_INVALID, "a public report says nothing about the data, %s",
                      data ? "so it takes none" : "and a comparison is about nothing else"),
            "use --internal for a confidential one");
    TRY(read_release(&r, &release, run, error));
    if (r.internal)
        TRY(measure(&r, &o, run, error));
    TRY(read_estimate(&r, o.estimate, error));
    TRY(put_page(&r, error));
    const char *bytes = NULL;
    size_t length = 0;
    TRY(html_finish(&bytes, &length, r.page, error));
    output_write(out, bytes, length);
    if (r.internal)
        output_keep_private(out);
    return output_commit(out, error);
}
