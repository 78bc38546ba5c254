/* Command-line options: a table per subcommand serves parsing and help alike. */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_spec *find_long(const option_spec *options, const char *name, size_t length)
{
    for (const option_spec *o = options; o->name != NULL; o++)
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0)
            return o;
    return NULL;
}

static const option_spec *find_letter(const option_spec *options, char letter)
{
    for (const option_spec *o = options; o->name != NULL; o++)
        if (o->letter != 0 && o->letter == letter)
            return o;
    return NULL;
}

static bool parse_number(const char *text, uint64_t *value)
{
    if (!isdigit((unsigned char)text[0]))
        return false;
    char *end;
    errno = 0;
    unsigned long long result = strtoull(text, &end, 10);
    *value = result;
    return errno == 0 && *end == '\0';
}

static bool parse_character(const char *text, char *value)
{
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0) {
        *value = '\t';
        return true;
    }
    *value = text[0];
    return text[0] != '\0' && text[1] == '\0' && text[0] != '"' && (unsigned char)text[0] < 0x80;
}

static int store(const option_spec *o, const char *value)
{
    switch (o->kind) {
    case OPTION_FLAG: *(bool *)o->target = true; return 0;
    case OPTION_TEXT: *(const char **)o->target = value; return 0;
    case OPTION_COUNT:
        if (parse_number(value, o->target))
            return 0;
        return report_usage("--%s takes a whole number, not '%s'", o->name, value);
    case OPTION_SEED: {
        seed_value *seed = o->target;
        seed->given = true;
        if (parse_number(value, &seed->value))
            return 0;
        return report_usage("--%s takes a whole number, not '%s'", o->name, value);
    }
    case OPTION_CHARACTER:
        if (parse_character(value, o->target))
            return 0;
        return report_usage("--%s takes one character or 'tab', not '%s'", o->name, value);
    case OPTION_LIST: {
        text_list *list = o->target;
        if (list->count == LIST_ITEMS)
            return report_usage("--%s is given more than %d times", o->name, LIST_ITEMS);
        list->items[list->count++] = value;
        return 0;
    }
    }
    return 0;
}

/* Handles argv[i], an option; returns how many further arguments it took, or -1 with *status set.
 */
static int take_option(const option_spec *options, int argc, char **argv, int i, int *status)
{
    const char *text = argv[i];
    const option_spec *o;
    const char *value = NULL;
    if (text[1] == '-') {
        size_t length = strcspn(text + 2, "=");
        o = find_long(options, text + 2, length);
        if (text[2 + length] == '=')
            value = text + 3 + length;
    } else {
        o = find_letter(options, text[1]);
        if (text[2] != '\0')
            value = text + 2;
    }
    if (o == NULL) {
        *status =
            strncmp(text, "--engine", 8) == 0
                ? report_usage("--engine is gone: leave it out; rows that do not fit into the "
                               "'memory' of a study go to the disk, wherever they come from")
                : report_usage("unknown option '%s'; see 'kith %s --help'", text, argv[0]);
        return -1;
    }
    int taken = 0;
    if (o->kind == OPTION_FLAG && value != NULL) {
        *status = report_usage("--%s takes no value", o->name);
        return -1;
    }
    if (o->kind != OPTION_FLAG && value == NULL) {
        if (i + 1 >= argc) {
            *status = report_usage("--%s needs a value (%s)", o->name, o->argument);
            return -1;
        }
        value = argv[i + 1];
        taken = 1;
    }
    *status = store(o, value);
    return *status == 0 ? taken : -1;
}

const kith_csv_options *csv_options(common_options *common)
{
    common->csv = (kith_csv_options)KITH_OPTIONS(kith_csv_options, .encoding = common->encoding,
                                                 .no_header = common->no_header);
    return &common->csv;
}

kith_input data_input(common_options *common, const char *uri)
{
    return (kith_input)KITH_OPTIONS(kith_input, .uri = uri, .separator = common->separator,
                                    .csv = csv_options(common));
}

bool verb_run(int *status, verb *verbs, size_t n_verbs, int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < n_verbs; i++)
        if (strcmp(argv[1], verbs[i].name) == 0) {
            argv[1] = verbs[i].full;
            *status = verbs[i].run(argc - 1, argv + 1);
            return true;
        }
    return false;
}

int options_parse(const help_page *page, const option_spec *options, int argc, char **argv,
                  int min_arguments, int max_arguments, int *status)
{
    int positional = 0;
    bool only_positional = false;
    for (int i = 1; i < argc; i++) /* also errors in what comes before it */
        if (strcmp(argv[i], "--json") == 0 && find_long(options, "json", strlen("json")) != NULL)
            report_as_json();
    for (int i = 1; i < argc; i++) {
        const char *text = argv[i];
        if (only_positional || text[0] != '-' || text[1] == '\0') {
            argv[++positional] = argv[i];
        } else if (strcmp(text, "--") == 0) {
            only_positional = true;
        } else if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
            help_print(page, options);
            *status = EXIT_DONE;
            return -1;
        } else {
            int taken = take_option(options, argc, argv, i, status);
            if (taken < 0)
                return -1;
            i += taken;
        }
    }
    if (positional < min_arguments) {
        *status = report_usage("missing argument; usage: %s", page->usage);
        return -1;
    }
    if (positional > max_arguments) {
        *status = report_usage("unexpected argument '%s'; usage: %s", argv[max_arguments + 1],
                               page->usage);
        return -1;
    }
    return positional;
}
