/* Help pages, filled to lines that fit every terminal. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_WIDTH = 78, OPTION_COLUMN = 28 };

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

static const char *after_line(const char *line)
{
    line += line_length(line);
    return *line == '\n' ? line + 1 : line;
}

/* Where the text of "  name   what it does" begins; 0 if the line does not have that form. */
static size_t text_column(const char *line)
{
    size_t at = strspn(line, " ");
    for (size_t end = line_length(line); at + 1 < end; at++)
        if (line[at] == ' ' && line[at + 1] == ' ')
            return at + strspn(line + at, " ");
    return 0;
}

/* Joins a line with those that go on with it: all others of a paragraph, or lines that are indented
 * further. Returns what follows them; *joined is to be freed. */
static const char *join(const char *line, size_t indent, char **joined)
{
    size_t used = line_length(line);
    *joined = or_die(malloc(strlen(line) + 1));
    memcpy(*joined, line, used);
    for (line = after_line(line);; line = after_line(line)) {
        size_t blanks = strspn(line, " "), length = line_length(line);
        if (length == blanks || (indent == 0 ? blanks > 0 : blanks < indent))
            break;
        (*joined)[used++] = ' ';
        memcpy(*joined + used, line + blanks, length - blanks);
        used += length - blanks;
    }
    (*joined)[used] = '\0';
    return line;
}

/* Paragraphs and lists are filled anew; other lines that are indented stay as they are. */
static void print_text(const char *text)
{
    while (*text != '\0') {
        size_t column = *text == ' ' ? text_column(text) : 0;
        if (*text == '\n' || (*text == ' ' && column == 0)) {
            printf("%.*s\n", (int)line_length(text), text);
            text = after_line(text);
            continue;
        }
        char *joined;
        text = join(text, column, &joined);
        fwrite(joined, 1, column, stdout);
        wrap_text(stdout, joined + column, PAGE_WIDTH, column, column);
        free(joined);
    }
}

/* A line of the usage goes on below its arguments. */
static void print_usage(const char *usage)
{
    fputs("Usage: ", stdout);
    for (size_t used = 7; *usage != '\0'; used = 0) {
        char *line = or_die(strndup(usage, line_length(usage)));
        wrap_text(stdout, line, PAGE_WIDTH, used, 11);
        free(line);
        usage = after_line(usage);
    }
}

static void print_option(const option_spec *o)
{
    char left[64];
    char letter[8] = "    ";
    if (o->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->argument != NULL ? " " : "",
             o->argument != NULL ? o->argument : "");
    if (strlen(left) > OPTION_COLUMN - 4)
        printf("  %s\n%*s", left, OPTION_COLUMN, "");
    else
        printf("  %-*s", OPTION_COLUMN - 2, left);
    wrap_text(stdout, o->help, PAGE_WIDTH, OPTION_COLUMN, OPTION_COLUMN);
}

/* The last blank outside quotes at which a command can be cut; 0 if there is none. */
static size_t cut_command(const char *line, size_t width)
{
    size_t cut = 0, characters = 0;
    char quote = 0;
    for (size_t i = 0; line[i] != '\0' && line[i] != '\n' && characters < width; i++) {
        characters += ((unsigned char)line[i] & 0xc0) != 0x80;
        if (quote == 0 && line[i] == ' ' && i > strspn(line, " "))
            cut = i;
        if (line[i] == '\'' || line[i] == '"')
            quote = quote == line[i] ? 0 : quote == 0 ? line[i] : quote;
    }
    return cut;
}

/* Long commands go on behind a backslash, so that they can be pasted. */
static void print_example(const char *line)
{
    for (bool first = true; *line != '\0'; first = true, line = after_line(line)) {
        for (size_t cut; wrap_length(line, line_length(line)) + (first ? 0 : 6) > PAGE_WIDTH &&
                         (cut = cut_command(line, PAGE_WIDTH - 2 - (first ? 0 : 6))) > 0;
             first = false) {
            printf("%s%.*s \\\n", first ? "" : "      ", (int)cut, line);
            line += cut + 1;
        }
        printf("%s%.*s\n", first ? "" : "      ", (int)line_length(line), line);
    }
}

void help_print(const help_page *page, const option_spec *options)
{
    print_usage(page->usage);
    putchar('\n');
    print_text(page->text);
    puts("\nOptions:");
    for (const option_spec *o = options; o->name != NULL; o++)
        print_option(o);
    print_option(&(option_spec){"help", 'h', OPTION_FLAG, NULL, NULL, "show this page"});
    puts("\nExample:");
    print_example(page->example);
}
