#include "protocol/view/view_texts.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "smc/smc.h"

static const uint64_t max_texts = UINT64_C(1) << 32;

kith_status view_texts_write(view_texts *w, const view_label *label, uint32_t count, arena *memory,
                             kith_error *error)
{
    *w = (view_texts){.length = arena_array(memory, count, sizeof *w->length)};
    TRY_ALLOC(w->length, error);
    for (uint32_t i = 0; i < count; i++) {
        w->length[i] = label[i].bytes == NULL ? 0 : (uint32_t)label[i].length + 1;
        w->total += label[i].bytes == NULL ? 0 : label[i].length;
    }
    w->bytes = TRY_ALLOC(arena_array(memory, w->total, 1), error);
    char *at = w->bytes;
    for (uint32_t i = 0; i < count; i++) {
        if (label[i].bytes != NULL && w->length[i] > 1)
            memcpy(at, label[i].bytes, label[i].length);
        at += w->length[i] > 1 ? label[i].length : 0;
    }
    return KITH_OK;
}

kith_status view_texts_send(party *p, uint32_t to, const message_type *type, const view_texts *w,
                            uint32_t count, kith_error *error)
{
    TRY(smc_send(p, to, type, &w->total, sizeof w->total, error));
    TRY(smc_send(p, to, type, w->length, count * sizeof *w->length, error));
    return smc_send(p, to, type, w->bytes, w->total, error);
}

/* UTF-8 without NUL, or the single NUL of a missing cell. Everyone's tables have no other texts, so
 * that nothing else can be in a release. */
static bool is_label(const char *text, size_t length)
{
    return text_utf8_error(text, length) == length &&
           (length == 1 || memchr(text, '\0', length) == NULL);
}

kith_status view_texts_recv(party *p, uint32_t from, const message_type *type, view_label *label,
                            uint32_t count, arena *memory, kith_error *error)
{
    view_texts w;
    uint64_t sum = 0;
    TRY(smc_recv(p, from, type, &w.total, sizeof w.total, error));
    if (w.total > max_texts)
        return party_protocol_error(p, from, error, "announced %llu bytes of text",
                                    (unsigned long long)w.total);
    w.length = TRY_ALLOC(arena_array(memory, count, sizeof *w.length), error);
    TRY(smc_recv(p, from, type, w.length, count * sizeof *w.length, error));
    for (uint32_t i = 0; i < count; i++)
        sum += w.length[i] > 1 ? w.length[i] - 1 : 0;
    if (sum != w.total)
        return party_protocol_error(p, from, error, "sent texts of wrong lengths");
    unsigned char *bytes = NULL;
    TRY(smc_recv_append(p, from, type, memory, &bytes, 0, w.total, error));
    const char *at = (const char *)bytes;
    for (uint32_t i = 0; i < count; i++) {
        size_t length = w.length[i] > 1 ? w.length[i] - 1 : 0;
        label[i] = (view_label){w.length[i] == 0 ? NULL : at, length};
        if (!is_label(at, length))
            return party_protocol_error(p, from, error, "sent a text that no table can have");
        at += length;
    }
    return KITH_OK;
}
