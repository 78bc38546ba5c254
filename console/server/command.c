/* The command that does the same. */
#include "console/server/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/table.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "-_./:=,+@%";

static void print_quoted(FILE *line, const char *word)
{
    if (strspn(word, plain) == strlen(word)) {
        fputs(word, line);
        return;
    }
    fputc('\'', line);
    for (const char *c = word; *c != '\0'; c++)
        if (*c == '\'')
            fputs("'\\''", line);
        else
            fputc(*c, line);
    fputc('\'', line);
}

static void print_word(FILE *line, const char *word)
{
    char *shown = kith_data_shown(word);
    if (shown != NULL)
        print_quoted(line, shown);
    kith_free(shown);
}

void command_add(cJSON *out, const char *const *words)
{
    char *text = NULL;
    size_t length = 0;
    FILE *line = open_memstream(&text, &length);
    if (line == NULL)
        return;
    fputs("kith", line);
    for (; *words != NULL; words++)
        if ((*words)[0] != '\0') {
            fputc(' ', line);
            print_word(line, *words);
        }
    if (fclose(line) == 0)
        cJSON_AddStringToObject(out, "command", text);
    free(text);
}
