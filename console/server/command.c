/* The command that does the same. */
#include "console/server/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/application.h>
#include <kith/table.h>

#include "console/server/json.h"

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

static void print_words(FILE *line, const char *program, const char *const *words)
{
    fputs(program, line);
    for (; *words != NULL; words++)
        if ((*words)[0] != '\0') {
            fputc(' ', line);
            print_word(line, *words);
        }
}

/* Replaces the command in `out`; `before` and `after` are text for a shell already. */
static void put(cJSON *out, const char *before, const char *program, const char *const *words,
                const char *after)
{
    static const char then[] = " && ";
    char *text = NULL;
    size_t length = 0;
    FILE *line = open_memstream(&text, &length);
    if (line == NULL)
        return;
    fprintf(line, "%s%s", before, before[0] == '\0' ? "" : then);
    print_words(line, program, words);
    fprintf(line, "%s%s", after[0] == '\0' ? "" : then, after);
    if (fclose(line) == 0) {
        cJSON_DeleteItemFromObjectCaseSensitive(out, "command");
        cJSON_AddStringToObject(out, "command", text);
    }
    free(text);
}

void command_add(cJSON *out, const char *const *words)
{
    put(out, "", "kith", words, "");
}

void command_before(cJSON *out, const char *program, const char *const *words)
{
    put(out, "", program, words, json_text_or(out, "command", ""));
}

void command_after(cJSON *out, const char *program, const char *const *words)
{
    put(out, json_text_or(out, "command", ""), program, words, "");
}
