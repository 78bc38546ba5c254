/* The command that does the same. */
#include "console/server/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* postgresql://name:password@host/… has it between the second colon and the last @. */
static void print_word(FILE *line, const char *word)
{
    const char *scheme = strstr(word, "://");
    const char *at = scheme == NULL ? NULL : strrchr(word, '@');
    const char *colon = at == NULL ? NULL : memchr(scheme + 3, ':', (size_t)(at - scheme - 3));
    if (colon == NULL) {
        print_quoted(line, word);
        return;
    }
    char *shown = NULL;
    if (asprintf(&shown, "%.*s:…%s", (int)(colon - word), word, at) > 0)
        print_quoted(line, shown);
    free(shown);
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
