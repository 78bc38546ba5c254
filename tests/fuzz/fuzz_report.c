/* Any bytes as what a run has left, summary, ledger and release, for `kith report`: refused with a
 * message, or a page whose tags are all our own. Lines with nothing but %% stand between the three.
 */
#include "support/fuzz_input.h"

#include <ctype.h>
#include <sys/stat.h>

#include <kith/report.h>

enum { MAX_LENGTH = 1 << 14, PARTS = 3, TAG = 16 };

static const char *const tags[] = {
    "a",      "article", "body",    "br",       "canvas", "details", "div",    "figcaption",
    "figure", "footer",  "h1",      "h2",       "h3",     "head",    "header", "html",
    "li",     "main",    "meta",    "p",        "script", "section", "small",  "span",
    "strong", "style",   "summary", "table",    "tbody",  "td",      "th",     "thead",
    "title",  "tr",      "ul",      "caption",  "ol",     "nav",     "code",   "em",
    "dl",     "dt",      "dd",      "noscript", "button"};

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (strcmp(tags[i], name) == 0)
            return true;
    return false;
}

/* The name of the tag that begins here, in small letters; empty if none does. */
static void read_tag(char name[TAG], const char *at)
{
    size_t length = 0;
    at += *at == '/';
    for (; length + 1 < TAG && isalnum((unsigned char)at[length]); length++)
        name[length] = (char)tolower((unsigned char)at[length]);
    name[length] = '\0';
}

/* Styles and scripts are ours as a whole: whatever ends them early would leave tags behind. */
static void check_page(const char *page)
{
    for (const char *at = strchr(page, '<'); at != NULL; at = strchr(at + 1, '<')) {
        char name[TAG], end[TAG + 4];
        if (at[1] == '!')
            continue;
        read_tag(name, at + 1);
        if (!is_known(name))
            dprintf(fuzz_errors, "the page has <%.40s\n", at + 1);
        require(is_known(name));
        if (at[1] == '/' || (strcmp(name, "style") != 0 && strcmp(name, "script") != 0))
            continue;
        snprintf(end, sizeof end, "</%s>", name);
        at = strstr(at, end);
        require(at != NULL);
    }
}

static void report(const char *directory, bool internal)
{
    kith_error error = {0};
    char *page = NULL;
    const char *path = fuzz_path("report.html");
    const kith_report_options options =
        KITH_OPTIONS(kith_report_options, .run = directory, .internal = internal, .output = path,
                     .overwrite = true);
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true);
    const kith_status status = kith_report(&options, &run, &error);
    require(status == KITH_OK || status == KITH_DATA || status == KITH_INVALID);
    require(status == KITH_OK || error.message[0] != '\0');
    if (status != KITH_OK)
        return;
    FILE *in = fopen(path, "r");
    size_t room = 0;
    require(in != NULL && getdelim(&page, &room, '\0', in) > 0 && fgetc(in) == EOF);
    fclose(in);
    check_page(page);
    free(page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[PARTS] = {"run/summary.json", "run/ledger.json",
                                             "run/release.csv"};
    char directory[512];
    if (size > MAX_LENGTH)
        return 0;
    snprintf(directory, sizeof directory, "%s", fuzz_path("run"));
    mkdir(directory, 0700);
    for (size_t i = 0; i < PARTS; i++) {
        const uint8_t *end = size == 0 || i + 1 == PARTS ? NULL : memmem(data, size, "%%\n", 3);
        const size_t length = end == NULL ? size : (size_t)(end - data);
        if (length > 0)
            fuzz_file(names[i], data, length);
        else
            unlink(fuzz_path(names[i]));
        data += length + (end == NULL ? 0 : 3);
        size -= length + (end == NULL ? 0 : 3);
    }
    report(directory, false);
    report(directory, true);
    return 0;
}
