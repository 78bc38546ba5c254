/* Texts that come from others, made harmless for a terminal. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

/* The length of a character in UTF-8 that acts on a terminal without being seen: C1 controls, and
 * marks that change the direction of what follows. 0: it is not one. */
static int hidden(const unsigned char *s)
{
    if (s[0] == 0xc2 && s[1] >= 0x80 && s[1] <= 0x9f)
        return 2;
    bool direction = s[0] == 0xe2 && ((s[1] == 0x80 && s[2] >= 0xaa && s[2] <= 0xae) ||
                                      (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9));
    return direction ? 3 : 0;
}

void plain_text_print(FILE *out, const char *text, const char *allowed)
{
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0'; s++) {
        int length = *s < 0x20 || *s == 0x7f ? 1 : hidden(s);
        if (length == 0 || strchr(allowed, *s) != NULL) {
            fputc(*s, out);
            continue;
        }
        for (int i = 0; i < length; i++)
            fprintf(out, "\\x%02x", s[i]);
        s += length - 1;
    }
}
