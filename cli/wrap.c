/* Text that fits the terminal. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80, MIN_WIDTH = 40, MAX_WIDTH = 500 };

size_t wrap_width(FILE *out)
{
    const char *set = getenv("COLUMNS");
    struct winsize size;
    unsigned long width = set == NULL ? 0 : strtoul(set, NULL, 10);
    if (width == 0 && isatty(fileno(out)) != 0 && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width == 0)
        width = USUAL_WIDTH;
    return width < MIN_WIDTH ? MIN_WIDTH : width > MAX_WIDTH ? MAX_WIDTH : width;
}

size_t wrap_length(const char *text, size_t bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

/* Where the character after this one begins. */
static size_t next_character(const char *text, size_t at)
{
    do
        at++;
    while (((unsigned char)text[at] & 0xc0) == 0x80);
    return at;
}

size_t wrap_line(const char *text, size_t width, size_t *next)
{
    size_t at = 0, fits = 0, space = 0;
    for (size_t characters = 0; text[at] != '\0' && text[at] != '\n' && characters < width;
         characters++) {
        if (text[at] == ' ' && at > 0)
            space = at;
        at = next_character(text, at);
        fits = at;
    }
    if (text[fits] != '\0' && text[fits] != '\n' && text[fits] != ' ' && space > 0)
        fits = space;
    *next = fits;
    if (text[*next] == '\n')
        ++*next;
    else
        while (text[*next] == ' ')
            ++*next;
    while (fits > 0 && text[fits - 1] == ' ')
        fits--;
    return fits;
}

void wrap_text(FILE *out, const char *text, size_t width, size_t used, size_t indent)
{
    while (*text != '\0') {
        size_t next, bytes = wrap_line(text, used < width ? width - used : 1, &next);
        fwrite(text, 1, bytes, out);
        fputc('\n', out);
        text += next;
        if (*text != '\0')
            fprintf(out, "%*s", (int)indent, "");
        used = indent;
    }
}

FILE *wrap_begin(wrap_buffer *b)
{
    b->text = NULL;
    b->in = or_die(open_memstream(&b->text, &b->length));
    return b->in;
}

char *wrap_take(wrap_buffer *b)
{
    const bool written = ferror(b->in) == 0; /* memory is all that can run out */
    return or_die(fclose(b->in) == 0 && written ? b->text : NULL);
}

void wrap_end(wrap_buffer *b, FILE *out, size_t indent)
{
    char *text = wrap_take(b);
    wrap_text(out, text, wrap_width(out), 0, indent);
    free(text);
}
