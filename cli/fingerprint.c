/* Fingerprints as people read them out. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

/* Prints words, `per_line` of them on each line; lines after the first begin with `indent` blanks.
 */
static void print_wrapped(const char *text, int per_line, int indent)
{
    for (int count = 0; *text != '\0'; count++) {
        size_t length = strcspn(text, " ");
        if (count > 0 && count % per_line == 0)
            printf("\n%*s", indent, "");
        else if (count > 0)
            putchar(' ');
        printf("%.*s", (int)length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

void fingerprint_print(const kith_document *forms, bool with_words)
{
    enum { GROUPS = 8, WORDS = 8, INDENT = 16 };
    print_wrapped(kith_document_text(forms, "grouped", ""), GROUPS, INDENT);
    if (!with_words)
        return;
    fputs("in words        ", stdout);
    print_wrapped(kith_document_text(forms, "words", ""), WORDS, INDENT);
}

void digest_print(const char *digest)
{
    kith_document *forms = NULL;
    fputs("digest          ", stdout);
    if (kith_fingerprint_describe(&forms, digest, NULL) == KITH_OK)
        fingerprint_print(forms, false);
    else
        puts(""); /* of a file that somebody has changed */
    kith_document_free(forms);
}
