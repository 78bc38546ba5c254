#include "core/bytes.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"

void bytes_write(bytes_writer *w, const void *bytes, size_t length)
{
    const size_t needed = w->length + length;
    if (w->failed || length == 0)
        return;
    if (needed > w->room) {
        const size_t room = arena_capacity(w->room, needed);
        uint8_t *larger = needed < length ? NULL : arena_resize(w->memory, w->bytes, w->room, room);
        w->failed = larger == NULL;
        if (w->failed) {
            w->room = w->length; /* nothing fits any more */
            return;
        }
        w->bytes = larger;
        w->room = room;
    }
    memcpy(w->bytes + w->length, bytes, length);
    w->length = needed;
}

kith_status bytes_written(const bytes_writer *w, kith_error *error)
{
    return w->failed ? error_nomem(error) : KITH_OK;
}

uint64_t bytes_read_count(bytes_reader *r, uint32_t width, size_t least)
{
    const uint64_t count = bytes_read(r, width);
    r->failed = r->failed || count > r->left / least;
    return r->failed ? 0 : count;
}

const char *bytes_read_text(bytes_reader *r, uint64_t length)
{
    const char *text = (const char *)r->at;
    r->failed = r->failed || length > r->left || memchr(text, '\0', (size_t)length) != NULL ||
                text_utf8_error(text, (size_t)length) != length;
    if (r->failed)
        return NULL;
    r->at += length;
    r->left -= (size_t)length;
    return text;
}

bool bytes_read_all(const bytes_reader *r)
{
    return !r->failed && r->left == 0;
}
