#include "study/yaml/yaml_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* True if YAML reads the text as a string without quotes. */
static bool plain(const char *text)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no", "on", "off", NULL};
    for (const char *const *w = words; *w != NULL; w++)
        if (strcasecmp(text, *w) == 0)
            return false;
    if (!isalpha((unsigned char)text[0]))
        return false;
    for (const char *c = text; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && strchr("_-./", *c) == NULL)
            return false;
    return true;
}

void yaml_text_put(FILE *out, const char *text)
{
    if (plain(text))
        fputs(text, out);
    else
        yaml_text_quote(out, text);
}

void yaml_text_quote(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20 || *c == 0x7f)
            fprintf(out, "\\x%02x", (unsigned char)*c);
        else
            fputc(*c, out);
    fputc('"', out);
}
