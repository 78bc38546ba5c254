/* Lists of labels on the wire, some of which may be unknown. */
#ifndef PROTOCOL_VIEW_VIEW_TEXTS_H
#define PROTOCOL_VIEW_VIEW_TEXTS_H

#include "protocol/view/view_crypt.h"
#include "wire/party.h"

/* Lengths + 1 (0: unknown, its bytes are NULL), then the bytes of all labels. */
typedef struct view_texts {
    uint32_t *length; /* [count] */
    char *bytes;
    uint64_t total;
} view_texts;

kith_status view_texts_write(view_texts *w, const view_label *label, uint32_t count, arena *memory,
                             kith_error *error) KITH_MUST_USE;
kith_status view_texts_send(party *p, uint32_t to, const message_type *type, const view_texts *w,
                            uint32_t count, kith_error *error) KITH_MUST_USE;
/* Fills label[]; their bytes live in `memory`. Blames `from` for what is not UTF-8, or has a NUL
 * that is not all of it. */
kith_status view_texts_recv(party *p, uint32_t from, const message_type *type, view_label *label,
                            uint32_t count, arena *memory, kith_error *error) KITH_MUST_USE;

#endif
