#include "report/html.h"

#include <string.h>

#include "core/check.h"
#include "core/text.h"

struct html {
    arena *memory;
    char *bytes;
    size_t length, capacity;
    bool failed;
};

html *html_new(arena *memory)
{
    html *page = arena_zalloc(memory, 1, sizeof *page);
    if (page != NULL)
        page->memory = memory;
    return page;
}

void html_bytes(html *page, const char *bytes, size_t length)
{
    if (page->failed)
        return;
    if (length > page->capacity - page->length) {
        const size_t capacity = arena_capacity(page->capacity, page->length + length);
        char *larger = arena_resize(page->memory, page->bytes, page->capacity, capacity);
        if (larger == NULL) {
            page->failed = true;
            return;
        }
        page->bytes = larger;
        page->capacity = capacity;
    }
    memcpy(page->bytes + page->length, bytes, length);
    page->length += length;
}

void html_markup(html *page, const char *markup)
{
    html_bytes(page, markup, strlen(markup));
}

/* What a byte becomes in HTML, NULL if it stays as it is. Tabs and line ends become blanks, because
 * a browser shows them so. */
static const char *escape(unsigned char byte)
{
    switch (byte) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\t':
    case '\n':
    case '\r': return " ";
    default: return byte < 0x20 || byte == 0x7f ? "\xef\xbf\xbd" : NULL;
    }
}

/* Bytes that are well-formed UTF-8. */
static void put_valid(html *page, const char *text, size_t length)
{
    size_t from = 0;
    for (size_t i = 0; i < length; i++) {
        const char *instead = escape((unsigned char)text[i]);
        if (instead == NULL)
            continue;
        html_bytes(page, text + from, i - from);
        html_markup(page, instead);
        from = i + 1;
    }
    html_bytes(page, text + from, length - from);
}

static void put_text(html *page, const char *text)
{
    size_t length = strlen(text);
    const bool cut = length > HTML_MAX_TEXT;
    if (cut) {
        length = HTML_MAX_TEXT;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--;
    }
    for (size_t i = 0; i < length;) {
        const size_t good = text_utf8_error(text + i, length - i);
        put_valid(page, text + i, good);
        i += good;
        if (i < length) {
            html_markup(page, "\xef\xbf\xbd");
            i++;
        }
    }
    if (cut)
        html_markup(page, "…");
}

void html_fill_texts(html *page, const char *markup, const char *const *texts, size_t n_texts)
{
    size_t n_used = 0;
    for (const char *hole; (hole = strstr(markup, "{}")) != NULL; markup = hole + 2) {
        html_bytes(page, markup, (size_t)(hole - markup));
        ASSERT(n_used < n_texts);
        if (n_used < n_texts && texts[n_used] != NULL)
            put_text(page, texts[n_used]);
        n_used++;
    }
    ASSERT(n_used == n_texts);
    html_markup(page, markup);
}

void html_fail(html *page)
{
    page->failed = true;
}

kith_status html_finish(const char **bytes, size_t *length, const html *page, kith_error *error)
{
    if (page->failed)
        return error_nomem(error);
    *bytes = page->bytes;
    *length = page->length;
    return KITH_OK;
}
