/* Any bytes as a command line, one argument per line: it is taken apart or refused, and what was
 * taken is what stands there. Every argument is also a time, a command and a text to print. */
#include "support/fuzz_input.h"

#include "cli.h"

enum { MAX_ARGUMENTS = 100, MAX_LENGTH = 4096 };

static const help_page page = {.usage = "kith test A [B]", .text = "Tests.", .example = "  none"};

/* As a study takes it: digits and a unit. */
static bool is_time(const char *text)
{
    static const char *const units[] = {"", "ms", "s", "min", "h"};
    const size_t digits = strspn(text, "0123456789.");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (digits > 0 && strcmp(text + digits, units[i]) == 0)
            return true;
    return false;
}

static void try_text(const char *text)
{
    uint32_t milliseconds = 0;
    char shown[128];
    const int status = duration_take("wait", text, &milliseconds);
    require(status == EXIT_DONE || status == EXIT_BAD_INPUT);
    require(status != EXIT_DONE || (is_time(text) && milliseconds <= 86400000));
    (void)nearest_command(text);
    (void)short_value(text, shown);
    plain_text_print(stdout, text, "\n");
    json_text(stdout, text);
    for (size_t width = 1; width < 100; width += 33) {
        size_t next = 0;
        require(wrap_line(text, width, &next) <= strlen(text) && next <= strlen(text));
        require(next > 0 || text[0] == '\0');
        wrap_text(stdout, text, width, width / 2, 2);
    }
}

static void parse(int argc, char **argv)
{
    common_options common = {0};
    party_settings settings = {.options = KITH_INIT(kith_party_options)};
    text_list list = {0};
    char *given[MAX_ARGUMENTS + 1];
    const option_spec options[] = {{"set", 's', OPTION_LIST, &list, "KEY=V", "a list"},
                                   OPTION_SEED_ROW(&common),
                                   PARTY_OPTION_ROWS(&settings),
                                   OPTION_REPORT_ROWS(&common),
                                   OPTION_END};
    int status = -1;
    memcpy(given, argv, (size_t)argc * sizeof *argv);
    const int count = options_parse(&page, options, argc, argv, 1, 3, &status);
    require(count < 0 ? status == EXIT_DONE || status == EXIT_BAD_INPUT : count >= 1 && count <= 3);
    for (int i = 1, at = 1; i <= count; i++, at++) { /* a part of what was given, in its order */
        while (at < argc && given[at] != argv[i])
            at++;
        require(at < argc);
    }
    require(list.count <= LIST_ITEMS);
    if (count > 0) {
        status = party_options_check(&settings, &common);
        require(status == EXIT_DONE || status == EXIT_BAD_INPUT);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *argv[MAX_ARGUMENTS + 1] = {fuzz_text((const uint8_t *)"test", 4)};
    char *kept[MAX_ARGUMENTS];
    int argc = 1;
    if (size > MAX_LENGTH)
        size = MAX_LENGTH;
    while (size > 0 && argc < MAX_ARGUMENTS)
        argv[argc++] = fuzz_line(&data, &size);
    memcpy(kept, argv, sizeof kept);
    for (int i = 1; i < argc; i++)
        try_text(argv[i]);
    parse(argc, argv);
    for (int i = 0; i < argc; i++)
        free(kept[i]);
    return 0;
}
