/* kith smc: one secure computation among the parties of a study. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith smc OPERATION STUDY --as NAME --key FILE [VALUE]… [OPTION]…",
    .text =
        "Computes on the values of all parties of STUDY, who all run it at the same time with\n"
        "the same operation; each sees the result and nothing else of the others' values.\n"
        "Values are given on the command line (negative ones behind --) or, one per line, in a\n"
        "file. Results are printed one per line.\n\n"
        "Operations:\n"
        "  sum      of the first values of all, of the second ones, and so on\n"
        "  and      the same with bits, 0 or 1\n"
        "  or       the same with bits\n"
        "  min      of all values of all parties, who may have any number of them\n"
        "  max      the same\n"
        "  median   the same; of two in the middle the lower one\n"
        "  union    distinct texts of all; how many a party has is not hidden",
    .example = "  kith smc sum cardio.study.yaml --as north --key north.key 17 4\n"
               "  kith smc median cardio.study.yaml --as north --key north.key --range 0:120 -i "
               "ages.txt",
};

/* Values of a file, one per line. */
typedef struct lines {
    char *text; /* owns all */
    const char **lines;
    size_t count;
} lines;

static void lines_free(lines *l)
{
    free(l->text);
    free(l->lines);
}

/* The whole of a stream, terminated; NULL if it cannot be read. */
static char *read_all(FILE *in)
{
    size_t size = 0, room = 65536;
    char *text = malloc(room);
    while (text != NULL) {
        size += fread(text + size, 1, room - size - 1, in);
        if (size < room - 1)
            break;
        room *= 2;
        char *larger = realloc(text, room);
        if (larger == NULL)
            free(text);
        text = larger;
    }
    if (text != NULL && ferror(in)) {
        free(text);
        return NULL;
    }
    if (text != NULL)
        text[size] = '\0';
    return text;
}

static bool split(lines *l)
{
    size_t room = 1;
    for (const char *at = l->text; *at != '\0'; at++)
        room += *at == '\n';
    l->lines = calloc(room, sizeof *l->lines);
    for (char *at = l->text; l->lines != NULL && *at != '\0';) {
        char *end = at + strcspn(at, "\n");
        char *next = *end == '\0' ? end : end + 1;
        *end = '\0';
        if (end > at && end[-1] == '\r')
            end[-1] = '\0';
        if (*at != '\0')
            l->lines[l->count++] = at;
        at = next;
    }
    return l->lines != NULL;
}

static int read_lines(lines *l, const char *path)
{
    kith_error error = {.status = KITH_IO};
    bool standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : fopen(path, "rb");
    l->text = in == NULL ? NULL : read_all(in);
    if (l->text == NULL || !split(l))
        snprintf(error.message, sizeof error.message, "cannot read %s: %s", path, strerror(errno));
    if (in != NULL && !standard)
        fclose(in);
    return error.message[0] == '\0' ? EXIT_DONE : report_error(&error);
}

static bool parse_range(const char *text, kith_smc_task *task)
{
    char *middle, *end;
    errno = 0;
    task->low = strtoll(text, &middle, 10);
    if (middle == text || *middle != ':')
        return false;
    task->high = strtoll(middle + 1, &end, 10);
    task->ranged = true;
    return errno == 0 && end != middle + 1 && *end == '\0' && task->low <= task->high;
}

static int compute(const char *path, const party_settings *settings, const kith_smc_task *task,
                   const common_options *common)
{
    int status;
    kith_error error = {0};
    kith_document *d = NULL;
    char *results = NULL;
    kith_study *study = study_open(path, &status);
    if (study == NULL)
        return status;
    secrecy_begin();
    progress_display *display = progress_begin(common);
    kith_run call = progress_run(display, common);
    kith_status done = kith_smc(&results, &d, study, task, &settings->options, &call, &error);
    progress_end(display);
    kith_study_free(study);
    if (done != KITH_OK)
        return report_error(&error);
    if (common->json)
        document_print(d);
    else if (!common->quiet && isatty(STDOUT_FILENO))
        plain_text_print(stdout, results, "\n\t"); /* texts of a union come from others */
    else if (!common->quiet)
        fputs(results, stdout);
    kith_free(results);
    kith_document_free(d);
    return EXIT_DONE;
}

int cmd_smc(int argc, char **argv)
{
    common_options common = {0};
    party_settings settings = {.options = KITH_INIT(kith_party_options)};
    const char *input = NULL, *range = NULL;
    uint64_t width = 0;
    lines from_file = {0};
    const option_spec options[] = {
        PARTY_OPTION_ROWS(&settings),
        {"input", 'i', OPTION_TEXT, &input, "FILE", "values, one per line; - is standard input"},
        {"range", 0, OPTION_TEXT, &range, "LOW:HIGH", "public range (min, max, median)"},
        {"width", 0, OPTION_COUNT, &width, "N", "public bound of a text's bytes (union; 64)"},
        OPTION_FORCE_ROW(&common),
        OPTION_QUIET_ROW(&common),
        OPTION_JSON_ROW(&common),
        OPTION_PROGRESS_ROW(&common),
        OPTION_END};
    int status = EXIT_DONE;
    int count = options_parse(&page, options, argc, argv, 2, 1000000, &status);
    if (count < 0)
        return status;
    kith_smc_task task =
        KITH_OPTIONS(kith_smc_task, .operation = argv[1], .values = (const char *const *)(argv + 3),
                     .n_values = (size_t)count - 2, .width = width);
    if (range != NULL && !parse_range(range, &task))
        return report_usage("--range takes LOW:HIGH, not '%s'", range);
    if (input != NULL && count > 2)
        return report_usage("values come from the command line or from a file, not from both");
    status = party_options_check(&settings, &common);
    if (status == EXIT_DONE && input != NULL) {
        status = read_lines(&from_file, input);
        task.values = from_file.lines;
        task.n_values = from_file.count;
    }
    if (status == EXIT_DONE)
        status = compute(argv[2], &settings, &task, &common);
    lines_free(&from_file);
    return status;
}
