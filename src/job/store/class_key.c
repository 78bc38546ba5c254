#include "job/store/class_key.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

static kith_status add_text(class_key *k, const char *text, kith_error *error)
{
    const bool missing = text == NULL || text[0] == '\0';
    const size_t more = missing ? 1 : strlen(text) + 2;
    if (k->length + more > k->room) {
        char *wider = TRY_ALLOC(realloc(k->bytes, 2 * (k->length + more)), error);
        k->bytes = wider;
        k->room = 2 * (k->length + more);
    }
    k->bytes[k->length++] = missing ? 'n' : 't';
    if (!missing) {
        memcpy(k->bytes + k->length, text, more - 1);
        k->length += more - 1;
    }
    return KITH_OK;
}

kith_status class_key_next(class_key *k, const postgres_cursor *c, bool *other, kith_error *error)
{
    const size_t before = k->length;
    for (uint32_t i = 0; i < k->n_columns; i++)
        TRY(add_text(k, postgres_cursor_cell(c, (int)k->columns[i]), error));
    const size_t length = k->length - before;
    *other = length != before || (length > 0 && memcmp(k->bytes, k->bytes + before, length) != 0);
    if (length > 0)
        memmove(k->bytes, k->bytes + before, length);
    k->length = length;
    return KITH_OK;
}

void class_key_free(class_key *k)
{
    free(k->bytes);
    k->bytes = NULL;
}
