/* JSON of the command line itself: errors, and what has no document. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

/* Length of the UTF-8 character at `s`, 0 if there is none. */
static size_t character_length(const unsigned char *s)
{
    size_t length = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (s[0] >= 0xf5 || (s[0] >= 0x80 && s[0] < 0xc2) || (s[0] == 0xe0 && s[1] < 0xa0) ||
        (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

void json_text(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    fputc('"', out);
    while (*s != '\0') {
        size_t length = character_length(s);
        if (length == 0)
            fputs("\\ufffd", out); /* a name of a file may be anything */
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(out, "\\u%04x", *s);
        else
            fwrite(s, 1, length, out);
        s += length == 0 ? 1 : length;
    }
    fputc('"', out);
}
