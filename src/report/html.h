/* A page under construction. A text from outside reaches it through html_fill only, which escapes
 * it; everything else is markup of our own. A failed allocation is remembered, and reported once by
 * html_finish. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stddef.h>

#include "core/arena.h"
#include "core/error.h"

typedef struct html html;

html *html_new(arena *memory); /* NULL if out of memory */

/* Markup as it is. */
void html_markup(html *page, const char *markup);
/* Bytes of our own files: styles and scripts. */
void html_bytes(html *page, const char *bytes, size_t length);

/* Markup in which each {} is replaced by the next text:
 *
 *     html_fill(page, "<td>{}</td><td>{}</td>", name, value);
 *
 * In a text, characters that mean something in HTML are escaped, also inside of attributes between
 * double quotes; control characters and bytes that are not UTF-8 become U+FFFD. A text of more than
 * HTML_MAX_TEXT bytes is cut and ends with "…". NULL is the empty text. There must be as many texts
 * as {}. */
#define html_fill(page, markup, ...)                                  \
    html_fill_texts(page, markup, (const char *const[]){__VA_ARGS__}, \
                    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
enum { HTML_MAX_TEXT = 240 };
void html_fill_texts(html *page, const char *markup, const char *const *texts, size_t n_texts);

/* Something that belongs on the page could not be made: html_finish will report it. */
void html_fail(html *page);
/* The page so far, which lives as long as the arena. */
kith_status html_finish(const char **bytes, size_t *length, const html *page, kith_error *error);

#endif
