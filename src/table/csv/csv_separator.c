#include "table/csv/csv_separator.h"

enum { LINES = 10 };

/* Counts a character outside quotes up to the end of the line; *line ends behind it. */
static size_t count_in_line(const char **line, const char *end, char wanted, bool *complete)
{
    bool quoted = false;
    size_t count = 0;
    const char *s = *line;
    for (; s < end && (quoted || (*s != '\n' && *s != '\r')); s++) {
        quoted ^= *s == '"';
        count += !quoted && *s == wanted;
    }
    *complete = s < end;
    s += s + 1 < end && s[0] == '\r' && s[1] == '\n';
    *line = s < end ? s + 1 : end;
    return count;
}

size_t csv_separator_count(const char *text, size_t length, char wanted, bool *complete)
{
    return count_in_line(&text, text + length, wanted, complete);
}

/* Do the lines below the first one, as far as they are there, have the character as often? */
static bool even(const char *text, size_t length, char wanted, size_t min_lines)
{
    const char *line = text, *end = text + length;
    bool complete;
    size_t first = count_in_line(&line, end, wanted, &complete), n_lines = 1;
    for (; n_lines < LINES && first > 0 && line < end; n_lines++) {
        size_t count = count_in_line(&line, end, wanted, &complete);
        if (!complete && count < first)
            break; /* the rest of the line may be in the next block */
        if (count != first)
            return false;
    }
    return first > 0 && n_lines >= min_lines;
}

static char most_frequent(const char *text, size_t length)
{
    char best = 0;
    size_t most = 0;
    for (const char *c = CSV_SEPARATORS; *c != '\0'; c++) {
        bool complete;
        size_t count = csv_separator_count(text, length, *c, &complete);
        if (count > most) {
            most = count;
            best = *c;
        }
    }
    return best;
}

char csv_separator_guess(const char *text, size_t length, bool header)
{
    static const char comma_last[] = ";\t|,";
    for (const char *c = comma_last; !header && *c != '\0'; c++)
        if (even(text, length, *c, 1))
            return *c;
    char best = most_frequent(text, length);
    for (const char *c = CSV_RARE_SEPARATORS; best == 0 && *c != '\0'; c++)
        if (even(text, length, *c, 2))
            best = *c;
    return best != 0 ? best : ',';
}
