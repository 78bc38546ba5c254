/* Names of data and commands that are shown to people. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#include <kith/table.h>

void data_print(FILE *out, const char *uri)
{
    char *shown = or_die(kith_data_shown(uri));
    fputs(shown, out);
    kith_free(shown);
}

/* Behind a blank, and quoted if a shell would see more than a word. */
static void print_word(FILE *out, const char *word)
{
    const char *end = word;
    fputc(' ', out);
    if (strpbrk(word, " \t\n\"'`$&|;<>()[]{}*?!#~\\") == NULL) {
        fputs(word, out);
        return;
    }
    for (fputc('\'', out); *word != '\0'; word = end) {
        end = word + strcspn(word, "'");
        fprintf(out, "%.*s%s", (int)(end - word), word, *end == '\'' ? "'\\''" : "");
        end += *end == '\'';
    }
    fputc('\'', out);
}

void next_command_print(FILE *out, const common_options *common, const char *command,
                        const char *file, const char *data)
{
    const char separator[] = {common->separator, '\0'};
    char *shown = or_die(kith_data_shown(data));
    fprintf(out, "kith %s", command);
    print_word(out, file);
    print_word(out, shown);
    kith_free(shown);
    if (common->separator != '\0') {
        fputs(" --separator", out);
        print_word(out, common->separator == '\t' ? "\\t" : separator);
    }
    if (common->encoding != NULL) {
        fputs(" --encoding", out);
        print_word(out, common->encoding);
    }
    if (common->no_header)
        fputs(" --no-header", out);
    fputc('\n', out);
}
